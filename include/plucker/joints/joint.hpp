// All joint types: the list, and what follows from it. Each type has a file of its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
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

template <class... Joints>
struct ListOfJoints {};

// In the order of JointType.
using JointTypes =
    ListOfJoints<FixedJoint, RevoluteJoint, PrismaticJoint, HelicalJoint, CylindricalJoint,
                 UniversalJoint, SphericalJoint, PlanarJoint, TranslationJoint, FloatingJoint>;

// Whether a type has sparse products of its own. Such a subspace does not vary.
template <class Joint, class S>
concept HasOwnSubspace = requires {
    typename Joint::template Subspace<S>;
};

namespace detail {

template <class... Joints>
constexpr bool is_in_order(ListOfJoints<Joints...>) {
    int k = 0;
    return ((static_cast<int>(Joints::kType) == k++) && ...);
}
static_assert(is_in_order(JointTypes{}));

template <class... Joints>
constexpr bool own_subspaces_are_constant(ListOfJoints<Joints...>) {
    return ((Joints::kConstantSubspace || !HasOwnSubspace<Joints, double>)&&...);
}
static_assert(own_subspaces_are_constant(JointTypes{}));

// Comparisons in a row, of which compilers make a switch; the last type needs none.
template <class F, class Joint, class... Others>
PLUCKER_ALWAYS_INLINE constexpr decltype(auto) visit_one_of(JointType type, F&& f,
                                                            ListOfJoints<Joint, Others...>) {
    if constexpr (sizeof...(Others) > 0) {
        if (type != Joint::kType)
            return visit_one_of(type, std::forward<F>(f), ListOfJoints<Others...>{});
    }
    return std::forward<F>(f)(Joint{});
}

template <class... Joints>
constexpr int most_angles(ListOfJoints<Joints...>) {
    return std::max({Joints::kAngles...});
}

}  // namespace detail

// Calls f with the class of the given type.
template <class F>
constexpr decltype(auto) visit_joint(JointType type, F&& f) {
    return detail::visit_one_of(type, std::forward<F>(f), JointTypes{});
}

// Calls f with the class of every type, in their order.
template <class F, class... Joints>
constexpr void for_each_joint_type(const F& f, ListOfJoints<Joints...>) {
    (f(Joints{}), ...);
}
template <class F>
constexpr void for_each_joint_type(const F& f) {
    for_each_joint_type(f, JointTypes{});
}

// The most angles that a joint has of which sine and cosine are needed.
inline constexpr int kMostAngles = detail::most_angles(JointTypes{});

constexpr const char* name_of(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kName; });
}
constexpr FileWords words_of(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kWords; });
}
constexpr CoordinateForms forms_of(JointType type) {
    return visit_joint(type, [](auto joint) -> CoordinateForms {
        if constexpr (requires { joint.kForms; }) {
            return joint.kForms;
        } else {
            return {};
        }
    });
}
// Whether the motion subspace is the same, in the body's frame, at every configuration.
constexpr bool has_constant_subspace(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kConstantSubspace; });
}
// Whether the last four numbers of the configuration are a unit quaternion x y z w.
constexpr bool has_quaternion(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kHasQuaternion; });
}
// Whether the velocity is the rate of the coordinates.
constexpr bool has_coordinate_velocity(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kVelocityIsRate; });
}
constexpr bool has_one_freedom(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kNv == 1; });
}
// How many of its velocities are angular. They come first.
constexpr int number_of_turns(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kTurns; });
}
// How many axes describe it.
constexpr int number_of_axes(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kAxes; });
}
constexpr Anchor anchor_of(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kAnchor; });
}
// What follows the joint's name in that of each of its coordinates.
constexpr std::span<const char* const> velocity_suffixes(JointType type) {
    return visit_joint(type, [](auto joint) -> std::span<const char* const> {
        return decltype(joint)::kVelocitySuffixes;
    });
}
constexpr std::span<const char* const> position_suffixes(JointType type) {
    return visit_joint(type, [](auto joint) -> std::span<const char* const> {
        using Joint = decltype(joint);
        if constexpr (Joint::kVelocityIsRate) {
            return Joint::kVelocitySuffixes;
        } else {
            return Joint::kPositionSuffixes;
        }
    });
}

}  // namespace plucker
