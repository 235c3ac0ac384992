#include "plucker/model/error.hpp"

#include <algorithm>
#include <numeric>

namespace plucker {
namespace {

// Levenshtein distance: how many letters to change, add or drop. Of long names, only the beginnings count.
std::size_t edit_distance(const std::string& long_a, const std::string& long_b) {
    constexpr std::size_t kLetters = 64;
    const std::string a = long_a.substr(0, kLetters);
    const std::string b = long_b.substr(0, kLetters);
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
            diagonal = row[j];
            row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1});
        }
    }
    return row[b.size()];
}

}  // namespace

Error unknown_name(const std::string& kind, const std::string& name,
                   const std::vector<std::string>& known) {
    constexpr std::size_t kSuggestions = 3;
    std::vector<std::pair<std::size_t, std::string>> ranked;
    ranked.reserve(known.size());
    for (const std::string& candidate : known) {
        ranked.emplace_back(edit_distance(name, candidate), candidate);
    }
    std::sort(ranked.begin(), ranked.end());
    if (ranked.size() > kSuggestions) ranked.resize(kSuggestions);
    std::ostringstream out;
    out << "unknown " << kind << " '" << name << "'";
    if (ranked.empty()) out << "; there are none";
    for (std::size_t k = 0; k < ranked.size(); ++k) {
        out << (k == 0 ? "; closest: '" : ", '") << ranked[k].second << "'";
    }
    return Error(out.str());
}

Error wrong_size(const char* function, const char* argument, long size, long expected,
                 const char* meaning) {
    // A size that every robot has needs no second name.
    const std::string named =
        meaning == std::to_string(expected) ? "" : " (" + std::string(meaning) + ")";
    return Error::because(function, ": ", argument, " has size ", size, ", expected ", expected,
                          named);
}

Error wrong_shape(const char* function, const char* argument, long rows, long cols,
                  long expected_rows, long expected_cols) {
    return Error::because(function, ": ", argument, " is ", rows, "×", cols, ", expected ",
                          expected_rows, "×", expected_cols);
}

}  // namespace plucker
