// A number that records the operations on it. Running an algorithm on Trace produces a program, and nothing else.
//
// Constants of the robot are numbers of this type too: known constants are folded, and those that become inputs of the
// program are still unknown.
#pragma once

#include <limits>

#include "plucker/compiler/recorder.hpp"
#include "plucker/scalar/scalar.hpp"

namespace plucker::compiler {

// Where numbers are recorded while it lives, on this thread.
class Recording {
public:
    explicit Recording(Recorder& recorder) : before_(current_) { current_ = &recorder; }
    ~Recording() { current_ = before_; }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    static Recorder& current() { return *current_; }
    // ... where this operation is asked for.
    static Recorder& ask(Op op) {
        current_->ask(op);
        return *current_;
    }

private:
    static thread_local Recorder* current_;
    Recorder* before_;
};

struct TraceMask {
    Value id = 0;  // false

    friend TraceMask operator!(TraceMask a) { return {Recording::ask(Op::kNot).opposite(a.id)}; }
    friend TraceMask operator&(TraceMask a, TraceMask b) {
        return {Recording::ask(Op::kAnd).both(a.id, b.id)};
    }
    friend TraceMask operator|(TraceMask a, TraceMask b) {
        return {Recording::ask(Op::kOr).either(a.id, b.id)};
    }
    // A program has no branches: only what is known beforehand can be asked.
    friend bool any(TraceMask a) { return a.known(); }
    friend bool all(TraceMask a) { return a.known(); }

private:
    bool known() const;
};

struct Trace {
    Value id = 0;  // zero

    Trace() = default;
    Trace(double x)
        : id(Recording::current().constant(x)) {}    // NOLINT(google-explicit-constructor)
    Trace(int x) : Trace(static_cast<double>(x)) {}  // NOLINT(google-explicit-constructor)
    static Trace input(int k) { return of(Recording::current().input(k)); }

    Trace& operator+=(Trace b) { return *this = *this + b; }
    Trace& operator-=(Trace b) { return *this = *this - b; }
    Trace& operator*=(Trace b) { return *this = *this * b; }
    Trace& operator/=(Trace b) { return *this = *this / b; }

    friend Trace operator-(Trace a) { return of(Recording::ask(Op::kNegate).negate(a.id)); }
    friend Trace operator+(Trace a, Trace b) {
        return of(Recording::ask(Op::kAdd).add(a.id, b.id));
    }
    friend Trace operator-(Trace a, Trace b) {
        return of(Recording::ask(Op::kSubtract).subtract(a.id, b.id));
    }
    friend Trace operator*(Trace a, Trace b) {
        return of(Recording::ask(Op::kMultiply).multiply(a.id, b.id));
    }
    friend Trace operator/(Trace a, Trace b) {
        return of(Recording::ask(Op::kDivide).divide(a.id, b.id));
    }

    friend TraceMask operator<(Trace a, Trace b) {
        return {Recording::ask(Op::kLess).less(a.id, b.id)};
    }
    friend TraceMask operator>(Trace a, Trace b) { return b < a; }
    friend TraceMask operator<=(Trace a, Trace b) {
        return {Recording::ask(Op::kLessOrEqual).less_or_equal(a.id, b.id)};
    }
    friend TraceMask operator>=(Trace a, Trace b) { return b <= a; }
    // A template, since the equality of vectors is declared constexpr, and clang insists that this could be so, too.
    template <std::same_as<Trace> T>
    friend constexpr TraceMask operator==(T a, T b) {
        return {Recording::ask(Op::kEqual).equal(a.id, b.id)};
    }
    friend TraceMask operator!=(Trace a, Trace b) { return !(a == b); }
    friend Trace select(TraceMask mask, Trace a, Trace b) {
        return of(Recording::ask(Op::kSelect).select(mask.id, a.id, b.id));
    }

    friend Trace sqrt(Trace a) { return of(Recording::ask(Op::kSqrt).sqrt(a.id)); }
    friend Trace abs(Trace a) { return of(Recording::ask(Op::kAbs).abs(a.id)); }
    friend Trace sin(Trace a) { return of(Recording::ask(Op::kSin).sin(a.id)); }
    friend Trace cos(Trace a) { return of(Recording::ask(Op::kCos).cos(a.id)); }
    friend Trace atan2(Trace y, Trace x) {
        return of(Recording::ask(Op::kAtan2).atan2(y.id, x.id));
    }
    friend SinCos<Trace> sin_cos(Trace a) { return {sin(a), cos(a)}; }
    friend TraceMask isfinite(Trace a) { return {Recording::ask(Op::kIsFinite).is_finite(a.id)}; }

private:
    static Trace of(Value id) {
        Trace out;
        out.id = id;
        return out;
    }
};

}  // namespace plucker::compiler

// Programs are recorded in double.
template <>
class std::numeric_limits<plucker::compiler::Trace> : public std::numeric_limits<double> {};

namespace plucker {

template <>
struct ScalarTraits<compiler::Trace> {
    using Parameter = compiler::Trace;
    using Mask = compiler::TraceMask;
};
static_assert(Scalar<compiler::Trace>);

}  // namespace plucker
