#include "open_loops.hpp"

#include "terminal.hpp"

namespace plucker::cli {
namespace {

// "'a', 'b' and 7 more"
std::string first_of(const std::vector<std::string>& names, const char* quote) {
    constexpr std::size_t kMost = 3;
    std::string out;
    for (std::size_t k = 0; k < std::min(names.size(), kMost); ++k)
        out += (k == 0 ? "" : ", ") + (quote + names[k] + quote);
    return names.size() > kMost ? fmt::format("{} and {} more", out, names.size() - kMost) : out;
}

}  // namespace

void note_left_out_constraints(const ModelArgument& argument, const Model& model,
                               const std::vector<std::string>& results, const char* instead) {
    if (model.constraints().empty() || results.empty()) return;
    std::vector<std::string> names;
    for (const Constraint& constraint : model.constraints()) names.push_back(constraint.name);
    complain("{}: note: {} {} the tree's, without {} {}{}\n", argument.name, first_of(results, ""),
             results.size() == 1 ? "is" : "are",
             names.size() == 1 ? "constraint" : "the constraints", first_of(names, "'"),
             *instead == 0 ? "" : std::string("; ") + instead);
}

}  // namespace plucker::cli
