// What the standard library of Debian's emscripten lacks of C++20. Read before each source.
#pragma once

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string>

#if !defined(__cpp_lib_bit_cast)
// Writes all digits of the number, and returns where they end; in module.cpp, by the JSON library's own code.
char* plucker_write_number(char* first, char* last, double x);

namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}

// The fewest digits that mean the same number. (Here printf would compute with 128 bits, without hardware for it.)
inline to_chars_result to_chars(char* first, char* last, double x) {
    constexpr ptrdiff_t kMost = 32;
    if (last - first < kMost) return {last, errc::value_too_large};
    return {plucker_write_number(first, last, x), errc{}};
}

inline from_chars_result from_chars(const char* first, const char* last, double& x) {
    const string text(first, last);
    char* end = nullptr;
    const double value = strtod(text.c_str(), &end);
    if (end == text.c_str() || text.front() == ' ' || text.front() == '+')
        return {first, errc::invalid_argument};
    x = value;
    return {first + (end - text.c_str()), errc{}};
}

namespace ranges {
template <class A, class B>
constexpr bool equal(const A& a, const B& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}
}  // namespace ranges

}  // namespace std
#endif
