// A call from Python of a row of the table: its arguments, and the two ways that it may go.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "arrays.hpp"
#include "forces.hpp"
#include "gpu.hpp"
#include "robot.hpp"
#include "rows.hpp"

namespace plucker::python {

inline constexpr int kMostParameters = 10;

// The arguments as they came: borrowed from the caller, one per parameter, null where nothing was given.
struct CallArguments {
    std::array<PyObject*, kMostParameters> values{};
    PyObject* out = nullptr;
    PyObject* threads = nullptr;
    PyObject* status = nullptr;

    // Python's own convention: positional ones, then those that have names. Throws TypeError.
    CallArguments(const PythonRow& r, PyObject* const* args, Py_ssize_t positional,
                  PyObject* names);
};

// An argument that is a vector, or many.
struct VectorArgument {
    PyArrayObject* array = nullptr;
    Owned owned;  // where it had to be made

    int leading() const { return PyArray_NDIM(array) - 1; }
};

struct Call {
    const PythonRow& r;
    Robot& robot;
    const CallArguments& arguments;

    std::array<VectorArgument, kMostParameters> vectors;  // one per parameter
    bool is_single = true;
    bool is_float32 = true;
    int threads = 0;
    Gpu* gpu;                  // where it is computed; null: here
    PyObject* like = nullptr;  // an argument that lies on the GPU; null: all are the host's

    FrameId frame{};
    ReferenceFrame reference = ReferenceFrame::kBody;
    int root = 0;
    std::vector<Given> given;
    const Forces* forces = nullptr;  // null: none

    // Checks types and sizes; throws Error or TypeError.
    Call(const PythonRow& row, Robot& robot, const CallArguments& arguments, Gpu* gpu = nullptr);

    const char* name() const { return r.row->name; }
    const Model& model() const { return robot.model(); }

    // On the GPU arrays of NumPy's stand for those that lie there: what they stand for.
    bool is_on_device() const { return like != nullptr; }

    // What the caller wants result number k (from 0) to be written to; null: nothing.
    PyObject* out(int k) const;
    // A new named tuple of the results, or the only one.
    PyObject* returned(std::array<Owned, kMostOutputs>& results) const;
    // Whether output k, whose argument is copied there before the call, would be written over another argument.
    bool would_lose_arguments(PyArrayObject* out, int k) const;
    // Throws unless `out` can take a result.
    PyArrayObject* checked_out(PyObject* out, int result, int ndim, const npy_intp* shape,
                               int numpy_type) const;

private:
    std::vector<py::object> kept_;

    void find_arrays_on_device();
    void take_vector(const Parameter& x, VectorArgument& to, PyObject* object);
    void take_option(const Parameter& x, PyObject* object);
    void take_root(PyObject* object);
    void take_given(PyObject* object);
};

PyObject* call_single(const Call& call);
template <class T>
PyObject* call_batch(const Call& call);

}  // namespace plucker::python
