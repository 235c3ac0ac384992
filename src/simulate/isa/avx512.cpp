// An island's linear algebra, and robots in lanes, for AVX-512 F, DQ and VL. The compiler flags are in CMakeLists.txt.
#include "../../scalar/isa_code.hpp"
#include "../dense_kernels.hpp"
#include "../step_lanes_code.hpp"

namespace plucker::impulses {

const DenseCode DenseCode::kAvx512Code = DenseKernels<plucker::detail::Avx512Isa>::code();

}  // namespace plucker::impulses
namespace plucker::simulate {

const LanesCode LanesCode::kAvx512Code = {&make_step_lanes<plucker::detail::Avx512Isa>};

}  // namespace plucker::simulate
