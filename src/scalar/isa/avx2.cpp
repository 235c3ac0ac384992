// Vectors for AVX2 and FMA. The compiler flags are in CMakeLists.txt.
#include "../vector_code.hpp"

namespace plucker::detail {

const VectorCode kAvx2Code = code_of_this_file<Avx2Isa>();

}  // namespace plucker::detail
