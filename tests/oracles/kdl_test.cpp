// Agreement with KDL, on robots with revolute and prismatic joints: trees, and chains, for which KDL has
// more solvers. With armature on the joints; KDL has no damping.
#ifdef PLUCKER_HAVE_KDL

#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/chainjnttojacdotsolver.hpp>
#include <kdl/treefksolverpos_recursive.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>
#include <kdl/treejnttojacsolver.hpp>

#include "oracles/kdl_model.hpp"

namespace plucker::test {
namespace {

// Axes and placements in any direction, and every fourth joint fixed.
Description random_robot(const std::string& name, bool branches) {
    std::mt19937 generator(3);
    std::uniform_real_distribution<double> random(-1, 1);
    const auto vector = [&](double scale) {
        return Vec3<double>{scale * random(generator), scale * random(generator),
                            scale * random(generator)};
    };
    Builder builder(name);
    builder.gravity({1, 2, -9}).link("link0", MassProperties::sphere(1, 1));
    for (int i = 1; i <= 16; ++i) {
        const std::string number = std::to_string(i);
        const auto type = i % 4 == 0   ? JointType::kFixed
                          : i % 4 == 2 ? JointType::kPrismatic
                                       : JointType::kRevolute;
        MassProperties mass =
            MassProperties::box(1 + 0.5 * random(generator), {0.1, 0.2, 0.3}, vector(0.1));
        mass.about_center =
            rotate_back(Pose<double>::roll_pitch_yaw({}, vector(3)).rotation, mass.about_center);
        const int parent =
            branches ? std::uniform_int_distribution<int>(i / 2, i - 1)(generator) : i - 1;
        builder.body("link" + std::to_string(parent),
                     joint_of_type(type, "joint" + number, vector(2))
                         .at(Pose<double>::roll_pitch_yaw(vector(0.3), vector(3))),
                     "link" + number, mass);
    }
    return builder.description();
}

// The robots that KDL knows; those that walk, on a stand.
Description kdl_robot(const std::string& name) {
    if (name == "random_chain") return random_robot(name, false);
    if (name == "random_tree") return random_robot(name, true);
    Description description = robot(name);
    description.base = Base::kFixed;
    return description;
}
std::vector<std::string> tree_names() {
    std::vector<std::string> names = robot_names();
    std::erase_if(names, [](const std::string& name) {
        return !KdlModel::has_all_joints_of(Model(kdl_robot(name)));
    });
    names.insert(names.end(), {"random_chain", "random_tree"});
    return names;
}
std::vector<std::string> chain_names() {
    std::vector<std::string> names = tree_names();
    std::erase_if(names, [](const std::string& name) {
        const auto links = links_of(Model(kdl_robot(name)));
        for (std::size_t i = 1; i < links.size(); ++i) {
            if (links[i].joint.parent != links[i - 1].link.name) return true;
        }
        return false;
    });
    return names;
}

class KDLTree : public testing::TestWithParam<std::string> {
protected:
    static constexpr unsigned kSeed = 3;

    // Calls f(state) for some states, with the workspace at each.
    template <class F>
    void for_each_state(F&& f) {
        for_each_random_state(model_, kSeed, [&](const State& state, const auto& forces) {
            forces_ = forces;
            forward_kinematics(ws_, state.q, state.v);
            f(state);
        });
    }
    // Our force on a link, in the link's own coordinates, as KDL wants it.
    KDL::Wrench wrench(const LinkForce& at) {
        const Mat3<double> E = transpose(frame_pose(ws_, model_.frame_id(at.link)).rotation);
        return to_kdl(Force<double>{E * at.force.angular, E * at.force.linear});
    }

    Model model_ = with_constants(kdl_robot(GetParam()), JointConstants::kArmature);
    KdlModel kdl_{model_};
    KDL::Vector gravity_ = to_kdl(model_.gravity());
    Workspace<double> ws_{model_};
    std::vector<LinkForce> forces_;
};

TEST_P(KDLTree, PosesAgree) {
    KDL::TreeFkSolverPos_recursive solver(kdl_.tree());
    for_each_state([&](const State& state) {
        for (const LinkAndJoint& at : links_of(model_)) {
            SCOPED_TRACE(at.link.name);
            KDL::Frame theirs;
            ASSERT_EQ(solver.JntToCart(kdl_.coordinates().to_kdl(state.q), theirs, at.link.name),
                      0);
            const Pose<double> pose = frame_pose(ws_, model_.frame_id(at.link.name));
            expect_agree(to_eigen(pose.position), Eigen::Map<Eigen::Vector3d>(theirs.p.data),
                         kTolerance, "position");
            // KDL keeps rotations by rows.
            expect_agree(to_eigen(transpose(pose.rotation)),
                         Eigen::Map<Eigen::Matrix3d>(theirs.M.data), kTolerance, "rotation");
        }
    });
}

TEST_P(KDLTree, JacobiansAgree) {
    KDL::TreeJntToJacSolver solver(kdl_.tree());
    for_each_state([&](const State& state) {
        for (const LinkAndJoint& at : links_of(model_)) {
            if (!at.has_body) continue;
            SCOPED_TRACE(at.link.name);
            KDL::Jacobian theirs(kdl_.tree().getNrOfJoints());
            ASSERT_EQ(solver.JntToJac(kdl_.coordinates().to_kdl(state.q), theirs, at.link.name), 0);
            MatrixX<double> ours(6, model_.nv());
            frame_jacobian(ws_, model_.frame_id(at.link.name), ReferenceFrame::kWorldAligned, ours);
            expect_agree(ours, kdl_.coordinates().to_ours(model_, angular_first(theirs.data)),
                         kTolerance, "Jacobian");
        }
    });
}

TEST_P(KDLTree, JacobianRatesAgree) {
    using Solver = KDL::ChainJntToJacDotSolver;
    const std::pair<int, ReferenceFrame> references[] = {
        {Solver::BODYFIXED, ReferenceFrame::kBody},
        {Solver::INERTIAL, ReferenceFrame::kWorld},
        {Solver::HYBRID, ReferenceFrame::kWorldAligned}};
    for_each_state([&](const State& state) {
        for (const LinkAndJoint& at : links_of(model_)) {
            if (!at.has_body) continue;
            SCOPED_TRACE(at.link.name);
            const KDL::Chain chain = kdl_.chain_to(at.link.name);
            const KdlCoordinates coordinates = kdl_.coordinates_of(chain);
            const KDL::JntArrayVel motion(coordinates.to_kdl(state.q), coordinates.to_kdl(state.v));
            Solver solver(chain);
            for (const auto& [representation, reference] : references) {
                KDL::Jacobian theirs(chain.getNrOfJoints());
                solver.setRepresentation(representation);
                ASSERT_EQ(solver.JntToJacDot(motion, theirs), 0);
                MatrixX<double> ours(6, model_.nv());
                frame_jacobian_dot(ws_, model_.frame_id(at.link.name), reference, ours);
                expect_agree(ours, coordinates.to_ours(model_, angular_first(theirs.data)),
                             kTolerance, "representation " + std::to_string(representation));
            }
        }
    });
}

TEST_P(KDLTree, InverseDynamicsAgrees) {
    KDL::TreeIdSolver_RNE solver(kdl_.tree(), gravity_);
    for_each_state([&](const State& state) {
        KDL::WrenchMap wrenches;
        for (const LinkForce& at : forces_) wrenches[at.link] = wrench(at);
        KDL::JntArray theirs(kdl_.tree().getNrOfJoints());
        const KdlCoordinates& to = kdl_.coordinates();
        ASSERT_EQ(solver.CartToJnt(to.to_kdl(state.q), to.to_kdl(state.v), to.to_kdl(state.a),
                                   wrenches, theirs),
                  0);
        const ExternalForces<double> external = external_forces(ws_, forces_);
        expect_agree(inverse_dynamics(model_, state.q, state.v, state.a, &external),
                     to.to_ours(model_, theirs), kTolerance, "torque under external forces");
    });
}

class KDLChain : public KDLTree {
protected:
    KDL::Wrenches wrenches() {
        KDL::Wrenches all(chain_.getNrOfSegments(), KDL::Wrench::Zero());
        for (const LinkForce& at : forces_) {
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (chain_.segments[i].getName() == at.link) all[i] = wrench(at);
            }
        }
        return all;
    }

    const KDL::Chain chain_ = kdl_.chain_to(links_of(model_).back().link.name);
    const KdlCoordinates coordinates_ = kdl_.coordinates_of(chain_);
    const unsigned num_joints_ = chain_.getNrOfJoints();
};

TEST_P(KDLChain, MassMatrixAgrees) {
    KDL::ChainDynParam solver(chain_, gravity_);
    for_each_state([&](const State& state) {
        KDL::JntSpaceInertiaMatrix theirs(num_joints_);
        ASSERT_EQ(solver.JntToMass(coordinates_.to_kdl(state.q), theirs), 0);
        const auto& ours = coordinates_.ours;
        expect_mass_matrices_agree(mass_matrix(model_, state.q)(ours, ours), theirs.data,
                                   kTolerance);
    });
}

TEST_P(KDLChain, CoriolisAndGravityTorquesAgree) {
    KDL::ChainDynParam solver(chain_, gravity_);
    for_each_state([&](const State& state) {
        KDL::JntArray coriolis(num_joints_), gravity(num_joints_);
        ASSERT_EQ(solver.JntToCoriolis(coordinates_.to_kdl(state.q), coordinates_.to_kdl(state.v),
                                       coriolis),
                  0);
        ASSERT_EQ(solver.JntToGravity(coordinates_.to_kdl(state.q), gravity), 0);
        expect_agree(coriolis_matrix(model_, state.q, state.v) * state.v,
                     coordinates_.to_ours(model_, coriolis), kTolerance, "Coriolis");
        expect_agree(gravity_torque(model_, state.q), coordinates_.to_ours(model_, gravity),
                     kTolerance, "gravity");
    });
}

TEST_P(KDLChain, InverseDynamicsAgrees) {
    KDL::ChainIdSolver_RNE solver(chain_, gravity_);
    for_each_state([&](const State& state) {
        KDL::JntArray theirs(num_joints_);
        ASSERT_EQ(solver.CartToJnt(coordinates_.to_kdl(state.q), coordinates_.to_kdl(state.v),
                                   coordinates_.to_kdl(state.a), wrenches(), theirs),
                  0);
        const ExternalForces<double> external = external_forces(ws_, forces_);
        expect_agree(inverse_dynamics(model_, state.q, state.v, state.a, &external),
                     coordinates_.to_ours(model_, theirs), kTolerance,
                     "torque under external forces");
    });
}

TEST_P(KDLChain, ForwardDynamicsAgrees) {
    KDL::ChainFdSolver_RNE solver(chain_, gravity_);
    for_each_state([&](const State& state) {
        KDL::JntArray theirs(num_joints_);
        ASSERT_EQ(solver.CartToJnt(coordinates_.to_kdl(state.q), coordinates_.to_kdl(state.v),
                                   coordinates_.to_kdl(state.tau), wrenches(), theirs),
                  0);
        const ExternalForces<double> external = external_forces(ws_, forces_);
        expect_agree(forward_dynamics(model_, state.q, state.v, state.tau, &external),
                     coordinates_.to_ours(model_, theirs), kAccelerationTolerance, "acceleration");
    });
}

INSTANTIATE_TEST_SUITE_P(Robots, KDLTree, testing::ValuesIn(tree_names()), test_name);
INSTANTIATE_TEST_SUITE_P(Robots, KDLChain, testing::ValuesIn(chain_names()), test_name);

}  // namespace
}  // namespace plucker::test

#endif
