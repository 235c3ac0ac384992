// J M⁻¹ Jᵀ by articulated-body responses, against the product of the matrices.
#include "plucker/constraints/delassus.hpp"

#include <gtest/gtest.h>

#include <random>

#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"
#include "plucker/robots/robots.hpp"
#include "support/random_robot.hpp"

namespace plucker::test {
namespace {

// Ties between links at random.
Description with_ties(Description d, unsigned seed) {
    std::mt19937 generator(seed);
    const Model free(d);
    if (free.num_bodies() == 0) return d;
    const auto body = [&](int k) { return free.body_name(k); };
    std::uniform_int_distribution<int> any(0, free.num_bodies());
    for (int k = 0; k < 4; ++k) {
        const int a = any(generator), b = any(generator);
        ConstraintDescription c = weld("tie" + std::to_string(k), body(a), body(b));
        c.placement_a = Pose<double>::roll_pitch_yaw({0.1 * k, 0.2, -0.3}, {0.2, 0.1 * k, 0.3});
        c.axes[static_cast<std::size_t>(k)] = false;
        d.constraints.push_back(c);
        // With fixed joints kept, or the world twice, links may move as one.
        if (!find_errors(d).empty()) d.constraints.pop_back();
    }
    std::vector<std::string> single;
    for (int i = 1; i <= free.num_bodies(); ++i) {
        if (has_one_freedom(free.body(i).joint)) single.push_back(free.joint(i).name);
    }
    if (single.size() > 1) d.constraints.push_back(gear("gear", single.back(), single.front(), 2));
    return d;
}

void expect_agreement(const Model& model, unsigned seed) {
    if (model.num_constraint_rows() == 0) return;
    std::mt19937 generator(seed);
    const VectorX<double> q = random_configuration(model, generator);
    const MatrixX<double> J = constraint_jacobian(model, q);
    const MatrixX<double> expected = J * inverse_mass_matrix(model, q) * J.transpose();
    const MatrixX<double> G = delassus_matrix(model, q);
    EXPECT_LE((G - expected).cwiseAbs().maxCoeff(), 1e-11 * (1 + expected.cwiseAbs().maxCoeff()))
        << model.name() << " " << seed;
    EXPECT_EQ(G, MatrixX<double>(G.transpose()));
}

TEST(DelassusMatrix, IsTheProductOnEveryBuiltInRobot) {
    int rows = 0;
    for (std::string name : robots::names()) {
        if (name.starts_with("chain")) name = "chain(10)";
        if (name.starts_with("tree")) name = "tree(20,1)";
        const Model model(with_ties(robots::by_name(name).description(), 3));
        rows += model.num_constraint_rows();
        for (unsigned seed = 0; seed < 3; ++seed) expect_agreement(model, seed);
    }
    EXPECT_GE(rows, 100);
}

// Mimic joints among them, which take the other way.
TEST(DelassusMatrix, IsTheProductOnRobotsAtRandom) {
    int with_mimics = 0;
    for (unsigned seed = 0; seed < 60; ++seed) {
        const Model model(with_ties(random_robot(seed), seed));
        with_mimics += model.has_mimic_joints() && model.num_constraint_rows() > 0 ? 1 : 0;
        expect_agreement(model, seed);
    }
    EXPECT_GE(with_mimics, 3);
}

TEST(InverseInertiaOfFrames, HasTheInertiaOfEachOnItsDiagonal) {
    const Model model = robots::quadruped();
    std::mt19937 generator(5);
    const VectorX<double> q = random_configuration(model, generator);
    const std::vector<FrameId> frames{model.body_frame(3), model.body_frame(6),
                                      model.body_frame(1)};
    for (const ReferenceFrame reference :
         {ReferenceFrame::kBody, ReferenceFrame::kWorld, ReferenceFrame::kWorldAligned}) {
        const MatrixX<double> all = inverse_inertia_of_frames(model, q, frames, reference);
        ASSERT_EQ(all.rows(), 18);
        MatrixX<double> J(18, model.nv());
        for (int k = 0; k < 3; ++k) {
            const FrameId frame = frames[static_cast<std::size_t>(k)];
            J.middleRows(6 * k, 6) = frame_jacobian(model, q, frame, reference);
            const MatrixX<double> one = inverse_operational_inertia(model, q, frame, reference);
            EXPECT_LE((all.block(6 * k, 6 * k, 6, 6) - one).cwiseAbs().maxCoeff(),
                      1e-12 * one.cwiseAbs().maxCoeff());
        }
        const MatrixX<double> expected = J * inverse_mass_matrix(model, q) * J.transpose();
        EXPECT_LE((all - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
    }
}

}  // namespace
}  // namespace plucker::test
