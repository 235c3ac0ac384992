// What goes to the terminal, and how the tool ends. Everything that is printed passes through here: names come from
// files, and a terminal would obey what is hidden in them; a disk may be full, and nobody would know.
#pragma once

#include <fmt/core.h>

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "plucker/error.hpp"
#include "plucker/scalar/eigen.hpp"

namespace plucker::cli {

enum ExitCode : int {
    kDone = 0,
    kFindings = 1,  // a check found errors, or a law fails
    kFailure = 2,   // wrong arguments, or something cannot be read, computed or written
};

// The tool's exit code, 0 unless something set it; the worst counts.
int exit_code();
void set_exit_code(ExitCode code);

// The text with what a terminal would obey instead of showing (control characters, bytes that are not UTF-8, marks
// that turn the direction of writing) written out: \n, \x1b, \u202e. Doing it twice changes nothing.
std::string visible(std::string_view text);

// A text that is shown in a colour when standard output is a terminal and NO_COLOR is not set.
struct Styled {
    std::string text;
};
Styled green(std::string_view text);
Styled red(std::string_view text);
Styled bold(std::string_view text);

// How many columns of the screen a text takes: characters, not bytes.
std::size_t display_width(std::string_view text);
// Makes it visible, and pads on the right to that width.
std::string padded(std::string_view text, std::size_t width);

// All words, with something between them.
std::string joined(const std::vector<std::string>& words, std::string_view between = ", ");

// Thrown when standard output takes no more; run_to_the_end says why.
struct BrokenOutput {};
// Writes to standard output as it is.
void write_output(std::string_view text);
// JSON, where strings have their own escapes; on one line if the indent is -1.
void print_json(const nlohmann::ordered_json& value, int indent = 2);
void print_json_text(std::string_view text);
// An HTML file has been written: how large it is, and what to do with it.
void tell_of_page(const std::string& path);
// Refuses "-" for an option of a file where standard output is for what the tool says.
void check_is_file(const char* option, const std::string& path);
// Whether a name ends as that of a page does, in .html or .htm.
bool is_page(const std::string& path);
// Refuses "-", and names with other endings.
void check_is_page(const char* option, const std::string& path);
// What act() returns; an Error of its says which option it is about.
template <class Act>
auto of_option(const std::string& option, const Act& act) {
    try {
        return act();
    } catch (const Error& error) {
        throw Error(option + ": " + error.what());
    }
}
// The whole of a program: runs it, says what went wrong, also if something that was printed did not get there, and returns
// the exit code.
int run_to_the_end(const std::function<void()>& program);

namespace detail {

template <class T>
constexpr bool is_text = std::is_convertible_v<const T&, std::string_view>;
template <class T>
using Printed = std::conditional_t<is_text<T>, std::string, T>;

template <class T>
Printed<T> printed(const T& value) {
    if constexpr (is_text<T>) {
        return visible(value);
    } else {
        return value;
    }
}
void write_error(std::string_view text);

}  // namespace detail

// Like fmt::print, to standard output and to standard error, with every text among the arguments made visible.
template <class... Args>
void print(fmt::format_string<detail::Printed<Args>...> format, const Args&... args) {
    const auto text = [&](const auto&... a) {
        return fmt::vformat(format, fmt::make_format_args(a...));
    };
    write_output(text(detail::printed(args)...));
}
template <class... Args>
void complain(fmt::format_string<detail::Printed<Args>...> format, const Args&... args) {
    const auto text = [&](const auto&... a) {
        return fmt::vformat(format, fmt::make_format_args(a...));
    };
    detail::write_error(text(detail::printed(args)...));
}

// "1 link", "2 links"; "1 body", "2 bodies" if the endings are said.
template <class Integer>
std::string counted(Integer n, const char* what, const char* one = "", const char* many = "s") {
    return std::to_string(n) + " " + what + (n == 1 ? one : many);
}
void print_heading(const std::string& title);
// A matrix with a name before each row; zeros of the structure are shown as dots. Of a large one the first rows and
// columns are shown, and how many are left out is said.
void print_matrix(const MatrixX<double>& m, const std::vector<std::string>& row_names);

}  // namespace plucker::cli

template <>
struct fmt::formatter<plucker::cli::Styled> : fmt::formatter<fmt::string_view> {
    fmt::format_context::iterator format(const plucker::cli::Styled& styled,
                                         fmt::format_context& context) const;
};
