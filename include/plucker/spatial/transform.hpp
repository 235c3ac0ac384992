// Plücker coordinate transforms ᴮX_A.
//
// ᴮX_A takes motion vectors from A's coordinates to B's, and its companion ᴮX*_A takes force vectors.
// Both are held as (E, r): E rotates A's coordinates to B's, r is the position of B's origin in A.
//
//     ᴮX_A  = [ E       0 ]      ᴮX*_A = (ᴮX_A)⁻ᵀ = [ E  -E r× ]
//             [ -E r×   E ]                         [ 0   E    ]
//
// `X * m` and `X * f` pick the right one from the type. Code names read like the symbol:
// `X_child_parent` takes parent coordinates to child coordinates.
#pragma once

#include <limits>

#include "plucker/spatial/force.hpp"
#include "plucker/spatial/mat3.hpp"
#include "plucker/spatial/motion.hpp"

namespace plucker {

template <class S>
struct Transform {
    Mat3<S> E = Mat3<S>::identity();
    Vec3<S> r{};

    friend constexpr bool operator==(const Transform&, const Transform&) = default;

    static constexpr Transform identity() { return {}; }
    static constexpr Transform rotation(const Mat3<S>& E) { return {E, {}}; }
    static constexpr Transform translation(const Vec3<S>& r) { return {Mat3<S>::identity(), r}; }

    // ᴮX_A m and ᴮX*_A f.
    friend constexpr Motion<S> operator*(const Transform& X, const Motion<S>& m) {
        return {X.E * m.angular, X.E * subtract_cross(m.linear, X.r, m.angular)};
    }
    friend constexpr Force<S> operator*(const Transform& X, const Force<S>& f) {
        return {X.E * subtract_cross(f.angular, X.r, f.linear), X.E * f.linear};
    }

    // ᴬX_B m and ᴬX*_B f, without forming the inverse.
    friend constexpr Motion<S> apply_inverse(const Transform& X, const Motion<S>& m) {
        const Vec3<S> angular = transpose_times(X.E, m.angular);
        return {angular, add_cross(transpose_times(X.E, m.linear), X.r, angular)};
    }
    friend constexpr Force<S> apply_inverse(const Transform& X, const Force<S>& f) {
        const Vec3<S> linear = transpose_times(X.E, f.linear);
        return {add_cross(transpose_times(X.E, f.angular), X.r, linear), linear};
    }

    // ᶜX_B ᴮX_A = ᶜX_A.
    friend constexpr Transform operator*(const Transform& X_CB, const Transform& X_BA) {
        return {X_CB.E * X_BA.E, add_transpose_times(X_BA.r, X_BA.E, X_CB.r)};
    }
    friend constexpr Transform inverse(const Transform& X) {
        return {transpose(X.E), -(X.E * X.r)};
    }

    // A point's position in A's coordinates ↦ in B's, and back.
    friend constexpr Vec3<S> transform_point(const Transform& X, const Vec3<S>& p) {
        return X.E * (p - X.r);
    }
    friend constexpr Vec3<S> inverse_transform_point(const Transform& X, const Vec3<S>& p) {
        return X.r + transpose_times(X.E, p);
    }
};

// Coordinate rotations: E for a frame B that is turned from A by an angle about an axis.
template <class S>
constexpr Mat3<S> rotation_x(const SinCos<S>& q) {
    return {{S(1), S(0), S(0)}, {S(0), q.cos, q.sin}, {S(0), -q.sin, q.cos}};
}
template <class S>
constexpr Mat3<S> rotation_y(const SinCos<S>& q) {
    return {{q.cos, S(0), -q.sin}, {S(0), S(1), S(0)}, {q.sin, S(0), q.cos}};
}
template <class S>
constexpr Mat3<S> rotation_z(const SinCos<S>& q) {
    return {{q.cos, q.sin, S(0)}, {-q.sin, q.cos, S(0)}, {S(0), S(0), S(1)}};
}

// A rotation in a narrower type is one to that type's precision only. Going to a wider type, one step of
// Newton's iteration, E (3 - EᵀE)/2, makes it a rotation to the new precision.
template <class To, class From>
constexpr Transform<To> cast(const Transform<From>& X) {
    Transform<To> out{cast<To>(X.E), cast<To>(X.r)};
    if constexpr (std::numeric_limits<ParameterOf<To>>::digits >
                      std::numeric_limits<From>::digits &&
                  std::numeric_limits<From>::digits > 0) {
        out.E = To(1.5) * out.E - To(0.5) * (out.E * (transpose(out.E) * out.E));
    }
    return out;
}

}  // namespace plucker
