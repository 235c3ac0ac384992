#include "call.hpp"

namespace plucker::python {
namespace {

std::string list_of_parameters(const PythonRow& r) {
    std::string out;
    for (const Parameter& x : r.parameters) {
        out += out.empty() ? "" : ", ";
        out += x.is_optional() ? std::string("[") + x.name + "]" : x.name;
    }
    return out;
}
py::type_error wrong_arguments(const PythonRow& r, const std::string& why) {
    return py::type_error(std::string(r.row->name) + ": " + why + "; it takes " +
                          list_of_parameters(r) + " and, by name, out, threads, status");
}

PyObject* unless_none(PyObject* object) { return object == Py_None ? nullptr : object; }

int checked_threads(const char* function, PyObject* object) {
    if (object == nullptr) return 0;
    // NumPy's whole numbers too.
    if (!PyIndex_Check(object)) throw wrong_type(function, "threads", object, "a whole number");
    const Owned number = made(PyNumber_Index(object));
    int overflows = 0;
    const long n = PyLong_AsLongAndOverflow(number.object(), &overflows);
    if (overflows != 0 || n < 0 || n > 1024) {
        throw Error::because(function, ": threads is ", std::string(py::str(object)),
                             "; it must be from 1 to 1024, or 0 for as many as there are cores");
    }
    return static_cast<int>(n);
}

}  // namespace

CallArguments::CallArguments(const PythonRow& r, PyObject* const* args, Py_ssize_t positional,
                             PyObject* names) {
    const auto most = static_cast<Py_ssize_t>(r.parameters.size());
    if (positional > most)
        throw wrong_arguments(r,
                              std::to_string(positional) + " arguments without a name were given");
    for (Py_ssize_t k = 0; k < positional; ++k) values[static_cast<std::size_t>(k)] = args[k];
    const Py_ssize_t named = names == nullptr ? 0 : PyTuple_GET_SIZE(names);
    for (Py_ssize_t k = 0; k < named; ++k) {
        PyObject* const name = PyTuple_GET_ITEM(names, k);
        PyObject* const value = args[positional + k];
        const auto is = [&](const char* word) {
            return PyUnicode_CompareWithASCIIString(name, word) == 0;
        };
        std::size_t at = 0;
        // Names in source code are interned: the same object.
        while (at < r.parameters.size() && r.parameters[at].key != name &&
               !is(r.parameters[at].name))
            ++at;
        PyObject** to = nullptr;
        if (at < r.parameters.size()) {
            to = &values[at];
        } else if (is("out")) {
            to = &out;
        } else if (is("threads")) {
            to = &threads;
        } else if (is("status")) {
            to = &status;
        }
        const auto quoted = [&] {
            return "'" + text_from(r.row->name, "an argument's name", name) + "'";
        };
        if (to == nullptr) throw wrong_arguments(r, "there is no argument " + quoted());
        if (*to != nullptr) throw wrong_arguments(r, quoted() + " was given twice");
        *to = value;
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(r.num_required); ++k) {
        if (values[k] == nullptr)
            throw wrong_arguments(r, std::string(r.parameters[k].name) + " is missing");
    }
    out = unless_none(out);
    status = unless_none(status);
    threads = unless_none(threads);
}

Call::Call(const PythonRow& row, Robot& robot_, const CallArguments& arguments_, Gpu* gpu_)
    : r(row), robot(robot_), arguments(arguments_), gpu(gpu_) {
    // Who wants a status wants it in place of an exception, of one state too: that is what batches do.
    is_single = arguments.status == nullptr && gpu == nullptr;
    threads = checked_threads(name(), arguments.threads);
    if (gpu != nullptr) find_arrays_on_device();
    for (std::size_t k = 0; k < r.parameters.size(); ++k) {
        const Parameter& x = r.parameters[k];
        PyObject* const object = arguments.values[k];
        if (x.is_vector()) {
            take_vector(x, vectors[k], object);
        } else if (object != nullptr && (object != Py_None || !x.is_optional())) {
            take_option(x, object);
        }
    }
}

// All vectors lie on the GPU, or none.
void Call::find_arrays_on_device() {
    const char* one_of_host = nullptr;
    const char* one_of_gpu = nullptr;
    for (std::size_t k = 0; k < r.parameters.size(); ++k) {
        if (!r.parameters[k].is_vector()) continue;
        const bool is_there = python::is_on_device(arguments.values[k]);
        (is_there ? one_of_gpu : one_of_host) = r.parameters[k].name;
        if (is_there && like == nullptr) like = arguments.values[k];
        if (is_there && r.parameters[k].output >= 0) {
            throw Error::because(name(), ": ", r.parameters[k].name,
                                 " is read and written over, which arrays on a GPU cannot be here; "
                                 "give arrays of NumPy");
        }
    }
    if (one_of_gpu != nullptr && one_of_host != nullptr) {
        throw Error::because(name(), ": ", one_of_gpu, " lies on the GPU and ", one_of_host,
                             " does not; copy one of them");
    }
}

void Call::take_vector(const Parameter& x, VectorArgument& to, PyObject* object) {
    const npy_intp expected = core_of(x.kind, model()).rows();
    if (is_on_device()) {
        kept_.emplace_back();
        const auto view = [&](std::initializer_list<int> types) {
            to.owned = view_of_device(name(), x.name, object, gpu->number(), types, kept_.back());
        };
        if (kept_.size() == 1) {
            view({NPY_FLOAT, NPY_DOUBLE});
        } else {
            view({is_float32 ? NPY_FLOAT : NPY_DOUBLE});
        }
        object = to.owned.object();
    }
    if (PyArray_CheckExact(object)) {
        to.array = reinterpret_cast<PyArrayObject*>(object);
        if (PyArray_TYPE(to.array) == NPY_DOUBLE && PyArray_NDIM(to.array) == 1 &&
            PyArray_DIM(to.array, 0) == expected) [[likely]] {
            is_float32 = false;
            return;
        }
    }
    if (!is_on_device()) to.owned = number_array(name(), x.name, object);
    to.array = to.owned.array();
    if (PyArray_TYPE(to.array) != NPY_FLOAT) is_float32 = false;
    const int n = PyArray_NDIM(to.array);
    if (n == 0 || PyArray_DIM(to.array, n - 1) != expected) {
        throw Error::because(name(), ": ", x.name, " has shape ", shape_text(to.array),
                             ", expected (..., ", expected, "): the last dimension is ",
                             core_in_words(x.kind));
    }
    if (n > 1) is_single = false;
}

void Call::take_option(const Parameter& x, PyObject* object) {
    switch (x.kind) {
        case Kind::kFrame:
            frame = robot.frame(name(), object);
            return;
        case Kind::kReference:
            reference = reference_named(name(), x.name, object);
            return;
        case Kind::kRoot:
            take_root(object);
            return;
        case Kind::kGiven:
            take_given(object);
            return;
        default:
            break;
    }
    if (!py::isinstance<Forces>(object))
        throw wrong_type(name(), x.name, object, "plucker.ExternalForces, or None");
    const auto& all = py::cast<const Forces&>(object);
    all.check_robot(name(), robot);
    if (all.entries().empty()) return;
    forces = &all;
    is_single = is_single && all.is_single();
    // Those that lie on the GPU are what they are; the forces are copied there, and rounded to that.
    is_float32 = is_float32 && (is_on_device() || all.is_float32());
}

void Call::take_root(PyObject* object) {
    if (PyUnicode_Check(object)) {
        const std::string text = text_from(name(), "root", object);
        try {
            root = model().body_index(text);
        } catch (const Error& e) {
            throw Error::because(name(), ": root: ", e.what());
        }
        return;
    }
    if (!PyIndex_Check(object))
        throw wrong_type(name(), "root", object, "the name or number of a body");
    const Owned whole = made(PyNumber_Index(object));
    int overflows = 0;  // a number that is too large is no body's either, and reads as -1
    const long number = PyLong_AsLongAndOverflow(whole.object(), &overflows);
    root = number >= 0 && number <= model().num_bodies() ? static_cast<int>(number) : -1;
    if (root < 0) {
        throw Error::because(name(), ": there is no body ", std::string(py::str(object)),
                             "; bodies are 1 to ", model().num_bodies(),
                             ", and 0 stands for the whole robot");
    }
}

void Call::take_given(PyObject* object) {
    const char* expected = "a list of joint names";
    if (PyUnicode_Check(object) || !py::isinstance<py::iterable>(object))
        throw wrong_type(name(), "given", object, expected);
    given.assign(static_cast<std::size_t>(model().num_bodies()) + 1, Given::kTorque);
    for (const py::handle joint : py::reinterpret_borrow<py::iterable>(object)) {
        if (!PyUnicode_Check(joint.ptr())) throw wrong_type(name(), "given", object, expected);
        const std::string text = text_from(name(), "given", joint.ptr());
        try {
            const int body = model().joint_index(text);
            given[static_cast<std::size_t>(body)] = Given::kAcceleration;
        } catch (const Error& e) {
            throw Error::because(name(), ": given: ", e.what());
        }
    }
}

PyObject* Call::out(int k) const {
    PyObject* const all = arguments.out;
    if (all == nullptr || r.num_results() == 1) return all;
    if (!PyTuple_Check(all) || PyTuple_GET_SIZE(all) != r.num_results()) {
        throw wrong_type(name(), "out", all,
                         ("a tuple of " + std::to_string(r.num_results()) + " arrays").c_str());
    }
    return unless_none(PyTuple_GET_ITEM(all, k));
}

bool Call::would_lose_arguments(PyArrayObject* out, int k) const {
    if (r.row->outputs[k].reads == Reads::kNothing) return false;
    for (std::size_t i = 0; i < r.parameters.size(); ++i) {
        const Parameter& x = r.parameters[i];
        if (x.is_vector() && x.output != k && may_share(vectors[i].array, out)) return true;
    }
    return false;
}

PyArrayObject* Call::checked_out(PyObject* out, int result, int ndim, const npy_intp* shape,
                                 int numpy_type) const {
    const std::string which =
        r.num_results() == 1
            ? std::string("out")
            : std::string("out (") + r.row->outputs[r.first_result + result].name + ")";
    if (!PyArray_Check(out)) throw wrong_type(name(), which.c_str(), out, "an array");
    auto* const array = reinterpret_cast<PyArrayObject*>(out);
    if (PyArray_TYPE(array) != numpy_type || PyArray_ISBYTESWAPPED(array)) {
        throw wrong_type(name(), which.c_str(), out,
                         numpy_type == NPY_DOUBLE ? "an array of float64, like the arguments"
                                                  : "an array of float32, like the arguments");
    }
    if (PyArray_NDIM(array) != ndim || !PyArray_CompareLists(PyArray_DIMS(array), shape, ndim)) {
        throw Error::because(name(), ": ", which, " has shape ", shape_text(array), ", expected ",
                             shape_text(ndim, shape));
    }
    if (!PyArray_ISWRITEABLE(array))
        throw Error::because(name(), ": ", which,
                             " is read-only; give an array that can be written");
    return array;
}

PyObject* Call::returned(std::array<Owned, kMostOutputs>& results) const {
    if (r.num_results() == 1) return results[static_cast<std::size_t>(r.first_result)].release();
    Owned tuple = made(PyStructSequence_New(r.result));
    for (int k = 0; k < r.num_results(); ++k)
        PyStructSequence_SET_ITEM(tuple.object(), k,
                                  results[static_cast<std::size_t>(k)].release());
    return tuple.release();
}

}  // namespace plucker::python
