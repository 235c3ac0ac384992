// A floating joint: all six degrees of freedom. q = (position; quaternion x y z w) of the body in the parent;
// v = (ω; v) in the body's own frame.
#pragma once

#include "plucker/joints/spherical.hpp"
#include "plucker/joints/subspace_products.hpp"

namespace plucker {

struct FloatingJoint : NoAxis, ConstantSubspace {
    static constexpr JointType kType = JointType::kFloating;
    static constexpr const char* kName = "floating";
    static constexpr FileWords kWords{.urdf = "floating", .mjcf = "free"};
    static constexpr CoordinateForms kForms{.pinocchio = CoordinateForm::kLinearFirst,
                                            .mujoco = CoordinateForm::kWorldLinear};
    static constexpr Anchor kAnchor = Anchor::kAnywhere;
    static constexpr int kNq = 7;
    static constexpr int kNv = 6;
    static constexpr bool kVelocityIsRate = false;
    static constexpr bool kHasQuaternion = true;
    static constexpr std::array kPositionSuffixes{".position.x",   ".position.y",   ".position.z",
                                                  ".quaternion.x", ".quaternion.y", ".quaternion.z",
                                                  ".quaternion.w"};
    static constexpr std::array kVelocitySuffixes{".angular.x", ".angular.y", ".angular.z",
                                                  ".linear.x",  ".linear.y",  ".linear.z"};
    static constexpr int kTurns = 3;
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

    // It moves along every coordinate: S is the identity.
    template <class S>
    struct Subspace {
        static constexpr bool kOneFreedom = false;
        static constexpr int dim() { return 6; }
        Motion<S> operator*(const S* x) const { return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}; }
        S transpose_times(int k, const Force<S>& f) const {
            return k < 3 ? entry(f.angular, k) : entry(f.linear, k - 3);
        }
        template <class AnyInertia>
        S inertia_scale(int k, const AnyInertia& I) const {
            return k < 3 ? detail::rotational_trace(I) : detail::linear_trace(I);
        }
        Force<S> inertia_times(int k, const ArticulatedInertia<S>& A) const {
            const Mat3<S> I = to_mat3(A.I);
            const Mat3<S> M = to_mat3(A.M);
            return k < 3 ? Force<S>{row(I, k), row(A.H, k)}
                         : Force<S>{row(transpose(A.H), k - 3), row(M, k - 3)};
        }
        Force<S> inertia_times(int k, const Inertia<S>& I) const {
            return inertia_times(k, ArticulatedInertia<S>(I));
        }
        Motion<S> apply_inverse_to(int k, const Transform<S>& X) const {
            if (k >= 3) return {{}, row(X.E, k - 3)};
            return {row(X.E, k), cross(X.r, row(X.E, k))};
        }
        PLUCKER_ALWAYS_INLINE void add_motion(const S* v, const S* a, TurningMotion<S>& m) const {
            detail::add_joint_motion(*this * v, *this * a, m);
        }

    private:
        // k is known when the loop over the six is unrolled.
        static const S& entry(const Vec3<S>& a, int k) { return k == 0 ? a.x : k == 1 ? a.y : a.z; }
        static const Vec3<S>& row(const Mat3<S>& a, int k) {
            return k == 0 ? a.x : k == 1 ? a.y : a.z;
        }
    };

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
