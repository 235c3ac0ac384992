#include "step_lanes.hpp"

#include "../scalar/code_for.hpp"

namespace plucker::simulate {

StepLanes::~StepLanes() = default;

std::unique_ptr<StepLanes> step_lanes(const Model& model, double h, const double* damping,
                                      const collide::Outlines& outlines) {
    const LanesCode& code = plucker::detail::code_for<LanesCode>(active_isa());
    return std::unique_ptr<StepLanes>(code.make(model, h, damping, outlines));
}

}  // namespace plucker::simulate
