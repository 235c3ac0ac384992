#include "terminal.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace plucker::cli {
namespace {

int exit_status = 0;

std::string coloured(const std::string& text, const char* code) {
    static const bool shown = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
    return shown ? fmt::format("\033[{}m{}\033[0m", code, text) : text;
}

// Characters, not bytes; combining marks (the dot of Ṁ may be one) take no room.
std::size_t display_width(const std::string& text) {
    std::size_t width = 0;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const auto byte = static_cast<unsigned char>(text[k]);
        if ((byte & 0xC0U) == 0x80U) continue;  // a byte inside a character
        const bool combining = byte == 0xCC || (byte == 0xCD && k + 1 < text.size() &&
                                                static_cast<unsigned char>(text[k + 1]) < 0xB0);
        if (!combining) ++width;
    }
    return width;
}

}  // namespace

int exit_code() { return exit_status; }
void set_exit_code(int code) { exit_status = code; }

std::string green(const std::string& text) { return coloured(text, "32"); }
std::string red(const std::string& text) { return coloured(text, "31"); }
std::string bold(const std::string& text) { return coloured(text, "1"); }

std::string padded(const std::string& text, std::size_t width) {
    const std::size_t used = display_width(text);
    return text + std::string(width > used ? width - used : 0, ' ');
}

void print_heading(const std::string& title) { fmt::print("\n{}\n", bold(title)); }

void print_matrix(const MatrixX<double>& m, const std::vector<std::string>& row_names) {
    std::size_t name_width = 0;
    for (const std::string& name : row_names)
        name_width = std::max(name_width, display_width(name));
    // Rounding leaves dust where the mathematics has zero; it would only distract here.
    const auto entry = [&](long r, long c) {
        if (std::abs(m(r, c)) < 1e-12) return std::string(".");
        const std::string text = fmt::format("{:.3f}", m(r, c));
        return text == "-0.000" ? std::string("0.000") : text;
    };
    std::size_t width = 7;
    for (long r = 0; r < m.rows(); ++r) {
        for (long c = 0; c < m.cols(); ++c) width = std::max(width, entry(r, c).size());
    }
    for (long r = 0; r < m.rows(); ++r) {
        fmt::print("  {} ", padded(row_names[static_cast<std::size_t>(r)], name_width));
        for (long c = 0; c < m.cols(); ++c) fmt::print(" {:>{}}", entry(r, c), width);
        fmt::print("\n");
    }
}

}  // namespace plucker::cli
