// Every function of a frame in every reference frame, on frames that are turned and away from their body's origin:
// the three against each other, against exact rates, and forces on them against work.
#include <gtest/gtest.h>

#include <functional>

#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

using laws::kReferenceFrames;
using laws::magnitudes;

class FramesOf : public testing::TestWithParam<std::string> {
protected:
    // Frames of links are turned where joints have oblique axes; "tool" is away from its link's origin too.
    void for_frames(const std::function<void(FrameId)>& check) const {
        for (std::size_t k = 0; k < model_.frames().size(); ++k) {
            SCOPED_TRACE(model_.frames()[k].name);
            check(model_.frame_id(static_cast<int>(k)));
        }
    }
    void expect(const char* what, const MatrixX<double>& left, const MatrixX<double>& right,
                const MatrixX<double>& scale) const {
        laws::Report<double> report(model_.nv());
        report.equal(what, left, right, scale);
        const laws::Residual r = std::move(report).take().front();
        EXPECT_TRUE(r.holds()) << r.law << ": residual " << r.value;
    }

    const Model model_ = joint_model(GetParam());
    std::mt19937 generator_{17};
    const laws::State<double> s_ = laws::random_state(model_, generator_);
    const laws::Sizes sizes_{model_, s_.q};
    const VectorX<double> v_size_ = magnitudes(s_.v), a_size_ = magnitudes(s_.a);
};

// From one reference frame to another by hand: rotations by the pose, and the rule for the velocity of another point.
TEST_P(FramesOf, AgreeInAllReferenceFrames) {
    Workspace<double> ws(model_);
    forward_kinematics(ws, s_.q, s_.v, s_.a);
    for_frames([&](FrameId frame) {
        const Pose<double> pose = frame_pose(ws, frame);
        const Vec3<double> p = pose.position;
        // Angular and linear part of a spatial vector, from the frame's axes at its origin.
        const auto aligned = [&](const Motion<double>& m) {
            return Motion<double>{pose.rotation * m.angular, pose.rotation * m.linear};
        };
        const auto at_world = [&](const Motion<double>& m) {
            return Motion<double>{m.angular, m.linear - cross(m.angular, p)};
        };
        // Sizes at the frame and at the world's origin, and of the step between them.
        const auto both = [&](const MatrixX<double>& here, const MatrixX<double>& world) {
            MatrixX<double> sum = here + world;
            sum.bottomRows(3) += laws::length(p) * here.topRows(3);
            return sum;
        };
        const MatrixX<double> J_size = both(sizes_.jacobian(frame, ReferenceFrame::kBody),
                                            sizes_.jacobian(frame, ReferenceFrame::kWorld));
        const MatrixX<double> J_dot_size =
            both(sizes_.jacobian_rate(frame, ReferenceFrame::kBody, v_size_),
                 sizes_.jacobian_rate(frame, ReferenceFrame::kWorld, v_size_));
        const VectorX<double> v_size = J_size * v_size_;
        const VectorX<double> a_size = J_size * a_size_ + J_dot_size * v_size_;
        const auto expect_motion = [&](const char* what, const Motion<double>& left,
                                       const Motion<double>& right, const VectorX<double>& scale) {
            expect(what, to_eigen(left), to_eigen(right), scale);
        };
        const auto v = [&](ReferenceFrame r) { return frame_velocity(ws, frame, r); };
        expect_motion("velocity, aligned", v(ReferenceFrame::kWorldAligned),
                      aligned(v(ReferenceFrame::kBody)), v_size);
        expect_motion("velocity, world", v(ReferenceFrame::kWorld),
                      at_world(aligned(v(ReferenceFrame::kBody))), v_size);
        const auto a = [&](ReferenceFrame r) { return frame_acceleration(ws, frame, r); };
        expect_motion("acceleration, aligned", a(ReferenceFrame::kWorldAligned),
                      aligned(a(ReferenceFrame::kBody)), a_size);
        expect_motion("acceleration, world", a(ReferenceFrame::kWorld),
                      at_world(aligned(a(ReferenceFrame::kBody))), a_size);
        // What a point accelerates with has ω × v more than the field.
        for (const ReferenceFrame r : kReferenceFrames) {
            const Motion<double> field = a(r), motion = v(r);
            expect_motion("classical acceleration", frame_classical_acceleration(ws, frame, r),
                          {field.angular, field.linear + cross(motion.angular, motion.linear)},
                          a_size);
        }
        for (int k = 0; k < model_.nv(); ++k) {
            const auto column = [&](ReferenceFrame r) {
                Matrix6X<double> J(6, model_.nv());
                frame_jacobian(ws, frame, r, J);
                return to_motion(J.col(k));
            };
            expect_motion("Jacobian, aligned", column(ReferenceFrame::kWorldAligned),
                          aligned(column(ReferenceFrame::kBody)), J_size.col(k));
            expect_motion("Jacobian, world", column(ReferenceFrame::kWorld),
                          at_world(aligned(column(ReferenceFrame::kBody))), J_size.col(k));
        }
    });
}

TEST_P(FramesOf, MoveAsTheirRatesSay) {
    const laws::State<Dual<double>> next = laws::moving(model_, s_);
    Workspace<double> ws(model_);
    Workspace<Dual<double>> ws_next(model_);
    forward_kinematics(ws, s_.q, s_.v, s_.a);
    forward_kinematics(ws_next, next.q, next.v);
    for_frames([&](FrameId frame) {
        const Pose<Dual<double>> pose = frame_pose(ws_next, frame);
        const Motion<double> v = frame_velocity(ws, frame, ReferenceFrame::kWorldAligned);
        const VectorX<double> pose_size =
            sizes_.jacobian(frame, ReferenceFrame::kWorldAligned) * v_size_;
        expect("ṗ", laws::rate_of(to_eigen(pose.position)), to_eigen(v.linear), pose_size.tail(3));
        for (const ReferenceFrame r : kReferenceFrames) {
            Matrix6X<double> J(6, model_.nv()), J_dot(6, model_.nv());
            Matrix6X<Dual<double>> J_next(6, model_.nv());
            frame_jacobian(ws, frame, r, J);
            frame_jacobian_dot(ws, frame, r, J_dot);
            frame_jacobian(ws_next, frame, r, J_next);
            const MatrixX<double> J_size = sizes_.jacobian(frame, r);
            const MatrixX<double> J_dot_size = sizes_.jacobian_rate(frame, r, v_size_);
            const VectorX<double> a_size = J_size * a_size_ + J_dot_size * v_size_;
            expect("J v", J * s_.v, to_eigen(frame_velocity(ws, frame, r)), J_size * v_size_);
            expect("J̇", J_dot, laws::rate_of(J_next), J_dot_size);
            // The rate of J v; along the world's axes at a moving point, that is the classical acceleration.
            const Motion<double> a = r == ReferenceFrame::kWorldAligned
                                         ? frame_classical_acceleration(ws, frame, r)
                                         : frame_acceleration(ws, frame, r);
            expect("J̇ v + J a", J_dot * s_.v + J * s_.a, to_eigen(a), a_size);
        }
    });
}

// A force on any frame, in any reference frame, works as Jᵀ f, in every function that takes forces.
TEST_P(FramesOf, TakeForcesAsTheyMove) {
    const VectorX<double> tau = inverse_dynamics(model_, s_.q, s_.v, s_.a);
    const VectorX<double> torques = sizes_.torques(v_size_, a_size_);
    const auto none = given_accelerations(model_, {});
    std::vector<Given> all = none;
    for (int i = 1; i <= model_.num_bodies(); ++i) {
        if (!model_.body(i).mimic) all[static_cast<std::size_t>(i)] = Given::kAcceleration;
    }
    const Force<double> f{{0.3, -0.2, 0.5}, {2, -1, 3}};
    for_frames([&](FrameId frame) {
        for (const ReferenceFrame r : kReferenceFrames) {
            ExternalForces<double> external(model_);
            external.add(frame, f, r);
            const MatrixX<double> J = frame_jacobian(model_, s_.q, model_.frame(frame).name, r);
            const VectorX<double> push = J.transpose() * to_eigen(f);
            const VectorX<double> size =
                torques +
                sizes_.torques_of(frame, {laws::length(f.angular), laws::length(f.linear)}, r);
            const VectorX<double> pushed = inverse_dynamics(model_, s_.q, s_.v, s_.a, &external);
            expect("inverse dynamics", pushed, tau - push, size);
            expect("hybrid dynamics, accelerations given",
                   hybrid_dynamics(model_, s_.q, s_.v, all, &external, s_.a, tau).tau, tau - push,
                   size);
            // Accelerations as the torques that they take without the force.
            const auto expect_pushed = [&](const char* what, const VectorX<double>& a) {
                expect(what, inverse_dynamics(model_, s_.q, s_.v, a), s_.tau + push,
                       size + magnitudes(s_.tau) + sizes_.torques(v_size_, magnitudes(a)));
            };
            const VectorX<double> a = forward_dynamics(model_, s_.q, s_.v, s_.tau, &external);
            expect_pushed("forward dynamics", a);
            expect_pushed("forward dynamics by M",
                          forward_dynamics_by_mass_matrix(model_, s_.q, s_.v, s_.tau, &external));
            expect_pushed("hybrid dynamics, torques given",
                          hybrid_dynamics(model_, s_.q, s_.v, none, &external, s_.a, s_.tau).a);
            // Its power: f · J v, and what the energy gains by it.
            const double power = mechanical_power(model_, s_.q, s_.v, s_.tau, &external);
            const VectorX<double> all_torques =
                size + magnitudes(s_.tau) + sizes_.torques(v_size_, magnitudes(a));
            const MatrixX<double> power_size =
                MatrixX<double>::Constant(1, 1, v_size_.dot(all_torques));
            const auto scalar = [](double x) { return MatrixX<double>::Constant(1, 1, x); };
            expect("power", scalar(power),
                   scalar(mechanical_power(model_, s_.q, s_.v, s_.tau) + push.dot(s_.v)),
                   power_size);
            const auto next = laws::moving(model_, laws::State<double>{s_.q, s_.v, a, s_.tau});
            expect("rate of energy", scalar(power),
                   scalar(laws::total_energy(model_, next.q, next.v).derivative), power_size);
            if (!model_.has_floating_base()) continue;
            const auto found = floating_base_inverse_dynamics(model_, s_.q, s_.v, &external, s_.a);
            expect("floating-base inverse dynamics",
                   inverse_dynamics(model_, s_.q, s_.v, found.a) - push, found.tau,
                   size + sizes_.torques(v_size_, magnitudes(found.a)));
        }
    });
}

INSTANTIATE_TEST_SUITE_P(EveryJoint, FramesOf, testing::ValuesIn(joint_model_names()));

}  // namespace
}  // namespace plucker::test
