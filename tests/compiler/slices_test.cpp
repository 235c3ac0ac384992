// Slices of a program give together what it gives, and are as short as was asked for.
#include "plucker/compiler/slices.hpp"

#include <gtest/gtest.h>

#include <random>

#include "plucker/compiler/cuda.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::test {
namespace {

using compiler::Op;
using compiler::Program;
using compiler::SliceOptions;
using compiler::Slices;

std::vector<double> some_inputs(const Program& program) {
    std::mt19937 generator(1);
    std::uniform_real_distribution<double> unit(0.2, 1);
    std::vector<double> out;
    for (int k = 0; k < program.num_inputs(); ++k) out.push_back(unit(generator));
    return out;
}

// Runs one after another. An output that none gives stays NaN; one that two give is a failure.
compiler::Evaluation run_in_turn(const Slices& slices, const Program& whole) {
    std::vector<double> inputs = some_inputs(whole);
    const auto num_inputs = inputs.size(), num_outputs = whole.outputs.size();
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    inputs.resize(num_inputs + static_cast<std::size_t>(slices.num_kept), nothing);
    compiler::Evaluation out{std::vector<double>(num_outputs, nothing), false};
    for (Program part : slices.programs) {
        std::vector<std::size_t> given;
        std::vector<compiler::Value> nodes;
        for (std::size_t k = 0; k < part.outputs.size(); ++k) {
            if (part.outputs[k] == compiler::kNotGiven) continue;
            given.push_back(k);
            nodes.push_back(part.outputs[k]);
        }
        part.outputs = nodes;
        const compiler::Evaluation here = compiler::evaluate(part, inputs);
        out.singular = out.singular || here.singular;
        for (std::size_t k = 0; k < given.size(); ++k) {
            double& to = given[k] < num_outputs ? out.outputs[given[k]]
                                                : inputs[num_inputs + given[k] - num_outputs];
            EXPECT_TRUE(std::isnan(to)) << "given twice: " << given[k];
            to = here.outputs[k];
        }
    }
    return out;
}

class SlicesOf : public testing::TestWithParam<const char*> {};

TEST_P(SlicesOf, GiveTogetherWhatTheProgramGives) {
    const Program whole = compiler::record(robots::quadruped(), GetParam()).program;
    const compiler::Evaluation expected = compiler::evaluate(whole, some_inputs(whole));
    for (const SliceOptions& options : {SliceOptions{1500, 0}, {1500, 10}, {2500, 30}}) {
        SCOPED_TRACE(std::to_string(options.most_operations) + ", " +
                     std::to_string(options.cost_of_reading));
        const Slices slices = compiler::slice(whole, options);
        EXPECT_GT(slices.programs.size(), 1U);
        const compiler::Evaluation got = run_in_turn(slices, whole);
        EXPECT_EQ(got.outputs, expected.outputs);  // the same operations: the same bits
        EXPECT_EQ(got.singular, expected.singular);
        EXPECT_TRUE(options.cost_of_reading > 0 || slices.num_kept == 0);
    }
}
INSTANTIATE_TEST_SUITE_P(Functions, SlicesOf,
                         testing::Values("inverse_dynamics_derivatives", "inverse_mass_matrix",
                                         "forward_dynamics", "coriolis_matrix"),
                         [](const auto& test) { return std::string(test.param); });

// Of the quadruped's derivatives, whose limbs have little to do with each other, hardly anything is computed twice.
TEST(Slices, AreShortAndComputeLittleTwice) {
    const Program whole =
        compiler::record(robots::quadruped(), "inverse_dynamics_derivatives").program;
    const Slices slices = compiler::slice(whole, {2000, 20});
    EXPECT_LT(slices.num_operations(), 1.1 * whole.num_operations());
    for (const Program& part : slices.programs) EXPECT_LE(part.num_operations(), 2200);
    EXPECT_GT(slices.num_kept, 0);
}

// Here results are of limbs, and what is read is of none.
TEST(Parts, GiveAllOutputsOfLimbsThatReadNothing) {
    const Program program =
        compiler::record(robots::tree(20, 1), "normalize_configuration").program;
    for (const int parts : {1, 2, 4}) {
        compiler::KernelOptions options;
        options.shape.parts = parts;
        const compiler::KernelText kernel = compiler::kernel_text(program, "normalize", options);
        EXPECT_LE(kernel.parts, parts);
        for (std::size_t k = 0; k < program.outputs.size(); ++k) {
            EXPECT_NE(kernel.text.find("_plane, " + std::to_string(k) + ") = "), std::string::npos)
                << "output " << k;
        }
    }
}

}  // namespace
}  // namespace plucker::test
