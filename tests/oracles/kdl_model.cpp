#include "oracles/kdl_model.hpp"

#ifdef PLUCKER_HAVE_KDL

#include <algorithm>

namespace plucker::test {
namespace {

KDL::Frame frame(const Pose<double>& pose) {
    const Mat3<double>& R = pose.rotation;
    return {KDL::Rotation(R.x.x, R.x.y, R.x.z, R.y.x, R.y.y, R.y.z, R.z.x, R.z.y, R.z.z),
            to_kdl(pose.position)};
}

KDL::RigidBodyInertia inertia(const MassProperties& mass) {
    const SymMat3<double>& I = mass.about_center;
    return KDL::RigidBodyInertia(mass.mass, to_kdl(mass.center),
                                 KDL::RotationalInertia(I.xx, I.yy, I.zz, I.xy, I.xz, I.yz));
}

// KDL states a joint's origin and axis in the parent's coordinates.
KDL::Joint joint(const JointDescription& description) {
    if (description.type == JointType::kFixed) {
        return KDL::Joint(description.name, KDL::Joint::Fixed);
    }
    const Pose<double>& place = description.placement;
    const auto type =
        description.type == JointType::kRevolute ? KDL::Joint::RotAxis : KDL::Joint::TransAxis;
    return KDL::Joint(description.name, to_kdl(place.position),
                      to_kdl(place.rotation * description.axis), type, 1, 0, description.armature);
}

}  // namespace

KDL::JntArray KdlCoordinates::to_kdl(const VectorX<double>& x) const {
    KDL::JntArray out(static_cast<unsigned>(ours.size()));
    out.data = x(ours);
    return out;
}
VectorX<double> KdlCoordinates::to_ours(const Model& model, const KDL::JntArray& x) const {
    VectorX<double> out = VectorX<double>::Zero(model.nv());
    out(ours) = x.data;
    return out;
}
MatrixX<double> KdlCoordinates::to_ours(const Model& model, const MatrixX<double>& columns) const {
    MatrixX<double> out = MatrixX<double>::Zero(columns.rows(), model.nv());
    out(Eigen::all, ours) = columns;
    return out;
}

bool KdlModel::has_all_joints_of(const Model& model) {
    const auto links = links_of(model);
    return !model.has_floating_base() && !model.has_mimic_joints() &&
           std::all_of(links.begin(), links.end(), [](const LinkAndJoint& at) {
               return at.joint.type == JointType::kFixed || at.joint.type == JointType::kRevolute ||
                      at.joint.type == JointType::kPrismatic;
           });
}

KdlModel::KdlModel(const Model& model) : model_(model) {
    coordinates_.ours.resize(static_cast<std::size_t>(model.nv()));
    // Depth first: KDL numbers joints as they are added, and again, depth first, when a solver copies
    // the tree.
    for (const LinkAndJoint& at : links_of(model)) {
        if (at.joint.parent.empty()) {
            tree_ = KDL::Tree(at.link.name);
            continue;
        }
        tree_.addSegment(KDL::Segment(at.link.name, joint(at.joint), frame(at.joint.placement),
                                      inertia(at.link.mass)),
                         at.joint.parent);
        if (at.number == 0) continue;
        const auto k = GetTreeElementQNr(tree_.getSegment(at.link.name)->second);
        coordinates_.ours[k] = model.body(at.number).v_index;
    }
}

KDL::Chain KdlModel::chain_to(const std::string& link) const {
    KDL::Chain chain;
    tree_.getChain(tree_.getRootSegment()->first, link, chain);
    return chain;
}

KdlCoordinates KdlModel::coordinates_of(const KDL::Chain& chain) const {
    KdlCoordinates coordinates;
    for (const KDL::Segment& segment : chain.segments) {
        const KDL::Joint& at = segment.getJoint();
        if (at.getType() == KDL::Joint::Fixed) continue;
        coordinates.ours.push_back(model_.body(model_.joint_index(at.getName())).v_index);
    }
    return coordinates;
}

}  // namespace plucker::test

#endif
