// Rigid-body inertia: a map from M⁶ to F⁶, velocity to momentum.
//
//     I_O = [ Ī     h×  ]     h = m c,   Ī = I_C - m c× c×
//           [ -h×   m 1 ]
//
// Ten numbers: mass m, first moment h, rotational inertia Ī about the frame's origin.
#pragma once

#include "plucker/spatial/transform.hpp"

namespace plucker {

template <class S>
struct Inertia {
    S mass{};
    Vec3<S> first_moment{};   // h = m c
    SymMat3<S> rotational{};  // Ī, about the origin

    friend constexpr bool operator==(const Inertia&, const Inertia&) = default;

    // From mass, centre of mass, and rotational inertia about the centre of mass.
    static constexpr Inertia from_center_of_mass(const S& mass, const Vec3<S>& center,
                                                 const SymMat3<S>& about_center) {
        return {mass, mass * center, about_center + mass * point_inertia(center)};
    }
    static constexpr Inertia point_mass(const S& mass, const Vec3<S>& position) {
        return from_center_of_mass(mass, position, {});
    }

    // Two bodies joined together.
    constexpr Inertia& operator+=(const Inertia& b) { return *this = *this + b; }
    friend constexpr Inertia operator+(const Inertia& a, const Inertia& b) {
        return {a.mass + b.mass, a.first_moment + b.first_moment, a.rotational + b.rotational};
    }

    // Momentum I v (or the inertial part I a of the equation of motion).
    friend constexpr Force<S> operator*(const Inertia& I, const Motion<S>& v) {
        return {add_cross(I.rotational * v.angular, I.first_moment, v.linear),
                I.mass * v.linear - cross(I.first_moment, v.angular)};
    }

    // ᴬX*_B I_B ᴮX_A: a body's inertia from B's coordinates to A's.
    friend constexpr Inertia apply_inverse(const Transform<S>& X, const Inertia& I) {
        const Vec3<S> h = transpose_times(X.E, I.first_moment);
        const SymMat3<S> J = rotate_back(X.E, I.rotational);
        // -(r× h×) - (h× r×) - m r× r× = 2 (r·k) 1 - r kᵀ - k rᵀ with k = h + m r/2, as a× b× = b aᵀ - (a·b) 1
        const Vec3<S>& r = X.r;
        const Vec3<S> k = h + (S(0.5) * I.mass) * r;
        const Vec3<S> d = r + r;
        return {I.mass,
                h + I.mass * r,
                {J.xx + d.y * k.y + d.z * k.z, J.xy - r.x * k.y - r.y * k.x,
                 J.xz - r.x * k.z - r.z * k.x, J.yy + d.x * k.x + d.z * k.z,
                 J.yz - r.y * k.z - r.z * k.y, J.zz + d.x * k.x + d.y * k.y}};
    }
    // ᴮX*_A I_A ᴬX_B: from A's coordinates to B's.
    friend constexpr Inertia operator*(const Transform<S>& X, const Inertia& I) {
        return apply_inverse(inverse(X), I);
    }
};

// The equation of motion: the net force f = d(Iv)/dt = I a + v ×* I v.
template <class S>
constexpr Force<S> equation_of_motion(const Inertia<S>& I, const Motion<S>& a, const Motion<S>& v) {
    return I * a + cross_force(v, I * v);
}

template <class S>
constexpr S energy_of_motion(const Inertia<S>& I, const Motion<S>& v) {
    return S(0.5) * dot(v, I * v);
}

// İ = v ×* I - I v×: the rate, in fixed coordinates, of the inertia of a body that moves with v. A
// rate of inertia has the layout of an inertia: zero mass, ḣ, and the rate of Ī.
template <class S>
constexpr Inertia<S> inertia_rate(const Inertia<S>& I, const Motion<S>& v) {
    const Vec3<S>& w = v.angular;
    const SymMat3<S>& J = I.rotational;
    // ω×Ī - Ī ω× is symmetric; so is -(v× h×) - (h× v×) = 2 (v·h) 1 - v hᵀ - h vᵀ.
    const SymMat3<S> turning{S(2) * (w.y * J.xz - w.z * J.xy),
                             w.y * J.yz - w.z * J.yy + w.z * J.xx - w.x * J.xz,
                             w.y * J.zz - w.z * J.yz + w.x * J.xy - w.y * J.xx,
                             S(2) * (w.z * J.xy - w.x * J.yz),
                             w.z * J.xz - w.x * J.zz + w.x * J.yy - w.y * J.xy,
                             S(2) * (w.x * J.yz - w.y * J.xz)};
    const S d = S(2) * dot(v.linear, I.first_moment);
    return {S(0), I.mass * v.linear + cross(w, I.first_moment),
            turning + SymMat3<S>::diagonal(d, d, d) - symmetric_outer(v.linear, I.first_moment)};
}

template <class To, class From>
constexpr Inertia<To> cast(const Inertia<From>& I) {
    return {static_cast<To>(I.mass), cast<To>(I.first_moment), cast<To>(I.rotational)};
}

}  // namespace plucker
