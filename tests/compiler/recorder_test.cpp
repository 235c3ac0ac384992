// What the recorder folds, each rule by itself, and that folding changes no value.
#include "plucker/compiler/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "plucker/compiler/record.hpp"
#include "plucker/compiler/trace.hpp"
#include "plucker/error.hpp"
#include "plucker/robots/robots.hpp"
#include "support/error_message.hpp"

namespace plucker::compiler {
namespace {

class Folding : public testing::Test {
protected:
    Recorder r_;
    Value x_ = r_.input(0), y_ = r_.input(1), z_ = r_.input(2);
    Value zero_ = r_.constant(0), one_ = r_.constant(1), two_ = r_.constant(2);
};

TEST_F(Folding, KnowsWhatWasComputedBefore) {
    EXPECT_EQ(r_.add(x_, y_), r_.add(y_, x_));
    EXPECT_EQ(r_.multiply(x_, y_), r_.multiply(y_, x_));
    EXPECT_NE(r_.subtract(x_, y_), r_.subtract(y_, x_));
    EXPECT_EQ(r_.constant(0.1), r_.constant(0.1));
    EXPECT_EQ(r_.constant(-0.0), zero_);
}

TEST_F(Folding, KnowsWhatWasComputedLongBefore) {
    std::vector<Value> sums;
    for (int k = 0; k < 5000; ++k) sums.push_back(r_.add(x_, r_.constant(k + 0.5)));
    const std::size_t size = sums.size();
    for (int k = 0; k < 5000; ++k) {
        ASSERT_EQ(r_.add(r_.constant(k + 0.5), x_), sums[static_cast<std::size_t>(k)]);
    }
    std::sort(sums.begin(), sums.end());
    EXPECT_EQ(std::unique(sums.begin(), sums.end()) - sums.begin(), static_cast<long>(size));
}

TEST_F(Folding, LeavesOutZerosAndOnes) {
    EXPECT_EQ(r_.add(x_, zero_), x_);
    EXPECT_EQ(r_.add(zero_, x_), x_);
    EXPECT_EQ(r_.subtract(x_, zero_), x_);
    EXPECT_EQ(r_.multiply(x_, zero_), zero_);
    EXPECT_EQ(r_.multiply(one_, x_), x_);
    EXPECT_EQ(r_.multiply(x_, r_.constant(-1)), r_.negate(x_));
    EXPECT_EQ(r_.divide(zero_, x_), zero_);
    EXPECT_EQ(r_.divide(x_, one_), x_);
    EXPECT_EQ(r_.subtract(x_, x_), zero_);
}

TEST_F(Folding, ComputesWithConstants) {
    EXPECT_EQ(r_.add(one_, two_), r_.constant(3));
    EXPECT_EQ(r_.subtract(one_, two_), r_.constant(-1));
    EXPECT_EQ(r_.multiply(two_, r_.constant(3)), r_.constant(6));
    EXPECT_EQ(r_.divide(one_, two_), r_.constant(0.5));
    EXPECT_EQ(r_.sqrt(r_.constant(4)), two_);
    EXPECT_EQ(r_.sin(zero_), zero_);
    EXPECT_EQ(r_.cos(zero_), one_);
    EXPECT_EQ(r_.atan2(zero_, one_), zero_);
    EXPECT_EQ(r_.abs(r_.constant(-2)), two_);
    EXPECT_EQ(r_.multiply(two_, r_.multiply(r_.constant(3), x_)), r_.multiply(r_.constant(6), x_));
    EXPECT_EQ(r_.divide(x_, two_), r_.multiply(r_.constant(0.5), x_));
}

TEST_F(Folding, MovesSignsOutward) {
    EXPECT_EQ(r_.negate(r_.negate(x_)), x_);
    EXPECT_EQ(r_.add(x_, r_.negate(y_)), r_.subtract(x_, y_));
    EXPECT_EQ(r_.add(r_.negate(x_), y_), r_.subtract(y_, x_));
    EXPECT_EQ(r_.subtract(x_, r_.negate(y_)), r_.add(x_, y_));
    EXPECT_EQ(r_.subtract(r_.negate(x_), y_), r_.negate(r_.add(x_, y_)));
    EXPECT_EQ(r_.multiply(r_.negate(x_), y_), r_.negate(r_.multiply(x_, y_)));
    EXPECT_EQ(r_.multiply(r_.negate(x_), r_.negate(y_)), r_.multiply(x_, y_));
    EXPECT_EQ(r_.multiply(two_, r_.negate(x_)), r_.multiply(r_.constant(-2), x_));
    EXPECT_EQ(r_.divide(r_.negate(x_), y_), r_.negate(r_.divide(x_, y_)));
    EXPECT_EQ(r_.divide(x_, r_.negate(y_)), r_.negate(r_.divide(x_, y_)));
    EXPECT_EQ(r_.divide(r_.negate(x_), r_.negate(y_)), r_.divide(x_, y_));
    EXPECT_EQ(r_.negate(r_.subtract(x_, y_)), r_.subtract(y_, x_));
    EXPECT_EQ(r_.sin(r_.negate(x_)), r_.negate(r_.sin(x_)));
    EXPECT_EQ(r_.cos(r_.negate(x_)), r_.cos(x_));
    EXPECT_EQ(r_.abs(r_.negate(x_)), r_.abs(x_));
}

TEST_F(Folding, DecidesWhatIsKnown) {
    const Value yes = r_.mask(true), no = r_.mask(false), open = r_.less(x_, y_);
    EXPECT_EQ(r_.select(yes, x_, y_), x_);
    EXPECT_EQ(r_.select(no, x_, y_), y_);
    EXPECT_EQ(r_.select(open, x_, x_), x_);
    EXPECT_EQ(r_.less(one_, two_), yes);
    EXPECT_EQ(r_.less_or_equal(two_, one_), no);
    EXPECT_EQ(r_.both(yes, open), open);
    EXPECT_EQ(r_.both(open, yes), open);
    EXPECT_EQ(r_.both(no, open), no);
    EXPECT_EQ(r_.both(open, no), no);
    EXPECT_EQ(r_.either(yes, open), yes);
    EXPECT_EQ(r_.either(open, yes), yes);
    EXPECT_EQ(r_.either(no, open), open);
    EXPECT_EQ(r_.either(open, no), open);
    EXPECT_EQ(r_.opposite(r_.opposite(open)), open);
}

// Expressions at random over all operations: the program gives what the same text gives in double.
template <class S, class Generator>
S expression(Generator& random, int depth, const std::vector<S>& inputs) {
    using std::abs, std::atan2, std::cos, std::sin, std::sqrt;
    const auto sub = [&] { return expression<S>(random, depth - 1, inputs); };
    if (depth == 0) {
        const unsigned pick = random() % 6;
        if (pick < 3) return inputs[pick];
        return S(std::array{0.0, 1.0, -2.5}[pick - 3]);
    }
    // Operands are drawn in the order of the text, which that of C++'s arguments is not.
    const unsigned op = random() % 11;
    const S a = sub();
    if (op == 0) return -a;
    if (op == 1) return abs(a);
    if (op == 2) return sqrt(S(1) + a * a);
    if (op == 3) return sin_cos(a).sin;
    if (op == 4) return sin_cos(a).cos;
    const S b = sub();
    if (op == 5) return a + b;
    if (op == 6) return a - b;
    if (op == 7) return a * b;
    if (op == 8) return a / (S(2) + b * b);
    if (op == 9) return atan2(a, S(1) + b * b);
    const S c = sub();
    return select(a < b, c, select(a <= c, a, b));
}

TEST(Recording, MeansWhatTheTextMeans) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        SCOPED_TRACE(seed);
        const std::vector<double> inputs{0.3 + 0.001 * seed, -1.7, 2.2};
        std::mt19937 for_numbers(seed), for_trace(seed);
        const double expected = expression<double>(for_numbers, 5, inputs);
        Recorder recorder;
        const Recording here(recorder);
        const Trace traced =
            expression<Trace>(for_trace, 5, {Trace::input(0), Trace::input(1), Trace::input(2)});
        Program program;
        program.input_groups = {{"x", 3}};
        program.outputs = {traced.id};
        program.nodes = recorder.take_nodes();
        const Program lean = without_dead_code(program);
        EXPECT_LE(lean.nodes.size(), program.nodes.size());
        EXPECT_EQ(evaluate(lean, inputs).outputs, evaluate(program, inputs).outputs);
        // Constants are regrouped: rounding, which sums may enlarge.
        EXPECT_NEAR(evaluate(lean, inputs).outputs[0], expected,
                    1e-12 * std::max(1.0, std::abs(expected)));
    }
}

TEST(Recording, CannotBranch) {
    Recorder recorder;
    const Recording here(recorder);
    EXPECT_TRUE(any(Trace(1) < Trace(2)));
    EXPECT_THROW((void)any(Trace::input(0) < Trace(2)), Error);
}

// What a row does not take, or has no meaning for the robot, is refused before anything is recorded.
TEST(Record, RefusesWhatTheRowDoesNotTake) {
    const Model arm = robots::arm(), other = robots::arm();
    const auto complaint = [&](const char* row, const RecordOptions& options) {
        return test::message([&] { (void)record(arm, row, options); });
    };
    const ForcePlace here{arm.frame_id("tool"), ReferenceFrame::kWorld};
    const ForcePlace elsewhere{other.frame_id("tool"), ReferenceFrame::kWorld};
    EXPECT_EQ(complaint("inverse_dynamics", {.forces = {here}}), "no error");
    for (const char* row : {"mass_matrix", "gravity_torque", "kinetic_energy", "coriolis_matrix"})
        EXPECT_EQ(complaint(row, {.forces = {here}}),
                  std::string("record: ") + row + " takes no external forces");
    EXPECT_NE(complaint("inverse_dynamics", {.forces = {elsewhere}}), "no error");
    EXPECT_NE(complaint("frame_jacobian", {.frame = elsewhere.frame}), "no error");
    EXPECT_NE(complaint("center_of_mass", {.root = 8}).find("there is no body 8"),
              std::string::npos);
    EXPECT_NE(complaint("hybrid_dynamics", {.given = {Given::kTorque}}).find("given has size 1"),
              std::string::npos);
    EXPECT_NE(complaint("floating_base_inverse_dynamics", {}).find("has a fixed base"),
              std::string::npos);
    EXPECT_NE(complaint("forward_kinematics", {}).find("leaves its results in a workspace"),
              std::string::npos);
}

}  // namespace
}  // namespace plucker::compiler
