#include "masses.hpp"

#include "plucker/algorithms/table.hpp"
#include "plucker/model/fixed_mass.hpp"

namespace plucker::cli {

std::vector<MassOf> masses_of(const Model& model) {
    const MassProperties standing = fixed_mass(model);
    const double moving = model.total_mass(), all = moving + standing.mass;
    Vec3<double> center{}, center_of_all{};
    if (moving > 0) center = to_vec3(center_of_mass(model, neutral_configuration(model)));
    if (all > 0) center_of_all = (1 / all) * (moving * center + standing.mass * standing.center);
    return {{"moving", moving, center},
            {"fixed", standing.mass, standing.center},
            {"whole", all, center_of_all}};
}

}  // namespace plucker::cli
