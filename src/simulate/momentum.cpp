#include "momentum.hpp"

namespace plucker::simulate {

std::vector<int> flying_trees(const Model& model) {
    std::vector<int> out;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.parent != 0 || body.joint != JointType::kFloating) continue;
        double held = 0;
        for (int k = body.v_index; k < body.v_index + 6; ++k) {
            held += model.armature()[k] + model.damping()[k] + model.friction()[k];
        }
        if (held == 0) out.push_back(i);
    }
    return out;
}

}  // namespace plucker::simulate
