// A program as a function in C, which is C++ too.
#pragma once

#include <string>

#include "plucker/compiler/generate.hpp"
#include "plucker/compiler/program.hpp"

namespace plucker::compiler {

// A number as C writes it, with all its digits and none more; with the words of <math.h> where it is not finite.
std::string literal(double x, GeneratedPrecision precision);

// Operations as C writes them; CUDA differs in a few words.
class ExpressionWriter {
public:
    ExpressionWriter(const Program& program, GeneratedPrecision precision)
        : program_(program), precision_(precision) {}
    virtual ~ExpressionWriter() = default;

protected:
    const Program& program_;
    GeneratedPrecision precision_;

    bool is_narrow() const { return precision_ == GeneratedPrecision::kF32; }
    std::string number() const { return is_narrow() ? "float" : "double"; }
    std::string operand(Value x) const;
    std::string mask(Value x) const;
    std::string expression(const Node& node) const;

    virtual std::string input(int k) const = 0;
    virtual std::string constant(double x) const;
    virtual std::string quotient(const std::string& a, const std::string& b) const;
    virtual std::string equality(const std::string& a, const std::string& b) const;
    virtual std::string finiteness(const std::string& a) const;

private:
    std::string call(const char* function, const std::string& arguments) const;
};

class FunctionWriter : public ExpressionWriter {
public:
    using ExpressionWriter::ExpressionWriter;

    // `name` with its arguments.
    std::string head(const std::string& name) const;
    std::string body() const;
    // Without optimisation each number that is computed has a place, and so has each argument; where there is a choice,
    // compilers keep what it hangs on, too. What functions of <math.h> take is not among it.
    std::size_t stack_bytes() const;
    // What is read and written over is two arguments here.
    std::string output_name(const Group& group) const;

private:
    std::string input(int k) const override;
    // Of an input: its group, and which of that.
    std::pair<std::size_t, int> place_of(int input) const;
};

}  // namespace plucker::compiler
