// What pybind11 leaves to the caller's care: objects that were never made, and classes that are exchanged. With Python one may do
// either by a slip of the hand, and neither may end the interpreter.
#include "bind.hpp"

namespace plucker::python {
namespace {

// pybind11 would hand out memory in which nothing was made.
void* refuse_what_was_never_made(std::size_t) {
    throw py::type_error("this object was never made: its class was not called");
}

newfunc new_of_pybind11 = nullptr;

// The base of all classes holds nothing, so that pybind11 throws, through Python, which knows no exceptions of C++.
PyObject* new_instance(PyTypeObject* type, PyObject* args, PyObject* names) {
    try {
        return new_of_pybind11(type, args, names);
    } catch (const std::exception& e) {
        PyErr_SetString(PyExc_TypeError, e.what());
        return nullptr;
    }
}

}  // namespace

void guard_base() {
    auto* const base = reinterpret_cast<PyTypeObject*>(py::detail::get_internals().instance_base);
    if (base->tp_new == new_instance) return;
    new_of_pybind11 = base->tp_new;
    base->tp_new = new_instance;
}

void guard_classes(const py::module_& module) {
    const auto builtins = py::module_::import("builtins");
    const py::object property = builtins.attr("property");
    const py::object its_class = property(builtins.attr("type"));
    const py::object new_object = py::module_::import("copyreg").attr("__newobj__");
    // As Python does it by itself from the second protocol on; for the older ones it would make an object of the base.
    const py::cpp_function reduce(
        [new_object](const py::object& self) {
            return py::make_tuple(new_object, py::make_tuple(py::type::of(self)),
                                  self.attr("__getstate__")());
        },
        py::is_method(py::none()), py::name("__reduce__"));
    for (const auto& [name, value] : module.attr("__dict__").cast<py::dict>()) {
        if (!PyType_Check(value.ptr())) continue;
        auto* const type = reinterpret_cast<PyTypeObject*>(value.ptr());
        py::detail::type_info* const info = py::detail::get_type_info(type);
        if (info == nullptr) continue;
        info->operator_new = refuse_what_was_never_made;
        // What frees an object is its class: it stays the one that made it. As an attribute of the class it would be the class's
        // own class.
        if (PyDict_SetItemString(type->tp_dict, "__class__", its_class.ptr()) < 0)
            throw py::error_already_set();
        PyType_Modified(type);
        if (value.attr("__dict__").contains("__setstate__")) value.attr("__reduce__") = reduce;
    }
}

}  // namespace plucker::python
