// Which of the codes that were built for different instruction sets is in use.
#pragma once

#include "plucker/scalar/isa.hpp"

namespace plucker::detail {

// A table of functions that exists once for each instruction set declares the static members kGenericCode, kAvx2Code and
// kAvx512Code; those that were not built are never asked for.
template <class Code>
const Code& code_for(Isa isa) {
#ifdef PLUCKER_WITH_GENERIC
    if (isa == Isa::kGeneric) return Code::kGenericCode;
#endif
#ifdef PLUCKER_WITH_AVX2
    if (isa == Isa::kAvx2) return Code::kAvx2Code;
#endif
#ifdef PLUCKER_WITH_AVX512
    if (isa == Isa::kAvx512) return Code::kAvx512Code;
#endif
    throw not_built(isa);
}

}  // namespace plucker::detail
