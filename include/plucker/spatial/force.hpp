// Force vectors, elements of F⁶: forces, impulses, momenta.
//
// Plücker coordinates, angular part (couple) first: (n_O; f), where n_O is the moment about the
// frame's origin O. The product of a motion and a force is a scalar: power.
#pragma once

#include "plucker/spatial/motion.hpp"

namespace plucker {

template <class S>
struct Force {
    Vec3<S> angular{};
    Vec3<S> linear{};

    friend constexpr bool operator==(const Force&, const Force&) = default;

    constexpr Force& operator+=(const Force& b) { return *this = *this + b; }
    constexpr Force& operator-=(const Force& b) { return *this = *this - b; }

    friend constexpr Force operator-(const Force& a) { return {-a.angular, -a.linear}; }
    friend constexpr Force operator+(const Force& a, const Force& b) {
        return {a.angular + b.angular, a.linear + b.linear};
    }
    friend constexpr Force operator-(const Force& a, const Force& b) {
        return {a.angular - b.angular, a.linear - b.linear};
    }
    friend constexpr Force operator*(const S& s, const Force& a) {
        return {s * a.angular, s * a.linear};
    }
    friend constexpr Force operator*(const Force& a, const S& s) { return s * a; }

    // m · f: the power that a force delivers to a body with velocity m.
    friend constexpr S dot(const Motion<S>& m, const Force& f) {
        return dot(m.angular, f.angular) + dot(m.linear, f.linear);
    }
    friend constexpr S dot(const Force& f, const Motion<S>& m) { return dot(m, f); }

    // v ×* f: the rate of change of a force vector f that is fixed in a body moving with v.
    friend constexpr Force cross_force(const Motion<S>& v, const Force& f) {
        return {add_cross(cross(v.angular, f.angular), v.linear, f.linear),
                cross(v.angular, f.linear)};
    }
};

// The derivative rule in moving coordinates, for forces.
template <class S>
constexpr Force<S> derivative_in_moving_frame(const Force<S>& componentwise_rate,
                                              const Motion<S>& v, const Force<S>& f) {
    return componentwise_rate + cross_force(v, f);
}

// A linear force that acts along a line through `point`.
template <class S>
constexpr Force<S> force_at_point(const Vec3<S>& linear, const Vec3<S>& point) {
    return {cross(point, linear), linear};
}

template <class To, class From>
constexpr Force<To> cast(const Force<From>& a) {
    return {cast<To>(a.angular), cast<To>(a.linear)};
}

}  // namespace plucker
