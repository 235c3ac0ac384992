// The batch kernels for AVX-512 F, DQ and VL. The compiler flags are in CMakeLists.txt.
#include "../lane_worker.hpp"

namespace plucker::batch {

struct Avx512Isa {};
const IsaCode kAvx512Code = code_of_this_file<Avx512Isa, 64>();

}  // namespace plucker::batch
