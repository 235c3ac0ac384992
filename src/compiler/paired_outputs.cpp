// A processor stores one number a cycle, or several that stand side by side. Matrices have as many numbers as their programs
// have operations.
#include <algorithm>

#include "plucker/compiler/program.hpp"

namespace plucker::compiler {
namespace {

// A number does not wait for its neighbour longer than that, in nodes: it takes a register.
constexpr Value kNear = 160;

class Pairer {
public:
    explicit Pairer(const Program& program)
        : program_(program), given_(program.outputs.size(), -1) {}

    Program run() {
        std::size_t first = 0;
        for (const Group& group : program_.output_groups) {
            const std::size_t end = first + static_cast<std::size_t>(group.size());
            for (std::size_t p = first; p + 1 < end; ++p) {
                if (find_pair(p)) ++p;
            }
            first = end;
        }
        out_ = program_;
        out_.nodes.clear();
        std::stable_sort(pairs_.begin(), pairs_.end(),
                         [](const Pair& a, const Pair& b) { return a.last() < b.last(); });
        auto next = pairs_.begin();
        std::vector<Value> moved;
        moved.reserve(program_.nodes.size());
        for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
            Node n = program_.nodes[k];
            for (int i = 0; i < num_operands(n.op); ++i) {
                Value& x = n.operands[static_cast<std::size_t>(i)];
                x = moved[index(x)];
            }
            moved.push_back(put(n));
            for (; next != pairs_.end() && next->last() == static_cast<Value>(k); ++next)
                give(*next, moved);
        }
        for (std::size_t p = 0; p < given_.size(); ++p)
            out_.outputs[p] = given_[p] >= 0 ? given_[p] : moved[index(program_.outputs[p])];
        if (out_.singular >= 0) out_.singular = moved[index(out_.singular)];
        return without_dead_code(out_);
    }

private:
    // A lane of a value: of a single number, its only one.
    struct Lane {
        Value of = -1;
        int lane = 0;
    };
    // Two numbers that are outputs side by side.
    struct Pair {
        Lane a, b;
        std::size_t output = 0;  // of a

        Value last() const { return std::max(a.of, b.of); }  // computed
    };

    const Program& program_;
    Program out_;
    std::vector<Pair> pairs_;
    std::vector<Value> given_;  // of each output, where it is now; -1: where it was

    static std::size_t index(Value x) { return static_cast<std::size_t>(x); }
    const Node& node(Value x) const { return program_.nodes[index(x)]; }
    Value put(const Node& n) {
        out_.nodes.push_back(n);
        return static_cast<Value>(out_.nodes.size()) - 1;
    }

    Lane lane_of(Value x) const {
        Lane out{x, 0};
        while (node(out.of).op == Op::kLow || node(out.of).op == Op::kHigh) {
            if (node(out.of).op == Op::kHigh) out.lane += node(out.of).lanes;
            out.of = node(out.of).operands[0];
        }
        return out;
    }
    static bool is_computed(Op op) {
        return num_operands(op) > 0 && op != Op::kSin && op != Op::kCos && !is_mask(op);
    }
    bool find_pair(std::size_t p) {
        const Pair pair{lane_of(program_.outputs[p]), lane_of(program_.outputs[p + 1]), p};
        const auto& [a, b, output] = pair;
        if (!is_computed(node(a.of).op) || !is_computed(node(b.of).op)) return false;
        const bool can_be = a.of == b.of ? a.lane % 2 == 0 && b.lane == a.lane + 1
                                         : node(a.of).lanes == node(b.of).lanes && a.lane == b.lane;
        if (!can_be || std::abs(a.of - b.of) > kNear) return false;
        pairs_.push_back(pair);
        return true;
    }
    void give(const Pair& pair, const std::vector<Value>& moved) {
        const Value a = moved[index(pair.a.of)], b = moved[index(pair.b.of)];
        const int lanes = node(pair.a.of).lanes;
        Value both = a;
        if (lanes == 1) {
            both = put({Op::kPair, {a, b, 0}, 0, 2});
        } else if (a != b) {
            both = put({pair.a.lane % 2 == 0 ? Op::kEven : Op::kOdd, {a, b, 0}, 0, lanes});
        }
        if (lanes == 4) both = put({pair.a.lane < 2 ? Op::kLow : Op::kHigh, {both, 0, 0}, 0, 2});
        given_[pair.output] = put({Op::kLow, {both, 0, 0}, 0, 1});
        given_[pair.output + 1] = put({Op::kHigh, {both, 0, 0}, 0, 1});
    }
};

}  // namespace

Program with_paired_outputs(const Program& program) { return Pairer(program).run(); }

}  // namespace plucker::compiler
