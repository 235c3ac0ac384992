// Articulated-body inertia: the apparent inertia of a body that carries others by joints.
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
        const ArticulatedInertia turned{rotate_back(X.E, A.I), rotate_back(X.E, A.H),
                                        rotate_back(X.E, A.M)};
        return shifted(turned, X.r);
    }

    // The same articulated body about another origin: A's, which lies at r, to that of r's coordinates.
    // H' = H + r× M,  I' = I + (r× Hᵀ)ᵀ + r× H'ᵀ.
    friend constexpr ArticulatedInertia shifted(const ArticulatedInertia& A, const Vec3<S>& r) {
        const SymMat3<S>& m = A.M;
        const Mat3<S>& h = A.H;
        const Mat3<S> K{{h.x.x + r.y * m.xz - r.z * m.xy, h.x.y + r.y * m.yz - r.z * m.yy,
                         h.x.z + r.y * m.zz - r.z * m.yz},
                        {h.y.x + r.z * m.xx - r.x * m.xz, h.y.y + r.z * m.xy - r.x * m.yz,
                         h.y.z + r.z * m.xz - r.x * m.zz},
                        {h.z.x + r.x * m.xy - r.y * m.xx, h.z.y + r.x * m.yy - r.y * m.xy,
                         h.z.z + r.x * m.yz - r.y * m.xz}};
        return {{A.I.xx + r.y * (h.x.z + K.x.z) - r.z * (h.x.y + K.x.y),
                 A.I.xy + r.z * h.x.x - r.x * h.x.z + r.y * K.y.z - r.z * K.y.y,
                 A.I.xz + r.x * h.x.y - r.y * h.x.x + r.y * K.z.z - r.z * K.z.y,
                 A.I.yy + r.z * (h.y.x + K.y.x) - r.x * (h.y.z + K.y.z),
                 A.I.yz + r.x * h.y.y - r.y * h.y.x + r.z * K.z.x - r.x * K.z.z,
                 A.I.zz + r.x * (h.z.y + K.z.y) - r.y * (h.z.x + K.z.x)},
                K,
                m};
    }

private:
    static constexpr SymMat3<S> upper_outer(const Vec3<S>& a, const Vec3<S>& b) {
        return {a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.y, a.y * b.z, a.z * b.z};
    }
};

// An articulated inertia that a motion about z does not feel: what is transmitted across a revolute joint.
// Its row and column of ω_z are zero, and 15 numbers are left.
template <class S>
struct HingedInertia {
    S xx, xy, yy;      // of I
    Vec3<S> H_x, H_y;  // rows of H
    SymMat3<S> M;

    // A - U Uᵀ/D, with U the column of ω_z in A.
    static constexpr HingedInertia of(const ArticulatedInertia<S>& A, const S& D_inv) {
        const S u_x = D_inv * A.I.xz, u_y = D_inv * A.I.yz;
        const Vec3<S>& h = A.H.z;
        const Vec3<S> u = D_inv * h;
        return {A.I.xx - u_x * A.I.xz,
                A.I.xy - u_x * A.I.yz,
                A.I.yy - u_y * A.I.yz,
                A.H.x - u_x * h,
                A.H.y - u_y * h,
                {A.M.xx - u.x * h.x, A.M.xy - u.x * h.y, A.M.xz - u.x * h.z, A.M.yy - u.y * h.y,
                 A.M.yz - u.y * h.z, A.M.zz - u.z * h.z}};
    }

    friend constexpr Force<S> operator*(const HingedInertia& A, const Motion<S>& m) {
        const auto& [w, v] = m;
        return {{A.xx * w.x + A.xy * w.y + dot(A.H_x, v), A.xy * w.x + A.yy * w.y + dot(A.H_y, v),
                 S(0)},
                w.x * A.H_x + w.y * A.H_y + A.M * v};
    }

    friend constexpr ArticulatedInertia<S> apply_inverse(const Transform<S>& X,
                                                         const HingedInertia& A) {
        const Mat3<S>& E = X.E;
        const Vec3<S> I_x = A.xx * E.x + A.xy * E.y;  // rows of I E and of H E
        const Vec3<S> I_y = A.xy * E.x + A.yy * E.y;
        const Vec3<S> h_x = transpose_times(E, A.H_x);
        const Vec3<S> h_y = transpose_times(E, A.H_y);
        const ArticulatedInertia<S> turned{
            {E.x.x * I_x.x + E.y.x * I_y.x, E.x.x * I_x.y + E.y.x * I_y.y,
             E.x.x * I_x.z + E.y.x * I_y.z, E.x.y * I_x.y + E.y.y * I_y.y,
             E.x.y * I_x.z + E.y.y * I_y.z, E.x.z * I_x.z + E.y.z * I_y.z},
            {E.x.x * h_x + E.y.x * h_y, E.x.y * h_x + E.y.y * h_y, E.x.z * h_x + E.y.z * h_y},
            rotate_back(E, A.M)};
        return shifted(turned, X.r);
    }
};

}  // namespace plucker
