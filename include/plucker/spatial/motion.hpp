// Motion vectors, elements of M⁶: velocities, accelerations, joint axes.
//
// Plücker coordinates, angular part first: (ω; v_O), where v_O is the velocity of the body-fixed point
// that is passing the frame's origin O. Motion and Force are different types and cannot be added.
// [Featherstone, A Short Course on Spatial Vector Algebra]
#pragma once

#include "plucker/spatial/vec3.hpp"

namespace plucker {

template <class S>
struct Motion {
    Vec3<S> angular{};
    Vec3<S> linear{};

    friend constexpr bool operator==(const Motion&, const Motion&) = default;

    constexpr Motion& operator+=(const Motion& b) { return *this = *this + b; }
    constexpr Motion& operator-=(const Motion& b) { return *this = *this - b; }

    friend constexpr Motion operator-(const Motion& a) { return {-a.angular, -a.linear}; }
    friend constexpr Motion operator+(const Motion& a, const Motion& b) {
        return {a.angular + b.angular, a.linear + b.linear};
    }
    friend constexpr Motion operator-(const Motion& a, const Motion& b) {
        return {a.angular - b.angular, a.linear - b.linear};
    }
    friend constexpr Motion operator*(const S& s, const Motion& a) {
        return {s * a.angular, s * a.linear};
    }
    friend constexpr Motion operator*(const Motion& a, const S& s) { return s * a; }

    // v × m: the rate of change of a motion vector m that is fixed in a body moving with v.
    friend constexpr Motion cross(const Motion& v, const Motion& m) {
        return {cross(v.angular, m.angular),
                add_cross(cross(v.angular, m.linear), v.linear, m.angular)};
    }
};

// The derivative rule in moving coordinates: ds/dt, in the coordinates of a frame that moves with
// velocity v, from the componentwise rate of the coordinate vector s.
template <class S>
constexpr Motion<S> derivative_in_moving_frame(const Motion<S>& componentwise_rate,
                                               const Motion<S>& v, const Motion<S>& s) {
    return componentwise_rate + cross(v, s);
}

// Velocity of the body-fixed point that is passing `point` (in the vector's own frame).
template <class S>
constexpr Vec3<S> point_velocity(const Motion<S>& velocity, const Vec3<S>& point) {
    return add_cross(velocity.linear, velocity.angular, point);
}

// Classical acceleration r̈ of the body-fixed point that is passing `point`, from the spatial
// acceleration: r̈ = a_O + ω̇ × p + ω × ṙ, because the spatial acceleration is the rate of change of
// the stream velocity at a fixed place and lacks the term ω × ṙ.
template <class S>
constexpr Vec3<S> classical_point_acceleration(const Motion<S>& acceleration,
                                               const Motion<S>& velocity, const Vec3<S>& point) {
    return acceleration.linear + cross(acceleration.angular, point) +
           cross(velocity.angular, point_velocity(velocity, point));
}

template <class To, class From>
constexpr Motion<To> cast(const Motion<From>& a) {
    return {cast<To>(a.angular), cast<To>(a.linear)};
}

}  // namespace plucker
