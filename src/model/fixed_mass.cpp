#include "plucker/model/fixed_mass.hpp"

namespace plucker {

MassProperties fixed_mass(const Model& model) {
    Inertia<double> sum;
    const auto& links = model.description().links;
    for (std::size_t k = 0; k < links.size(); ++k) {
        const Frame& frame =
            model.frame(model.frame_id(static_cast<int>(k)));  // frames start with the links
        if (frame.body == 0) sum += apply_inverse(frame.X_frame_body, links[k].mass.inertia());
    }
    if (sum.mass == 0) return {};
    const Vec3<double> center = (1 / sum.mass) * sum.first_moment;
    return {sum.mass, center, sum.rotational - sum.mass * point_inertia(center)};
}

}  // namespace plucker
