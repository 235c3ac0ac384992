#include "forces.hpp"

namespace plucker::python {
namespace {

constexpr const char* kReferences[] = {"body", "world", "world_aligned"};

PyArrayObject* array_of(const Forces::Entry& entry) {
    return reinterpret_cast<PyArrayObject*>(entry.force.ptr());
}

}  // namespace

ReferenceFrame reference_named(const char* function, const char* argument, PyObject* name) {
    if (!PyUnicode_Check(name))
        throw wrong_type(function, argument, name, "'body', 'world' or 'world_aligned'");
    for (int k = 0; k < 3; ++k) {
        if (PyUnicode_CompareWithASCIIString(name, kReferences[k]) == 0)
            return static_cast<ReferenceFrame>(k);
    }
    throw Error::because(function, ": ", argument, " is '", text_from(function, argument, name),
                         "'; it must be 'body', 'world' or 'world_aligned'");
}
const char* name_of(ReferenceFrame reference) { return kReferences[static_cast<int>(reference)]; }

void Forces::add(py::object frame, py::object force, py::object expressed_in) {
    const char* function = "ExternalForces.add";
    const FrameId id = robot_->frame(function, frame.ptr());
    const ReferenceFrame reference = reference_named(function, "expressed_in", expressed_in.ptr());
    Owned numbers = number_array(function, "force", force.ptr());
    const int n = PyArray_NDIM(numbers.array());
    if (n == 0 || PyArray_DIM(numbers.array(), n - 1) != 6) {
        throw Error::because(function, ": force has shape ", shape_text(numbers.array()),
                             ", expected (..., 6): moment, then force");
    }
    // A copy: what a caller does to the array afterwards is not what was said.
    Owned copy = made(PyArray_NewCopy(numbers.array(), NPY_CORDER));
    entries_.push_back({py::cast<std::string>(frame),
                        {id, reference},
                        py::reinterpret_steal<py::object>(copy.release())});
}

bool Forces::is_single() const {
    for (const Entry& entry : entries_) {
        if (PyArray_NDIM(array_of(entry)) != 1) return false;
    }
    return true;
}
bool Forces::is_float32() const {
    for (const Entry& entry : entries_) {
        if (PyArray_TYPE(array_of(entry)) != NPY_FLOAT) return false;
    }
    return true;
}

void Forces::check_robot(const char* function, const Robot& robot) const {
    if (robot_->model().is_copy_of(robot.model())) return;
    throw Error::because(function, ": the external forces were made for another robot ('",
                         robot_->model().name(), "') than this one ('", robot.model().name(),
                         "'); make them with ExternalForces(robot)");
}

plucker::ExternalForces<double> Forces::single() const {
    plucker::ExternalForces<double> out(robot_->model());
    for (const Entry& entry : entries_) {
        const Owned numbers = as_numbers(array_of(entry), NPY_DOUBLE);
        const auto* f = static_cast<const double*>(PyArray_DATA(numbers.array()));
        out.add(entry.place.frame, {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}},
                entry.place.expressed_in);
    }
    return out;
}

Owned Forces::stacked(const char* function, int numpy_type) const {
    const auto numpy = py::module_::import("numpy");
    py::list arrays;
    for (const Entry& entry : entries_) arrays.append(entry.force);
    try {
        const py::object side_by_side = numpy.attr("concatenate")(
            numpy.attr("broadcast_arrays")(*arrays), py::arg("axis") = -1);
        return as_numbers(reinterpret_cast<PyArrayObject*>(side_by_side.ptr()), numpy_type);
    } catch (py::error_already_set& e) {
        if (!e.matches(PyExc_ValueError)) throw;
        std::string shapes;
        for (const Entry& entry : entries_) shapes += " " + shape_text(array_of(entry));
        throw Error::because(function, ": the external forces have shapes", shapes,
                             ", whose leading dimensions do not fit together");
    }
}

}  // namespace plucker::python
