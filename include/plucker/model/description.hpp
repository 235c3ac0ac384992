// A robot as people write it down: links, joints between them, named frames. Plain data.
//
// A Builder fills it, a Model is compiled from it, and edits (locking joints, attaching, changing the
// base) are made on it.
#pragma once

#include <limits>
#include <optional>
#include <string>
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

enum class Base { kFixed, kFloating };
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
    std::string base_joint = "base";  // the name of a floating base's joint
};

// Everything that is wrong with a description: names, tree structure, numbers, physics. A Model can be made of it
// if there are no errors among them; with lenient physics there may be warnings.
std::vector<Diagnostic> find_errors(const Description& description);

}  // namespace plucker
