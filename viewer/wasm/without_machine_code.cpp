// In a browser there is no machine code for one robot: every step is taken by the kernels that are there for all.
#include "step_code.hpp"

namespace plucker::simulate {

StepCode step_code(const Model& /*model*/, double /*h*/, const double* /*damping*/,
                   compiler::Lanes /*lanes*/, bool /*can_act*/) {
    return {};
}

}  // namespace plucker::simulate
