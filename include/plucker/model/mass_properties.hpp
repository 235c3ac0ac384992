// Mass, centre and rotational inertia of a link, as data sheets and files state them.
#pragma once

#include <string>

#include "plucker/spatial/inertia.hpp"
#include "plucker/spatial/pose.hpp"

namespace plucker {

struct MassProperties {
    double mass = 0;
    Vec3<double> center{};           // centre of mass, in the link's frame
    SymMat3<double> about_center{};  // rotational inertia about the centre, along the link's axes

    friend constexpr bool operator==(const MassProperties&, const MassProperties&) = default;

    constexpr Inertia<double> inertia() const {
        return Inertia<double>::from_center_of_mass(mass, center, about_center);
    }

    // Bodies of uniform density, centred at `center`.
    static constexpr MassProperties point(double mass, const Vec3<double>& center = {}) {
        return {mass, center, {}};
    }
    static constexpr MassProperties box(double mass, const Vec3<double>& size,
                                        const Vec3<double>& center = {}) {
        const double xx = size.x * size.x, yy = size.y * size.y, zz = size.z * size.z;
        return {mass, center, (mass / 12) * SymMat3<double>::diagonal(yy + zz, xx + zz, xx + yy)};
    }
    static constexpr MassProperties sphere(double mass, double radius,
                                           const Vec3<double>& center = {}) {
        const double I = 0.4 * mass * radius * radius;
        return {mass, center, SymMat3<double>::diagonal(I, I, I)};
    }
    // A cylinder along z.
    static constexpr MassProperties cylinder(double mass, double radius, double length,
                                             const Vec3<double>& center = {}) {
        const double across = mass * (3 * radius * radius + length * length) / 12;
        return {mass, center,
                SymMat3<double>::diagonal(across, across, 0.5 * mass * radius * radius)};
    }
};

// Throws unless these can be the masses of something: finite, and no less than nothing.
void check_mass(const char* function, const std::string& name, const MassProperties& mass);

}  // namespace plucker
