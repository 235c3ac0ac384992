// All joint types, and the one switch that tells them apart.
#pragma once

#include <utility>

#include "plucker/joints/cylindrical.hpp"
#include "plucker/joints/fixed.hpp"
#include "plucker/joints/floating.hpp"
#include "plucker/joints/helical.hpp"
#include "plucker/joints/planar.hpp"
#include "plucker/joints/prismatic.hpp"
#include "plucker/joints/revolute.hpp"
#include "plucker/joints/spherical.hpp"
#include "plucker/joints/translation.hpp"
#include "plucker/joints/universal.hpp"

namespace plucker {

// Calls f with the joint class of the given type.
template <class F>
constexpr decltype(auto) visit_joint(JointType type, F&& f) {
    switch (type) {
        case JointType::kRevolute:
            return std::forward<F>(f)(RevoluteJoint{});
        case JointType::kPrismatic:
            return std::forward<F>(f)(PrismaticJoint{});
        case JointType::kHelical:
            return std::forward<F>(f)(HelicalJoint{});
        case JointType::kCylindrical:
            return std::forward<F>(f)(CylindricalJoint{});
        case JointType::kUniversal:
            return std::forward<F>(f)(UniversalJoint{});
        case JointType::kSpherical:
            return std::forward<F>(f)(SphericalJoint{});
        case JointType::kPlanar:
            return std::forward<F>(f)(PlanarJoint{});
        case JointType::kTranslation:
            return std::forward<F>(f)(TranslationJoint{});
        case JointType::kFloating:
            return std::forward<F>(f)(FloatingJoint{});
        case JointType::kFixed:
            break;
    }
    return std::forward<F>(f)(FixedJoint{});
}

// Whether the motion subspace is the same, in the body's frame, at every configuration.
constexpr bool has_constant_subspace(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kConstantSubspace; });
}
// Whether the configuration ends in a unit quaternion.
constexpr bool has_quaternion(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kNq == joint.kNv + 1; });
}
// Whether the velocity is the rate of the coordinates.
constexpr bool has_coordinate_velocity(JointType type) {
    return type != JointType::kPlanar && !has_quaternion(type);
}

constexpr const char* name_of(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kName; });
}

}  // namespace plucker
