#include "plucker/compiler/program.hpp"

#include <bit>
#include <cmath>

#include "plucker/error.hpp"

namespace plucker::compiler {

const char* name_of(Op op) {
    constexpr std::array<const char*, kNumOps> kNames{
        "constant",      "input",    "add",       "subtract",   "multiply", "divide", "negate",
        "abs",           "sqrt",     "sin",       "cos",        "atan2",    "select", "less",
        "less or equal", "equal",    "is finite", "and",        "or",       "not",    "spread",
        "pair",          "low half", "high half", "even lanes", "odd lanes"};
    return kNames[static_cast<std::size_t>(op)];
}

std::size_t NodeHash::operator()(const Node& node) const {
    auto hash = static_cast<std::uint64_t>(node.op);
    for (const Value x : node.operands)
        hash = (hash ^ static_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15U;
    hash = (hash ^ std::bit_cast<std::uint64_t>(node.constant)) * 0x9E3779B97F4A7C15U;
    hash += static_cast<std::uint64_t>(node.lanes);
    return static_cast<std::size_t>(hash ^ (hash >> 29U));
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

double result_of(Op op, double a, double b, double c) {
    switch (op) {
        case Op::kAdd:
            return a + b;
        case Op::kSubtract:
            return a - b;
        case Op::kMultiply:
            return a * b;
        case Op::kDivide:
            return a / b;
        case Op::kNegate:
            return -a;
        case Op::kAbs:
            return std::abs(a);
        case Op::kSqrt:
            return std::sqrt(a);
        case Op::kSin:
            return std::sin(a);
        case Op::kCos:
            return std::cos(a);
        case Op::kAtan2:
            return std::atan2(a, b);
        case Op::kSelect:
            return a != 0 ? b : c;
        case Op::kLess:
            return a < b ? 1 : 0;
        case Op::kLessOrEqual:
            return a <= b ? 1 : 0;
        case Op::kEqual:
            return a == b ? 1 : 0;
        case Op::kIsFinite:
            return std::isfinite(a) ? 1 : 0;
        case Op::kAnd:
            return a != 0 && b != 0 ? 1 : 0;
        case Op::kOr:
            return a != 0 || b != 0 ? 1 : 0;
        case Op::kNot:
            return a == 0 ? 1 : 0;
        default:
            throw Error::because("evaluate: ", name_of(op), " is no operation on numbers");
    }
}

// `rounded` is applied to every number: a sum, product or root that is rounded from double is that of the narrower type.
template <class Rounded>
Evaluation evaluate(const Program& program, std::span<const double> inputs,
                    const Rounded& rounded) {
    if (inputs.size() != static_cast<std::size_t>(program.num_inputs())) {
        throw Error::because("evaluate: the program ", program.name, " has ", program.num_inputs(),
                             " inputs, not ", inputs.size());
    }
    std::vector<Lanes4> x(program.nodes.size());
    for (std::size_t k = 0; k < x.size(); ++k) {
        const Node& node = program.nodes[k];
        const auto lanes = static_cast<std::size_t>(node.lanes);
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const auto at = [&](std::size_t i) {
                return x[static_cast<std::size_t>(node.operands[i])];
            };
            double& out = x[k][lane];
            switch (node.op) {
                case Op::kInput:
                    out = inputs[static_cast<std::size_t>(node.constant)];
                    break;
                case Op::kConstant:
                    out = lanes == 1 ? node.constant
                                     : program.packs[static_cast<std::size_t>(node.constant)][lane];
                    break;
                case Op::kSpread:
                    out = at(0)[0];
                    break;
                case Op::kPair:
                    out = lane < lanes / 2 ? at(0)[lane] : at(1)[lane - lanes / 2];
                    break;
                case Op::kLow:
                    out = at(0)[lane];
                    break;
                case Op::kHigh:
                    out = at(0)[lanes + lane];
                    break;
                case Op::kEven:
                    out = at(lane % 2)[lane - lane % 2];
                    break;
                case Op::kOdd:
                    out = at(lane % 2)[lane - lane % 2 + 1];
                    break;
                default:
                    out = result_of(node.op, at(0)[lane], at(1)[lane], at(2)[lane]);
            }
            out = rounded(out);
        }
    }
    Evaluation out;
    for (const Value output : program.outputs)
        out.outputs.push_back(x[static_cast<std::size_t>(output)][0]);
    out.singular = program.singular >= 0 && x[static_cast<std::size_t>(program.singular)][0] != 0;
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
