#include "plucker/compiler/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace plucker::compiler {

// Node 0 is the constant zero: a number that nobody has set.
Recorder::Recorder(std::size_t most_nodes) : most_nodes_(most_nodes) { constant(0); }

Recorder Recorder::that_only_counts() {
    Recorder out;
    out.only_counts_ = true;
    return out;
}

// Each is another number, since x - x is known.
Value Recorder::unknown() {
    last_unknown_ = last_unknown_ == std::numeric_limits<Value>::min() ? -1 : last_unknown_ - 1;
    return last_unknown_;
}

long Recorder::num_asked() const { return std::accumulate(asked_.begin(), asked_.end(), 0L); }

// Where it stands, or where it would.
std::size_t Recorder::place_of(const Node& node) const {
    const std::size_t last = places_.size() - 1;
    const std::size_t hash = NodeHash{}(node);
    std::size_t at = hash & last;
    while (places_[at] >= 0 && !(nodes_[static_cast<std::size_t>(places_[at])] == node))
        at = (at + 1) & last;
    return at;
}
void Recorder::enlarge() {
    places_.assign(std::max<std::size_t>(1024, 2 * places_.size()), -1);
    for (std::size_t k = 0; k < nodes_.size(); ++k)
        places_[place_of(nodes_[k])] = static_cast<Value>(k);
}

Value Recorder::number(const Node& node) {
    if (only_counts_ && node.op != Op::kConstant) return unknown();
    if (2 * nodes_.size() >= places_.size()) enlarge();
    Value& known = places_[place_of(node)];
    if (known < 0) {
        if (nodes_.size() >= most_nodes_) {
            throw ProgramTooLong("a program of more than " + std::to_string(most_nodes_) +
                                 " operations");
        }
        known = static_cast<Value>(nodes_.size());
        nodes_.push_back(node);
    }
    return known;
}

Value Recorder::constant(double x) {
    return number({Op::kConstant, {}, x == 0 ? 0.0 : x});  // no negative zero
}
Value Recorder::mask(bool x) { return constant(x ? 1 : 0); }
Value Recorder::input(int k) { return number({Op::kInput, {}, static_cast<double>(k)}); }

Value Recorder::add(Value a, Value b) {
    if (all_constant(a, b)) return constant(constant_of(a) + constant_of(b));
    if (is(a, 0)) return b;
    if (is(b, 0)) return a;
    if (is_negation(b)) return subtract(a, operand(b));
    if (is_negation(a)) return subtract(b, operand(a));
    if (a > b) std::swap(a, b);
    return number(Op::kAdd, a, b);
}

Value Recorder::subtract(Value a, Value b) {
    if (all_constant(a, b)) return constant(constant_of(a) - constant_of(b));
    if (is(b, 0)) return a;
    if (is(a, 0)) return negate(b);
    if (a == b) return constant(0);
    if (is_negation(b)) return add(a, operand(b));
    if (is_negation(a)) return negate(add(operand(a), b));
    return number(Op::kSubtract, a, b);
}

Value Recorder::multiply(Value a, Value b) {
    if (all_constant(a, b)) return constant(constant_of(a) * constant_of(b));
    if (is_constant(b)) std::swap(a, b);  // a constant stands first
    if (is(a, 0)) return a;
    if (is(a, 1)) return b;
    if (is(a, -1)) return negate(b);
    if (is_constant(a)) {
        if (is_negation(b)) return multiply(constant(-constant_of(a)), operand(b));
        // c (d x) = (c d) x
        if (node(b).op == Op::kMultiply && is_constant(operand(b)))
            return multiply(constant(constant_of(a) * constant_of(operand(b))), operand(b, 1));
        return number(Op::kMultiply, a, b);
    }
    if (is_negation(a)) return negate(multiply(operand(a), b));
    if (is_negation(b)) return negate(multiply(a, operand(b)));
    if (a > b) std::swap(a, b);
    return number(Op::kMultiply, a, b);
}

Value Recorder::divide(Value a, Value b) {
    if (all_constant(a, b)) return constant(constant_of(a) / constant_of(b));
    if (is(a, 0)) return a;
    if (is_constant(b)) return multiply(constant(1 / constant_of(b)), a);
    if (is_negation(a)) return negate(divide(operand(a), b));
    if (is_negation(b)) return negate(divide(a, operand(b)));
    return number(Op::kDivide, a, b);
}

Value Recorder::negate(Value a) {
    if (is_constant(a)) return constant(-constant_of(a));
    if (is_negation(a)) return operand(a);
    if (node(a).op == Op::kSubtract) return subtract(operand(a, 1), operand(a));
    if (node(a).op == Op::kMultiply && is_constant(operand(a)))
        return multiply(constant(-constant_of(operand(a))), operand(a, 1));
    return number(Op::kNegate, a);
}

Value Recorder::abs(Value a) {
    if (is_constant(a)) return constant(std::abs(constant_of(a)));
    if (is_negation(a) || node(a).op == Op::kAbs) return abs(operand(a));
    return number(Op::kAbs, a);
}
Value Recorder::sqrt(Value a) {
    return is_constant(a) ? constant(std::sqrt(constant_of(a))) : number(Op::kSqrt, a);
}
Value Recorder::sin(Value a) {
    if (is_constant(a)) return constant(std::sin(constant_of(a)));
    return is_negation(a) ? negate(sin(operand(a))) : number(Op::kSin, a);
}
Value Recorder::cos(Value a) {
    if (is_constant(a)) return constant(std::cos(constant_of(a)));
    return is_negation(a) ? cos(operand(a)) : number(Op::kCos, a);
}
Value Recorder::atan2(Value y, Value x) {
    if (all_constant(y, x)) return constant(std::atan2(constant_of(y), constant_of(x)));
    return number(Op::kAtan2, y, x);
}

Value Recorder::select(Value condition, Value a, Value b) {
    if (is_constant(condition)) return constant_of(condition) != 0 ? a : b;
    if (a == b) return a;
    return number(Op::kSelect, condition, a, b);
}

Value Recorder::less(Value a, Value b) {
    if (all_constant(a, b)) return mask(constant_of(a) < constant_of(b));
    return a == b ? mask(false) : number(Op::kLess, a, b);
}
Value Recorder::less_or_equal(Value a, Value b) {
    if (all_constant(a, b)) return mask(constant_of(a) <= constant_of(b));
    return number(Op::kLessOrEqual, a, b);
}
Value Recorder::equal(Value a, Value b) {
    if (all_constant(a, b)) return mask(constant_of(a) == constant_of(b));
    if (a > b) std::swap(a, b);
    return number(Op::kEqual, a, b);
}
Value Recorder::is_finite(Value a) {
    return is_constant(a) ? mask(std::isfinite(constant_of(a))) : number(Op::kIsFinite, a);
}
Value Recorder::both(Value a, Value b) {
    if (is_constant(a)) return constant_of(a) != 0 ? b : a;
    if (is_constant(b)) return constant_of(b) != 0 ? a : b;
    if (a == b) return a;
    if (a > b) std::swap(a, b);
    return number(Op::kAnd, a, b);
}
Value Recorder::either(Value a, Value b) {
    if (is_constant(a)) return constant_of(a) != 0 ? a : b;
    if (is_constant(b)) return constant_of(b) != 0 ? b : a;
    if (a == b) return a;
    if (a > b) std::swap(a, b);
    return number(Op::kOr, a, b);
}
Value Recorder::opposite(Value a) {
    if (is_constant(a)) return mask(constant_of(a) == 0);
    return node(a).op == Op::kNot ? operand(a) : number(Op::kNot, a);
}

}  // namespace plucker::compiler
