#include "dense_code.hpp"

namespace plucker::impulses {
namespace {

const DenseCode& code_for(Isa isa) {
    switch (isa) {
#ifdef PLUCKER_WITH_GENERIC
        case Isa::kGeneric:
            return kGenericCode;
#endif
#ifdef PLUCKER_WITH_AVX2
        case Isa::kAvx2:
            return kAvx2Code;
#endif
#ifdef PLUCKER_WITH_AVX512
        case Isa::kAvx512:
            return kAvx512Code;
#endif
        default:
            throw plucker::detail::not_built(isa);
    }
}

}  // namespace

const DenseCode& dense_code() {
    static const DenseCode& code = code_for(active_isa());
    return code;
}

}  // namespace plucker::impulses
