// Axes, and the canonical frame that a joint's formulas are written in.
//
// `joint` is a JointDescription (see model/description.hpp), of which each type reads what it needs. Its axes are finite
// and not zero when these functions are called.
#pragma once

#include "plucker/spatial/mat3.hpp"

namespace plucker {
namespace detail {

// A rotation that takes z to the unit vector a: the smallest one for a.z ≥ 0, and otherwise half a turn
// about x followed by the smallest one. Exact for the coordinate axes.
inline Mat3<double> rotation_from_z_to(const Vec3<double>& a) {
    if (a.z < 0) {
        constexpr Mat3<double> half_turn_about_x{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
        return rotation_from_z_to(-a) * half_turn_about_x;
    }
    const double k = 1.0 / (1.0 + a.z);
    return {{1 - k * a.x * a.x, -k * a.x * a.y, a.x},
            {-k * a.x * a.y, 1 - k * a.y * a.y, a.y},
            {-a.x, -a.y, 1 - k * (a.x * a.x + a.y * a.y)}};
}

// Removes the rounding of a rotation that came from a file.
inline Mat3<double> orthonormalized(const Mat3<double>& R) {
    const Vec3<double> x = (1.0 / norm(R.x)) * R.x;
    const Vec3<double> y_raw = R.y - dot(x, R.y) * x;
    const Vec3<double> y = (1.0 / norm(y_raw)) * y_raw;
    return {x, y, cross(x, y)};
}

}  // namespace detail

// The canonical frame is the joint's as described.
struct NoAxis {
    static constexpr int kAxes = 0;

    template <class Description>
    static Mat3<double> canonical_rotation(const Description&) {
        return Mat3<double>::identity();
    }
    template <class Description, class Complain>
    static void check(const Description&, const Complain&) {}
};

// The canonical frame has its z along the axis.
struct AxisAlongZ {
    static constexpr int kAxes = 1;

    // From the canonical frame to the joint's as described.
    template <class Description>
    static Mat3<double> canonical_rotation(const Description& joint) {
        return detail::rotation_from_z_to((1.0 / norm(joint.axis)) * joint.axis);
    }
    // Calls complain(parts of a message…) for numbers that this type of joint cannot have.
    template <class Description, class Complain>
    static void check(const Description&, const Complain&) {}
};

}  // namespace plucker
