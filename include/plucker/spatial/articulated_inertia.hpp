// Articulated-body inertia: the inertia that a body appears to have when others hang on it by joints.
//
//     I^A = [ I   H ]     I and M symmetric, H general: 21 numbers.
//           [ Hᵀ  M ]
#pragma once

#include "plucker/spatial/inertia.hpp"

namespace plucker {

template <class S>
struct ArticulatedInertia {
    SymMat3<S> I{};
    Mat3<S> H{};
    SymMat3<S> M{};

    friend constexpr bool operator==(const ArticulatedInertia&,
                                     const ArticulatedInertia&) = default;

    constexpr ArticulatedInertia() = default;
    constexpr ArticulatedInertia(const SymMat3<S>& I_, const Mat3<S>& H_, const SymMat3<S>& M_)
        : I(I_), H(H_), M(M_) {}
    // A rigid body is an articulated body with nothing hanging on it.
    constexpr explicit ArticulatedInertia(const Inertia<S>& rigid)
        : I(rigid.rotational),
          H(skew(rigid.first_moment)),
          M(SymMat3<S>::diagonal(rigid.mass, rigid.mass, rigid.mass)) {}

    constexpr ArticulatedInertia& operator+=(const ArticulatedInertia& b) {
        return *this = *this + b;
    }
    friend constexpr ArticulatedInertia operator+(const ArticulatedInertia& a,
                                                  const ArticulatedInertia& b) {
        return {a.I + b.I, a.H + b.H, a.M + b.M};
    }

    friend constexpr Force<S> operator*(const ArticulatedInertia& A, const Motion<S>& m) {
        return {A.I * m.angular + A.H * m.linear, transpose_times(A.H, m.angular) + A.M * m.linear};
    }

    // I^A - u wᵀ for forces u, w with u wᵀ symmetric (w is a multiple of u).
    friend constexpr ArticulatedInertia subtract_outer(const ArticulatedInertia& A,
                                                       const Force<S>& u, const Force<S>& w) {
        return {A.I - upper_outer(u.angular, w.angular), A.H - outer(u.angular, w.linear),
                A.M - upper_outer(u.linear, w.linear)};
    }

    // ᴬX*_B I^A_B ᴮX_A.
    friend constexpr ArticulatedInertia apply_inverse(const Transform<S>& X,
                                                      const ArticulatedInertia& A) {
        const SymMat3<S> turned_M = rotate_back(X.E, A.M);
        const Mat3<S> turned_H = rotate_back(X.E, A.H);
        const Mat3<S> shifted_H = turned_H + skew(X.r) * to_mat3(turned_M);
        // I + (r× Hᵀ)ᵀ + r× (H + r× M)ᵀ
        const Mat3<S> K =
            transpose(skew(X.r) * transpose(turned_H)) + skew(X.r) * transpose(shifted_H);
        return {rotate_back(X.E, A.I) + SymMat3<S>{K.x.x, K.x.y, K.x.z, K.y.y, K.y.z, K.z.z},
                shifted_H, turned_M};
    }

private:
    static constexpr SymMat3<S> upper_outer(const Vec3<S>& a, const Vec3<S>& b) {
        return {a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.y, a.y * b.z, a.z * b.z};
    }
};

}  // namespace plucker
