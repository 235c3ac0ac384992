// Instruction sets: which one runs, and what happens when it cannot. ctest runs the whole suite once more for
// each lesser one, through PLUCKER_ISA.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "batch/runs.hpp"
#include "plucker/model/builder.hpp"
#include "support/missing_isa.hpp"

namespace plucker::test {
namespace {

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

// Slides alone: sines and cosines, which are computed apart, must not tell the kernels from one another.
Model slides() {
    Builder builder("slides");
    builder.link("link0");
    for (int k = 1; k <= 6; ++k) {
        builder.body("link" + std::to_string(k - 1),
                     prismatic("slide" + std::to_string(k), {0.3, 0.4 * k, 1}).at(odd_placement(k)),
                     "link" + std::to_string(k), odd_mass(k));
    }
    return builder.build();
}

// All bits of single calls and of a batch. Kernels with fused multiply-adds round less often, and so differently.
void print_fingerprints() {
    const Model model = slides();
    const auto states = random_states<double>(model, 20);
    Workspace<double> ws(model);
    Rows<double> single(20, model.nv()), many(20, model.nv());
    for (long n = 0; n < 20; ++n) {
        VectorX<double> tau(model.nv());
        inverse_dynamics(ws, states.q.row(n).transpose(), states.v.row(n).transpose(),
                         states.a.row(n).transpose(), tau);
        single.row(n) = tau.transpose();
    }
    batch::Evaluator<double> robot(model, {.threads = 1});
    inverse_dynamics(robot, states.q, states.v, states.a, many);
    for (const Rows<double>* x : {&single, &many}) {
        std::size_t hash = 0;
        for (long k = 0; k < x->size(); ++k) hash = hash * 31 + std::hash<double>{}(x->data()[k]);
        std::printf("fingerprint %zx\n", hash);
    }
}
TEST(KernelFingerprint, CanBePrinted) { print_fingerprints(); }

// The choice is made once a process, so this asks fresh ones.
std::vector<std::string> fingerprints(const std::string& isa) {
    const std::string command = "PLUCKER_ISA=" + isa + " /proc/" + std::to_string(getpid()) +
                                "/exe --gtest_filter=KernelFingerprint.* 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    std::vector<std::string> out;
    char line[256];
    while (std::fgets(line, sizeof line, pipe) != nullptr) {
        if (std::string(line).starts_with("fingerprint ")) out.emplace_back(line);
    }
    pclose(pipe);
    return out;
}
TEST(InstructionSet, RunsKernelsOfItsOwn) {
    const auto generic = fingerprints("generic");
    ASSERT_EQ(generic.size(), 2U);
    for (const Isa isa : available_isas()) {
        if (isa == Isa::kGeneric) continue;
        const auto fused = fingerprints(name_of(isa));
        ASSERT_EQ(fused.size(), 2U);
        EXPECT_NE(fused[0], generic[0]) << "single calls run generic code for " << name_of(isa);
        EXPECT_NE(fused[1], generic[1]) << "batches run generic code for " << name_of(isa);
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
