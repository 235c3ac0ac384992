// The motion of a rotating body in Newton–Euler form, about the body's own origin: angular velocity ω,
// angular acceleration α, and the classical acceleration a of the origin. A point at p accelerates with
//
//     a + Ω p,    Ω = α× + ω× ω×,
//
// so the forces of a body need no linear velocity. For forces this is cheaper than spatial accelerations, and
// says the same: a = (spatial a).linear + ω × v.
#pragma once

#include "plucker/spatial/inertia.hpp"

namespace plucker {

// Ω = α× + ω× ω×.
template <class S>
constexpr Mat3<S> turning_acceleration(const Vec3<S>& w, const Vec3<S>& alpha) {
    const S xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
    const S xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
    return {{-(yy + zz), xy - alpha.z, xz + alpha.y},
            {xy + alpha.z, -(xx + zz), yz - alpha.x},
            {xz - alpha.y, yz + alpha.x, -(xx + yy)}};
}

template <class S>
struct TurningMotion {
    Vec3<S> w{}, alpha{}, a{};
};

// The net force that gives a body this motion: f = m a + Ω h, n = Ī α + ω × Ī ω + h × a.
template <class S>
constexpr Force<S> equation_of_motion(const Inertia<S>& I, const TurningMotion<S>& motion) {
    const auto& [w, alpha, a] = motion;
    return {add_cross(add_cross(I.rotational * alpha, w, I.rotational * w), I.first_moment, a),
            I.mass * a + turning_acceleration(w, alpha) * I.first_moment};
}

}  // namespace plucker
