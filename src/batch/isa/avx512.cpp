// The batch kernels for AVX-512 F, DQ and VL. The compiler flags are in CMakeLists.txt.
#include "../lane_worker.hpp"

namespace plucker::batch {

const IsaCode kAvx512Code = code_of_this_file<plucker::detail::Avx512Isa>();

}  // namespace plucker::batch
