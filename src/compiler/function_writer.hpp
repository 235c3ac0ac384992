// A program as a function in C, which is C++ too.
#pragma once

#include <string>

#include "plucker/compiler/generate.hpp"
#include "plucker/compiler/program.hpp"

namespace plucker::compiler {

// A number as C writes it, with all its digits and none more.
std::string literal(double x, GeneratedPrecision precision);

class FunctionWriter {
public:
    FunctionWriter(const Program& program, GeneratedPrecision precision)
        : program_(program), precision_(precision) {}

    // `name` with its arguments.
    std::string head(const std::string& name) const;
    std::string body() const;
    // Without optimisation each number that is computed has a place.
    std::size_t stack_bytes() const;
    // What is read and written over is two arguments here.
    std::string output_name(const Group& group) const;

private:
    const Program& program_;
    GeneratedPrecision precision_;

    bool is_narrow() const { return precision_ == GeneratedPrecision::kF32; }
    std::string number() const { return is_narrow() ? "float" : "double"; }
    std::string call(const char* function, const std::string& arguments) const;
    // The group of an input, and its place there.
    std::pair<std::size_t, int> place_of(int input) const;
    std::string operand(Value x) const;
    std::string mask(Value x) const;
    std::string expression(const Node& node) const;
};

}  // namespace plucker::compiler
