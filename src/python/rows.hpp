// The table of algorithms as Python sees it: of each row a method's parameters, results and documentation.
#pragma once

#include <string>
#include <vector>

#include "numpy.hpp"
#include "plucker/algorithms/table.hpp"

namespace plucker::python {

// In the order of a call: what must be given (states, inputs, what is read of outputs), then what may be left out.
struct Parameter {
    const char* name;
    Kind kind;
    int input = -1;           // which vector of the row's inputs, or which of q, v, a
    int output = -1;          // which output it is read from
    PyObject* key = nullptr;  // its name, interned

    bool is_vector() const { return input >= 0 || output >= 0; }
    bool is_optional() const { return may_be_left_out(kind); }
};

struct PythonRow {
    int index;  // in the table
    const Algorithm* row;
    std::vector<Parameter> parameters;
    int num_required = 0;
    int first_result = 0;            // outputs from here on are returned
    PyTypeObject* result = nullptr;  // of a named tuple, where there are several
    std::string result_name;
    std::string documentation;  // with the signature first, as Python reads it

    int num_results() const { return row->outputs.size() - first_result; }
};

// Those that have something to return: all but forward_kinematics.
const std::vector<PythonRow>& python_rows();
// The row's arguments, its results and their shapes as dictionaries: for stubs, documentation and tests.
py::list describe_rows();
// Makes the named tuples, as attributes of the module.
void add_result_types(py::module_& module);

}  // namespace plucker::python
