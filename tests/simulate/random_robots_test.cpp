// Robots at random, in time steps: with smaller steps they move as forward dynamics says, with rotors, dampers, springs, mimic joints
// and loops of all kinds together.
#include <gtest/gtest.h>

#include <random>

#include "plucker/constraints/constrained_dynamics.hpp"
#include "plucker/plucker.hpp"
#include "plucker/simulate/free_motion.hpp"
#include "plucker/simulate/start.hpp"
#include "scenes.hpp"
#include "support/random_robot.hpp"

namespace plucker::test {
namespace {

// Without shapes, and without dry friction, which has no slope.
Description smooth_robot(unsigned seed) {
    Description out = random_robot(seed);
    for (JointDescription& joint : out.joints) joint.friction = 0;
    return out;
}

class RandomMotion {
public:
    explicit RandomMotion(unsigned seed) : generator_(seed), description_(smooth_robot(seed)) {
        const Model tree(description_);
        q_ = random_configuration(tree, generator_);
        if (seed % 3 != 0) tie(tree);
    }
    bool can_move() const { return q_.size() > 0; }

    void run() {
        const Model model(description_);
        VectorX<double> v = random(model.nv());
        Workspace<double> ws(model);
        if (!model.constraints().empty()) project_velocity(ws, q_, v);
        const VectorX<double> tau = random(model.nv()),
                              stiffness = VectorX<double>::Ones(model.nv());
        const HoldingGains gains = with_bodies_free(model, {20 * stiffness, 0.5 * stiffness});
        constexpr double kDuration = 2e-3;
        FreeMotion exact(model, {Integrator::kAdaptive, 1e-4, 1e-11});
        exact.set_state(q_, v);
        exact.control([&](double, const VectorX<double>& q, const VectorX<double>& now,
                          VectorX<double>& torque) {
            torque =
                tau - gains.kp.cwiseProduct(difference(model, q_, q)) - gains.kd.cwiseProduct(now);
        });
        exact.advance_to(kDuration);
        const auto error = [&](int steps) {
            Simulator simulator(model, {}, {.step = kDuration / steps, .joint_limits = false});
            simulator.set_state(q_, v);
            simulator.hold(q_, gains.kp, gains.kd);
            for (int k = 0; k < steps; ++k) simulator.step(tau);
            return (simulator.v() - exact.v()).lpNorm<Eigen::Infinity>();
        };
        EXPECT_LE(error(80), 0.4 * error(20) + 1e-6);
    }

private:
    VectorX<double> random(int n) {
        VectorX<double> out(n);
        for (double& x : out) x = normal_(generator_);
        return out;
    }
    Vec3<double> vector() {
        return {normal_(generator_), normal_(generator_), normal_(generator_)};
    }

    // A body and another, or the world, where they are, along some of six axes.
    void tie(const Model& tree) {
        if (tree.nv() == 0) return;
        const auto bodies = static_cast<unsigned>(tree.num_bodies());
        const int a = 1 + static_cast<int>(generator_() % bodies);
        const int b = static_cast<int>(generator_() % (bodies + 1));
        Workspace<double> ws(tree);
        forward_kinematics(ws, q_);
        const auto pose_of = [&](int body) {
            return body == 0 ? Pose<double>{} : frame_pose(ws, tree.body_frame(body));
        };
        const auto name_of = [&](int body) {
            return body == 0 ? std::string("world") : tree.frame(tree.body_frame(body)).name;
        };
        ConstraintDescription out = weld("tie", name_of(a), name_of(b));
        out.placement_a = {coordinate_rotation(exponential(vector())), 0.1 * vector()};
        out.placement_b = inverse(pose_of(b)) * (pose_of(a) * out.placement_a);
        for (bool& axis : out.axes) axis = generator_() % 2 == 0;
        out.axes[generator_() % 6] = true;
        description_.constraints.push_back(out);
        // Bodies that no joint moves apart cannot be tied.
        if (has_errors(find_errors(description_))) description_.constraints.clear();
    }

    std::mt19937 generator_;
    std::normal_distribution<double> normal_;
    Description description_;
    VectorX<double> q_;
};

TEST(RandomRobots, MoveAsForwardDynamicsSays) {
    for (unsigned seed = 1; seed <= 100; ++seed) {
        SCOPED_TRACE(seed);
        RandomMotion motion(seed);
        if (motion.can_move()) motion.run();
    }
}

}  // namespace
}  // namespace plucker::test
