// The methods of Robot that stand for the rows of the table.
#pragma once

#include "numpy.hpp"

namespace plucker::python {

// plucker.Error, a ValueError.
extern PyObject* error_type;
// Turns the exception that is being handled into Python's.
void set_python_error();

// Adds a method for every row to the class, Robot or Gpu.
void add_methods(PyTypeObject* robot_type);
void add_methods_of_gpu(PyTypeObject* gpu_type);

}  // namespace plucker::python
