// One state. Nothing is made but the result, and a call of a small robot keeps the interpreter's lock.
#include <algorithm>

#include "call.hpp"

namespace plucker::python {
namespace {

// The numbers of a vector with unit stride, in place or copied.
class Numbers {
public:
    const double* read(PyArrayObject* array) {
        if (is_native(array, NPY_DOUBLE) &&
            (PyArray_STRIDE(array, 0) == sizeof(double) || PyArray_DIM(array, 0) <= 1)) [[likely]]
            return static_cast<const double*>(PyArray_DATA(array));
        copy_ = made(PyArray_FromArray(array, PyArray_DescrFromType(NPY_DOUBLE),
                                       NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST));
        return static_cast<const double*>(PyArray_DATA(copy_.array()));
    }

private:
    Owned copy_;
};

// The strides, in numbers, with which kernels write.
void kernel_strides(Kind kind, const Core& core, npy_intp* strides) {
    if (stands_row_by_row(kind)) {
        strides[0] = core.columns();
        strides[1] = 1;
        return;
    }
    strides[0] = 1;
    if (core.minor >= 0) strides[core.minor] = core.rows();
    if (core.major >= 0) strides[core.major] = core.rows() * core.shape[core.minor];
}

bool has_strides(PyArrayObject* array, const Core& core, const npy_intp* strides) {
    if (!PyArray_ISBEHAVED(array)) return false;
    for (int k = 0; k < core.ndim; ++k) {
        const auto bytes = strides[k] * static_cast<npy_intp>(sizeof(double));
        if (core.shape[k] > 1 && PyArray_STRIDE(array, k) != bytes) return false;
    }
    return true;
}

Owned new_array(const Core& core, const npy_intp* strides) {
    if (core.ndim <= 1) return made(PyArray_EMPTY(core.ndim, core.shape, NPY_DOUBLE, 0));
    npy_intp bytes[3];
    for (int k = 0; k < core.ndim; ++k)
        bytes[k] = strides[k] * static_cast<npy_intp>(sizeof(double));
    return made(PyArray_New(&PyArray_Type, core.ndim, core.shape, NPY_DOUBLE, bytes, nullptr, 0, 0,
                            nullptr));
}

class SingleCall {
public:
    explicit SingleCall(const Call& call) : call_(call), row_(*call.r.row) {}

    PyObject* run() {
        load_inputs();
        for (int k = 0; k < row_.outputs.size(); ++k) make_output(k);
        if (call_.forces != nullptr) x_.external = &forces_.emplace(call_.forces->single());
        x_.frame = call_.frame;
        x_.reference = call_.reference;
        x_.root = call_.root;
        x_.given = call_.given;
        compute();
        for (int k = call_.r.first_result; k < row_.outputs.size(); ++k) finish_output(k);
        return call_.returned(results_);
    }

private:
    const Call& call_;
    const Algorithm& row_;
    Operands<double> x_;
    std::array<Numbers, kMostInputs> numbers_;
    std::array<Owned, kMostOutputs>
        results_;  // one an output: what is computed, then what is returned
    std::optional<plucker::ExternalForces<double>> forces_;
    npy_intp largest_ = 0;

    void load_inputs() {
        for (std::size_t k = 0; k < call_.r.parameters.size(); ++k) {
            const int input = call_.r.parameters[k].input;
            if (input < 0) continue;
            PyArrayObject* const array = call_.vectors[k].array;
            const long size = PyArray_DIM(array, 0);
            const auto at = static_cast<std::size_t>(input);
            x_.inputs[at] = {numbers_[at].read(array), size, 1, size};
        }
    }

    PyObject* out_of(int k) const {
        return k < call_.r.first_result ? nullptr : call_.out(k - call_.r.first_result);
    }

    void make_output(int k) {
        const Kind kind = row_.outputs[k].kind;
        const Core core = core_of(kind, call_.model());
        npy_intp strides[3] = {};
        kernel_strides(kind, core, strides);
        Owned& result = results_[static_cast<std::size_t>(k)];
        if (PyObject* const out = out_of(k); out != nullptr) {
            PyArrayObject* const array =
                call_.checked_out(out, k - call_.r.first_result, core.ndim, core.shape,
                                  call_.is_float32 ? NPY_FLOAT : NPY_DOUBLE);
            if (!call_.is_float32 && has_strides(array, core, strides) &&
                !call_.would_lose_arguments(array, k)) {
                Py_INCREF(out);
                result = Owned(out);
            }
        }
        if (!result) result = new_array(core, strides);
        if (row_.outputs[k].reads != Reads::kNothing) copy_what_is_read(k);
        x_.outputs[static_cast<std::size_t>(k)] = {
            static_cast<double*>(PyArray_DATA(result.array())), core.rows(), core.columns(),
            core.rows()};
        largest_ = std::max(largest_, core.size());
    }
    void copy_what_is_read(int k) {
        for (std::size_t i = 0; i < call_.r.parameters.size(); ++i) {
            if (call_.r.parameters[i].output != k) continue;
            if (PyArray_CopyInto(results_[static_cast<std::size_t>(k)].array(),
                                 call_.vectors[i].array) < 0)
                throw py::error_already_set();
        }
    }

    void compute() {
        // Forces are left to the kernels, which are as good with the robot itself.
        const bool by_code = call_.robot.has_parameters() && call_.forces == nullptr;
        const Lease<Workspace<double>> ws =
            by_code ? call_.robot.code_workspace() : call_.robot.workspace();
        if (by_code && row_.inputs.has(Kind::kFrame))
            x_.frame = ws->model().frame_id(x_.frame.index());
        // What takes longer than some tens of microseconds lets other threads run meanwhile. The lock is taken again before the
        // workspace is given back.
        constexpr npy_intp kShort = 200000;
        std::optional<Unlocked> released;
        if (largest_ * call_.model().nv() > kShort || call_.model().num_bodies() > 200)
            released.emplace();
        x_.from_states = row_.num_states() > 0;
        table::perform_compiled(call_.r.index, *ws, x_);
    }

    // From what was computed to what is returned: the caller's array, a float32, a number.
    void finish_output(int k) {
        Owned& result = results_[static_cast<std::size_t>(k)];
        PyObject* const out = out_of(k);
        if (out == result.object()) return;
        if (out != nullptr) {
            if (PyArray_CopyInto(reinterpret_cast<PyArrayObject*>(out), result.array()) < 0)
                throw py::error_already_set();
            Py_INCREF(out);
            result = Owned(out);
            return;
        }
        if (call_.is_float32) {
            result = made(PyArray_FromArray(result.array(), PyArray_DescrFromType(NPY_FLOAT),
                                            NPY_ARRAY_FORCECAST));
        }
        if (PyArray_NDIM(result.array()) == 0)
            result = made(PyArray_Return(reinterpret_cast<PyArrayObject*>(result.release())));
    }
};

}  // namespace

PyObject* call_single(const Call& call) { return SingleCall(call).run(); }

}  // namespace plucker::python
