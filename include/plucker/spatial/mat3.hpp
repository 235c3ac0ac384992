// 3×3 matrices, general and symmetric.
#pragma once

#include "plucker/spatial/vec3.hpp"

namespace plucker {

// A general 3×3 matrix, kept as its three rows.
template <class S>
struct Mat3 {
    Vec3<S> x{}, y{}, z{};

    friend constexpr bool operator==(const Mat3&, const Mat3&) = default;

    static constexpr Mat3 identity() {
        return {{S(1), S(0), S(0)}, {S(0), S(1), S(0)}, {S(0), S(0), S(1)}};
    }

    constexpr Mat3& operator+=(const Mat3& b) { return *this = *this + b; }
    constexpr Mat3& operator-=(const Mat3& b) { return *this = *this - b; }

    friend constexpr Mat3 operator-(const Mat3& a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Mat3 operator+(const Mat3& a, const Mat3& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend constexpr Mat3 operator-(const Mat3& a, const Mat3& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend constexpr Mat3 operator*(const S& s, const Mat3& a) {
        return {s * a.x, s * a.y, s * a.z};
    }
    friend constexpr Vec3<S> operator*(const Mat3& a, const Vec3<S>& b) {
        return {dot(a.x, b), dot(a.y, b), dot(a.z, b)};
    }
    // aᵀ b, without forming aᵀ.
    friend constexpr Vec3<S> transpose_times(const Mat3& a, const Vec3<S>& b) {
        return b.x * a.x + b.y * a.y + b.z * a.z;
    }
    // c + a b and c + aᵀ b, fused like add_cross.
    friend constexpr Vec3<S> add_times(const Vec3<S>& c, const Mat3& a, const Vec3<S>& b) {
        return {c.x + a.x.x * b.x + a.x.y * b.y + a.x.z * b.z,
                c.y + a.y.x * b.x + a.y.y * b.y + a.y.z * b.z,
                c.z + a.z.x * b.x + a.z.y * b.y + a.z.z * b.z};
    }
    friend constexpr Vec3<S> add_transpose_times(const Vec3<S>& c, const Mat3& a,
                                                 const Vec3<S>& b) {
        return c + b.x * a.x + b.y * a.y + b.z * a.z;
    }
    friend constexpr Mat3 operator*(const Mat3& a, const Mat3& b) {
        return {transpose_times(b, a.x), transpose_times(b, a.y), transpose_times(b, a.z)};
    }
    friend constexpr Mat3 transpose(const Mat3& a) {
        return {{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
    }
    friend constexpr S trace(const Mat3& a) { return a.x.x + a.y.y + a.z.z; }
    friend constexpr S determinant(const Mat3& a) { return dot(a.x, cross(a.y, a.z)); }
};

// The matrix a× with (a×) b = a × b.
template <class S>
constexpr Mat3<S> skew(const Vec3<S>& a) {
    return {{S(0), -a.z, a.y}, {a.z, S(0), -a.x}, {-a.y, a.x, S(0)}};
}

// a bᵀ.
template <class S>
constexpr Mat3<S> outer(const Vec3<S>& a, const Vec3<S>& b) {
    return {a.x * b, a.y * b, a.z * b};
}

// A symmetric 3×3 matrix: six numbers instead of nine.
template <class S>
struct SymMat3 {
    S xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

    friend constexpr bool operator==(const SymMat3&, const SymMat3&) = default;

    static constexpr SymMat3 diagonal(const S& x, const S& y, const S& z) {
        return {x, S(0), S(0), y, S(0), z};
    }
    static constexpr SymMat3 identity() { return diagonal(S(1), S(1), S(1)); }

    constexpr SymMat3& operator+=(const SymMat3& b) { return *this = *this + b; }
    constexpr SymMat3& operator-=(const SymMat3& b) { return *this = *this - b; }

    friend constexpr SymMat3 operator-(const SymMat3& a) {
        return {-a.xx, -a.xy, -a.xz, -a.yy, -a.yz, -a.zz};
    }
    friend constexpr SymMat3 operator+(const SymMat3& a, const SymMat3& b) {
        return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
    }
    friend constexpr SymMat3 operator-(const SymMat3& a, const SymMat3& b) { return a + (-b); }
    friend constexpr SymMat3 operator*(const S& s, const SymMat3& a) {
        return {s * a.xx, s * a.xy, s * a.xz, s * a.yy, s * a.yz, s * a.zz};
    }
    friend constexpr Vec3<S> operator*(const SymMat3& a, const Vec3<S>& b) {
        return {a.xx * b.x + a.xy * b.y + a.xz * b.z, a.xy * b.x + a.yy * b.y + a.yz * b.z,
                a.xz * b.x + a.yz * b.y + a.zz * b.z};
    }
    friend constexpr Mat3<S> to_mat3(const SymMat3& a) {
        return {{a.xx, a.xy, a.xz}, {a.xy, a.yy, a.yz}, {a.xz, a.yz, a.zz}};
    }
    friend constexpr S trace(const SymMat3& a) { return a.xx + a.yy + a.zz; }
};

// a bᵀ + b aᵀ.
template <class S>
constexpr SymMat3<S> symmetric_outer(const Vec3<S>& a, const Vec3<S>& b) {
    return {S(2) * a.x * b.x, a.x * b.y + a.y * b.x, a.x * b.z + a.z * b.x,
            S(2) * a.y * b.y, a.y * b.z + a.z * b.y, S(2) * a.z * b.z};
}

// a aᵀ.
template <class S>
constexpr SymMat3<S> self_outer(const Vec3<S>& a) {
    return {a.x * a.x, a.x * a.y, a.x * a.z, a.y * a.y, a.y * a.z, a.z * a.z};
}

// -(a×)(a×) = (a·a) 1 - a aᵀ: the inertia of a unit point mass at a.
template <class S>
constexpr SymMat3<S> point_inertia(const Vec3<S>& a) {
    const S xx = a.x * a.x;
    const S yy = a.y * a.y;
    const S zz = a.z * a.z;
    return {yy + zz, -a.x * a.y, -a.x * a.z, xx + zz, -a.y * a.z, xx + yy};
}

// Eᵀ A E.
template <class S>
constexpr SymMat3<S> rotate_back(const Mat3<S>& E, const SymMat3<S>& A) {
    const Vec3<S> ax = A.xx * E.x + A.xy * E.y + A.xz * E.z;  // rows of A E
    const Vec3<S> ay = A.xy * E.x + A.yy * E.y + A.yz * E.z;
    const Vec3<S> az = A.xz * E.x + A.yz * E.y + A.zz * E.z;
    return {E.x.x * ax.x + E.y.x * ay.x + E.z.x * az.x, E.x.x * ax.y + E.y.x * ay.y + E.z.x * az.y,
            E.x.x * ax.z + E.y.x * ay.z + E.z.x * az.z, E.x.y * ax.y + E.y.y * ay.y + E.z.y * az.y,
            E.x.y * ax.z + E.y.y * ay.z + E.z.y * az.z, E.x.z * ax.z + E.y.z * ay.z + E.z.z * az.z};
}

// Eᵀ A E for a general A.
template <class S>
constexpr Mat3<S> rotate_back(const Mat3<S>& E, const Mat3<S>& A) {
    return transpose(E) * (A * E);
}

template <class To, class From>
constexpr Mat3<To> cast(const Mat3<From>& a) {
    return {cast<To>(a.x), cast<To>(a.y), cast<To>(a.z)};
}

template <class To, class From>
constexpr SymMat3<To> cast(const SymMat3<From>& a) {
    return {static_cast<To>(a.xx), static_cast<To>(a.xy), static_cast<To>(a.xz),
            static_cast<To>(a.yy), static_cast<To>(a.yz), static_cast<To>(a.zz)};
}

}  // namespace plucker
