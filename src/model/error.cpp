#include "plucker/model/error.hpp"

#include <algorithm>
#include <numeric>

namespace plucker {
namespace {

// How far a name is from one that there is: letters to change, add, drop or exchange with their neighbours, four each, after
// Levenshtein and Damerau. Upper for lower case counts one, and so does each letter that is left out at an end: 'gravty' means
// 'gravity_torque', not the equally short 'frames'. Of long names, only the beginnings count.
std::size_t distance_of_names(const std::string& long_name, const std::string& long_candidate) {
    constexpr std::size_t kLetters = 64, kMistake = 4;
    const std::string name = long_name.substr(0, kLetters);
    const std::string candidate = long_candidate.substr(0, kLetters);
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
    const auto changed = [&](char a, char b) {
        return a == b ? std::size_t{0} : (lower(a) == lower(b) ? std::size_t{1} : kMistake);
    };
    // Of the beginnings of both with i and j letters.
    std::vector<std::vector<std::size_t>> d(name.size() + 1,
                                            std::vector<std::size_t>(candidate.size() + 1));
    std::iota(d[0].begin(), d[0].end(), std::size_t{0});
    for (std::size_t i = 1; i <= name.size(); ++i) {
        const std::size_t left_out = i == name.size() ? 1 : kMistake;
        d[i][0] = i * kMistake;
        for (std::size_t j = 1; j <= candidate.size(); ++j) {
            d[i][j] = std::min({d[i - 1][j - 1] + changed(name[i - 1], candidate[j - 1]),
                                d[i - 1][j] + kMistake, d[i][j - 1] + left_out});
            if (i > 1 && j > 1 && name[i - 1] == candidate[j - 2] &&
                name[i - 2] == candidate[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + kMistake);
        }
    }
    return d[name.size()][candidate.size()];
}

}  // namespace

Error unknown_name(const std::string& kind, const std::string& name,
                   const std::vector<std::string>& known) {
    constexpr std::size_t kSuggestions = 3;
    std::vector<std::pair<std::size_t, std::string>> ranked;
    ranked.reserve(known.size());
    for (const std::string& candidate : known) {
        ranked.emplace_back(distance_of_names(name, candidate), candidate);
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
