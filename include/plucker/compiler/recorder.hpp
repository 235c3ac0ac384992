// Records a program. Each operation is examined once, when it is requested: known values are not computed again
// (value numbering), and operations with a known result are not computed at all (folding: constants, 0 + x, 1 x, 0 x, -(-x), …).
//
// Folding 0 x to 0 is valid for finite x: callers check the inputs before they run a program.
#pragma once

#include "plucker/compiler/program.hpp"
#include "plucker/error.hpp"

namespace plucker::compiler {

// A program of more nodes than its recorder was to take. Thrown while it is being recorded.
class ProgramTooLong : public Error {
public:
    using Error::Error;
};

class Recorder {
public:
    explicit Recorder(std::size_t most_nodes = kMostNodes);
    // It keeps constants alone, and so takes programs of any length: no node is kept of what is not known.
    static Recorder that_only_counts();

    Value constant(double x);
    Value mask(bool x);
    Value input(int k);

    Value add(Value a, Value b);
    Value subtract(Value a, Value b);
    Value multiply(Value a, Value b);
    Value divide(Value a, Value b);
    Value negate(Value a);
    Value abs(Value a);
    Value sqrt(Value a);
    Value sin(Value a);
    Value cos(Value a);
    Value atan2(Value y, Value x);
    Value select(Value condition, Value a, Value b);

    Value less(Value a, Value b);
    Value less_or_equal(Value a, Value b);
    Value equal(Value a, Value b);
    Value is_finite(Value a);
    Value both(Value a, Value b);
    Value either(Value a, Value b);
    Value opposite(Value a);

    bool is_constant(Value a) const { return node(a).op == Op::kConstant; }
    double constant_of(Value a) const { return node(a).constant; }
    // How many operations were asked for, folded ones included, since counting began. What asks tells it: one operation may
    // become another here.
    void ask(Op op) { ++asked_[static_cast<std::size_t>(op)]; }
    void count_anew() { asked_ = {}; }
    long num_asked() const;
    const std::array<long, kNumOps>& asked() const { return asked_; }  // by operation

    std::vector<Node> take_nodes() { return std::move(nodes_); }

private:
    std::size_t most_nodes_;
    std::vector<Node> nodes_;
    // The nodes by their hash: the number of one, or -1, in a power of two of places, of which at most half are taken. A map
    // of the standard library would ask for memory for each node.
    std::vector<Value> places_;
    std::array<long, kNumOps> asked_{};
    bool only_counts_ = false;
    Value last_unknown_ = 0;

    // Of an unknown number, which has a negative one: that it is no constant.
    const Node& node(Value a) const {
        static constexpr Node kUnknown{Op::kInput, {}, 0};
        return a < 0 ? kUnknown : nodes_[static_cast<std::size_t>(a)];
    }
    Value unknown();
    std::size_t place_of(const Node& node) const;
    void enlarge();
    bool is(Value a, double x) const { return is_constant(a) && constant_of(a) == x; }
    bool is_negation(Value a) const { return node(a).op == Op::kNegate; }
    Value operand(Value a, int k = 0) const {
        return node(a).operands[static_cast<std::size_t>(k)];
    }
    bool all_constant(Value a, Value b) const { return is_constant(a) && is_constant(b); }
    Value number(const Node& node);
    Value number(Op op, Value a, Value b = 0, Value c = 0) { return number({op, {a, b, c}, 0}); }
};

}  // namespace plucker::compiler
