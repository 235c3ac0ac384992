// NumPy's C interface; import_numpy.cpp imports it, once.
#pragma once

#include <pybind11/pybind11.h>

#define PY_ARRAY_UNIQUE_SYMBOL plucker_numpy_api
#define NPY_NO_DEPRECATED_API NPY_1_20_API_VERSION
#ifndef PLUCKER_IMPORTS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

namespace plucker::python {

namespace py = pybind11;

// Throws what Python has to say, where NumPy cannot be had.
void import_numpy();

}  // namespace plucker::python
