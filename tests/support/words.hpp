// Texts that are the same up to the rounding of the numbers in them.
#pragma once

#include <string>

namespace plucker::test {

// Where they differ first, with the line; empty if they do not. Numbers may differ by 1e-9 of themselves, or by 1e-12: what a
// compiler may round otherwise; but not in how they are written, unless they end in other digits. Blanks count, but where a
// number is as long as another.
std::string difference_in_words(const std::string& got, const std::string& expected);

}  // namespace plucker::test
