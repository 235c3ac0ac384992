// A spherical joint: q is a unit quaternion x y z w, v the angular velocity in the body's frame.
#pragma once

#include <array>

#include "plucker/joints/axes.hpp"
#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"
#include "plucker/joints/words.hpp"
#include "plucker/spatial/quaternion.hpp"

namespace plucker {

struct SphericalJoint : NoAxis, ConstantSubspace {
    static constexpr JointType kType = JointType::kSpherical;
    static constexpr const char* kName = "spherical";
    static constexpr FileWords kWords{.sdf = "ball", .mjcf = "ball"};
    static constexpr CoordinateForms kForms{.mujoco = CoordinateForm::kWxyz};
    static constexpr Anchor kAnchor = Anchor::kAtPoint;
    static constexpr int kNq = 4;
    static constexpr int kNv = 3;
    static constexpr bool kVelocityIsRate = false;
    static constexpr bool kHasQuaternion = true;
    static constexpr std::array kPositionSuffixes{".quaternion.x", ".quaternion.y", ".quaternion.z",
                                                  ".quaternion.w"};
    static constexpr std::array kVelocitySuffixes{".angular.x", ".angular.y", ".angular.z"};
    static constexpr int kTurns = 3;
    static constexpr int kAngles = 0;

    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S* q, const SinCos<S>*) {
        return Transform<S>::rotation(coordinate_rotation(attitude(q))) * cast<S>(body.X_tree);
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>*, Motion<S>* column) {
        column[0] = {{S(1), S(0), S(0)}, {}};
        column[1] = {{S(0), S(1), S(0)}, {}};
        column[2] = {{S(0), S(0), S(1)}, {}};
    }

    template <class S>
    static constexpr Quaternion<S> attitude(const S* q) {
        return {q[0], q[1], q[2], q[3]};
    }
    template <class S>
    static constexpr void store(const Quaternion<S>& a, S* q) {
        q[0] = a.x;
        q[1] = a.y;
        q[2] = a.z;
        q[3] = a.w;
    }
    template <class S>
    static constexpr void neutral(S* q) {
        store(Quaternion<S>{}, q);
    }
    template <class S>
    static void integrate(const S* q, const S* dv, S* out) {
        store(normalized(attitude(q) * exponential(Vec3<S>{dv[0], dv[1], dv[2]})), out);
    }
    template <class S>
    static void difference(const S* q0, const S* q1, S* out) {
        const Vec3<S> turn = logarithm(conjugate(attitude(q0)) * attitude(q1));
        out[0] = turn.x;
        out[1] = turn.y;
        out[2] = turn.z;
    }
    template <class S>
    static void normalize(S* q) {
        store(normalized(attitude(q)), q);
    }
};

}  // namespace plucker
