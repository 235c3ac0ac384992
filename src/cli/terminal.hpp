// What goes to the terminal: headings, matrices, colour where there is a terminal to show it.
#pragma once

#include <string>
#include <vector>

#include "plucker/scalar/eigen.hpp"

namespace plucker::cli {

// The tool's exit code, 0 unless something set it.
int exit_code();
void set_exit_code(int code);

// Wraps text in a colour when standard output is a terminal and NO_COLOR is not set.
std::string green(const std::string& text);
std::string red(const std::string& text);
std::string bold(const std::string& text);

// Pads on the right to a width counted in characters, not bytes.
std::string padded(const std::string& text, std::size_t width);

void print_heading(const std::string& title);
// A matrix with a name before each row; zeros of the structure are shown as dots.
void print_matrix(const MatrixX<double>& m, const std::vector<std::string>& row_names);

}  // namespace plucker::cli
