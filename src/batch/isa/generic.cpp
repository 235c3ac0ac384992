// The batch kernels for the processor's baseline: SSE2 on x86-64, NEON on ARM. The compiler flags are in CMakeLists.txt.
#include "../lane_worker.hpp"

namespace plucker::batch {

const IsaCode kGenericCode = code_of_this_file<plucker::detail::GenericIsa>();

}  // namespace plucker::batch
