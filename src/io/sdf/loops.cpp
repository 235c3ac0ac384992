// Joints that close a loop, and gearboxes: constraints beside the tree.
#include <cmath>
#include <sdf/JointAxis.hh>

#include "sdf/converter.hpp"
#include "sdf/library.hpp"

namespace plucker::io {
namespace {

// A rotation whose column `first` is along a, and the next, in the order x, y, z, x, across it: along b if that is given.
Mat3<double> axes_along(const Vec3<double>& a, int first, const Vec3<double>& b) {
    const Vec3<double> u = (1 / norm(a)) * a;
    const Vec3<double> across = b - dot(u, b) * u;
    const Vec3<double> v = (1 / norm(across)) * across;
    const Vec3<double> columns[] = {u, v, cross(u, v)};
    const auto column = [&](int k) { return columns[(k - first + 3) % 3]; };
    return transpose(Mat3<double>{column(0), column(1), column(2)});
}
// Some vector across a.
Vec3<double> anything_across(const Vec3<double>& a) {
    return std::abs(a.x) < 0.7 * norm(a) ? Vec3<double>{1, 0, 0} : Vec3<double>{0, 1, 0};
}

}  // namespace

// Whether the tree that stands already has a way to the child, or leads from it to the parent.
bool SdfConverter::closes_a_loop(const std::string& parent, const std::string& child) const {
    if (parent_of_.contains(child)) return true;
    for (auto at = parent_of_.find(parent); at != parent_of_.end();
         at = parent_of_.find(at->second)) {
        if (at->second == child) return true;
    }
    return parent == child;
}

// The joint's frame as a constraint has it: with a free axis along z, or the two of a universal joint along x, fixed in the
// parent, and y, fixed in the child.
void SdfConverter::close_loop(const AnchoredJoint& anchored, const std::string& parent,
                              const std::string& child, const sdf::ElementPtr& e) {
    const JointDescription& joint = anchored.joint;
    const std::string where = "joint '" + joint.name + "'";
    ConstraintDescription out = weld(joint.name, child, parent);
    out.source = joint.source;
    Pose<double> in_child{Mat3<double>::identity(), anchored.anchor};
    switch (joint.type) {
        case JointType::kFixed:
            break;
        case JointType::kRevolute:
        case JointType::kPrismatic:
            out.axes[joint.type == JointType::kRevolute ? 2 : 5] = false;
            in_child.rotation = axes_along(joint.axis, 2, anything_across(joint.axis));
            break;
        case JointType::kUniversal:
            out.axes = {false, false, true, true, true, true};
            in_child.rotation = axes_along(joint.axis, 0, joint.second_axis);
            break;
        case JointType::kSpherical:
            out.axes = {false, false, false, true, true, true};
            break;
        default:
            add(Severity::kError, e, where, "closes a loop, and is of a type (",
                name_of(joint.type),
                ") that cannot: exchange it with a revolute, prismatic, universal, ball or fixed "
                "joint of the loop");
            return;
    }
    out.placement_a = in_child;
    out.placement_b = inverse(place_.at(parent)) * place_.at(child) * in_child;
    add(Severity::kNote, e, where,
        "closes a loop: the tree is cut there, and the joint is a constraint");
    const JointLimits& limits = joint.limits;
    const bool is_plain = joint.damping == 0 && joint.friction == 0 && !joint.mimic &&
                          std::isinf(limits.lower) && std::isinf(limits.upper);
    if (!is_plain) {
        add(Severity::kWarning, e, where,
            "its damping, friction, limits and mimic are not used, because it closes a loop; make "
            "it part of the tree by writing another joint of the loop after it");
    }
    out_.constraints.push_back(std::move(out));
}

// The angle θ₂ from the reference body to the child, about the second axis, is -ratio times the angle θ₁ from it to the
// parent, about the first. Both are coordinates of joints, up to their signs.
void SdfConverter::convert_gearbox(const Gearbox& gearbox) {
    const sdf::Joint& j = *gearbox.joint;
    const std::string& scope = gearbox.scope;
    const sdf::ElementPtr e = j.Element();
    const std::string name = scope + j.Name();
    const std::string where = "joint '" + name + "'";
    std::string parent, child;
    if (!resolve_ends(j, where, scope, parent, child)) return;
    if (!e->HasElement("gearbox_reference_body"))
        return add(Severity::kError, e, where, "lacks <gearbox_reference_body>");
    const std::string reference = scope + e->Get<std::string>("gearbox_reference_body");
    // The joint that turns a link, and its sign.
    const auto turning = [&](const std::string& link, unsigned index) {
        const Vec3<double> axis = world_axis(j, index, gearbox.at, where);
        for (const TreeJoint& joint : tree_joints_) {
            if (!joint.is_revolute) continue;
            const double sign = dot(joint.axis, axis) < 0 ? -1 : 1;
            if (joint.parent == reference && joint.child == link)
                return std::pair(joint.name, sign);
            if (joint.parent == link && joint.child == reference)
                return std::pair(joint.name, -sign);
        }
        add(Severity::kError, e, where, "needs a revolute joint between its reference body '",
            reference, "' and '", link, "'; there is none");
        return std::pair(std::string(), 0.0);
    };
    const auto [joint_of_parent, first_sign] = turning(parent, 0);
    const auto [joint_of_child, second_sign] = turning(child, 1);
    if (joint_of_parent.empty() || joint_of_child.empty()) return;
    const double ratio = number_in(e, "gearbox_ratio", 1);
    ConstraintDescription out =
        gear(name, joint_of_child, joint_of_parent, -ratio * first_sign * second_sign);
    out.source = source_of(e);
    out_.constraints.push_back(std::move(out));
}

// An axis of a joint in the world; of the first if it has no second.
Vec3<double> SdfConverter::world_axis(const sdf::Joint& j, unsigned index, const Pose<double>& at,
                                      const std::string& where) {
    const sdf::JointAxis* a = j.Axis(index);
    if (a == nullptr) a = j.Axis(0);
    ignition::math::Vector3d v(0, 0, 1);
    if (a != nullptr) add_errors(a->ResolveXyz(v, "__model__"), j.Element(), where);
    return at.rotation * vec3(v);
}

}  // namespace plucker::io
