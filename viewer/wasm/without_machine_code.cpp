// In a browser there is no machine code for one robot: every step is taken by the kernels that are there for all.
#include "free_step.hpp"

namespace plucker::simulate {

std::shared_ptr<const compiler::MachineCode> free_step_code(const Model& /*model*/, double /*h*/,
                                                            const double* /*damping*/,
                                                            compiler::Lanes /*lanes*/) {
    return nullptr;
}

}  // namespace plucker::simulate
