// A frame's pose in the usual form: its position and orientation in another frame.
#pragma once

#include "plucker/spatial/transform.hpp"

namespace plucker {

// `rotation` takes the frame's own coordinates to the reference's; `position` is its origin there.
template <class S>
struct Pose {
    Mat3<S> rotation = Mat3<S>::identity();
    Vec3<S> position{};

    friend constexpr bool operator==(const Pose&, const Pose&) = default;

    static constexpr Pose translation(const S& x, const S& y, const S& z) {
        return {Mat3<S>::identity(), {x, y, z}};
    }
    // Fixed-axis roll, pitch, yaw: rotation = Rz(yaw) Ry(pitch) Rx(roll), as in URDF.
    static Pose roll_pitch_yaw(const Vec3<S>& position, const Vec3<S>& rpy) {
        return {transpose(rotation_x(sin_cos(rpy.x)) * rotation_y(sin_cos(rpy.y)) *
                          rotation_z(sin_cos(rpy.z))),
                position};
    }

    friend constexpr Pose operator*(const Pose& a, const Pose& b) {
        return {a.rotation * b.rotation, a.position + a.rotation * b.position};
    }
    friend constexpr Vec3<S> operator*(const Pose& a, const Vec3<S>& point) {
        return a.position + a.rotation * point;
    }
    friend constexpr Pose inverse(const Pose& a) {
        return {transpose(a.rotation), -transpose_times(a.rotation, a.position)};
    }
};

// The coordinate transform from the reference frame to the posed frame, and back.
template <class S>
constexpr Transform<S> to_transform(const Pose<S>& pose) {
    return {transpose(pose.rotation), pose.position};
}
template <class S>
constexpr Pose<S> to_pose(const Transform<S>& X) {
    return {transpose(X.E), X.r};
}

// Roll, pitch, yaw with R = Rz(yaw) Ry(pitch) Rx(roll). Near a pitch of a quarter turn the first and the last turn
// about the same axis; roll is what is left once yaw is undone, so that what yaw loses to rounding is not lost.
inline Vec3<double> roll_pitch_yaw_of(const Mat3<double>& R) {
    const double yaw = std::atan2(R.y.x, R.x.x);
    const double s = std::sin(yaw), c = std::cos(yaw);
    return {std::atan2(s * R.x.z - c * R.y.z, c * R.y.y - s * R.x.y),
            std::atan2(-R.z.x, std::hypot(R.x.x, R.y.x)), yaw};
}

template <class To, class From>
constexpr Pose<To> cast(const Pose<From>& a) {
    return {cast<To>(a.rotation), cast<To>(a.position)};
}

}  // namespace plucker
