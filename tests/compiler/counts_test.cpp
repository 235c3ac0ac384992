// How many operations a kernel's text has.
#include <gtest/gtest.h>

#include <numeric>

#include "plucker/algorithms/algorithm.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/compiler/trace.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/spatial/vec3.hpp"

namespace plucker::test {
namespace {

using compiler::Op;
using compiler::Trace;

struct Counts {
    std::array<long, compiler::kNumOps> by_op;

    long of(Op op) const { return by_op[static_cast<std::size_t>(op)]; }
    long sums() const { return of(Op::kAdd) + of(Op::kSubtract); }
    long products() const { return of(Op::kMultiply); }
    long all() const { return std::accumulate(by_op.begin(), by_op.end(), 0L); }
};

// Counts what is done with numbers that are not known.
template <class Formula>
Counts count(Formula formula) {
    auto recorder = compiler::Recorder::that_only_counts();
    const compiler::Recording here(recorder);
    int inputs = 0;
    formula([&] { return Trace::input(inputs++); });
    return {recorder.asked()};
}

Counts of_inverse_dynamics(const Model& model) {
    return {compiler::count_operations(
        model, row_named("inverse_dynamics", "algorithm", [](const Algorithm&) { return true; }))};
}

TEST(Counts, EachOperationIsOneOfItsKind) {
    const Counts counts = count([](auto number) {
        const Trace x = number(), y = number();
        (x + y) * x - y / sqrt(x);
        select(x < y, -x, abs(y));
        sin_cos(x);
        atan2(y, x);
    });
    for (const Op op : {Op::kAdd, Op::kSubtract, Op::kMultiply, Op::kDivide, Op::kSqrt, Op::kNegate,
                        Op::kAbs, Op::kLess, Op::kSelect, Op::kSin, Op::kCos, Op::kAtan2}) {
        EXPECT_EQ(counts.of(op), 1) << name_of(op);
    }
    EXPECT_EQ(counts.all(), 12);
}

// What an operation is turned into was not asked for.
TEST(Counts, OperationsThatFoldAreCountedOnceAndAsWhatTheyWere) {
    const Counts counts = count([](auto number) {
        const Trace x = number(), y = number();
        x / Trace(2.0);
        x* Trace(-1.0);
        Trace(0.0) - x;
        y* Trace(0.0);
        Trace(3.0) + Trace(4.0);
        x - x;
    });
    EXPECT_EQ(counts.of(Op::kDivide), 1);
    EXPECT_EQ(counts.products(), 2);
    EXPECT_EQ(counts.sums(), 3);
    EXPECT_EQ(counts.all(), 6);

    compiler::Recorder recorder;
    const compiler::Recording here(recorder);
    const Trace x = Trace::input(0), y = Trace::input(1);
    const Trace z = x - (-y);
    EXPECT_EQ(recorder.num_asked(), 2);
    EXPECT_EQ(recorder.asked()[static_cast<std::size_t>(Op::kAdd)], 0);
    EXPECT_EQ(z.id, (x + y).id);
}

TEST(Counts, OfDifferentUnknownNumbersNothingIsKnown) {
    count([](auto number) {
        const Trace x = number(), y = number();
        EXPECT_THROW(any(x - y == Trace(0.0)), Error);
        EXPECT_TRUE(any(x - x == Trace(0.0)));
        EXPECT_TRUE(all(Trace(1.0) < Trace(2.0)));
    });
}

TEST(Counts, ACrossProductIsSixProductsAndThreeDifferences) {
    const Counts counts = count([](auto number) {
        const Vec3<Trace> a{number(), number(), number()}, b{number(), number(), number()};
        cross(a, b);
    });
    EXPECT_EQ(counts.sums(), 3);
    EXPECT_EQ(counts.products(), 6);
}

TEST(Counts, InverseDynamicsCostsTheSameForEachFurtherBody) {
    const Counts ten = of_inverse_dynamics(robots::chain(10)),
                 twenty = of_inverse_dynamics(robots::chain(20)),
                 thirty = of_inverse_dynamics(robots::chain(30));
    EXPECT_EQ(twenty.sums() - ten.sums(), thirty.sums() - twenty.sums());
    EXPECT_EQ(twenty.products() - ten.products(), thirty.products() - twenty.products());
    EXPECT_EQ(thirty.of(Op::kSin), 30);
    EXPECT_EQ(thirty.of(Op::kCos), 30);
    EXPECT_EQ(thirty.of(Op::kDivide), 0);
    EXPECT_GT(ten.sums(), 0);
}

TEST(Counts, AreThoseOfTheRecordedProgram) {
    for (const Model& model : {robots::arm(), robots::exoskeleton()}) {
        int row = -1;
        for (const Algorithm& algorithm : algorithms()) {
            ++row;
            if (algorithm.fills_kinematics || !applies_to(algorithm, model)) continue;
            compiler::RecordOptions options;
            options.frame = model.body_frame(model.num_bodies());
            options.given.assign(static_cast<std::size_t>(model.num_bodies()) + 1, Given::kTorque);
            EXPECT_EQ(compiler::count_operations(model, row, options),
                      compiler::record(model, row, options).asked)
                << model.name() << ": " << algorithm.name;
        }
    }
}

TEST(Counts, AProgramThatIsTooLongToRecordIsCounted) {
    const Model chain = robots::chain(40);
    compiler::RecordOptions options;
    options.most_nodes = 1000;
    const int row = row_named("mass_matrix", "algorithm", [](const Algorithm&) { return true; });
    EXPECT_THROW(compiler::record(chain, row, options), compiler::ProgramTooLong);
    EXPECT_EQ(compiler::count_operations(chain, row, options), compiler::record(chain, row).asked);
}

}  // namespace
}  // namespace plucker::test
