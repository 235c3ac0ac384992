#include "support/words.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace plucker::test {
namespace {

enum class Kind { kNumber, kBlanks, kWord };

struct Word {
    Kind kind;
    std::string text;
    long line;
};

bool is_of_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// How many characters of a number stand there.
std::size_t number_at(std::string_view text, std::size_t begin) {
    if (begin > 0 && (is_of_a_name(text[begin - 1]) || text[begin - 1] == '.')) return 0;
    std::size_t end = begin;
    const auto at = [&](std::size_t k) { return k < text.size() ? text[k] : ' '; };
    const auto digits = [&] {
        const std::size_t before = end;
        while (is_digit(at(end))) ++end;
        return end > before;
    };
    if (at(end) == '-' || at(end) == '+') ++end;
    if (!digits()) return 0;
    if (at(end) == '.' && is_digit(at(end + 1))) {
        ++end;
        digits();
    }
    const bool is_signed = at(end + 1) == '-' || at(end + 1) == '+';
    if (at(end) == 'e' && is_digit(at(end + (is_signed ? 2 : 1)))) {
        end += is_signed ? 2 : 1;
        digits();
    }
    return is_of_a_name(at(end)) ? 0 : end - begin;
}

std::vector<Word> words_of(std::string_view text) {
    std::vector<Word> out;
    long line = 1;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        Kind kind = Kind::kWord;
        if (const std::size_t size = number_at(text, at); size > 0) {
            kind = Kind::kNumber;
            end = at + size;
        } else if (text[at] == ' ') {
            kind = Kind::kBlanks;
            end = std::min(text.find_first_not_of(' ', at), text.size());
        } else if (is_of_a_name(text[at])) {
            while (end < text.size() && is_of_a_name(text[end])) ++end;
        }
        out.push_back({kind, std::string(text.substr(at, end - at)), line});
        if (text[at] == '\n') ++line;
        at = end;
    }
    return out;
}

bool are_close(const std::string& a, const std::string& b) {
    const double x = std::strtod(a.c_str(), nullptr), y = std::strtod(b.c_str(), nullptr);
    return std::abs(x - y) <= 1e-12 + 1e-9 * std::max(std::abs(x), std::abs(y));
}

std::string line_of(const std::string& text, long line) {
    std::size_t begin = 0;
    for (long k = 1; k < line && begin < text.size(); ++k) begin = text.find('\n', begin) + 1;
    return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace

std::string difference_in_words(const std::string& got, const std::string& expected) {
    const std::vector<Word> a = words_of(got), b = words_of(expected);
    const auto differ = [&](std::size_t k) {
        const long here = k < a.size() ? a[k].line : a.empty() ? 1 : a.back().line;
        const long there = k < b.size() ? b[k].line : b.empty() ? 1 : b.back().line;
        return "line " + std::to_string(there) + " is\n" + line_of(got, here) +
               "\nand was recorded as\n" + line_of(expected, there);
    };
    // Whether these are numbers of other lengths, beside which there may be more or fewer blanks.
    const auto are_resized = [&](std::size_t k) {
        return k < a.size() && k < b.size() && a[k].kind == Kind::kNumber &&
               a[k].text.size() != b[k].text.size();
    };
    for (std::size_t k = 0; k < std::max(a.size(), b.size()); ++k) {
        if (k >= a.size() || k >= b.size() || a[k].kind != b[k].kind) return differ(k);
        if (a[k].text == b[k].text) continue;
        if (a[k].kind == Kind::kNumber && are_close(a[k].text, b[k].text)) continue;
        if (a[k].kind == Kind::kBlanks && ((k > 0 && are_resized(k - 1)) || are_resized(k + 1)))
            continue;
        return differ(k);
    }
    return "";
}

}  // namespace plucker::test
