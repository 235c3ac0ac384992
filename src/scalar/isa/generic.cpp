// Vectors for the processor's baseline: SSE2 on x86-64, NEON on ARM. The compiler flags are in CMakeLists.txt.
#include "../vector_code.hpp"

namespace plucker::detail {

const VectorCode kGenericCode = code_of_this_file<GenericIsa>();

}  // namespace plucker::detail
