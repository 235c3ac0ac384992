// Joints from formats in which a link's frame need not lie on its joint.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "plucker/joints/joint.hpp"
#include "plucker/model/description.hpp"

namespace plucker::io {

class UniqueNames {
public:
    bool contains(const std::string& name) const { return taken_.contains(name); }
    void take(const std::string& name) { taken_.insert(name); }
    // The name, or the name with a number if it is taken.
    std::string make(const std::string& wanted) {
        std::string name = wanted;
        for (int k = 2; !taken_.insert(name).second; ++k) name = wanted + "_" + std::to_string(k);
        return name;
    }

private:
    std::unordered_set<std::string> taken_;
};

// A joint without its place: type, axes and constants. `anchor` is a point of its axis, or its centre. Axes
// and anchor are in the frame of the link that the joints lead to.
struct AnchoredJoint {
    JointDescription joint;
    Vec3<double> anchor{};
};

// Where the joint's frame must be: the axis's point nearest to the link's origin, or the centre. At the
// link's origin if the joint leaves that choice.
inline Vec3<double> joint_origin(const AnchoredJoint& j) {
    Vec3<double> origin = j.anchor;
    const Anchor where = anchor_of(j.joint.type);
    if (where == Anchor::kAnywhere) return {};
    if (where == Anchor::kOnAxis) {
        const double length2 = dot(j.joint.axis, j.joint.axis);
        if (length2 > 0) origin = origin - (dot(j.joint.axis, origin) / length2) * j.joint.axis;
    }
    // Rounding of a place that was computed.
    return norm(origin) > 1e-12 * (1 + norm(j.anchor)) ? origin : Vec3<double>{};
}

// Connects `child` to `parent` through the joints, in that order. In a Description a link's frame sits at
// its joint: where the child's frame does not, or there are several joints, massless links are put in
// between, and the child's frame stays where `child_in_parent` has it.
inline void connect(Description& out, const std::string& parent, const std::string& child,
                    const Pose<double>& child_in_parent, const std::vector<AnchoredJoint>& joints,
                    UniqueNames& link_names, UniqueNames& joint_names,
                    const SourceLocation& source) {
    std::string above = parent;
    Pose<double> to_child = child_in_parent;  // from the link above, with the joints at zero
    for (std::size_t k = 0; k < joints.size(); ++k) {
        const Vec3<double> origin = joint_origin(joints[k]);
        const bool arrives = k + 1 == joints.size() && origin == Vec3<double>{};
        JointDescription joint = joints[k].joint;
        joint.parent = above;
        joint.child = arrives ? child : link_names.make(child + "_" + joint.name);
        joint.placement = to_child * Pose<double>::translation(origin.x, origin.y, origin.z);
        to_child = Pose<double>::translation(-origin.x, -origin.y, -origin.z);
        if (!arrives) out.links.push_back({joint.child, {}, {}, {}, joint.source});
        above = joint.child;
        out.joints.push_back(std::move(joint));
    }
    if (above == child) return;
    JointDescription last = fixed(joint_names.make(child + "_fixed")).at(to_child);
    last.parent = above;
    last.child = child;
    last.source = source;
    out.joints.push_back(std::move(last));
}

}  // namespace plucker::io
