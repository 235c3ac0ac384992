// Mass, centre and rotational inertia of a link, as data sheets and files give them.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string>

#include "plucker/spatial/inertia.hpp"
#include "plucker/spatial/pose.hpp"

namespace plucker {

struct MassProperties {
    double mass = 0;
    Vec3<double> center{};           // centre of mass, in the link's frame
    SymMat3<double> about_center{};  // rotational inertia about the centre, along the link's axes

    friend constexpr bool operator==(const MassProperties&, const MassProperties&) = default;

    // In this order; the inertia as xx, xy, xz, yy, yz, zz.
    static constexpr int kNumbers = 10;
    constexpr std::array<double, kNumbers> numbers() const {
        const SymMat3<double>& I = about_center;
        return {mass, center.x, center.y, center.z, I.xx, I.xy, I.xz, I.yy, I.yz, I.zz};
    }
    static constexpr MassProperties from_numbers(std::span<const double, kNumbers> x) {
        return {x[0], {x[1], x[2], x[3]}, {x[4], x[5], x[6], x[7], x[8], x[9]}};
    }

    constexpr Inertia<double> inertia() const {
        return Inertia<double>::from_center_of_mass(mass, center, about_center);
    }

    // Bodies of uniform density, centred at `center`. A size may be zero, as of a plate or a rod, but not negative.
    static constexpr MassProperties point(double mass, const Vec3<double>& center = {}) {
        return {mass, center, {}};
    }
    static constexpr MassProperties box(double mass, const Vec3<double>& size,
                                        const Vec3<double>& center = {}) {
        for (const double edge : {size.x, size.y, size.z}) check_size("box", "size", edge);
        const double xx = size.x * size.x, yy = size.y * size.y, zz = size.z * size.z;
        return {mass, center, (mass / 12) * SymMat3<double>::diagonal(yy + zz, xx + zz, xx + yy)};
    }
    static constexpr MassProperties sphere(double mass, double radius,
                                           const Vec3<double>& center = {}) {
        check_size("sphere", "radius", radius);
        const double I = 0.4 * mass * radius * radius;
        return {mass, center, SymMat3<double>::diagonal(I, I, I)};
    }
    // A cylinder along z.
    static constexpr MassProperties cylinder(double mass, double radius, double length,
                                             const Vec3<double>& center = {}) {
        check_size("cylinder", "radius", radius);
        check_size("cylinder", "length", length);
        const double across = mass * (3 * radius * radius + length * length) / 12;
        return {mass, center,
                SymMat3<double>::diagonal(across, across, 0.5 * mass * radius * radius)};
    }

private:
    static constexpr void check_size(const char* shape, const char* what, double size) {
        if (!(size >= 0 && size <= std::numeric_limits<double>::max()))
            refuse_size(shape, what, size);
    }
    [[noreturn]] static void refuse_size(const char* shape, const char* what, double size);
};

// What makes these the masses of no rigid body, in a sentence; empty: nothing. They must be finite.
std::string why_no_body(const MassProperties& mass);

// Throws unless these can be the masses of something: finite, and no less than nothing; if so wished, those of a body.
void check_mass(const char* function, const std::string& name, const MassProperties& mass,
                bool is_of_a_body);

}  // namespace plucker
