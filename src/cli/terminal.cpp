#include "terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <new>
#include <nlohmann/json.hpp>

namespace plucker::cli {
namespace {

int exit_status = kDone;
int output_failure = 0;

Styled coloured(std::string_view text, const char* code) {
    static const bool shown = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
    return {shown ? fmt::format("\033[{}m{}\033[0m", code, visible(text)) : visible(text)};
}

// --- Characters that a terminal would obey ---

struct Character {
    char32_t code = 0;
    std::size_t bytes = 0;  // 0: these bytes are not UTF-8
};

Character first_character(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : (lead >= 0xE0 ? 3 : 2);
    if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
    char32_t code = lead & (0x7FU >> bytes);
    for (std::size_t k = 1; k < bytes; ++k) {
        if ((byte(k) & 0xC0U) != 0x80U) return {};
        code = code << 6U | (byte(k) & 0x3FU);
    }
    constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool surrogate = code >= 0xD800 && code < 0xE000;
    if (code < kSmallest[bytes] || code > 0x10FFFF || surrogate) return {};
    return {code, bytes};
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }
// Separators of lines and paragraphs, and marks that turn the direction of writing.
bool is_invisible_mark(char32_t c) {
    return c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
}

// Calls escape(code) for each character that a terminal would obey and each byte that is not UTF-8.
template <class Escape>
std::string escaped(std::string_view text, Escape escape) {
    std::string out;
    while (true) {
        const auto plain =
            std::find_if(text.begin(), text.end(), [](char c) { return c < 0x20 || c >= 0x7F; });
        out.append(text.begin(), plain);
        text.remove_prefix(static_cast<std::size_t>(plain - text.begin()));
        if (text.empty()) return out;
        const Character c = first_character(text);
        const std::size_t bytes = std::max<std::size_t>(c.bytes, 1);
        if (c.bytes == 0) {
            out += escape(static_cast<unsigned char>(text[0]));
        } else if (is_control(c.code) || is_invisible_mark(c.code)) {
            out += escape(c.code);
        } else {
            out += text.substr(0, bytes);
        }
        text.remove_prefix(bytes);
    }
}

}  // namespace

int exit_code() { return exit_status; }
void set_exit_code(ExitCode code) { exit_status = std::max<int>(exit_status, code); }

std::string visible(std::string_view text) {
    return escaped(text, [](char32_t c) {
        if (c == '\n') return std::string("\\n");
        if (c == '\t') return std::string("\\t");
        const auto code = static_cast<unsigned>(c);
        return c < 0x100 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
    });
}

Styled green(std::string_view text) { return coloured(text, "32"); }
Styled red(std::string_view text) { return coloured(text, "31"); }
Styled bold(std::string_view text) { return coloured(text, "1"); }

// Combining marks (the dot of Ṁ may be one) take no room.
std::size_t display_width(std::string_view text) {
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

std::string joined(const std::vector<std::string>& words, std::string_view between) {
    std::string out;
    for (const std::string& word : words) {
        if (!out.empty()) out += between;
        out += word;
    }
    return out;
}

std::string padded(std::string_view text, std::size_t width) {
    std::string shown = visible(text);
    const std::size_t used = display_width(shown);
    if (used < width) shown.append(width - used, ' ');
    return shown;
}

// --- Standard output ---

void write_output(std::string_view text) {
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size()) return;
    output_failure = errno;
    throw BrokenOutput{};
}

void detail::write_error(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stderr);  // if it fails, nobody is there to be told
}

void print_json(const nlohmann::ordered_json& value, int indent) {
    // Bytes that are not UTF-8, in the name of a file, are the only thing that JSON cannot say.
    print_json_text(
        value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
    write_output("\n");
}

void print_json_text(std::string_view text) {
    // JSON's own escapes leave the upper control characters as they are. Line ends stand between its values only.
    write_output(escaped(text, [](char32_t c) {
        return c == '\n' ? std::string("\n") : fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    }));
}

void tell_of_page(const std::string& path) {
    const double size = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
    print("{} ({:.1f} MB): a page that needs nothing else; open it in a browser\n", path, size);
}

void check_is_file(const char* option, const std::string& path) {
    if (path == "-")
        throw Error(std::string(option) +
                    " -: what it writes does not go to standard output; name a file");
}
bool is_page(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return ending == ".html" || ending == ".htm";
}
void check_is_page(const char* option, const std::string& path) {
    check_is_file(option, path);
    if (!std::filesystem::path(path).has_extension() || is_page(path)) return;
    throw Error(std::string(option) + " " + path +
                ": what it writes is an HTML page; let the name end in .html or .htm");
}

namespace {

// Closes standard output. False, with a message where it helps, if something that was printed did not get there.
bool finish_output() {
    errno = 0;
    if (output_failure == 0 && std::fclose(stdout) != 0) output_failure = errno;
    // A reader that has seen enough, as in `… | head`, is no reason to complain.
    if (output_failure != 0 && output_failure != EPIPE)
        complain("plucker: standard output: {}\n", std::strerror(output_failure));
    return output_failure == 0;
}

// A descriptor that is closed when the tool starts would be given to the next file that is opened.
void hold_standard_descriptors() {
    // Opened in the wrong direction: whoever reads or writes is told.
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) >= 0) continue;
        const int taken = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (taken >= 0 && taken != descriptor) close(taken);
    }
}

bool succeeds(const std::function<void()>& program) {
    try {
        program();
        return true;
    } catch (const BrokenOutput&) {  // said in the end
    } catch (const Error& error) {
        complain("plucker: {}\n", error.what());
    } catch (const std::bad_alloc&) {
        complain("plucker: there is not enough memory for this robot and these quantities\n");
    } catch (const std::exception& error) {
        complain("plucker: unexpected: {}\n", error.what());
    }
    return false;
}

}  // namespace

int run_to_the_end(const std::function<void()>& program) {
    hold_standard_descriptors();
    if (!succeeds(program)) set_exit_code(kFailure);
    // Only now is it known whether all that was printed has arrived.
    if (!finish_output()) set_exit_code(kFailure);
    return exit_code();
}

void print_heading(const std::string& title) { print("\n{}\n", bold(title)); }

void print_matrix(const MatrixX<double>& m, const std::vector<std::string>& row_names) {
    // More columns would be wider than any screen.
    constexpr long kMost = 48;
    constexpr long kFirst = 12;
    const long rows = m.rows() > kMost ? kFirst : m.rows();
    const long cols = m.cols() > kMost ? kFirst : m.cols();
    std::size_t name_width = 0;
    for (long r = 0; r < rows; ++r) {
        name_width =
            std::max(name_width, display_width(visible(row_names[static_cast<std::size_t>(r)])));
    }
    // Rounding leaves dust where the mathematics has zero; it would only distract here.
    const auto entry = [&](long r, long c) {
        if (std::abs(m(r, c)) < 1e-12) return std::string(".");
        const std::string text = fmt::format("{:.3f}", m(r, c));
        return text == "-0.000" ? std::string("0.000") : text;
    };
    std::size_t width = 7;
    for (long r = 0; r < rows; ++r) {
        for (long c = 0; c < cols; ++c) width = std::max(width, entry(r, c).size());
    }
    for (long r = 0; r < rows; ++r) {
        std::string line =
            fmt::format("  {} ", padded(row_names[static_cast<std::size_t>(r)], name_width));
        for (long c = 0; c < cols; ++c) line += fmt::format(" {:>{}}", entry(r, c), width);
        print("{}{}\n", line, cols < m.cols() ? "  …" : "");
    }
    if (rows < m.rows() || cols < m.cols())
        print("  … the first {}×{} of {}×{}\n", rows, cols, m.rows(), m.cols());
}

}  // namespace plucker::cli

fmt::format_context::iterator fmt::formatter<plucker::cli::Styled>::format(
    const plucker::cli::Styled& styled, fmt::format_context& context) const {
    return fmt::formatter<fmt::string_view>::format(styled.text, context);
}
