#include "plucker/compiler/program.hpp"

#include <cmath>

#include "plucker/error.hpp"

namespace plucker::compiler {

const char* name_of(Op op) {
    constexpr std::array<const char*, kNumOps> kNames{
        "constant",      "input", "add",       "subtract", "multiply", "divide", "negate",
        "abs",           "sqrt",  "sin",       "cos",      "atan2",    "select", "less",
        "less or equal", "equal", "is finite", "and",      "or",       "not"};
    return kNames[static_cast<std::size_t>(op)];
}

int Program::num_inputs() const {
    int n = 0;
    for (const Group& group : input_groups) n += group.size();
    return n;
}
int Program::num_operations() const {
    int n = 0;
    for (const Node& node : nodes) n += num_operands(node.op) > 0 ? 1 : 0;
    return n;
}
std::array<int, kNumOps> Program::counts() const {
    std::array<int, kNumOps> out{};
    for (const Node& node : nodes) ++out[static_cast<std::size_t>(node.op)];
    return out;
}

Program without_dead_code(const Program& program) {
    std::vector<bool> needed(program.nodes.size());
    for (const Value x : program.outputs) needed[static_cast<std::size_t>(x)] = true;
    if (program.singular >= 0) needed[static_cast<std::size_t>(program.singular)] = true;
    for (std::size_t k = program.nodes.size(); k-- > 0;) {
        const Node& node = program.nodes[k];
        for (int i = 0; needed[k] && i < num_operands(node.op); ++i)
            needed[static_cast<std::size_t>(node.operands[static_cast<std::size_t>(i)])] = true;
    }
    Program out = program;
    out.nodes.clear();
    std::vector<Value> moved(program.nodes.size(), -1);
    const auto follow = [&](Value& x) { x = moved[static_cast<std::size_t>(x)]; };
    for (std::size_t k = 0; k < program.nodes.size(); ++k) {
        if (!needed[k]) continue;
        moved[k] = static_cast<Value>(out.nodes.size());
        Node node = program.nodes[k];
        for (int i = 0; i < num_operands(node.op); ++i)
            follow(node.operands[static_cast<std::size_t>(i)]);
        out.nodes.push_back(node);
    }
    for (Value& x : out.outputs) follow(x);
    if (out.singular >= 0) follow(out.singular);
    return out;
}

Program with_distinct_outputs(const Program& program, std::vector<int>& place) {
    Program out = program;
    out.outputs.clear();
    place.clear();
    std::vector<int> place_of(program.nodes.size(), -1);
    for (const Value x : program.outputs) {
        int& at = place_of[static_cast<std::size_t>(x)];
        if (at < 0) {
            at = static_cast<int>(out.outputs.size());
            out.outputs.push_back(x);
        }
        place.push_back(at);
    }
    out.input_groups = {{"inputs", program.num_inputs()}};
    out.output_groups = {{"outputs", static_cast<int>(out.outputs.size())}};
    return out;
}

Program with_joined_inputs(Program program, std::size_t count) {
    if (count < 2) return program;
    std::vector<Group>& groups = program.input_groups;
    const std::size_t first = groups.size() - count;
    int size = 0;
    for (std::size_t k = first; k < groups.size(); ++k) size += groups[k].size();
    groups.resize(first);
    groups.push_back({"parameters", size});
    return program;
}

namespace {

// `rounded` is applied to every number: a sum, product or root that is rounded from double is that of the narrower type.
template <class Rounded>
Evaluation evaluate(const Program& program, std::span<const double> inputs,
                    const Rounded& rounded) {
    if (inputs.size() != static_cast<std::size_t>(program.num_inputs())) {
        throw Error::because("evaluate: the program ", program.name, " has ", program.num_inputs(),
                             " inputs, not ", inputs.size());
    }
    std::vector<double> x(program.nodes.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
        const Node& node = program.nodes[k];
        const auto at = [&](std::size_t i) {
            return x[static_cast<std::size_t>(node.operands[i])];
        };
        switch (node.op) {
            case Op::kConstant:
                x[k] = node.constant;
                break;
            case Op::kInput:
                x[k] = inputs[static_cast<std::size_t>(node.constant)];
                break;
            case Op::kAdd:
                x[k] = at(0) + at(1);
                break;
            case Op::kSubtract:
                x[k] = at(0) - at(1);
                break;
            case Op::kMultiply:
                x[k] = at(0) * at(1);
                break;
            case Op::kDivide:
                x[k] = at(0) / at(1);
                break;
            case Op::kNegate:
                x[k] = -at(0);
                break;
            case Op::kAbs:
                x[k] = std::abs(at(0));
                break;
            case Op::kSqrt:
                x[k] = std::sqrt(at(0));
                break;
            case Op::kSin:
                x[k] = std::sin(at(0));
                break;
            case Op::kCos:
                x[k] = std::cos(at(0));
                break;
            case Op::kAtan2:
                x[k] = std::atan2(at(0), at(1));
                break;
            case Op::kSelect:
                x[k] = at(0) != 0 ? at(1) : at(2);
                break;
            case Op::kLess:
                x[k] = at(0) < at(1) ? 1 : 0;
                break;
            case Op::kLessOrEqual:
                x[k] = at(0) <= at(1) ? 1 : 0;
                break;
            case Op::kEqual:
                x[k] = at(0) == at(1) ? 1 : 0;
                break;
            case Op::kIsFinite:
                x[k] = std::isfinite(at(0)) ? 1 : 0;
                break;
            case Op::kAnd:
                x[k] = at(0) != 0 && at(1) != 0 ? 1 : 0;
                break;
            case Op::kOr:
                x[k] = at(0) != 0 || at(1) != 0 ? 1 : 0;
                break;
            case Op::kNot:
                x[k] = at(0) == 0 ? 1 : 0;
                break;
        }
        x[k] = rounded(x[k]);
    }
    Evaluation out;
    for (const Value output : program.outputs)
        out.outputs.push_back(x[static_cast<std::size_t>(output)]);
    out.singular = program.singular >= 0 && x[static_cast<std::size_t>(program.singular)] != 0;
    return out;
}

}  // namespace

Evaluation evaluate(const Program& program, std::span<const double> inputs) {
    return evaluate(program, inputs, [](double x) { return x; });
}
Evaluation evaluate_in_float(const Program& program, std::span<const double> inputs) {
    return evaluate(program, inputs,
                    [](double x) { return static_cast<double>(static_cast<float>(x)); });
}

}  // namespace plucker::compiler
