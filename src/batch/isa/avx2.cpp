// The batch kernels for AVX2 and FMA. The compiler flags are in CMakeLists.txt.
#include "../lane_worker.hpp"

namespace plucker::batch {

struct Avx2Isa {};
const IsaCode kAvx2Code = code_of_this_file<Avx2Isa, 32>();

}  // namespace plucker::batch
