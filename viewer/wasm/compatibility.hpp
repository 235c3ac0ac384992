// What the standard library of Debian's emscripten lacks of C++20. Read before each source.
#pragma once

#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#if !defined(__cpp_lib_bit_cast)
namespace std {

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
    return __builtin_bit_cast(To, from);
}

// The fewest digits that mean the same number.
inline to_chars_result to_chars(char* first, char* last, double x) {
    char text[32];
    int length = 0;
    for (int digits = 15; digits <= 17; ++digits) {
        length = snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, nullptr) == x) break;
    }
    if (length > last - first) return {last, errc::value_too_large};
    memcpy(first, text, static_cast<size_t>(length));
    return {first + length, errc{}};
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

}  // namespace std
#endif
