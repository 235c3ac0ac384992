#include "plucker/algorithms/instantiations.hpp"

namespace plucker {

PLUCKER_INSTANTIATE_ALGORITHMS(, Dual<double>);

}  // namespace plucker
