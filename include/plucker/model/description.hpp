// The description of a robot: links, joints between them, named frames. Plain data.
//
// A Builder fills it, a Model is compiled from it, and edits (locking joints, attaching, changing the
// base) are made on it.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plucker/joints/body.hpp"
#include "plucker/model/diagnostic.hpp"
#include "plucker/model/geometry.hpp"
#include "plucker/model/mass_properties.hpp"

namespace plucker {

struct LinkDescription {
    std::string name;
    MassProperties mass;
    std::vector<Shape> visuals = {};
    std::vector<Shape> collisions = {};
    SourceLocation source = {};
};

// q = multiplier · (q of `joint`) + offset.
struct Mimic {
    std::string joint;
    double multiplier = 1;
    double offset = 0;
};

struct JointLimits {
    double lower = -std::numeric_limits<double>::infinity();
    double upper = std::numeric_limits<double>::infinity();
    double velocity = std::numeric_limits<double>::infinity();
    double effort = std::numeric_limits<double>::infinity();
};

// The limits of a joint whose follower moves as multiplier · q + offset, and has limits too. None of its positions is within
// both where the lower one exceeds the upper.
JointLimits narrowed(JointLimits limits, const JointLimits& follower, double multiplier,
                     double offset);

struct JointDescription {
    std::string name;
    JointType type = JointType::kFixed;
    std::string parent;  // link names
    std::string child;
    Pose<double> placement;             // of the joint's frame in the parent link
    Vec3<double> axis{0, 0, 1};         // in the joint's frame; need not have unit length
    Vec3<double> second_axis{0, 1, 0};  // universal joint: perpendicular to `axis`
    double pitch = 0;                   // helical joint: metres per radian
    double armature = 0;  // rotor inertia as felt at the joint, on each of its freedoms
    double damping = 0;   // viscous friction, on each of its freedoms
    double friction = 0;  // Coulomb friction, on each of its freedoms
    JointLimits limits;
    std::optional<Mimic> mimic;
    SourceLocation source;

    // Builds a joint in one expression: revolute("knee", {0, 1, 0}).at({…}).with_damping(0.1)
    JointDescription at(const Pose<double>& p) const {
        return with(&JointDescription::placement, p);
    }
    JointDescription at(double x, double y, double z) const {
        return at(Pose<double>::translation(x, y, z));
    }
    JointDescription with_armature(double a) const { return with(&JointDescription::armature, a); }
    JointDescription with_damping(double d) const { return with(&JointDescription::damping, d); }
    JointDescription with_friction(double f) const { return with(&JointDescription::friction, f); }
    JointDescription with_limits(const JointLimits& l) const {
        return with(&JointDescription::limits, l);
    }
    JointDescription mimicking(const std::string& other, double multiplier = 1,
                               double offset = 0) const {
        return with(&JointDescription::mimic, Mimic{other, multiplier, offset});
    }

private:
    template <class Value>
    JointDescription with(Value JointDescription::*member, const auto& value) const {
        JointDescription copy = *this;
        copy.*member = value;
        return copy;
    }
};

inline JointDescription joint_of_type(JointType type, std::string name,
                                      const Vec3<double>& axis = {0, 0, 1}) {
    JointDescription joint;
    joint.name = std::move(name);
    joint.type = type;
    joint.axis = axis;
    return joint;
}
inline JointDescription fixed(std::string name) {
    return joint_of_type(JointType::kFixed, std::move(name));
}
inline JointDescription revolute(std::string name, const Vec3<double>& axis) {
    return joint_of_type(JointType::kRevolute, std::move(name), axis);
}
inline JointDescription prismatic(std::string name, const Vec3<double>& axis) {
    return joint_of_type(JointType::kPrismatic, std::move(name), axis);
}
inline JointDescription helical(std::string name, const Vec3<double>& axis, double pitch) {
    JointDescription joint = joint_of_type(JointType::kHelical, std::move(name), axis);
    joint.pitch = pitch;
    return joint;
}
inline JointDescription cylindrical(std::string name, const Vec3<double>& axis) {
    return joint_of_type(JointType::kCylindrical, std::move(name), axis);
}
inline JointDescription universal(std::string name, const Vec3<double>& first,
                                  const Vec3<double>& second) {
    JointDescription joint = joint_of_type(JointType::kUniversal, std::move(name), first);
    joint.second_axis = second;
    return joint;
}
inline JointDescription spherical(std::string name) {
    return joint_of_type(JointType::kSpherical, std::move(name));
}
// In the plane normal to `normal`: x and y are the joint frame's where the normal is z, and otherwise those turned
// along with z by the smallest rotation to the normal (if its z is negative, after half a turn about x).
inline JointDescription planar(std::string name, const Vec3<double>& normal) {
    return joint_of_type(JointType::kPlanar, std::move(name), normal);
}
inline JointDescription translation(std::string name) {
    return joint_of_type(JointType::kTranslation, std::move(name));
}
inline JointDescription floating(std::string name) {
    return joint_of_type(JointType::kFloating, std::move(name));
}

struct FrameDescription {
    std::string name;
    std::string link;
    Pose<double> placement;  // in the link
    SourceLocation source = {};
};

// What ties two places of the tree together beyond its joints: a closed loop, a rod, a gear.
enum class ConstraintKind {
    kFrames,    // two frames coincide, along the chosen axes
    kDistance,  // the origins of two frames stay at a distance
    kCoupling,  // the coordinate of one joint is a polynomial of another's
};
struct ConstraintDescription {
    std::string name;
    ConstraintKind kind = ConstraintKind::kFrames;
    // The frames, each a place on a link or on a frame of the model; "world", unless a link has that name: the world.
    std::string frame_a = {}, frame_b = {};
    Pose<double> placement_a = {}, placement_b = {};
    // Which of the six ways to differ are prevented, in the axes of frame b: turning about x, y, z, moving along x, y, z.
    // Where turning about one axis is free, that axis is a hinge that both frames have: it stays aligned, through any number
    // of turns. Where turning about two is free, the first (in the order x, y, z, x) is fixed in frame b and the second in
    // frame a, and they stay perpendicular: a universal joint.
    std::array<bool, 6> axes{true, true, true, true, true, true};
    double distance = 0;  // kDistance
    // kCoupling: q_a = Σ c_k q_b^k, with joints of one coordinate. Without joint_b, q_a = c_0.
    std::string joint_a = {}, joint_b = {};
    std::array<double, 5> polynomial{0, 1, 0, 0, 0};
    SourceLocation source = {};
};
// All six: as if glued.
inline ConstraintDescription weld(std::string name, std::string frame_a, std::string frame_b) {
    return {.name = std::move(name), .frame_a = std::move(frame_a), .frame_b = std::move(frame_b)};
}
// A point of the one is a point of the other: a ball joint.
inline ConstraintDescription connect(std::string name, std::string frame_a, std::string frame_b) {
    ConstraintDescription c = weld(std::move(name), std::move(frame_a), std::move(frame_b));
    c.axes = {false, false, false, true, true, true};
    return c;
}
// A massless rod between two ball joints.
inline ConstraintDescription rod(std::string name, std::string frame_a, std::string frame_b,
                                 double length) {
    ConstraintDescription c = weld(std::move(name), std::move(frame_a), std::move(frame_b));
    c.kind = ConstraintKind::kDistance;
    c.distance = length;
    return c;
}
// A gear: q_a = ratio · q_b + offset.
inline ConstraintDescription gear(std::string name, std::string joint_a, std::string joint_b,
                                  double ratio, double offset = 0) {
    ConstraintDescription c;
    c.name = std::move(name);
    c.kind = ConstraintKind::kCoupling;
    c.joint_a = std::move(joint_a);
    c.joint_b = std::move(joint_b);
    c.polynomial = {offset, ratio, 0, 0, 0};
    return c;
}

// A configuration with a name, such as a keyframe's: coordinates by joint, a floating base's by the name of its joint. Joints
// that it does not name are at zero; those that the robot does not have, or no longer, do not matter.
struct PostureDescription {
    std::string name;
    std::vector<std::pair<std::string, std::vector<double>>> joints = {};
    SourceLocation source = {};
};
// The posture that a file describes, where bodies float in it: all other coordinates are zero there.
inline constexpr const char* kPostureOfFile = "file";

enum class Base { kFixed, kFloating };
// What a floating base's joint is called where nothing else names it, and may be called where something does.
inline constexpr const char* kBaseJoint = "base";
enum class FixedJoints { kMerge, kKeep };
// Whether an inertia that no rigid body can have is an error or, for files that one cannot mend, a warning.
enum class Physics { kStrict, kLenient };

struct Description {
    std::string name;
    SourceLocation source;
    Vec3<double> gravity{0, 0, -9.81};
    Base base = Base::kFixed;
    FixedJoints fixed_joints = FixedJoints::kMerge;
    Physics physics = Physics::kStrict;
    std::vector<LinkDescription> links;
    std::vector<JointDescription> joints;
    std::vector<FrameDescription> frames;
    std::vector<ConstraintDescription> constraints;
    // Pairs of links whose collision shapes do not touch, beyond those that a joint connects.
    std::vector<std::pair<std::string, std::string>> never_touching;
    std::vector<PostureDescription> postures;
    std::string base_joint = kBaseJoint;  // the name of a floating base's joint
};

// Everything that is wrong with a description: names, tree structure, numbers, physics. A Model can be made of it
// if there are no errors among them; with lenient physics there may be warnings.
std::vector<Diagnostic> find_errors(const Description& description);

}  // namespace plucker
