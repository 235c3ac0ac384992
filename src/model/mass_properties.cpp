#include "plucker/model/mass_properties.hpp"

#include <cmath>

#include "plucker/model/error.hpp"

namespace plucker {

void check_mass(const char* function, const std::string& name, const MassProperties& mass) {
    const SymMat3<double>& I = mass.about_center;
    if (!(mass.mass >= 0) || !std::isfinite(mass.mass)) {
        throw Error::because(function, ": '", name, "': mass is ", mass.mass,
                             " kg; it must not be negative");
    }
    for (const double x :
         {mass.center.x, mass.center.y, mass.center.z, I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}) {
        if (!std::isfinite(x)) {
            throw Error::because(function, ": '", name, "': its centre or its inertia holds ", x,
                                 "; they must be finite");
        }
    }
}

}  // namespace plucker
