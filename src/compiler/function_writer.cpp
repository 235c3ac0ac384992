#include "function_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace plucker::compiler {

std::string literal(double x, GeneratedPrecision precision) {
    std::array<char, 64> text{};
    const bool narrow = precision == GeneratedPrecision::kF32;
    const double written = narrow ? static_cast<double>(static_cast<float>(x)) : x;
    // Of a robot that is singular wherever it is, 1/0 is folded.
    if (std::isnan(written)) return "NAN";
    if (std::isinf(written)) return written < 0 ? "-INFINITY" : "INFINITY";
    const auto end = narrow ? std::to_chars(text.data(), text.data() + 64, static_cast<float>(x))
                            : std::to_chars(text.data(), text.data() + 64, x);
    std::string out(text.data(), end.ptr);
    if (out.find_first_of(".e") == std::string::npos) out += ".0";
    return narrow ? out + "f" : out;
}

std::string FunctionWriter::head(const std::string& name) const {
    std::string arguments;
    for (const Group& group : program_.input_groups)
        arguments +=
            ", const " + number() + " " + group.name + "[" + std::to_string(group.size()) + "]";
    for (const Group& group : program_.output_groups) {
        arguments +=
            ", " + number() + " " + output_name(group) + "[" + std::to_string(group.size()) + "]";
    }
    return std::string(program_.singular >= 0 ? "int " : "void ") + name + "(" +
           arguments.substr(2) + ")";
}
std::string FunctionWriter::body() const {
    std::string out = "{\n";
    std::vector<bool> reads(program_.input_groups.size());
    for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
        const Node& node = program_.nodes[k];
        if (node.op == Op::kConstant) continue;
        if (node.op == Op::kInput) {
            reads[place_of(static_cast<int>(node.constant)).first] = true;
            continue;
        }
        out += "    const " + (compiler::is_mask(node.op) ? "int" : number()) + " x" +
               std::to_string(k) + " = " + expression(node) + ";\n";
    }
    for (std::size_t g = 0; g < reads.size(); ++g) {
        if (!reads[g]) out += "    (void)" + program_.input_groups[g].name + ";\n";
    }
    // Written last: an output may be an input.
    std::size_t at = 0;
    for (const Group& group : program_.output_groups) {
        for (int k = 0; k < group.size(); ++k) {
            out += "    " + output_name(group) + "[" + std::to_string(k) +
                   "] = " + operand(program_.outputs[at++]) + ";\n";
        }
    }
    if (program_.singular >= 0) out += "    return " + mask(program_.singular) + ";\n";
    return out + "}\n";
}
std::size_t FunctionWriter::stack_bytes() const {
    constexpr std::size_t kFrame = 128, kAddress = 8;
    const std::size_t each = is_narrow() ? 4 : 8;
    const auto choices = static_cast<std::size_t>(
        std::count_if(program_.nodes.begin(), program_.nodes.end(), [](const Node& node) {
            return node.op == Op::kSelect || node.op == Op::kAnd || node.op == Op::kOr;
        }));
    return each * static_cast<std::size_t>(program_.num_operations()) +
           kAddress * (choices + program_.input_groups.size() + program_.output_groups.size()) +
           kFrame;
}

std::string FunctionWriter::output_name(const Group& group) const {
    for (const Group& input : program_.input_groups) {
        if (input.name == group.name) return group.name + "_out";
    }
    return group.name;
}

std::string ExpressionWriter::call(const char* function, const std::string& arguments) const {
    return function + std::string(is_narrow() ? "f(" : "(") + arguments + ")";
}
std::pair<std::size_t, int> FunctionWriter::place_of(int input) const {
    std::size_t g = 0;
    while (input >= program_.input_groups[g].size()) input -= program_.input_groups[g++].size();
    return {g, input};
}
std::string FunctionWriter::input(int k) const {
    const auto [g, at] = place_of(k);
    return program_.input_groups[g].name + "[" + std::to_string(at) + "]";
}
std::string ExpressionWriter::quotient(const std::string& a, const std::string& b) const {
    return a + " / " + b;
}
std::string ExpressionWriter::equality(const std::string& a, const std::string& b) const {
    return a + " <= " + b + " && " + a + " >= " + b;  // compilers warn of ==
}
std::string ExpressionWriter::finiteness(const std::string& a) const {
    return "isfinite(" + a + ") != 0";
}
std::string ExpressionWriter::operand(Value x) const {
    const Node& node = program_.nodes[static_cast<std::size_t>(x)];
    if (node.op == Op::kConstant) {
        const std::string text = constant(node.constant);
        return node.constant < 0 ? "(" + text + ")" : text;
    }
    if (node.op == Op::kInput) return input(static_cast<int>(node.constant));
    return "x" + std::to_string(x);
}
std::string ExpressionWriter::constant(double x) const { return literal(x, precision_); }
std::string ExpressionWriter::mask(Value x) const {
    const Node& node = program_.nodes[static_cast<std::size_t>(x)];
    if (node.op == Op::kConstant) return node.constant != 0 ? "1" : "0";
    return "x" + std::to_string(x);
}
std::string ExpressionWriter::expression(const Node& node) const {
    const std::string a = operand(node.operands[0]);
    const auto b = [&] { return operand(node.operands[1]); };
    switch (node.op) {
        case Op::kAdd:
            return a + " + " + b();
        case Op::kSubtract:
            return a + " - " + b();
        case Op::kMultiply:
            return a + " * " + b();
        case Op::kDivide:
            return quotient(a, b());
        case Op::kNegate:
            return "-" + a;
        case Op::kAbs:
            return call("fabs", a);
        case Op::kSqrt:
            return call("sqrt", a);
        case Op::kSin:
            return call("sin", a);
        case Op::kCos:
            return call("cos", a);
        case Op::kAtan2:
            return call("atan2", a + ", " + b());
        case Op::kSelect:
            return mask(node.operands[0]) + " ? " + b() + " : " + operand(node.operands[2]);
        case Op::kLess:
            return a + " < " + b();
        case Op::kLessOrEqual:
            return a + " <= " + b();
        case Op::kEqual:
            return equality(a, b());
        case Op::kIsFinite:
            return finiteness(a);
        case Op::kAnd:
            return mask(node.operands[0]) + " && " + mask(node.operands[1]);
        case Op::kOr:
            return mask(node.operands[0]) + " || " + mask(node.operands[1]);
        default:
            return "!" + mask(node.operands[0]);
    }
}

}  // namespace plucker::compiler
