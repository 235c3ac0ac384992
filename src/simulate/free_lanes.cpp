#include "free_lanes.hpp"

#include "../scalar/code_for.hpp"

namespace plucker::simulate {

FreeLanes::~FreeLanes() = default;

std::unique_ptr<FreeLanes> free_lanes(const Model& model, double h, const double* damping) {
    const LanesCode& code = plucker::detail::code_for<LanesCode>(active_isa());
    return std::unique_ptr<FreeLanes>(code.make(model, h, damping));
}

}  // namespace plucker::simulate
