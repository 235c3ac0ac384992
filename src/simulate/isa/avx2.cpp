// An island's linear algebra, and robots in lanes, for AVX2 and FMA. The compiler flags are in CMakeLists.txt.
#include "../../scalar/isa_code.hpp"
#include "../dense_kernels.hpp"
#include "../step_lanes_code.hpp"

namespace plucker::impulses {

const DenseCode DenseCode::kAvx2Code = DenseKernels<plucker::detail::Avx2Isa>::code();

}  // namespace plucker::impulses
namespace plucker::simulate {

const LanesCode LanesCode::kAvx2Code = {&make_step_lanes<plucker::detail::Avx2Isa>};

}  // namespace plucker::simulate
