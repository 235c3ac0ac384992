// DART. A state is given to the skeleton first, and that is part of every call.
// Not <dart/dynamics/dynamics.hpp>: it needs a header that is not always installed.
#include <dart/config.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/dynamics/TranslationalJoint.hpp>
#include <iostream>
#include <stdexcept>

#include "coordinates.hpp"
#include "peer.hpp"

namespace plucker::peers {
namespace {

namespace dd = dart::dynamics;

// A new node on the given one, which is null for the world.
template <class JointClass>
std::pair<dd::Joint*, dd::BodyNode*> new_node(dd::Skeleton& skeleton, dd::BodyNode* parent) {
    // Names of their own, or DART reports each time that it invents one.
    typename JointClass::Properties joint_properties;
    dd::BodyNode::Properties node_properties;
    joint_properties.mName = "joint" + std::to_string(skeleton.getNumBodyNodes());
    node_properties.mName = "body" + std::to_string(skeleton.getNumBodyNodes());
    const auto [joint, node] =
        skeleton.createJointAndBodyNodePair<JointClass>(parent, joint_properties, node_properties);
    if constexpr (std::is_same_v<JointClass, dd::RevoluteJoint> ||
                  std::is_same_v<JointClass, dd::PrismaticJoint>) {
        joint->setAxis(Eigen::Vector3d::UnitZ());
    }
    return {joint, node};
}

std::pair<dd::Joint*, dd::BodyNode*> new_node(const BodyData& body, dd::Skeleton& skeleton,
                                              dd::BodyNode* parent) {
    switch (body.kind) {
        case JointKind::kRevolute:
            return new_node<dd::RevoluteJoint>(skeleton, parent);
        case JointKind::kPrismatic:
            return new_node<dd::PrismaticJoint>(skeleton, parent);
        case JointKind::kSpherical:
            return new_node<dd::BallJoint>(skeleton, parent);
        case JointKind::kTranslation:
            return new_node<dd::TranslationalJoint>(skeleton, parent);
        case JointKind::kFloating:
            return new_node<dd::FreeJoint>(skeleton, parent);
        case JointKind::kPlanar:
            break;
    }
    throw std::runtime_error("joint '" + body.joint + "' is planar");
}

dd::SkeletonPtr to_skeleton(const Robot& robot) {
    dd::SkeletonPtr skeleton = dd::Skeleton::create(robot.name);
    skeleton->setGravity(vector(robot.gravity));
    std::vector<dd::BodyNode*> nodes = {nullptr};
    for (const BodyData& body : robot.bodies) {
        const auto [joint, node] =
            new_node(body, *skeleton, nodes[static_cast<std::size_t>(body.parent)]);
        Eigen::Isometry3d place = Eigen::Isometry3d::Identity();
        place.linear() = matrix(body.rotation);
        place.translation() = vector(body.position);
        joint->setTransformFromParentBodyNode(place);
        // DART warns of bodies without mass, in many lines, and computes with them all the same.
        std::streambuf* shown = std::cerr.rdbuf(nullptr);
        node->setInertia(dd::Inertia(body.mass, vector(body.center), matrix(body.about_center)));
        std::cerr.rdbuf(shown);
        nodes.push_back(node);
    }
    return skeleton;
}

class DartPeer : public Peer {
public:
    DartPeer(const Robot& robot, const std::vector<State>& states) : skeleton_(to_skeleton(robot)) {
        for (const State& s : states) {
            states_.push_back({positions(robot, s.q), vector(s.v), vector(s.a), vector(s.tau)});
        }
    }

    std::string name() const override { return "dart"; }
    std::string version() const override { return DART_VERSION; }

    std::vector<Function> functions() override {
        dd::Skeleton* s = skeleton_.get();
        const auto M = [this](int) { return flat(M_); };
        return {
            {"inverse_dynamics", "computeInverseDynamics", each([=, this](int k) {
                 s->setPositions(at(k).q);
                 s->setVelocities(at(k).v);
                 s->setAccelerations(at(k).a);
                 s->computeInverseDynamics();
             }),
             [=](int) { return flat(s->getForces()); }},
            {"forward_dynamics", "computeForwardDynamics", each([=, this](int k) {
                 s->setPositions(at(k).q);
                 s->setVelocities(at(k).v);
                 s->setForces(at(k).tau);
                 s->computeForwardDynamics();
             }),
             [=](int) { return flat(s->getAccelerations()); }},
            {"mass_matrix", "getMassMatrix", each([=, this](int k) {
                 s->setPositions(at(k).q);
                 M_ = s->getMassMatrix();
             }),
             M},
            {"inverse_mass_matrix", "getInvMassMatrix", each([=, this](int k) {
                 s->setPositions(at(k).q);
                 M_ = s->getInvMassMatrix();
             }),
             M},
            {"com_jacobian", "getCOMLinearJacobian", each([=, this](int k) {
                 s->setPositions(at(k).q);
                 M_ = s->getCOMLinearJacobian();
             }),
             M},
            {"kinetic_energy", "computeKineticEnergy", each([=, this](int k) {
                 s->setPositions(at(k).q);
                 s->setVelocities(at(k).v);
                 energy_ = s->computeKineticEnergy();
             }),
             [this](int) { return std::vector<double>{energy_}; }},
        };
    }

private:
    struct Vectors {
        VectorXd q, v, a, tau;
    };
    const Vectors& at(int k) const { return states_[static_cast<std::size_t>(k)]; }

    // Attitudes are rotation vectors; velocities are ours.
    static VectorXd positions(const Robot& robot, const std::vector<double>& q) {
        VectorXd out(robot.nv);
        for (const BodyData& body : robot.bodies) {
            const VectorXd q_i = vector(q).segment(body.q_index, body.nq);
            auto out_i = out.segment(body.v_index, body.nv);
            if (body.kind == JointKind::kSpherical) {
                const Eigen::Matrix3d R = rotation(q_i);
                out_i = dd::BallJoint::convertToPositions(R);
            } else if (body.kind == JointKind::kFloating) {
                Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
                pose.linear() = rotation(q_i.tail(4));
                pose.translation() = q_i.head(3);
                out_i = dd::FreeJoint::convertToPositions(pose);
            } else {
                out_i = q_i;
            }
        }
        return out;
    }

    dd::SkeletonPtr skeleton_;
    std::vector<Vectors> states_;
    MatrixXd M_;
    double energy_ = 0;
};

}  // namespace

extern "C" Peer* plucker_make_peer(const Robot& robot, const std::vector<State>& states) {
    return new DartPeer(robot, states);
}

}  // namespace plucker::peers
