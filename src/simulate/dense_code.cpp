#include "dense_code.hpp"

#include "../scalar/code_for.hpp"

namespace plucker::impulses {

const DenseCode& dense_code() {
    static const DenseCode& code = plucker::detail::code_for<DenseCode>(active_isa());
    return code;
}

}  // namespace plucker::impulses
