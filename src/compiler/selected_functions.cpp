#include "selected_functions.hpp"

#include <algorithm>

#include "identifiers.hpp"

namespace plucker::compiler {
namespace {

// Whether a function needs no more than numbers, and perhaps a frame.
bool can_be_written(const Algorithm& row) {
    return !row.fills_kinematics && !row.inputs.has(Kind::kGiven);
}

// What was asked for has to serve something.
void check_use(const std::vector<SelectedFunction>& functions, const GenerateOptions& options) {
    const auto any_takes = [&](Kind kind) {
        return std::any_of(functions.begin(), functions.end(), [&](const SelectedFunction& f) {
            return f.algorithm().inputs.has(kind);
        });
    };
    if (!options.frames.empty() && !any_takes(Kind::kFrame)) {
        throw Error::because("generate: none of the functions takes a frame, but '",
                             options.frames[0], "' is named");
    }
    if (!options.forces.empty() && !any_takes(Kind::kForces)) {
        throw Error::because("generate: none of the functions takes external forces, but '",
                             options.forces[0], "' is named");
    }
    if (options.reference != ReferenceFrame::kBody && options.forces.empty() &&
        !any_takes(Kind::kReference)) {
        throw Error(
            "generate: none of the functions has a reference frame to choose; leave it out");
    }
}

}  // namespace

std::vector<SelectedFunction> selected_functions(const Model& model,
                                                 const GenerateOptions& options) {
    if (options.functions.empty()) throw Error("generate: no function is named");
    for (const auto* frames : {&options.frames, &options.forces}) {
        for (const std::string& frame : *frames) (void)model.frame_id(frame);
    }
    std::vector<SelectedFunction> out;
    for (const std::string& name : options.functions) {
        const int k = row_named(name, "function to generate", can_be_written);
        const Algorithm& row = algorithms()[static_cast<std::size_t>(k)];
        if (!applies_to(row, model))
            throw Error::because("generate: robot '", model.name(), "' has no ", name);
        if (!row.inputs.has(Kind::kFrame)) {
            out.push_back({k, "", ""});
            continue;
        }
        if (options.frames.empty()) {
            throw Error::because("generate: ", name, " takes a frame; name one, such as '",
                                 model.frames().back().name, "'");
        }
        for (const std::string& frame : options.frames) out.push_back({k, frame, ""});
    }
    check_use(out, options);
    std::vector<std::string> names;
    for (const SelectedFunction& f : out)
        names.push_back(f.algorithm().name + (f.frame.empty() ? "" : "_" + f.frame));
    names = identifiers(names);
    for (std::size_t k = 0; k < out.size(); ++k) out[k].name = names[k];
    return out;
}

Recorded record(const Model& model, const SelectedFunction& function,
                const GenerateOptions& options, const std::vector<std::string>& parameters) {
    RecordOptions out;
    if (!function.frame.empty()) out.frame = model.frame_id(function.frame);
    out.reference = options.reference;
    out.parameters = parameters;
    if (function.algorithm().inputs.has(Kind::kForces)) {
        for (const std::string& frame : options.forces)
            out.forces.push_back({model.frame_id(frame), options.reference});
    }
    return record(model, function.row, out);
}

}  // namespace plucker::compiler
