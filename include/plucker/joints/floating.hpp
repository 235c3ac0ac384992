// A floating joint: all six freedoms. q = (position; quaternion x y z w) of the body in the parent;
// v = (ω; v) in the body's own frame.
#pragma once

#include "plucker/joints/spherical.hpp"

namespace plucker {

struct FloatingJoint : ConstantSubspace {
    static constexpr const char* kName = "floating";
    static constexpr int kNq = 7;
    static constexpr int kNv = 6;
    static constexpr int kAngles = 0;

    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S* q, const SinCos<S>*) {
        const Transform<S> X_joint{coordinate_rotation(attitude(q)), position(q)};
        return X_joint * cast<S>(body.X_tree);
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>*, Motion<S>* column) {
        column[0] = {{S(1), S(0), S(0)}, {}};
        column[1] = {{S(0), S(1), S(0)}, {}};
        column[2] = {{S(0), S(0), S(1)}, {}};
        column[3] = {{}, {S(1), S(0), S(0)}};
        column[4] = {{}, {S(0), S(1), S(0)}};
        column[5] = {{}, {S(0), S(0), S(1)}};
    }

    template <class S>
    static constexpr Vec3<S> position(const S* q) {
        return {q[0], q[1], q[2]};
    }
    template <class S>
    static constexpr Quaternion<S> attitude(const S* q) {
        return SphericalJoint::attitude(q + 3);
    }
    template <class S>
    static constexpr void neutral(S* q) {
        q[0] = q[1] = q[2] = S(0);
        SphericalJoint::neutral(q + 3);
    }
    // Exact for a constant spatial velocity: the body moves along a screw.
    template <class S>
    static void integrate(const S* q, const S* dv, S* out) {
        const Vec3<S> turn{dv[0], dv[1], dv[2]};
        const Vec3<S> step = transpose_times(coordinate_rotation(attitude(q)),
                                             integrate_turning(turn, Vec3<S>{dv[3], dv[4], dv[5]}));
        SphericalJoint::integrate(q + 3, dv, out + 3);
        out[0] = q[0] + step.x;
        out[1] = q[1] + step.y;
        out[2] = q[2] + step.z;
    }
    template <class S>
    static void difference(const S* q0, const S* q1, S* out) {
        const Vec3<S> turn = logarithm(conjugate(attitude(q0)) * attitude(q1));
        const Vec3<S> u = differentiate_turning(
            turn, coordinate_rotation(attitude(q0)) * (position(q1) - position(q0)));
        out[0] = turn.x;
        out[1] = turn.y;
        out[2] = turn.z;
        out[3] = u.x;
        out[4] = u.y;
        out[5] = u.z;
    }
    template <class S>
    static void normalize(S* q) {
        SphericalJoint::normalize(q + 3);
    }
};

}  // namespace plucker
