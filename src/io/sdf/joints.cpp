#include <cmath>
#include <limits>
#include <numbers>
#include <sdf/JointAxis.hh>

#include "joint_words.hpp"
#include "limits.hpp"
#include "sdf/converter.hpp"
#include "sdf/library.hpp"

namespace plucker::io {
namespace {

// SDF writes 1e16 for no limit.
double bound(double x) {
    return std::abs(x) < 1e16 ? x : std::copysign(std::numeric_limits<double>::infinity(), x);
}

// What rotations leave of a zero.
Vec3<double> without_dust(const Vec3<double>& axis) {
    const double dust = 1e-12 * norm(axis);
    const auto part = [&](double x) { return std::abs(x) < dust ? 0 : x; };
    return {part(axis.x), part(axis.y), part(axis.z)};
}

bool has_bound(const sdf::JointAxis& axis) {
    return std::isfinite(bound(axis.Lower())) || std::isfinite(bound(axis.Upper()));
}

}  // namespace

double number_in(const sdf::ElementPtr& e, const char* name, double otherwise) {
    if (!e->HasElement(name)) return otherwise;
    std::string why;
    const auto value = parse_numbers(e->Get<std::string>(name), 1, why);
    return value ? value->front() : otherwise;
}

void SdfConverter::convert_joint(const sdf::Joint& j, const std::string& scope,
                                 const Pose<double>& at) {
    const sdf::ElementPtr e = j.Element();
    AnchoredJoint out;
    JointDescription& joint = out.joint;
    joint.name = scope + j.Name();
    joint.source = source_of(e);
    const std::string where = "joint '" + joint.name + "'";
    if (e->Get<std::string>("type") == "gearbox") {
        gearboxes_.push_back({&j, scope, at});  // once all joints are known
        return;
    }
    std::string parent, child;
    if (!resolve_ends(j, where, scope, parent, child)) return;
    const Pose<double> to_child = inverse(place_.at(child));
    out.anchor = (to_child * at * resolved(j.SemanticPose(), e, where, "__model__")).position;
    const auto axis_of = [&](unsigned index, Vec3<double>& axis) {
        const sdf::JointAxis* a = j.Axis(index);
        if (a == nullptr) return;
        ignition::math::Vector3d v;
        add_errors(a->ResolveXyz(v, "__model__"), e, where);
        axis = without_dust(to_child.rotation * (at.rotation * vec3(v)));
    };
    if (set_type(j, where, joint)) {
        axis_of(0, joint.axis);
        if (number_of_axes(joint.type) == 2) axis_of(1, joint.second_axis);
        read_axis_constants(j, where, scope, joint);
    }
    if (closes_a_loop(parent, child)) return close_loop(out, parent, child, e);
    hangs_on_world_ = hangs_on_world_ || parent == "world";
    parent_of_[child] = parent;
    tree_joints_.push_back({joint.name, parent, child, place_.at(child).rotation * joint.axis,
                            joint.type == JointType::kRevolute});
    connect(out_, parent, child, inverse(place_.at(parent)) * place_.at(child), {out}, link_names_,
            joint_names_, joint.source);
}

// The links that a joint connects, through whatever frames it names; false, with an error, if there are none.
bool SdfConverter::resolve_ends(const sdf::Joint& j, const std::string& where,
                                const std::string& scope, std::string& parent, std::string& child) {
    sdf::Errors errors = j.ResolveParentLink(parent);
    const sdf::Errors more = j.ResolveChildLink(child);
    errors.insert(errors.end(), more.begin(), more.end());
    add_errors(errors, j.Element(), where);
    if (!errors.empty()) return false;
    if (parent != "world") parent = scope + parent;
    child = scope + child;
    if (place_.contains(parent) && place_.contains(child)) return true;
    add(Severity::kError, j.Element(), where, "connects '", parent, "' and '", child,
        "'; both must be links");
    return false;
}

// True if the joint has axes.
bool SdfConverter::set_type(const sdf::Joint& j, const std::string& where,
                            JointDescription& joint) {
    static const JointWords kTypes = joint_words(&FileWords::sdf);
    const auto found = kTypes.find(j.Element()->Get<std::string>("type"));
    joint.type = found == kTypes.end() ? JointType::kFixed : found->second;
    if (joint.type == JointType::kHelical) joint.pitch = pitch_of(j, where);
    return number_of_axes(joint.type) > 0;
}

// <screw_thread_pitch> is in metres a revolution, positive for a right-handed thread; the older
// <thread_pitch> is in radians a metre, positive for a left-handed one.
double SdfConverter::pitch_of(const sdf::Joint& j, const std::string& where) {
    const sdf::ElementPtr e = j.Element();
    if (e->HasElement("screw_thread_pitch"))
        return number_in(e, "screw_thread_pitch", 0) / (2 * std::numbers::pi);
    add(Severity::kNote, e, where,
        "<thread_pitch> is taken as radians a metre of a left-handed thread; "
        "<screw_thread_pitch> has a clear meaning");
    return -1 / j.ThreadPitch();
}

void SdfConverter::read_axis_constants(const sdf::Joint& j, const std::string& where,
                                       const std::string& scope, JointDescription& joint) {
    const sdf::JointAxis* a = j.Axis(0);
    if (a == nullptr) return;
    joint.damping = a->Damping();
    joint.friction = a->Friction();
    const sdf::JointAxis* second = j.Axis(1);
    if (number_of_axes(joint.type) == 2 && second != nullptr &&
        (second->Damping() != a->Damping() || second->Friction() != a->Friction() ||
         bound(second->Effort()) != bound(a->Effort()) ||
         bound(second->MaxVelocity()) != bound(a->MaxVelocity()))) {
        add(Severity::kWarning, j.Element(), where,
            "its axes differ in damping, friction, effort or velocity; those of the first are used "
            "for both");
    }
    if (a->SpringStiffness() != 0)
        add(Severity::kWarning, j.Element(), where, "its spring is not used");
    joint.limits.effort = bound(a->Effort());
    joint.limits.velocity = bound(a->MaxVelocity());
    if (j.Type() != sdf::JointType::CONTINUOUS && has_one_freedom(joint.type)) {
        joint.limits.lower = bound(a->Lower());
        joint.limits.upper = bound(a->Upper());
    } else if (number_of_axes(joint.type) == 2 &&
               (has_bound(*a) || (second != nullptr && has_bound(*second)))) {
        add(Severity::kNote, j.Element(), where,
            "has two axes; the lower and upper limits of such a joint are not used");
    }
    joint.limits = sensible(joint.limits, [&](const auto&... parts) {
        add(Severity::kWarning, j.Element(), where, parts...);
    });
    if (a->Element()->HasElement("mimic")) {
        const sdf::ElementPtr m = a->Element()->GetElement("mimic");
        const double multiplier = number_in(m, "multiplier", 1);
        joint.mimic = Mimic{scope + m->Get<std::string>("joint"), multiplier,
                            number_in(m, "offset", 0) - multiplier * number_in(m, "reference", 0)};
    }
}

}  // namespace plucker::io
