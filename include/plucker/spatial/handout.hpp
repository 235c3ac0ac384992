// The other convention: "Forward Dynamics with Spatial Vectors", after Featherstone's book of 1987.
//
// There a spatial vector is one kind of thing, a line vector first and its moment second: a motion is
// (ω; v_O), a force is (f; n_O). Products go through the spatial transpose, (a; a₀)ˢ = [a₀ᵀ aᵀ]
// (eq. 41); inertia is the block matrix of eq. 39; external forces are given in world coordinates
// (eq. 15). This file converts; the library itself computes in M⁶ and F⁶.
#pragma once

#include "plucker/spatial/inertia.hpp"

namespace plucker::handout {

// (a; a₀): the handout's spatial vector, for motions and forces alike.
template <class S>
struct SpatialVector {
    Vec3<S> line{};
    Vec3<S> moment{};

    friend constexpr bool operator==(const SpatialVector&, const SpatialVector&) = default;
};

template <class S>
constexpr SpatialVector<S> from(const Motion<S>& m) {
    return {m.angular, m.linear};
}
template <class S>
constexpr SpatialVector<S> from(const Force<S>& f) {
    return {f.linear, f.angular};
}
template <class S>
constexpr Motion<S> to_motion(const SpatialVector<S>& a) {
    return {a.line, a.moment};
}
template <class S>
constexpr Force<S> to_force(const SpatialVector<S>& a) {
    return {a.moment, a.line};
}

// aˢ b, eq. 41: the scalar product of a motion and a force.
template <class S>
constexpr S spatial_transpose_times(const SpatialVector<S>& a, const SpatialVector<S>& b) {
    return dot(a.moment, b.line) + dot(a.line, b.moment);
}

// Eq. 40: one cross product serves both kinds, because line and moment are swapped in a force.
template <class S>
constexpr SpatialVector<S> cross(const SpatialVector<S>& a, const SpatialVector<S>& b) {
    return {cross(a.line, b.line), cross(a.line, b.moment) + cross(a.moment, b.line)};
}

// Eq. 38: R turns, then t translates; takes j's coordinates to k's. The same matrix serves motions and
// forces. In our terms R = E and t = -E r.
template <class S>
struct SpatialTransform {
    Mat3<S> R = Mat3<S>::identity();
    Vec3<S> t{};

    friend constexpr SpatialVector<S> operator*(const SpatialTransform& X,
                                                const SpatialVector<S>& a) {
        const Vec3<S> line = X.R * a.line;
        return {line, cross(X.t, line) + X.R * a.moment};
    }
};
template <class S>
constexpr SpatialTransform<S> from(const Transform<S>& X) {
    return {X.E, -(X.E * X.r)};
}
template <class S>
constexpr Transform<S> to_transform(const SpatialTransform<S>& X) {
    return {X.R, -transpose_times(X.R, X.t)};
}

// Eq. 39: Î = [ M c*ᵀ , M ; I* + c* M c*ᵀ , c* M ], as its four blocks.
template <class S>
struct SpatialInertia {
    Mat3<S> top_left{}, top_right{}, bottom_left{}, bottom_right{};

    friend constexpr SpatialVector<S> operator*(const SpatialInertia& I,
                                                const SpatialVector<S>& a) {
        return {I.top_left * a.line + I.top_right * a.moment,
                I.bottom_left * a.line + I.bottom_right * a.moment};
    }
};
template <class S>
constexpr SpatialInertia<S> from(const Inertia<S>& I) {
    const Mat3<S> h = skew(I.first_moment);
    return {transpose(h), I.mass * Mat3<S>::identity(), to_mat3(I.rotational), h};
}
template <class S>
constexpr Inertia<S> to_inertia(const SpatialInertia<S>& I) {
    const Mat3<S>& J = I.bottom_left;
    const Mat3<S>& h = I.bottom_right;
    return {I.top_right.x.x, {h.z.y, h.x.z, h.y.x}, {J.x.x, J.x.y, J.x.z, J.y.y, J.y.z, J.z.z}};
}

}  // namespace plucker::handout
