// A revolute joint about z: q is the angle. A continuous joint is the same without limits.
#pragma once

#include <array>

#include "plucker/joints/axes.hpp"
#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"
#include "plucker/joints/subspace_products.hpp"
#include "plucker/joints/words.hpp"

namespace plucker {

struct RevoluteJoint : Euclidean<1>, AxisAlongZ, ConstantSubspace {
    static constexpr JointType kType = JointType::kRevolute;
    static constexpr const char* kName = "revolute";
    static constexpr FileWords kWords{
        .urdf = "revolute", .sdf = "revolute", .mjcf = "hinge", .unlimited = "continuous"};
    static constexpr CoordinateForms kForms{.pinocchio_unlimited = CoordinateForm::kCosSin};
    static constexpr Anchor kAnchor = Anchor::kOnAxis;
    static constexpr std::array kVelocitySuffixes{""};
    static constexpr int kTurns = 1;
    static constexpr int kAngles = 1;
    static constexpr int kFirstAngle = 0;  // where the angles start in q

    // rotation_z(q) X_tree, of which only two rows of E are new.
    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S*, const SinCos<S>* angle) {
        const Mat3<S> E = cast<S>(body.X_tree.E);
        return {{angle->cos * E.x + angle->sin * E.y, angle->cos * E.y - angle->sin * E.x, E.z},
                cast<S>(body.X_tree.r)};
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>*, Motion<S>* column) {
        column[0] = {{S(0), S(0), S(1)}, {}};
    }

    // It touches one coordinate, ω_z.
    template <class S>
    struct Subspace {
        static constexpr bool kOneFreedom = true;
        static constexpr int dim() { return 1; }
        AngularZ<S> operator*(const S* x) const { return {x[0]}; }
        S transpose_times(int, const Force<S>& f) const { return f.angular.z; }
        template <class AnyInertia>
        S inertia_scale(int, const AnyInertia& I) const {
            return detail::rotational_trace(I);
        }
        Force<S> inertia_times(int, const ArticulatedInertia<S>& A) const {
            return {{A.I.xz, A.I.yz, A.I.zz}, A.H.z};
        }
        Force<S> inertia_times(int, const Inertia<S>& I) const {
            return {{I.rotational.xz, I.rotational.yz, I.rotational.zz},
                    {-I.first_moment.y, I.first_moment.x, S(0)}};
        }
        Motion<S> apply_inverse_to(int, const Transform<S>& X) const {
            return {X.E.z, cross(X.r, X.E.z)};
        }
        PLUCKER_ALWAYS_INLINE void add_motion(const S* v, const S* a, TurningMotion<S>& m) const {
            m.alpha = {m.alpha.x + m.w.y * v[0], m.alpha.y - m.w.x * v[0], m.alpha.z + a[0]};
            m.w.z += v[0];
        }
        // I^A - U D⁻¹ Uᵀ where D = Sᵀ I^A S: without a rotor, a hinge transmits nothing about its axis.
        HingedInertia<S> transmitted_without_rotor(const ArticulatedInertia<S>& A,
                                                   const S& D_inv) const {
            return HingedInertia<S>::of(A, D_inv);
        }
    };
};

}  // namespace plucker
