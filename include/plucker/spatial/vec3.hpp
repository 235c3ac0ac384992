// Three-dimensional Euclidean vectors: the pieces that spatial vectors are made of.
#pragma once

#include <cmath>

#include "plucker/scalar/scalar.hpp"

namespace plucker {

template <class S>
struct Vec3 {
    S x{}, y{}, z{};

    friend constexpr bool operator==(const Vec3&, const Vec3&) = default;

    constexpr Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
    constexpr Vec3& operator-=(const Vec3& b) { return *this = *this - b; }
    constexpr Vec3& operator*=(const S& s) { return *this = s * *this; }

    friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
        return {a.x + b.x, a.y + b.y, a.z + b.z};
    }
    friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
        return {a.x - b.x, a.y - b.y, a.z - b.z};
    }
    friend constexpr Vec3 operator*(const S& s, const Vec3& a) {
        return {s * a.x, s * a.y, s * a.z};
    }
    friend constexpr Vec3 operator*(const Vec3& a, const S& s) { return s * a; }

    friend constexpr S dot(const Vec3& a, const Vec3& b) {
        return a.x * b.x + a.y * b.y + a.z * b.z;
    }
    friend constexpr Vec3 cross(const Vec3& a, const Vec3& b) {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
    // a + b × c and a - b × c, where every product meets a sum: one fused operation, where the processor has it.
    friend constexpr Vec3 add_cross(const Vec3& a, const Vec3& b, const Vec3& c) {
        return {a.x + b.y * c.z - b.z * c.y, a.y + b.z * c.x - b.x * c.z,
                a.z + b.x * c.y - b.y * c.x};
    }
    friend constexpr Vec3 subtract_cross(const Vec3& a, const Vec3& b, const Vec3& c) {
        return {a.x - b.y * c.z + b.z * c.y, a.y - b.z * c.x + b.x * c.z,
                a.z - b.x * c.y + b.y * c.x};
    }
    friend constexpr S squared_norm(const Vec3& a) { return dot(a, a); }
    friend S norm(const Vec3& a) {
        using std::sqrt;
        return sqrt(dot(a, a));
    }
};

template <class To, class From>
constexpr Vec3<To> cast(const Vec3<From>& a) {
    return {static_cast<To>(a.x), static_cast<To>(a.y), static_cast<To>(a.z)};
}

}  // namespace plucker
