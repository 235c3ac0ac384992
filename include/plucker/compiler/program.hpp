// A program: an algorithm for one robot as a list of scalar operations.
//
// A node is an operation on nodes before it. Nodes stand in the order in which the kernel asked for them. A program has no
// loops, no branches and no memory: a choice is a node that selects.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plucker::compiler {

enum class Op : std::uint8_t {
    // Numbers.
    kConstant,
    kInput,
    kAdd,
    kSubtract,
    kMultiply,
    kDivide,
    kNegate,
    kAbs,
    kSqrt,
    kSin,
    kCos,
    kAtan2,
    kSelect,  // a ? b : c
    // Masks: true or false.
    kLess,
    kLessOrEqual,
    kEqual,
    kIsFinite,
    kAnd,
    kOr,
    kNot,
    // Between single numbers and lanes (with_limbs_as_lanes).
    kSpread,  // a in every lane
    kPair,    // the lanes of a, then those of b
    kLow,     // the first half of the lanes
    kHigh,    // the second half
    kEven,    // lanes 0 and 2 of a and of b: a0, b0, a2, b2
    kOdd,     // lanes 1 and 3: a1, b1, a3, b3
};
inline constexpr int kNumOps = static_cast<int>(Op::kOdd) + 1;

const char* name_of(Op op);
constexpr bool is_mask(Op op) { return op >= Op::kLess && op <= Op::kNot; }
// How many nodes it is an operation on.
constexpr int num_operands(Op op) {
    switch (op) {
        case Op::kConstant:
        case Op::kInput:
            return 0;
        case Op::kNegate:
        case Op::kAbs:
        case Op::kSqrt:
        case Op::kSin:
        case Op::kCos:
        case Op::kIsFinite:
        case Op::kNot:
        case Op::kSpread:
        case Op::kLow:
        case Op::kHigh:
            return 1;
        case Op::kSelect:
            return 3;
        default:
            return 2;
    }
}

using Value = std::int32_t;  // the number of a node
// An output that another program gives (slices.hpp).
inline constexpr Value kNotGiven = -1;

struct Node {
    Op op = Op::kConstant;
    std::array<Value, 3> operands{};
    double constant = 0;  // of kConstant: 0 or 1 for a mask; of kInput: which input
    int lanes =
        1;  // 2, 4: as many numbers at once; a constant of these is that entry of Program::packs

    friend bool operator==(const Node&, const Node&) = default;
};
struct NodeHash {
    std::size_t operator()(const Node& node) const;
};

// Consecutive inputs, or outputs, that are one argument of the function: a matrix column by column.
struct Group {
    std::string name;
    int rows = 0;
    int columns = 1;

    int size() const { return rows * columns; }
};

inline constexpr int kMostLanes = 4;
using Lanes4 = std::array<double, kMostLanes>;

// Inputs that play the same part in equal limbs: an angle of each of four legs, say.
struct EqualInputs {
    int limbs = 0;            // which limbs: those of other numbers have nothing to do with them
    std::vector<int> inputs;  // one per limb: 2 or 4
};

// Beyond, a program is longer than anybody can use.
inline constexpr std::size_t kMostNodes = std::size_t{1} << 24U;

struct Program {
    std::string name;
    std::vector<Node> nodes;
    std::vector<Value> outputs;
    std::vector<Group> input_groups, output_groups;
    std::vector<EqualInputs> equal_inputs;
    // The limb that each belongs to, so that limbs can be computed side by side; -1: none. Of matrices, that of the column.
    std::vector<int> limb_of_input, limb_of_output;
    std::vector<Lanes4> packs;  // constants of several lanes
    Value singular = -1;        // a mask: the mass matrix is singular; -1: it need not be regular

    int num_inputs() const;
    // Operations, without constants and inputs.
    int num_operations() const;
    // How many nodes there are of each operation.
    std::array<int, kNumOps> counts() const;
};

// --- Passes: the same, but for rounding ---

// Without the nodes that no output needs.
Program without_dead_code(const Program& program);

// Sums in the order in which their terms can be had, so that nothing waits longer than it must.
Program with_short_sums(const Program& program);

// Each node when an output needs it, of outputs that come in the kernel's order: limb after limb, where that goes through the
// whole robot and back.
Program with_late_nodes(const Program& program);

// Equal limbs side by side: what is done to each of them is done once, with one lane per limb. Where a limb differs, single
// numbers are left.
Program with_limbs_as_lanes(const Program& program);
// The same, or the program as it is, where that has no more operations: moves between lanes are operations, too.
Program with_lanes_where_they_pay(const Program& program);

// Outputs that stand side by side, two by two in one value, so that they can be stored at once.
Program with_paired_outputs(const Program& program);

// The same with each number given once: inputs are one group, and so are outputs, of which `place` tells where each stands.
Program with_distinct_outputs(const Program& program, std::vector<int>& place);

// The same with its last `count` groups of inputs as one, so that they are one argument.
Program with_joined_inputs(Program program, std::size_t count);

// Runs the program: one number an input, one an output. For tests, and as the meaning of each operation.
struct Evaluation {
    std::vector<double> outputs;
    bool singular = false;
};
Evaluation evaluate(const Program& program, std::span<const double> inputs);
// The same in single precision.
Evaluation evaluate_in_float(const Program& program, std::span<const double> inputs);

}  // namespace plucker::compiler
