// Agreement with DART, on every built-in robot: with damping on the joints; DART has no armature.
#ifdef PLUCKER_HAVE_DART

#include "oracles/dart_model.hpp"

namespace plucker::test {
namespace {

class DART : public testing::TestWithParam<std::string> {
protected:
    static constexpr unsigned kSeed = 2;

    // Calls f(state) for some states, with DART and the workspace at each.
    template <class F>
    void for_each_state(F&& f) {
        for_each_random_state(model_, kSeed, [&](const State& state, const auto& forces) {
            forces_ = forces;
            dart_.set_state(state.q, state.v);
            skeleton_.setAccelerations(map_.to_theirs(state.v, state.a));
            forward_kinematics(ws_, state.q, state.v, state.a);
            f(state);
        });
    }
    template <class F>
    void for_each_link(F&& f) const {
        for (const LinkAndJoint& at : links_of(model_)) {
            SCOPED_TRACE(at.link.name);
            f(model_.frame_id(at.link.name), dart_.node(at.link.name));
        }
    }

    MatrixX<double> our_jacobian(FrameId frame, ReferenceFrame reference) {
        MatrixX<double> J(6, model_.nv());
        frame_jacobian(ws_, frame, reference, J);
        return J;
    }
    MatrixX<double> our_jacobian_rate(FrameId frame, ReferenceFrame reference) {
        MatrixX<double> J_dot(6, model_.nv());
        frame_jacobian_dot(ws_, frame, reference, J_dot);
        return J_dot;
    }
    VectorX<double> their_inverse_dynamics() const { return dart_.inverse_dynamics(); }

    Model model_ = with_constants(robot(GetParam()), JointConstants::kDamping);
    DartModel dart_{model_};
    dart::dynamics::Skeleton& skeleton_ = dart_.skeleton();
    const VelocityMap& map_ = dart_.map();
    Workspace<double> ws_{model_};
    std::vector<LinkForce> forces_;
};

TEST_P(DART, PosesAgree) {
    for_each_state([&](const State&) {
        for_each_link([&](FrameId frame, const auto* node) {
            const Pose<double> pose = frame_pose(ws_, frame);
            expect_agree(to_eigen(pose.position), node->getTransform().translation(), kTolerance,
                         "position");
            expect_agree(to_eigen(pose.rotation), node->getTransform().linear(), kTolerance,
                         "rotation");
        });
    });
}

TEST_P(DART, VelocitiesAgree) {
    for_each_state([&](const State&) {
        for_each_link([&](FrameId frame, const auto* node) {
            expect_agree(to_eigen(frame_velocity(ws_, frame)), node->getSpatialVelocity(),
                         kTolerance, "velocity");
        });
    });
}

TEST_P(DART, AccelerationsAgree) {
    for_each_state([&](const State&) {
        for_each_link([&](FrameId frame, const auto* node) {
            expect_agree(to_eigen(frame_acceleration(ws_, frame)), node->getSpatialAcceleration(),
                         kTolerance, "spatial acceleration");
            const Motion<double> classical =
                frame_classical_acceleration(ws_, frame, ReferenceFrame::kWorldAligned);
            expect_agree(to_eigen(classical.linear), node->getLinearAcceleration(), kTolerance,
                         "classical acceleration");
        });
    });
}

TEST_P(DART, JacobiansAgree) {
    for_each_state([&](const State&) {
        for_each_link([&](FrameId frame, const auto* node) {
            expect_agree(our_jacobian(frame, ReferenceFrame::kBody),
                         map_.jacobian(skeleton_.getJacobian(node)), kTolerance, "in the body");
            expect_agree(our_jacobian(frame, ReferenceFrame::kWorldAligned),
                         map_.jacobian(skeleton_.getWorldJacobian(node)), kTolerance,
                         "along the world's axes");
        });
    });
}

TEST_P(DART, JacobianRatesAgree) {
    for_each_state([&](const State&) {
        for_each_link([&](FrameId frame, const auto* node) {
            // DART's spatial derivative is that of the axes as vectors in space, written in the body's
            // coordinates, which are taken to stand still.
            const Transform<double> X = to_transform(frame_pose(ws_, frame));
            expect_agree(motion_matrix(X) * our_jacobian_rate(frame, ReferenceFrame::kWorld),
                         map_.jacobian_rate(skeleton_.getJacobian(node),
                                            skeleton_.getJacobianSpatialDeriv(node)),
                         kTolerance, "spatial");
            expect_agree(our_jacobian_rate(frame, ReferenceFrame::kWorldAligned),
                         map_.jacobian_rate(skeleton_.getWorldJacobian(node),
                                            skeleton_.getJacobianClassicDeriv(node)),
                         kTolerance, "classical");
        });
    });
}

TEST_P(DART, CenterOfMassAgrees) {
    for_each_state([&](const State&) {
        expect_agree(to_eigen(center_of_mass(ws_)), skeleton_.getCOM(), kTolerance, "position");
        expect_agree(to_eigen(com_velocity(ws_)), skeleton_.getCOMLinearVelocity(), kTolerance,
                     "velocity");
        expect_agree(to_eigen(com_acceleration(ws_)), skeleton_.getCOMLinearAcceleration(),
                     kTolerance, "acceleration");
        MatrixX<double> J(3, model_.nv()), J_dot(3, model_.nv());
        com_jacobian(ws_, J);
        com_jacobian_dot(ws_, J_dot);
        expect_agree(J, map_.jacobian(skeleton_.getCOMLinearJacobian()), kTolerance, "Jacobian");
        expect_agree(J_dot,
                     map_.jacobian_rate(skeleton_.getCOMLinearJacobian(),
                                        skeleton_.getCOMLinearJacobianDeriv()),
                     kTolerance, "rate of the Jacobian");
    });
}

// Not potential energy: DART 6.12 takes each body's weight to act at the origin of its frame.
TEST_P(DART, KineticEnergyAgrees) {
    for_each_state([&](const State& state) {
        expect_agree(MatrixX<double>::Constant(1, 1, kinetic_energy(ws_, state.q, state.v)),
                     MatrixX<double>::Constant(1, 1, skeleton_.computeKineticEnergy()), kTolerance,
                     "kinetic energy");
    });
}

TEST_P(DART, MassMatrixAgrees) {
    for_each_state([&](const State& state) {
        expect_mass_matrices_agree(mass_matrix(model_, state.q),
                                   map_.mass_matrix(skeleton_.getMassMatrix()), kTolerance);
    });
}

TEST_P(DART, InverseMassMatrixAgrees) {
    for_each_state([&](const State& state) {
        const MatrixX<double> ours = inverse_mass_matrix(model_, state.q);
        if (map_.is_square()) {
            expect_agree(map_.T * ours * map_.T.transpose(), skeleton_.getInvMassMatrix(),
                         kAccelerationTolerance, "inverse of the mass matrix");
        }
        expect_agree(ours * map_.mass_matrix(skeleton_.getMassMatrix()),
                     MatrixX<double>::Identity(model_.nv(), model_.nv()), kAccelerationTolerance,
                     "product with the mass matrix");
    });
}

TEST_P(DART, CoriolisAndGravityTorquesAgree) {
    for_each_state([&](const State& state) {
        const VectorX<double> drift = skeleton_.getMassMatrix() * map_.T_dot * state.v;
        const VectorX<double> gravity = map_.torque(skeleton_.getGravityForces());
        const VectorX<double> coriolis = map_.torque(skeleton_.getCoriolisForces() + drift);
        const auto [C, G] = modified_newton_euler(model_, state.q, state.v);
        expect_agree(G, gravity, kTolerance, "gravity, by modified Newton–Euler");
        expect_agree(gravity_torque(model_, state.q), gravity, kTolerance, "gravity");
        expect_agree(C * state.v, coriolis, kTolerance, "Coriolis, by modified Newton–Euler");
        expect_agree(coriolis_matrix(model_, state.q, state.v) * state.v, coriolis, kTolerance,
                     "Coriolis");
        expect_agree(bias_torque(model_, state.q, state.v) - friction_torque(model_, state.v),
                     map_.torque(skeleton_.getCoriolisAndGravityForces() + drift), kTolerance,
                     "their sum");
    });
}

TEST_P(DART, InverseDynamicsAgrees) {
    for_each_state([&](const State& state) {
        expect_agree(inverse_dynamics(model_, state.q, state.v, state.a), their_inverse_dynamics(),
                     kTolerance, "torque");
        dart_.set_forces(forces_);
        const ExternalForces<double> external = external_forces(ws_, forces_);
        expect_agree(inverse_dynamics(model_, state.q, state.v, state.a, &external),
                     their_inverse_dynamics(), kTolerance, "torque under external forces");
    });
}

TEST_P(DART, ForwardDynamicsAgrees) {
    for_each_state([&](const State& state) {
        dart_.set_forces(forces_);
        const ExternalForces<double> external = external_forces(ws_, forces_);
        const VectorX<double> ours =
            forward_dynamics(model_, state.q, state.v, state.tau, &external);
        if (map_.is_square()) {
            skeleton_.setForces(map_.torque_to_theirs(state.tau));
            skeleton_.computeForwardDynamics();
            expect_agree(map_.to_theirs(state.v, ours), skeleton_.getAccelerations(),
                         kAccelerationTolerance, "acceleration");
        }
        // Fingers that follow one another would part in DART's forward dynamics; that our acceleration
        // needs just the given torques is a question it can answer.
        skeleton_.setAccelerations(map_.to_theirs(state.v, ours));
        expect_agree(state.tau, their_inverse_dynamics(), kAccelerationTolerance,
                     "torque that gives our acceleration");
    });
}

TEST_P(DART, HybridDynamicsAgrees) {
    // The accelerations of every other joint are given.
    std::vector<Given> given(static_cast<std::size_t>(model_.num_bodies()) + 1, Given::kTorque);
    for (int i = 2; i <= model_.num_bodies(); i += 2) {
        if (!model_.body(i).mimic) given[static_cast<std::size_t>(i)] = Given::kAcceleration;
    }
    dart_.set_given(given);
    for_each_state([&](const State& state) {
        dart_.set_forces(forces_);
        const ExternalForces<double> external = external_forces(ws_, forces_);
        const auto ours =
            hybrid_dynamics(model_, state.q, state.v, given, &external, state.a, state.tau);
        if (map_.is_square()) {
            skeleton_.setForces(map_.torque_to_theirs(state.tau));
            skeleton_.computeForwardDynamics();
            expect_agree(map_.to_theirs(state.v, ours.a), skeleton_.getAccelerations(),
                         kAccelerationTolerance, "acceleration");
            expect_agree(ours.tau, map_.torque(skeleton_.getForces()), kAccelerationTolerance,
                         "torque");
        }
        skeleton_.setAccelerations(map_.to_theirs(state.v, ours.a));
        expect_agree(ours.tau, their_inverse_dynamics(), kAccelerationTolerance,
                     "torque that gives our acceleration");
    });
}

TEST_P(DART, ReactionForcesAgree) {
    for_each_state([&](const State& state) {
        dart_.set_forces(forces_);
        skeleton_.computeInverseDynamics(true);
        const ExternalForces<double> external = external_forces(ws_, forces_);
        const auto ours = reaction_forces(model_, state.q, state.v, state.a, &external);
        for (int i = 1; i <= model_.num_bodies(); ++i) {
            SCOPED_TRACE(model_.body_name(i));
            expect_agree(to_eigen(ours[static_cast<std::size_t>(i)]),
                         dart_.node(model_.body_name(i))->getBodyForce(), kTolerance, "force");
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Robots, DART, testing::ValuesIn(robot_names()), test_name);

}  // namespace
}  // namespace plucker::test

#endif
