// Agreement with MuJoCo, on every built-in robot: with armature and damping on the joints.
#ifdef PLUCKER_HAVE_MUJOCO

#include "oracles/mujoco_model.hpp"

namespace plucker::test {
namespace {

class MuJoCo : public testing::TestWithParam<std::string> {
protected:
    static constexpr unsigned kSeed = 1;

    // Calls f(state) for some states, with MuJoCo and the workspace at (q, v) of each.
    template <class F>
    void for_each_state(F&& f) {
        for_each_random_state(model_, kSeed, [&](const State& state, const auto& forces) {
            forces_ = forces;
            mujoco_.set_state(state.q, state.v);
            forward_kinematics(ws_, state.q, state.v, state.a);
            f(state);
        });
    }
    template <class F>
    void for_each_link(F&& f) const {
        for (const LinkAndJoint& at : links_of(model_)) {
            SCOPED_TRACE(at.link.name);
            f(model_.frame_id(at.link.name), mujoco_.body(at.link.name));
        }
    }

    // Arrays of MuJoCo's: matrices are by rows.
    static Eigen::Vector3d vector3(const mjtNum* x, int index) {
        return Eigen::Map<const Eigen::Vector3d>(x + 3 * index);
    }
    VectorX<double> by_freedom(const mjtNum* x) const {
        return Eigen::Map<const VectorX<double>>(x, mujoco_.m()->nv);
    }
    using RowMajor = MujocoModel::RowMajor;
    RowMajor matrix(int rows) const { return RowMajor::Zero(rows, mujoco_.m()->nv); }

    VectorX<double> their_inverse_dynamics(const State& state) {
        return mujoco_.inverse_dynamics(state.v, state.a);
    }

    Model model_ = with_constants(robot(GetParam()), JointConstants::kDampingAndArmature);
    MujocoModel mujoco_{model_};
    Workspace<double> ws_{model_};
    std::vector<LinkForce> forces_;
};

TEST_P(MuJoCo, PosesAgree) {
    for_each_state([&](const State&) {
        for_each_link([&](FrameId frame, int body) {
            const Pose<double> pose = frame_pose(ws_, frame);
            const mjData* d = mujoco_.d();
            expect_agree(to_eigen(pose.position), vector3(d->xpos, body), kTolerance, "position");
            expect_agree(to_eigen(pose.rotation),
                         Eigen::Map<const RowMajor>(d->xmat + 9 * body, 3, 3), kTolerance,
                         "rotation");
        });
    });
}

TEST_P(MuJoCo, VelocitiesAgree) {
    for_each_state([&](const State&) {
        for_each_link([&](FrameId frame, int body) {
            for (const bool in_body : {false, true}) {
                Vector6<double> theirs;
                mj_objectVelocity(mujoco_.m(), mujoco_.d(), mjOBJ_XBODY, body, theirs.data(),
                                  in_body ? 1 : 0);
                const auto reference =
                    in_body ? ReferenceFrame::kBody : ReferenceFrame::kWorldAligned;
                expect_agree(to_eigen(frame_velocity(ws_, frame, reference)), theirs, kTolerance,
                             in_body ? "in the body" : "along the world's axes");
            }
        });
    });
}

TEST_P(MuJoCo, AccelerationsAgree) {
    for_each_state([&](const State& state) {
        mjData* d = mujoco_.d();
        Eigen::Map<VectorX<double>>(d->qacc, mujoco_.m()->nv) =
            mujoco_.map().to_theirs(state.v, state.a);
        mj_rnePostConstraint(mujoco_.m(), d);
        for_each_link([&](FrameId frame, int body) {
            Vector6<double> theirs;
            mj_objectAcceleration(mujoco_.m(), d, mjOBJ_XBODY, body, theirs.data(), 0);
            theirs.tail(3) += to_eigen(model_.gravity());  // theirs is what an accelerometer reads
            expect_agree(
                to_eigen(frame_classical_acceleration(ws_, frame, ReferenceFrame::kWorldAligned)),
                theirs, kTolerance, "classical acceleration");
        });
    });
}

TEST_P(MuJoCo, JacobiansAgree) {
    for_each_state([&](const State&) {
        for_each_link([&](FrameId frame, int) {
            MatrixX<double> ours(6, model_.nv());
            frame_jacobian(ws_, frame, ReferenceFrame::kWorldAligned, ours);
            expect_agree(ours, mujoco_.jacobian(model_.frame(frame).name), kTolerance, "Jacobian");
        });
    });
}

TEST_P(MuJoCo, CentersOfMassAgree) {
    for_each_state([&](const State&) {
        mj_subtreeVel(mujoco_.m(), mujoco_.d());
        for (int i = 0; i <= model_.num_bodies(); ++i) {
            const int body = i == 0 ? 0 : mujoco_.body(model_.body_name(i));
            if (mujoco_.m()->body_subtreemass[body] == 0) continue;
            SCOPED_TRACE("subtree of " + model_.body_name(i));
            const mjData* d = mujoco_.d();
            expect_agree(to_eigen(center_of_mass(ws_, i)), vector3(d->subtree_com, body),
                         kTolerance, "position");
            expect_agree(to_eigen(com_velocity(ws_, i)), vector3(d->subtree_linvel, body),
                         kTolerance, "velocity");
            RowMajor theirs = matrix(3);
            mj_jacSubtreeCom(mujoco_.m(), mujoco_.d(), theirs.data(), body);
            MatrixX<double> ours(3, model_.nv());
            com_jacobian(ws_, i, ours);
            expect_agree(ours, mujoco_.map().jacobian(theirs), kTolerance, "Jacobian");
        }
    });
}

TEST_P(MuJoCo, CentroidalMomentumAgrees) {
    for_each_state([&](const State&) {
        mj_subtreeVel(mujoco_.m(), mujoco_.d());
        const Force<double> ours = centroidal_momentum(ws_);
        expect_agree(to_eigen(ours.angular), vector3(mujoco_.d()->subtree_angmom, 0), kTolerance,
                     "angular momentum");
        expect_agree(to_eigen(ours.linear),
                     model_.total_mass() * vector3(mujoco_.d()->subtree_linvel, 0), kTolerance,
                     "linear momentum");
    });
}

TEST_P(MuJoCo, EnergiesAgree) {
    for_each_state([&](const State& state) {
        const Eigen::Vector2d ours(potential_energy(ws_), kinetic_energy(ws_, state.q, state.v));
        expect_agree(ours, Eigen::Map<const Eigen::Vector2d>(mujoco_.d()->energy), kTolerance,
                     "potential and kinetic energy");
    });
}

TEST_P(MuJoCo, MassMatrixAgrees) {
    for_each_state([&](const State& state) {
        expect_mass_matrices_agree(mass_matrix(model_, state.q), mujoco_.mass_matrix(), kTolerance);
    });
}

TEST_P(MuJoCo, BiasTorqueAgrees) {
    for_each_state([&](const State& state) {
        // Without acceleration in our coordinates there may be one in theirs: Ṫ v.
        const VelocityMap& map = mujoco_.map();
        const VectorX<double> theirs =
            map.torque(by_freedom(mujoco_.d()->qfrc_bias) - by_freedom(mujoco_.d()->qfrc_passive) +
                       mujoco_.their_mass_matrix() * map.T_dot * state.v);
        expect_agree(bias_torque(model_, state.q, state.v), theirs, kTolerance, "bias torque");
    });
}

TEST_P(MuJoCo, InverseDynamicsAgrees) {
    for_each_state([&](const State& state) {
        expect_agree(inverse_dynamics(model_, state.q, state.v, state.a),
                     their_inverse_dynamics(state), kTolerance, "torque");
        mujoco_.set_state(state.q, state.v, by_freedom(mujoco_.d()->qfrc_applied), forces_);
        const ExternalForces<double> external = external_forces(ws_, forces_);
        expect_agree(inverse_dynamics(model_, state.q, state.v, state.a, &external),
                     their_inverse_dynamics(state), kTolerance, "torque under external forces");
    });
}

TEST_P(MuJoCo, ForwardDynamicsAgrees) {
    for_each_state([&](State state) {
        const VelocityMap& map = mujoco_.map();
        const ExternalForces<double> external = external_forces(ws_, forces_);
        mujoco_.set_state(state.q, state.v, map.torque_to_theirs(state.tau), forces_);
        state.a = forward_dynamics(model_, state.q, state.v, state.tau, &external);
        if (map.is_square()) {
            expect_agree(map.to_theirs(state.v, state.a), by_freedom(mujoco_.d()->qacc),
                         kAccelerationTolerance, "acceleration");
        }
        // A screw that MuJoCo composes of a hinge and a slide would come apart in its forward dynamics;
        // that our acceleration needs just the given torques is a question it can answer.
        expect_agree(state.tau, their_inverse_dynamics(state), kAccelerationTolerance,
                     "torque that gives our acceleration");
    });
}

TEST_P(MuJoCo, ReactionForcesAgree) {
    for_each_state([&](const State& state) {
        mujoco_.set_state(state.q, state.v, VectorX<double>::Zero(mujoco_.m()->nv), forces_);
        mjData* d = mujoco_.d();
        Eigen::Map<VectorX<double>>(d->qacc, mujoco_.m()->nv) =
            mujoco_.map().to_theirs(state.v, state.a);
        mj_rnePostConstraint(mujoco_.m(), d);
        const ExternalForces<double> external = external_forces(ws_, forces_);
        const auto ours = reaction_forces(model_, state.q, state.v, state.a, &external);
        for (int i = 1; i <= model_.num_bodies(); ++i) {
            SCOPED_TRACE(model_.body_name(i));
            // Theirs is along the world's axes, about the centre of mass of the tree.
            const int body = mujoco_.body(model_.body_name(i));
            const Force<double> theirs =
                to_force(Eigen::Map<const Vector6<double>>(d->cfrc_int + 6 * body));
            Pose<double> pose = frame_pose(ws_, model_.body_frame(i));
            pose.position -= to_vec3(vector3(d->subtree_com, mujoco_.m()->body_rootid[body]));
            expect_agree(to_eigen(ours[static_cast<std::size_t>(i)]),
                         to_eigen(to_transform(pose) * theirs), kTolerance, "force");
        }
    });
}

class MuJoCoFloatingBase : public MuJoCo {};

TEST_P(MuJoCoFloatingBase, InverseDynamicsAgrees) {
    for_each_state([&](State state) {
        mujoco_.set_state(state.q, state.v, VectorX<double>::Zero(mujoco_.m()->nv), forces_);
        const ExternalForces<double> external = external_forces(ws_, forces_);
        floating_base_inverse_dynamics(ws_, state.q, state.v, &external, state.a, state.tau);
        expect_agree(state.tau, their_inverse_dynamics(state), kAccelerationTolerance, "torque");
        expect_agree(state.tau.head(6), Vector6<double>::Zero(), 0, "torque on the base");
    });
}

std::vector<std::string> floating_base_names() {
    std::vector<std::string> names = robot_names();
    std::erase_if(names,
                  [](const std::string& name) { return robot(name).base != Base::kFloating; });
    return names;
}

INSTANTIATE_TEST_SUITE_P(Robots, MuJoCoFloatingBase, testing::ValuesIn(floating_base_names()),
                         test_name);
INSTANTIATE_TEST_SUITE_P(Robots, MuJoCo, testing::ValuesIn(robot_names()), test_name);

}  // namespace
}  // namespace plucker::test

#endif
