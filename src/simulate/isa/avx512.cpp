// An island's linear algebra for AVX-512 F, DQ and VL. The compiler flags are in CMakeLists.txt.
#include "../../scalar/isa_code.hpp"
#include "../dense_kernels.hpp"

namespace plucker::impulses {

const DenseCode kAvx512Code = DenseKernels<plucker::detail::Avx512Isa>::code();

}  // namespace plucker::impulses
