// Motion subspaces as the algorithms use them: S x, Sᵀ f, I S and the like, column by column.
//
// A type of joint that moves along few coordinates has a `Subspace` of its own, in its file, whose products cost what
// those coordinates cost. Every other one is a list of columns, below, which says what such a class must offer.
#pragma once

#include "plucker/spatial/articulated_inertia.hpp"
#include "plucker/spatial/axis_motion.hpp"
#include "plucker/spatial/turning.hpp"

namespace plucker::detail {

// The size of the numbers that sᵀ I s is a sum of, for an axis s: far below it there is only rounding.
template <class S>
S rotational_trace(const Inertia<S>& I) {
    return I.rotational.xx + I.rotational.yy + I.rotational.zz;
}
template <class S>
S linear_trace(const Inertia<S>& I) {
    return I.mass;
}
template <class S>
S rotational_trace(const ArticulatedInertia<S>& A) {
    return A.I.xx + A.I.yy + A.I.zz;
}
template <class S>
S linear_trace(const ArticulatedInertia<S>& A) {
    return A.M.xx + A.M.yy + A.M.zz;
}
template <class S, class AnyInertia>
S axis_inertia_scale(const Motion<S>& axis, const AnyInertia& I) {
    return squared_norm(axis.angular) * rotational_trace(I) +
           squared_norm(axis.linear) * linear_trace(I);
}

// Adds a joint's motion to its parent's, which is given in the body's coordinates: with v_J = S q̇ = (ω_J; u_J)
// and s = S q̈ + Ṡ q̇,  α += s.ω + ω × ω_J,  a += s.v + (2 ω + ω_J) × u_J,  ω += ω_J.
template <class S>
PLUCKER_ALWAYS_INLINE void add_joint_motion(const Motion<S>& v_J, const Motion<S>& s,
                                            TurningMotion<S>& m) {
    m.alpha += s.angular + cross(m.w, v_J.angular);
    m.a += s.linear + cross(S(2) * m.w + v_J.angular, v_J.linear);
    m.w += v_J.angular;
}

// Any subspace. The columns, and their rates where they vary, stand in the workspace.
template <class S>
struct ColumnSubspace {
    static constexpr bool kOneFreedom =
        false;  // whether D = Sᵀ I S is one number, known at compile time
    const Motion<S>* columns;
    const Motion<S>* rates;
    int n;

    int dim() const { return n; }
    // S x; a class of its own may return a motion of its own, which adds to a Motion.
    Motion<S> operator*(const S* x) const { return sum(columns, x); }
    // Ṡ x; left out where it is zero.
    Motion<S> rate_times(const S* x) const { return sum(rates, x); }
    // S_kᵀ f.
    S transpose_times(int k, const Force<S>& f) const { return dot(columns[k], f); }
    // The size of the terms of S_kᵀ I S_k.
    template <class AnyInertia>
    S inertia_scale(int k, const AnyInertia& I) const {
        return axis_inertia_scale(columns[k], I);
    }
    // I S_k.
    template <template <class> class AnyInertia>
    Force<S> inertia_times(int k, const AnyInertia<S>& I) const {
        return I * columns[k];
    }
    // ᴬX_B S_k for X = ᴮX_A.
    Motion<S> apply_inverse_to(int k, const Transform<S>& X) const {
        return apply_inverse(X, columns[k]);
    }
    // See add_joint_motion.
    PLUCKER_ALWAYS_INLINE void add_motion(const S* v, const S* a, TurningMotion<S>& m) const {
        add_joint_motion(*this * v, *this * a + rate_times(v), m);
    }

private:
    Motion<S> sum(const Motion<S>* m, const S* x) const {
        Motion<S> total{};
        for (int k = 0; k < n; ++k) total += x[k] * m[k];
        return total;
    }
};

}  // namespace plucker::detail
