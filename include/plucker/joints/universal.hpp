// A universal joint: a rotation about x, then one about the new y. q = (angle about x, angle about y).
//
// In the body's frame the first axis is (c₂ 0 s₂): this is the one joint whose motion subspace varies.
#pragma once

#include <array>
#include <cmath>

#include "plucker/joints/axes.hpp"
#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"
#include "plucker/joints/words.hpp"

namespace plucker {

struct UniversalJoint : Euclidean<2> {
    static constexpr JointType kType = JointType::kUniversal;
    static constexpr const char* kName = "universal";
    static constexpr FileWords kWords{.sdf = "universal"};
    static constexpr Anchor kAnchor = Anchor::kAtPoint;
    static constexpr std::array kVelocitySuffixes{".first", ".second"};
    static constexpr bool kConstantSubspace = false;
    static constexpr int kTurns = 2;
    static constexpr int kAxes = 2;
    static constexpr int kAngles = 2;
    static constexpr int kFirstAngle = 0;  // where the angles start in q

    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S*, const SinCos<S>* angle) {
        return Transform<S>::rotation(rotation_y(angle[1]) * rotation_x(angle[0])) *
               cast<S>(body.X_tree);
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>* angle, Motion<S>* column) {
        column[0] = {{angle[1].cos, S(0), angle[1].sin}, {}};
        column[1] = {{S(0), S(1), S(0)}, {}};
    }
    // The columns' rates in the body's frame; their sum Ṡ q̇ is the joint's bias.
    template <class S>
    static constexpr void subspace_rate(const SinCos<S>* angle, const S* v, Motion<S>* column) {
        column[0] = {{-angle[1].sin * v[1], S(0), angle[1].cos * v[1]}, {}};
        column[1] = {};
    }

    // The canonical frame has its x along the first axis and its y along the second.
    template <class Description>
    static Mat3<double> canonical_rotation(const Description& joint) {
        const Vec3<double> first = (1.0 / norm(joint.axis)) * joint.axis;
        return transpose(
            detail::orthonormalized({first, joint.second_axis, cross(first, joint.second_axis)}));
    }
    template <class Description, class Complain>
    static void check(const Description& joint, const Complain& complain) {
        const double cosine =
            dot(joint.axis, joint.second_axis) / (norm(joint.axis) * norm(joint.second_axis));
        if (std::abs(cosine) > 1e-6) {
            complain("the axes of a universal joint must be perpendicular; theirs have cosine ",
                     cosine, "; use two revolute joints instead");
        }
    }
};

}  // namespace plucker
