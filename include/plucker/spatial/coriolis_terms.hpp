// The velocity-dependent part B of a body's share in the Coriolis matrix,
//
//     C = Σ_i J_iᵀ (I_i J̇_i + B_i J_i),    with B v = v ×* I v,
//
// all in one set of fixed coordinates, where the terms of a subtree simply add. The equation of motion
// fixes B v only; each choice of B gives another factorisation C of the same Coriolis forces. Both below
// have B + Bᵀ = İ, so that Ṁ - 2C is skew-symmetric.
#pragma once

#include "plucker/spatial/inertia.hpp"

namespace plucker {

// B = v ×* I, the choice of the Modified Newton–Euler algorithm (Supplement, Table IV, line 10).
//
//     v ×* I = [ ω×Ī - v×h×    ω×h× + m v× ]  =  [ T    K + p× ]
//              [ -ω×h×         m ω×        ]     [ -K   w×     ]
template <class S>
struct NewtonEulerTerm {
    Mat3<S> T{}, K{};
    Vec3<S> p{}, w{};

    static constexpr NewtonEulerTerm of(const Inertia<S>& I, const Motion<S>& v) {
        const Vec3<S>& h = I.first_moment;
        return {skew(v.angular) * to_mat3(I.rotational) - double_cross(v.linear, h),
                double_cross(v.angular, h), I.mass * v.linear, I.mass * v.angular};
    }
    constexpr NewtonEulerTerm& operator+=(const NewtonEulerTerm& b) {
        T += b.T;
        K += b.K;
        p += b.p;
        w += b.w;
        return *this;
    }
    friend constexpr Force<S> operator*(const NewtonEulerTerm& B, const Motion<S>& m) {
        return {B.T * m.angular + B.K * m.linear + cross(B.p, m.linear),
                cross(B.w, m.linear) - B.K * m.angular};
    }
    friend constexpr Force<S> transpose_times(const NewtonEulerTerm& B, const Motion<S>& m) {
        return {transpose_times(B.T, m.angular) - transpose_times(B.K, m.linear),
                transpose_times(B.K, m.angular) - cross(B.p, m.angular) - cross(B.w, m.linear)};
    }

private:
    // a× b× = b aᵀ - (a·b) 1.
    static constexpr Mat3<S> double_cross(const Vec3<S>& a, const Vec3<S>& b) {
        return outer(b, a) - dot(a, b) * Mat3<S>::identity();
    }
};

// B = ½ (v ×* I - I v× + (I v) ×̄*), where f ×̄* m = m ×* f: the choice that makes C the Christoffel
// factorisation [Echeandia and Wensing, Numerical Methods to Compute the Coriolis Matrix and Christoffel
// Symbols for Rigid-Body Systems, 2021]. Multiplied out, with (n; f) = I v the momentum, all but two
// blocks vanish, and twelve numbers are left:
//
//     B = [ ½ (dĪ/dt - n×)   0 ]
//         [ -f×              0 ]
template <class S>
struct ChristoffelTerm {
    SymMat3<S> rate{};
    Force<S> momentum{};

    static constexpr ChristoffelTerm of(const Inertia<S>& I, const Motion<S>& v) {
        return {inertia_rate(I, v).rotational, I * v};
    }
    constexpr ChristoffelTerm& operator+=(const ChristoffelTerm& b) {
        rate += b.rate;
        momentum += b.momentum;
        return *this;
    }
    friend constexpr Force<S> operator*(const ChristoffelTerm& B, const Motion<S>& m) {
        return {S(0.5) * (B.rate * m.angular - cross(B.momentum.angular, m.angular)),
                -cross(B.momentum.linear, m.angular)};
    }
    friend constexpr Force<S> transpose_times(const ChristoffelTerm& B, const Motion<S>& m) {
        return {S(0.5) * (B.rate * m.angular + cross(B.momentum.angular, m.angular)) +
                    cross(B.momentum.linear, m.linear),
                {}};
    }
    // 2B m and 2Bᵀ m.
    friend constexpr Force<S> twice(const ChristoffelTerm& B, const Motion<S>& m) {
        const Vec3<S> f = cross(B.momentum.linear, m.angular);
        return {B.rate * m.angular - cross(B.momentum.angular, m.angular), -(f + f)};
    }
    friend constexpr Force<S> twice_transposed(const ChristoffelTerm& B, const Motion<S>& m) {
        const Vec3<S> n = cross(B.momentum.linear, m.linear);
        return {B.rate * m.angular + cross(B.momentum.angular, m.angular) + (n + n), {}};
    }
};

}  // namespace plucker
