#include "plucker/model/constants.hpp"

namespace plucker {

template class RobotConstants<float>;
template class RobotConstants<double>;
template class RobotConstants<long double>;

}  // namespace plucker
