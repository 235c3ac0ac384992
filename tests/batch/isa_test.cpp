// Instruction sets: which one runs, and what happens when it cannot. ctest runs the whole suite once more for
// each lesser one, through PLUCKER_ISA.
#include <cstdlib>

#include "batch/runs.hpp"

namespace plucker::test {
namespace {

// What this machine cannot run is skipped, not failed. A name that nothing has still fails.
class SkipsWhatThisMachineLacks : public testing::Environment {
    void SetUp() override {
        const char* forced = std::getenv("PLUCKER_ISA");
        if (forced == nullptr) return;
        for (const Isa isa : {Isa::kGeneric, Isa::kAvx2, Isa::kAvx512}) {
            const auto available = available_isas();
            if (std::string(forced) == name_of(isa) &&
                std::find(available.begin(), available.end(), isa) == available.end()) {
                GTEST_SKIP() << "this machine does not have " << forced;
            }
        }
    }
};
[[maybe_unused]] const auto* const kRegistered =
    testing::AddGlobalTestEnvironment(new SkipsWhatThisMachineLacks);

TEST(InstructionSet, IsTheBestOneOrTheOneAskedFor) {
    const char* forced = std::getenv("PLUCKER_ISA");
    EXPECT_STREQ(name_of(active_isa()),
                 forced != nullptr ? forced : name_of(available_isas().back()));
    const batch::Evaluator<float> robot(robots::pendulum(), {.threads = 1});
    EXPECT_EQ(robot.isa(), active_isa());
    EXPECT_EQ(robot.lanes(), lanes_of<float>(active_isa()));
}

TEST(InstructionSet, GenericIsAlwaysThere) {
    ASSERT_FALSE(available_isas().empty());
    EXPECT_EQ(available_isas().front(), Isa::kGeneric);
}

TEST(InstructionSet, FillsItsRegisters) {
    for (const Isa isa : available_isas()) {
        const int doubles = isa == Isa::kGeneric ? 2 : isa == Isa::kAvx2 ? 4 : 8;
        EXPECT_EQ(lanes_of<double>(isa), doubles) << name_of(isa);
        EXPECT_EQ(lanes_of<float>(isa), 2 * doubles) << name_of(isa);
    }
}

// The choice is made once a process, so this asks a fresh one.
TEST(InstructionSetDeathTest, UnknownNameIsRefusedWithThePossibleOnes) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(
        {
            setenv("PLUCKER_ISA", "nonsense", 1);
            try {
                const batch::Evaluator<double> robot(robots::pendulum());
            } catch (const Error& error) {
                std::fputs(error.what(), stderr);
                std::exit(3);
            }
            std::exit(0);
        },
        testing::ExitedWithCode(3), "PLUCKER_ISA is 'nonsense': this machine can run generic");
}

}  // namespace
}  // namespace plucker::test
