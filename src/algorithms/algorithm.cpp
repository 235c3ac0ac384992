#include "plucker/algorithms/algorithm.hpp"

namespace plucker {

int row_named(const std::string& name, const char* what, bool (*accepts)(const Algorithm&)) {
    for (std::size_t k = 0; k < algorithms().size(); ++k) {
        const Algorithm& row = algorithms()[k];
        if (row.name == name && accepts(row)) return static_cast<int>(k);
    }
    throw unknown_name(what, name, row_names(accepts));
}
std::vector<std::string> row_names(bool (*accepts)(const Algorithm&)) {
    std::vector<std::string> out;
    for (const Algorithm& row : algorithms()) {
        if (accepts(row)) out.emplace_back(row.name);
    }
    return out;
}

bool applies_to(const Algorithm& row, const Model& model) {
    if (row.needs_floating_base && !model.has_floating_base()) return false;
    if (!row.needs_free_frame) return true;
    int freedoms = 0;
    for (int i = model.num_bodies(); i != 0; i = model.body(i).parent) {
        freedoms += model.body(i).mimic ? 0 : model.body(i).nv;
    }
    return freedoms >= 6;
}

const char* in_words(Length length) {
    switch (length) {
        case Length::kOne:
            return "1";
        case Length::kTwo:
            return "2";
        case Length::kThree:
            return "3";
        case Length::kFour:
            return "4";
        case Length::kSix:
            return "6";
        case Length::kTwelve:
            return "12";
        case Length::kNq:
            return "nq";
        case Length::kNv:
            return "nv";
        case Length::kNvSquared:
            return "nv²";
        case Length::kBodies:
            return "bodies";
        case Length::kBodiesAndGround:
            return "(bodies + 1)";
        case Length::kParameters:
            return "parameters";
        case Length::kAny:
            break;
    }
    return "any number";
}

std::string extent_in_words(Kind kind) {
    switch (kind) {
        case Kind::kNumber:
            return "a number";
        case Kind::kForces:
            return "external forces";
        case Kind::kFrame:
            return "a frame";
        case Kind::kReference:
            return "a reference frame";
        case Kind::kRoot:
            return "a body's number";
        case Kind::kGiven:
            return "one entry per body, and entry 0";
        default:
            break;
    }
    const Lengths shape = lengths_of(kind);
    std::string out = in_words(shape.rows);
    if (shape.columns != Length::kOne) out += std::string(" × ") + in_words(shape.columns);
    return out;
}

}  // namespace plucker
