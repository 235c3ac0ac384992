#include "step_lanes.hpp"

#include "../scalar/code_for.hpp"

namespace plucker::simulate {

StepLanes::~StepLanes() = default;

bool can_be_in_lanes(const Model& model) {
    return model.nv() > 0 && !model.has_mimic_joints() && model.constraints().empty();
}

void add_forces(const ExternalForces<double>& forces, int lane, std::vector<LaneForce>& out) {
    std::size_t at = 0;
    for (const auto& entry : forces.entries()) {
        while (at < out.size() &&
               (out[at].frame != entry.frame || out[at].expressed_in != entry.expressed_in))
            ++at;
        if (at == out.size()) out.push_back({entry.frame, entry.expressed_in, {}});
        const Vec3<double>&a = entry.force.angular, &l = entry.force.linear;
        const double numbers[] = {a.x, a.y, a.z, l.x, l.y, l.z};
        for (int k = 0; k < 6; ++k) out[at].force[k][lane] = numbers[k];
        ++at;
    }
}

std::unique_ptr<StepLanes> step_lanes(const Model& model, double h, const double* damping,
                                      const collide::Outlines& outlines) {
    const LanesCode& code = plucker::detail::code_for<LanesCode>(active_isa());
    return std::unique_ptr<StepLanes>(code.make(model, h, damping, outlines));
}

}  // namespace plucker::simulate
