// Vectors for AVX-512 F, DQ and VL. The compiler flags are in CMakeLists.txt.
#include "../vector_code.hpp"

namespace plucker::detail {

const VectorCode kAvx512Code = code_of_this_file<Avx512Isa>();

}  // namespace plucker::detail
