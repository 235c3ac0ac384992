// One function for all rows, and of it one copy per row, because a Python method knows nothing but its address. Methods take
// their arguments as Python's vectorcall hands them over: pybind11's general way would cost more than most calls compute.
#include "methods.hpp"

#include "call.hpp"

namespace plucker::python {

PyObject* error_type = nullptr;

void set_python_error() {
    try {
        throw;
    } catch (py::error_already_set& e) {
        e.restore();
    } catch (const py::builtin_exception& e) {
        e.set_error();
    } catch (const Error& e) {
        PyErr_SetString(error_type, e.what());
    } catch (const std::bad_alloc&) {
        PyErr_NoMemory();
    } catch (const std::exception& e) {
        PyErr_SetString(PyExc_RuntimeError, e.what());
    }
}

namespace {

// Python has checked the type; but a class may have been derived from Robot that never made one.
template <class T>
T& held_by(PyObject* self) {
    void* held = reinterpret_cast<py::detail::instance*>(self)->get_value_and_holder().value_ptr();
    if (held == nullptr)
        throw py::type_error(std::string("this ") + (std::is_same_v<T, Gpu> ? "Gpu" : "Robot") +
                             " was never made: __init__ was not called");
    return *static_cast<T*>(held);
}

PyObject* call_row(std::size_t k, PyObject* self, PyObject* const* args, Py_ssize_t positional,
                   PyObject* names) {
    try {
        const PythonRow& r = python_rows()[k];
        const CallArguments arguments(r, args, positional, names);
        const Call call(r, held_by<Robot>(self), arguments);
        if (call.is_single) return call_single(call);
        return call.is_float32 ? call_batch<float>(call) : call_batch<double>(call);
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

PyObject* call_row_on_gpu(std::size_t k, PyObject* self, PyObject* const* args,
                          Py_ssize_t positional, PyObject* names) {
    try {
        const PythonRow& r = python_rows()[k];
        const CallArguments arguments(r, args, positional, names);
        Gpu& gpu = held_by<Gpu>(self);
        const Call call(r, *gpu.robot(), arguments, &gpu);
        return call.is_float32 ? call_batch<float>(call) : call_batch<double>(call);
    } catch (...) {
        set_python_error();
        return nullptr;
    }
}

template <std::size_t K>
PyObject* method(PyObject* self, PyObject* const* args, Py_ssize_t positional, PyObject* names) {
    return call_row(K, self, args, positional, names);
}

template <std::size_t K>
PyObject* method_of_gpu(PyObject* self, PyObject* const* args, Py_ssize_t positional,
                        PyObject* names) {
    return call_row_on_gpu(K, self, args, positional, names);
}

using Method = PyObject*(PyObject*, PyObject* const*, Py_ssize_t, PyObject*);
using Methods = std::array<Method*, table::All::kSize>;
using Definitions = std::array<PyMethodDef, table::All::kSize>;  // Python keeps pointers to these

template <std::size_t... K>
Methods methods_of(std::index_sequence<K...>, bool on_gpu) {
    return {(on_gpu ? &method_of_gpu<K> : &method<K>)...};
}

void add(PyTypeObject* robot_type, const Methods& functions, Definitions& definitions) {
    for (std::size_t k = 0; k < python_rows().size(); ++k) {
        const PythonRow& r = python_rows()[k];
        definitions[k] = {r.row->name,
                          reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(functions[k])),
                          METH_FASTCALL | METH_KEYWORDS, r.documentation.c_str()};
        PyObject* method = PyDescr_NewMethod(robot_type, &definitions[k]);
        if (method == nullptr) throw py::error_already_set();
        const auto owned = py::reinterpret_steal<py::object>(method);
        py::handle(reinterpret_cast<PyObject*>(robot_type)).attr(r.row->name) = owned;
    }
}

}  // namespace

void add_methods(PyTypeObject* robot_type) {
    static Definitions definitions;
    add(robot_type, methods_of(std::make_index_sequence<table::All::kSize>{}, false), definitions);
}
void add_methods_of_gpu(PyTypeObject* gpu_type) {
    static Definitions definitions;
    add(gpu_type, methods_of(std::make_index_sequence<table::All::kSize>{}, true), definitions);
}

}  // namespace plucker::python
