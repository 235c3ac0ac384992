#include "oracles/dart_model.hpp"

#ifdef PLUCKER_HAVE_DART

#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PlanarJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/ScrewJoint.hpp>
#include <dart/dynamics/TranslationalJoint.hpp>
#include <dart/dynamics/UniversalJoint.hpp>
#include <dart/dynamics/WeldJoint.hpp>
#include <iostream>

namespace plucker::test {
namespace {

namespace dd = dart::dynamics;

Eigen::Isometry3d isometry(const Pose<double>& pose) {
    Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
    out.linear() = to_eigen(pose.rotation);
    out.translation() = to_eigen(pose.position);
    return out;
}
Eigen::Matrix3d rotation(const Eigen::Vector4d& x_y_z_w) {
    return Eigen::Quaterniond(x_y_z_w).toRotationMatrix();
}

// DART warns of bodies without mass and of point masses, in many lines, and computes with them all the
// same.
void set_mass(dd::BodyNode* node, const MassProperties& mass) {
    std::streambuf* shown = std::cerr.rdbuf(nullptr);
    node->setInertia(dd::Inertia(mass.mass, to_eigen(mass.center), to_eigen(mass.about_center)));
    std::cerr.rdbuf(shown);
}

// A massless node to be made, at its parent's origin.
struct NewNode {
    dd::Skeleton& skeleton;
    dd::BodyNode* parent;
    std::string name;
    double damping;

    template <class JointClass>
    JointClass* on() const {
        const auto [joint, node] = skeleton.createJointAndBodyNodePair<JointClass>(parent);
        node->setName(name);
        set_mass(node, {});
        joint->setName("joint of " + name);
        for (std::size_t k = 0; k < joint->getNumDofs(); ++k) {
            joint->setDofName(k, joint->getName() + "." + std::to_string(k), true);
            joint->setDampingCoefficient(k, damping);
        }
        return joint;
    }
};

}  // namespace

DartModel::DartModel(const Model& model)
    : model_(model), skeleton_(dd::Skeleton::create(model.name())), map_(model, 0) {
    skeleton_->setGravity(to_eigen(model.gravity()));
    // DART takes damping at the end of the time step; a step this short has its end at its beginning.
    skeleton_->setTimeStep(1e-100);
    for (const LinkAndJoint& at : links_of(model)) {
        const Joint joint = add_joint(at);
        joint.first->setTransformFromParentBodyNode(isometry(at.joint.placement));
        if (at.has_body) set_mass(node(at.link.name), at.link.mass);
        if (at.number != 0) joints_.push_back(joint);
    }
    map_ = VelocityMap(model, static_cast<int>(skeleton_->getNumDofs()));
}

DartModel::Joint DartModel::add_joint(const LinkAndJoint& at) {
    const JointDescription& joint = at.joint;
    NewNode new_node{*skeleton_, joint.parent.empty() ? nullptr : node(joint.parent), at.link.name,
                     joint.damping};
    const Eigen::Vector3d axis = to_eigen(joint.axis).normalized();
    switch (joint.type) {
        case JointType::kRevolute: {
            auto* added = new_node.on<dd::RevoluteJoint>();
            added->setAxis(axis);
            return {at.number, added, nullptr};
        }
        case JointType::kPrismatic: {
            auto* added = new_node.on<dd::PrismaticJoint>();
            added->setAxis(axis);
            return {at.number, added, nullptr};
        }
        case JointType::kHelical: {
            auto* added = new_node.on<dd::ScrewJoint>();
            added->setAxis(axis);
            added->setPitch(2 * EIGEN_PI * joint.pitch);  // DART's is metres per revolution
            return {at.number, added, nullptr};
        }
        case JointType::kCylindrical: {
            NewNode between = new_node;
            between.name += ", turned";
            auto* turn = between.on<dd::RevoluteJoint>();
            new_node.parent = turn->getChildBodyNode();
            auto* slide = new_node.on<dd::PrismaticJoint>();
            turn->setAxis(axis);
            slide->setAxis(axis);
            return {at.number, turn, slide};
        }
        case JointType::kUniversal: {
            auto* added = new_node.on<dd::UniversalJoint>();
            added->setAxis1(axis);
            added->setAxis2(to_eigen(joint.second_axis).normalized());
            return {at.number, added, nullptr};
        }
        case JointType::kSpherical:
            return {at.number, new_node.on<dd::BallJoint>(), nullptr};
        case JointType::kPlanar: {
            // Which axes in the plane are x and y is the model's choice.
            const Mat3<double>& E = model_.frame(model_.body_frame(at.number)).X_frame_body.E;
            auto* added = new_node.on<dd::PlanarJoint>();
            added->setArbitraryPlane(to_eigen(E * Vec3<double>{1, 0, 0}),
                                     to_eigen(E * Vec3<double>{0, 1, 0}), false);
            return {at.number, added, nullptr};
        }
        case JointType::kTranslation:
            return {at.number, new_node.on<dd::TranslationalJoint>(), nullptr};
        case JointType::kFloating:
            return {at.number, new_node.on<dd::FreeJoint>(), nullptr};
        case JointType::kFixed:
            break;
    }
    return {at.number, new_node.on<dd::WeldJoint>(), nullptr};
}

void DartModel::set_joint(const Joint& joint, const VectorX<double>& q, const VectorX<double>& v) {
    const Body<double>& body = model_.body(joint.number);
    const VectorX<double> q_ours = q.segment(body.q_index, body.nq);
    const auto v_at = static_cast<int>(joint.first->getIndexInSkeleton(0));
    auto T = map_.T.block(v_at, body.v_index, body.nv, body.nv);
    T.setIdentity();
    switch (body.joint) {
        case JointType::kRevolute:
        case JointType::kPrismatic:
        case JointType::kHelical:
            joint.first->setPosition(0, body.multiplier * q_ours[0] + body.offset);
            T(0, 0) = body.multiplier;
            break;
        case JointType::kCylindrical:
            joint.first->setPosition(0, q_ours[0]);
            joint.second->setPosition(0, q_ours[1]);
            break;
        case JointType::kUniversal:
        case JointType::kTranslation:
            joint.first->setPositions(q_ours);
            break;
        case JointType::kSpherical:
            joint.first->setPositions(dd::BallJoint::convertToPositions(rotation(q_ours)));
            break;
        case JointType::kPlanar:
            joint.first->setPositions(q_ours);
            map_.set_planar(v_at, body, q_ours[2], v[body.v_index]);
            break;
        case JointType::kFloating: {
            Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
            pose.linear() = rotation(q_ours.tail(4));
            pose.translation() = q_ours.head(3);
            joint.first->setPositions(dd::FreeJoint::convertToPositions(pose));
            break;
        }
        case JointType::kFixed:
            break;
    }
}

void DartModel::set_state(const VectorX<double>& q, const VectorX<double>& v) {
    for (const Joint& joint : joints_) set_joint(joint, q, v);
    skeleton_->setVelocities(map_.to_theirs(v));
    skeleton_->clearExternalForces();
}

void DartModel::set_forces(const std::vector<LinkForce>& forces) {
    for (const LinkForce& at : forces) {
        node(at.link)->setExtForce(to_eigen(at.force.linear));
        node(at.link)->addExtTorque(to_eigen(at.force.angular));
    }
}

VectorX<double> DartModel::inverse_dynamics() const {
    skeleton_->computeInverseDynamics(true, true);
    return map_.torque(skeleton_->getForces());
}

void DartModel::set_given(const std::vector<Given>& given) {
    for (const Joint& joint : joints_) {
        const bool acceleration =
            given[static_cast<std::size_t>(joint.number)] == Given::kAcceleration;
        for (dd::Joint* part : {joint.first, joint.second}) {
            if (part == nullptr) continue;
            part->setActuatorType(acceleration ? dd::Joint::ACCELERATION : dd::Joint::FORCE);
        }
    }
}

}  // namespace plucker::test

#endif
