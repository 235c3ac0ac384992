// Unit quaternions x y z w and the exponential map: how spherical, planar and floating joints rotate.
//
// The quaternion of a frame B in A rotates B's coordinates to A's. Small-angle limits are selected,
// not branched to, so that derivatives and lanes pass through them.
#pragma once

#include <cmath>

#include "plucker/spatial/transform.hpp"

namespace plucker {

template <class S>
struct Quaternion {
    S x{}, y{}, z{}, w = S(1);

    friend constexpr bool operator==(const Quaternion&, const Quaternion&) = default;

    friend constexpr Quaternion operator*(const Quaternion& a, const Quaternion& b) {
        return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    }
    friend constexpr Quaternion conjugate(const Quaternion& a) { return {-a.x, -a.y, -a.z, a.w}; }
    friend constexpr S squared_norm(const Quaternion& a) {
        return a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w;
    }
    friend Quaternion normalized(const Quaternion& a) {
        using std::sqrt;
        const S scale = S(1) / sqrt(squared_norm(a));
        return {scale * a.x, scale * a.y, scale * a.z, scale * a.w};
    }
};

// The coordinate rotation E (A's coordinates to B's) of a frame B with attitude q in A. Divides by the
// squared norm: a quaternion that has drifted from unit length still gives a rotation.
template <class S>
constexpr Mat3<S> coordinate_rotation(const Quaternion<S>& q) {
    const S s = S(2) / squared_norm(q);
    const S xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
    const S xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
    const S wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
    return {{S(1) - (yy + zz), xy + wz, xz - wy},
            {xy - wz, S(1) - (xx + zz), yz + wx},
            {xz + wy, yz - wx, S(1) - (xx + yy)}};
}

// Its inverse: a quaternion of the attitude that has the coordinate rotation E, in one of four ways, each of which is
// 4 q times the component of q that it starts from: the largest is not near zero. It has any length, and either sign.
template <class S>
constexpr Quaternion<S> attitude_of(const Mat3<S>& E) {
    const S x = S(1) + E.x.x - E.y.y - E.z.z, y = S(1) - E.x.x + E.y.y - E.z.z;
    const S z = S(1) - E.x.x - E.y.y + E.z.z, w = S(1) + E.x.x + E.y.y + E.z.z;
    const S wx = E.y.z - E.z.y, wy = E.z.x - E.x.z, wz = E.x.y - E.y.x;
    const S xy = E.x.y + E.y.x, xz = E.x.z + E.z.x, yz = E.y.z + E.z.y;
    const auto x_before_y = x > y;
    const auto z_before_w = z > w;
    const S larger_of_xy = select(x_before_y, x, y), larger_of_zw = select(z_before_w, z, w);
    const auto from_xy = larger_of_xy > larger_of_zw;
    const auto pick = [&](const S& if_x, const S& if_y, const S& if_z, const S& if_w) {
        return select(from_xy, select(x_before_y, if_x, if_y), select(z_before_w, if_z, if_w));
    };
    return {pick(x, xy, xz, wx), pick(xy, y, yz, wy), pick(xz, yz, z, wz), pick(wx, wy, wz, w)};
}

namespace detail {

// sin(θ)/θ, (1 - cos θ)/θ² and (θ - sin θ)/θ³ as functions of θ². Below θ² = 0.01 by their series,
// whose first neglected terms are under 1e-22 there.
template <class S>
struct AngleRatios {
    S sinc, versine, cubic;
};
template <class S>
AngleRatios<S> angle_ratios(const S& t2) {
    using std::sqrt;
    const auto small = t2 < S(0.01);
    const S safe = select(small, S(1), t2);
    const S t = sqrt(safe);
    // By half angles: 1 - cos θ = 2 sin²(θ/2) does not cancel.
    const auto [sin_half, cos_half] = sin_cos(S(0.5) * t);
    const S s = S(2) * sin_half * cos_half;
    // 1/n! (1 - t²/((n+1)(n+2)) (1 - t²/((n+3)(n+4)) (1 - …))), the series that starts at the n-th term.
    const auto series = [&](int n, const S& leading) {
        S sum = S(1);
        for (int k = n + 11; k > n; k -= 2) sum = S(1) - t2 * sum / S(k * (k + 1));
        return sum * leading;
    };
    return {select(small, series(1, S(1)), s / t),
            select(small, series(2, S(1) / S(2)), S(2) * sin_half * sin_half / safe),
            select(small, series(3, S(1) / S(6)), (t - s) / (safe * t))};
}

}  // namespace detail

// exp: the quaternion of a rotation by |θ| about θ.
template <class S>
Quaternion<S> exponential(const Vec3<S>& theta) {
    const S quarter = S(0.25) * squared_norm(theta);  // (θ/2)²
    const auto ratio = detail::angle_ratios(quarter);
    const S half_sinc = S(0.5) * ratio.sinc;
    // cos(θ/2) = 1 - (θ/2)² (1 - cos(θ/2))/(θ/2)²
    return {half_sinc * theta.x, half_sinc * theta.y, half_sinc * theta.z,
            S(1) - quarter * ratio.versine};
}

// log: the rotation vector of q, with angle in [0, π]. q may have any length.
template <class S>
Vec3<S> logarithm(const Quaternion<S>& q) {
    using std::atan2;
    using std::sqrt;
    const S flip = select(q.w < S(0), S(-1), S(1));  // q and -q are the same attitude
    const Vec3<S> n{flip * q.x, flip * q.y, flip * q.z};
    const S w = flip * q.w;
    const S s2 = squared_norm(n);
    const auto small = s2 < S(1e-6) * w * w;
    const S s = sqrt(select(small, S(1), s2));
    // 2 atan(t)/(t w) with t = s/w: 2/w (1 - t²/3 + t⁴/5 - t⁶/7 + …)
    const S safe_w = select(small, w, S(1));
    const S t2 = s2 / (safe_w * safe_w);
    const S series = S(2) * (S(1) - t2 * (S(1) / S(3) - t2 * (S(1) / S(5) - t2 / S(7)))) / safe_w;
    const S scale = select(small, series, S(2) * atan2(s, w) / s);
    return scale * n;
}

// The translation of a screw motion: ∫₀¹ exp(s θ) ds · u = (1 + versine θ× + cubic θ× θ×) u.
template <class S>
Vec3<S> integrate_turning(const Vec3<S>& theta, const Vec3<S>& u) {
    const auto ratio = detail::angle_ratios(squared_norm(theta));
    const Vec3<S> w = cross(theta, u);
    return u + ratio.versine * w + ratio.cubic * cross(theta, w);
}

// Its inverse: u from the translation p. (1 - θ×/2 + k θ× θ×) p with
// k = (1 - (θ/2) cot(θ/2))/θ² = (1 - sinc/(2 versine))/θ².
template <class S>
Vec3<S> differentiate_turning(const Vec3<S>& theta, const Vec3<S>& p) {
    const S t2 = squared_norm(theta);
    const auto ratio = detail::angle_ratios(t2);
    const auto small = t2 < S(0.01);
    // 1/12 + t²/720 + t⁴/30240 + t⁶/1209600 + t⁸/47900160
    const S series =
        S(1) / S(12) +
        t2 * (S(1) / S(720) + t2 * (S(1) / S(30240) + t2 * (S(1) / S(1209600) + t2 / S(47900160))));
    const S k = select(small, series,
                       (S(1) - ratio.sinc / (S(2) * ratio.versine)) / select(small, S(1), t2));
    const Vec3<S> w = cross(theta, p);
    return p - S(0.5) * w + k * cross(theta, w);
}

}  // namespace plucker
