#include "plucker/algorithms/instantiations.hpp"

namespace plucker {

PLUCKER_INSTANTIATE_ALGORITHMS(, double);
PLUCKER_INSTANTIATE_ALGORITHMS(, Dual<double>);

}  // namespace plucker
