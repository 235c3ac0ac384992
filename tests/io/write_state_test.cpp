// A state that is written reads back as the same state, whatever joints the robot has.
#include "plucker/io/write_state.hpp"

#include <gtest/gtest.h>

#include <random>

#include "plucker/algorithms/table.hpp"
#include "state/json.hpp"
#include "support/joint_models.hpp"

namespace plucker {
namespace {

VectorX<double> random_vector(int size, std::mt19937& generator) {
    std::uniform_real_distribution<double> unit(-1, 1);
    VectorX<double> out(size);
    for (double& x : out) x = unit(generator);
    return out;
}

TEST(WriteState, IsUndoneByReading) {
    std::mt19937 generator(1);
    for (const std::string& name : test::joint_model_names()) {
        SCOPED_TRACE(name);
        const Model model = test::joint_model(name);
        const VectorX<double> q = random_configuration(model, generator);
        const VectorX<double> v = random_vector(model.nv(), generator);
        const VectorX<double> a = random_vector(model.nv(), generator);
        const VectorX<double> tau = random_vector(model.nv(), generator);
        const std::string text = write_state(model, q, v, a, tau);
        const Coordinates coordinates(model, Convention::kFile);
        const io::State read =
            io::StateReader(model, coordinates, {}).read(nlohmann::json::parse(text), name);
        // Numbers are written with all their digits; quaternions are normalised once more.
        EXPECT_LT((read.q - q).lpNorm<Eigen::Infinity>(), 1e-15);
        EXPECT_EQ(read.v, v);
        EXPECT_EQ(read.a, a);
        EXPECT_EQ(read.tau, tau);
    }
}

TEST(WriteState, IsALineAJointInTheOrderOfTheFile) {
    const Model model = test::joint_model("floating_mimic");
    const VectorX<double> zero = VectorX<double>::Zero(model.nv());
    const std::string text = write_state(model, neutral_configuration(model), zero, zero, zero);
    std::size_t at = text.find("\"joints\"");
    for (const JointDescription& joint : model.description().joints) {
        const std::string line = "\n      \"" + joint.name + "\": 0.0";
        if (joint.mimic || joint.type == JointType::kFixed) {
            EXPECT_EQ(text.find(line), std::string::npos) << joint.name;
            continue;
        }
        if (joint.type != JointType::kRevolute && joint.type != JointType::kPrismatic) continue;
        const std::size_t next = text.find(line, at);
        ASSERT_NE(next, std::string::npos) << joint.name << "\n" << text;
        at = next;
    }
}

}  // namespace
}  // namespace plucker
