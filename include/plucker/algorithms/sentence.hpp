// What a row of the table says, as a sentence.
#pragma once

#include <string>

namespace plucker {

// With a capital, unless it begins with a symbol.
inline std::string sentence_of(std::string says) {
    const auto is_small = [](char x) { return x >= 'a' && x <= 'z'; };
    if (says.size() > 1 && is_small(says[0]) && is_small(says[1]))
        says[0] = static_cast<char>(says[0] - 'a' + 'A');
    return says;
}

}  // namespace plucker
