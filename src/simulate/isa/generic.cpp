// An island's linear algebra, and robots in lanes, for the processor's baseline. The compiler flags are in CMakeLists.txt.
#include "../../scalar/isa_code.hpp"
#include "../dense_kernels.hpp"
#include "../step_lanes_code.hpp"

namespace plucker::impulses {

const DenseCode DenseCode::kGenericCode = DenseKernels<plucker::detail::GenericIsa>::code();

}  // namespace plucker::impulses
namespace plucker::simulate {

const LanesCode LanesCode::kGenericCode = {&make_step_lanes<plucker::detail::GenericIsa>};

}  // namespace plucker::simulate
