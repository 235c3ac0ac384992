#include "momentum.hpp"

#include "plucker/simulate/start.hpp"

namespace plucker::simulate {

std::vector<int> flying_trees(const Model& model) {
    std::vector<int> out;
    for (const int i : free_bodies(model)) {
        const Body<double>& body = model.body(i);
        double held = 0;
        for (int k = body.v_index; k < body.v_index + 6; ++k) {
            held += model.armature()[k] + model.damping()[k] + model.friction()[k];
        }
        if (held == 0) out.push_back(i);
    }
    return out;
}

}  // namespace plucker::simulate
