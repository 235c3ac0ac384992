// An island's linear algebra for the processor's baseline. The compiler flags are in CMakeLists.txt.
#include "../../scalar/isa_code.hpp"
#include "../dense_kernels.hpp"

namespace plucker::impulses {

const DenseCode kGenericCode = DenseKernels<plucker::detail::GenericIsa>::code();

}  // namespace plucker::impulses
