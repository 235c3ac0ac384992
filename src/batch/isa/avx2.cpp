// The batch kernels for AVX2 and FMA. The compiler flags are in CMakeLists.txt.
#include "../lane_worker.hpp"

namespace plucker::batch {

const IsaCode kAvx2Code = code_of_this_file<plucker::detail::Avx2Isa>();

}  // namespace plucker::batch
