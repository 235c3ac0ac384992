// An island's linear algebra for AVX2 and FMA. The compiler flags are in CMakeLists.txt.
#include "../../scalar/isa_code.hpp"
#include "../dense_kernels.hpp"

namespace plucker::impulses {

const DenseCode kAvx2Code = DenseKernels<plucker::detail::Avx2Isa>::code();

}  // namespace plucker::impulses
