// What each pass leaves is never more than it was given.
#include "plucker/compiler/explain.hpp"

#include <gtest/gtest.h>

#include "plucker/compiler/machine_code.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::test {
namespace {

constexpr auto kMultiply = static_cast<std::size_t>(compiler::Op::kMultiply);

TEST(Explain, CountsWhatEachPassLeaves) {
    const Model arm = robots::arm();
    const auto functions = explain(
        arm, {.functions = {"inverse_dynamics", "frame_jacobian"}, .frames = {"tool", "link4"}});
    ASSERT_EQ(functions.size(), 3U);
    EXPECT_EQ(functions[0].frame, "");
    EXPECT_EQ(functions[1].frame, "tool");
    EXPECT_EQ(functions[2].frame, "link4");
    for (const ExplainedFunction& f : functions) {
        EXPECT_GT(total(f.asked), 2 * total(f.folded)) << f.name;
        EXPECT_GE(total(f.folded), total(f.needed)) << f.name;
        EXPECT_GT(total(f.needed), f.steps) << f.name;
        EXPECT_GT(f.asked[kMultiply], f.needed[kMultiply]);
        EXPECT_EQ(f.asked[static_cast<std::size_t>(compiler::Op::kConstant)], 0);
        EXPECT_EQ(f.needed[static_cast<std::size_t>(compiler::Op::kInput)], 0);
        ASSERT_EQ(f.machine.has_value(), compiler::can_assemble(active_isa()));
        if (f.machine) {
            EXPECT_GT(f.machine->bytes, 100U);
        }
    }
    // What is behind the fourth link is dead code.
    EXPECT_LT(total(functions[2].needed), total(functions[2].folded));
    EXPECT_LT(total(functions[2].needed), total(functions[1].needed));
    EXPECT_EQ(total(functions[0].needed),
              compiler::record(arm, "inverse_dynamics").program.num_operations());
}

TEST(Explain, CountsWhatEqualLimbsSave) {
    const auto quadruped = explain(robots::quadruped(), {.functions = {"inverse_dynamics"}});
    EXPECT_LT(total(quadruped[0].in_lanes), total(quadruped[0].needed) / 2);
    EXPECT_LT(4 * quadruped[0].in_lanes[kMultiply], 2 * quadruped[0].needed[kMultiply]);
    EXPECT_GT(quadruped[0].in_lanes[static_cast<std::size_t>(compiler::Op::kSpread)], 0);
    const auto arm = explain(robots::arm(), {.functions = {"inverse_dynamics"}});
    EXPECT_EQ(arm[0].in_lanes, arm[0].needed);
}

TEST(Explain, CountsWhatParametersCost) {
    const auto plain = explain(robots::arm(), {.functions = {"inverse_dynamics"}});
    const auto loaded = explain(robots::arm(), {.functions = {"inverse_dynamics"},
                                                .parameters = {"gravity", "payload:tool"}});
    EXPECT_GT(total(loaded[0].needed), total(plain[0].needed));
    EXPECT_EQ(loaded[0].machine.has_value(), plain[0].machine.has_value());
}

}  // namespace
}  // namespace plucker::test
