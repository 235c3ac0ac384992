// By itself: this file alone defines what the others share.
#define PLUCKER_IMPORTS_NUMPY
#include "numpy.hpp"

namespace plucker::python {

void import_numpy() {
    if (_import_array() < 0) throw py::error_already_set();
}

}  // namespace plucker::python
