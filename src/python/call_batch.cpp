// Many states: the batch evaluator on views of the callers' arrays, in pieces between which Python may interrupt.
#include <algorithm>
#include <chrono>

#include "axes.hpp"
#include "call.hpp"

namespace plucker::python {
namespace {

bool are_the_same(PyArrayObject* a, PyArrayObject* b) {
    const int n = PyArray_NDIM(a);
    return PyArray_DATA(a) == PyArray_DATA(b) && PyArray_NDIM(b) == n &&
           PyArray_CompareLists(PyArray_DIMS(a), PyArray_DIMS(b), n) &&
           PyArray_CompareLists(PyArray_STRIDES(a), PyArray_STRIDES(b), n);
}

template <class T>
class BatchCall {
public:
    explicit BatchCall(const Call& call)
        : call_(call), row_(*call.r.row), axes_(call.name(), take_inputs()) {}

    PyObject* run() {
        for (int k = 0; k < row_.outputs.size(); ++k) make_output(k);
        make_status();
        add_operands();
        axes_.arrange();
        if (axes_.count() > 0) compute();
        for (int k = call_.r.first_result; k < row_.outputs.size(); ++k) finish_output(k);
        if (!call_.is_on_device())
            call_.robot.last_status = py::reinterpret_borrow<py::object>(status_.object());
        return call_.returned(results_);
    }

private:
    static constexpr auto kSize = static_cast<npy_intp>(sizeof(T));

    const Call& call_;
    const Algorithm& row_;
    std::array<Owned, kMostInputs> inputs_;
    Owned stacked_forces_;
    Axes axes_;
    std::array<Owned, kMostOutputs> results_;  // one an output; null where it is not returned
    std::array<std::vector<T>, kMostOutputs> scratch_;  // for those
    std::array<Core, kMostOutputs> cores_;
    std::array<py::object, kMostOutputs> on_device_;  // what results stand for
    py::object status_on_device_;
    gpu::Stream stream_ = nullptr;
    Owned status_;
    batch::BatchOperands<T> x_;  // of the first state, and of no state
    batch::ExternalForces<T> forces_;
    // Numbers of the operands among the axes.
    std::array<int, kMostInputs> input_axes_{};
    int forces_axis_ = -1;
    std::array<int, kMostOutputs> output_axes_{};
    int status_axis_ = -1;

    // --- Arrays ---

    std::vector<std::pair<const char*, PyArrayObject*>> take_inputs() {
        std::vector<std::pair<const char*, PyArrayObject*>> out;
        for (std::size_t k = 0; k < call_.r.parameters.size(); ++k) {
            const Parameter& x = call_.r.parameters[k];
            if (!x.is_vector()) continue;
            PyArrayObject* array = call_.vectors[k].array;
            if (x.input >= 0) {
                Owned& input = inputs_[static_cast<std::size_t>(x.input)];
                input = as_numbers(array, kNumpyType<T>);
                array = input.array();
            }
            out.emplace_back(x.name, array);
        }
        if (call_.forces != nullptr) {
            stacked_forces_ = call_.forces->stacked(call_.name(), kNumpyType<T>);
            // A copy on the GPU has its strides.
            if (call_.is_on_device())
                stacked_forces_ = made(PyArray_GETCONTIGUOUS(stacked_forces_.array()));
            out.emplace_back("external", stacked_forces_.array());
        }
        return out;
    }

    // The shape of an output for `leading` dimensions of states.
    std::vector<npy_intp> shape_of(const Core& core) const {
        std::vector<npy_intp> shape(axes_.shape(), axes_.shape() + axes_.ndim());
        shape.insert(shape.end(), core.shape, core.shape + core.ndim);
        return shape;
    }
    // An array of which the library's matrices are dense, row by row.
    Owned new_array(const Core& core) const {
        const std::vector<npy_intp> shape = shape_of(core);
        check_that_an_array_can_be(shape);
        const std::vector<npy_intp> strides = dense_strides(core, shape);
        return made(PyArray_New(&PyArray_Type, static_cast<int>(shape.size()), shape.data(),
                                kNumpyType<T>, strides.data(), nullptr, 0, 0, nullptr));
    }
    // NumPy would say what is wrong, but not with what.
    void check_that_an_array_can_be(const std::vector<npy_intp>& shape) const {
        npy_intp bytes = kSize;
        bool fits = shape.size() <= NPY_MAXDIMS;
        for (const npy_intp n : shape) fits &= !__builtin_mul_overflow(bytes, n, &bytes);
        if (fits) return;
        throw Error::because(call_.name(), ": the result would have shape ",
                             shape_text(static_cast<int>(shape.size()), shape.data()),
                             ", which is more than an array can have; compute it in pieces");
    }
    std::vector<npy_intp> dense_strides(const Core& core,
                                        const std::vector<npy_intp>& shape) const {
        std::vector<npy_intp> strides(shape.size());
        const auto leading = static_cast<std::size_t>(axes_.ndim());
        if (core.ndim > 0) strides[leading] = core.columns() * kSize;
        if (core.minor >= 0) strides[leading + static_cast<std::size_t>(core.minor)] = kSize;
        if (core.major >= 0)
            strides[leading + static_cast<std::size_t>(core.major)] =
                core.shape[core.minor] * kSize;
        npy_intp next = core.size() * kSize;
        for (std::size_t k = leading; k-- > 0;) {
            strides[k] = next;
            next *= shape[k];
        }
        return strides;
    }
    // With the states of an entry side by side, where the first argument has them so.
    std::vector<npy_intp> strides_on_device(const Core& core,
                                            const std::vector<npy_intp>& shape) const {
        std::vector<npy_intp> strides = dense_strides(core, shape);
        PyArrayObject* const first = inputs_[0].array();
        const npy_intp count = shape.empty() ? 1 : shape[0];
        if (axes_.ndim() != 1 || PyArray_NDIM(first) != 2 || count < 2 ||
            PyArray_STRIDE(first, 0) != kSize)
            return strides;
        for (npy_intp& stride : strides) stride *= count;
        strides[0] = kSize;
        return strides;
    }
    void make_output_on_device(int k) {
        const auto at = static_cast<std::size_t>(k);
        const std::vector<npy_intp> shape = shape_of(cores_[at]);
        const auto ndim = static_cast<int>(shape.size());
        PyObject* const out = out_of(k);
        if (out == nullptr) {
            const std::vector<npy_intp> strides = strides_on_device(cores_[at], shape);
            on_device_[at] =
                new_on_device(py::reinterpret_borrow<py::object>(call_.like), *call_.gpu, ndim,
                              shape.data(), strides.data(), kNumpyType<T>);
        } else {
            if (!is_on_device(out))
                throw wrong_type(call_.name(), "out", out, "an array on the GPU, like the others");
            on_device_[at] = py::reinterpret_borrow<py::object>(out);
        }
        py::object owner;
        results_[at] = view_of_device(call_.name(), "out", on_device_[at].ptr(),
                                      call_.gpu->number(), {kNumpyType<T>}, owner);
        call_.checked_out(results_[at].object(), k - call_.r.first_result, ndim, shape.data(),
                          kNumpyType<T>);
        if (!can_be_written(results_[at].array(), k) || !is_apart(k)) {
            throw Error::because(call_.name(),
                                 ": out shares memory with another array, or cannot be written as "
                                 "it lies; give one of its own");
        }
    }
    // Whether the library can write output k there: whole strides, columns one after another, and nothing that is read elsewhere.
    bool can_be_written(PyArrayObject* out, int k) const {
        const Core& core = cores_[static_cast<std::size_t>(k)];
        if (!PyArray_ISBEHAVED(out)) return false;
        for (int d = 0; d < PyArray_NDIM(out); ++d) {
            if (PyArray_STRIDE(out, d) % kSize != 0) return false;
            if (PyArray_STRIDE(out, d) == 0 && PyArray_DIM(out, d) > 1) return false;
        }
        if (call_.would_lose_arguments(out, k)) return false;
        const npy_intp* strides = PyArray_STRIDES(out) + axes_.ndim();
        if (core.major >= 0 && strides[core.major] != strides[core.minor] * core.shape[core.minor])
            return false;
        for (const Owned& input : inputs_) {
            if (input && may_share(input.array(), out) && !are_the_same(input.array(), out))
                return false;
        }
        return !stacked_forces_ || !may_share(stacked_forces_.array(), out);
    }
    bool is_apart(int k) const {
        for (int other = call_.r.first_result; other < k; ++other) {
            if (may_share(results_[static_cast<std::size_t>(other)].array(),
                          results_[static_cast<std::size_t>(k)].array()))
                return false;
        }
        return true;
    }

    PyObject* out_of(int k) const { return call_.out(k - call_.r.first_result); }
    void make_output(int k) {
        const Argument& argument = row_.outputs[k];
        const Core core = core_of(argument.kind, call_.model());
        cores_[static_cast<std::size_t>(k)] = core;
        if (k < call_.r.first_result) return;
        if (call_.is_on_device()) {
            make_output_on_device(k);
            return;
        }
        Owned& result = results_[static_cast<std::size_t>(k)];
        if (PyObject* const out = out_of(k); out != nullptr) {
            const std::vector<npy_intp> shape = shape_of(core);
            PyArrayObject* const array =
                call_.checked_out(out, k - call_.r.first_result, static_cast<int>(shape.size()),
                                  shape.data(), kNumpyType<T>);
            if (can_be_written(array, k)) {
                Py_INCREF(out);
                result = Owned(out);
                if (!is_apart(k)) result = {};
            }
        }
        if (!result) result = new_array(core);
        if (argument.reads == Reads::kNothing) return;
        for (std::size_t i = 0; i < call_.r.parameters.size(); ++i) {
            if (call_.r.parameters[i].output != k) continue;
            if (PyArray_CopyInto(result.array(), call_.vectors[i].array) < 0)
                throw py::error_already_set();
        }
    }
    void finish_output(int k) {
        Owned& result = results_[static_cast<std::size_t>(k)];
        if (call_.is_on_device()) {
            result = Owned(on_device_[static_cast<std::size_t>(k)].release().ptr());
            return;
        }
        PyObject* const out = out_of(k);
        if (out == nullptr) {
            if (PyArray_NDIM(result.array()) == 0)
                result = made(PyArray_Return(reinterpret_cast<PyArrayObject*>(result.release())));
            return;
        }
        if (out == result.object()) return;
        if (PyArray_CopyInto(reinterpret_cast<PyArrayObject*>(out), result.array()) < 0)
            throw py::error_already_set();
        Py_INCREF(out);
        result = Owned(out);
    }

    void make_status() {
        PyObject* given = call_.arguments.status;
        Owned view;
        if (call_.is_on_device()) {
            stream_ = stream_of(py::reinterpret_borrow<py::object>(call_.like));
            if (given == nullptr) return;
            if (!is_on_device(given))
                throw wrong_type(call_.name(), "status", given, "an array of uint8 on the GPU");
            view = view_of_device(call_.name(), "status", given, call_.gpu->number(), {NPY_UINT8},
                                  status_on_device_);
            given = view.object();
        }
        if (given == nullptr) {
            status_ = made(PyArray_EMPTY(axes_.ndim(), axes_.shape(), NPY_UINT8, 0));
            return;
        }
        if (!PyArray_Check(given) ||
            PyArray_TYPE(reinterpret_cast<PyArrayObject*>(given)) != NPY_UINT8)
            throw wrong_type(call_.name(), "status", given, "an array of uint8");
        auto* const array = reinterpret_cast<PyArrayObject*>(given);
        if (PyArray_NDIM(array) != axes_.ndim() ||
            !PyArray_CompareLists(PyArray_DIMS(array), axes_.shape(), axes_.ndim())) {
            throw Error::because(call_.name(), ": status has shape ", shape_text(array),
                                 ", expected ", shape_text(axes_.ndim(), axes_.shape()),
                                 ", one entry per state");
        }
        if (!PyArray_ISWRITEABLE(array))
            throw Error::because(call_.name(),
                                 ": status is read-only; give an array that can be written");
        Py_INCREF(given);
        status_ = Owned(given);
    }

    // --- Operands ---

    void add_operands() {
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            if (!inputs_[k]) continue;
            PyArrayObject* const array = inputs_[k].array();
            input_axes_[k] = axes_.add(array, 1, kSize);
            x_.take(vectors_in(array));
        }
        if (call_.forces != nullptr) {
            forces_axis_ = axes_.add(stacked_forces_.array(), 1, kSize);
            forces_.forces = vectors_in(stacked_forces_.array());
            for (const Forces::Entry& entry : call_.forces->entries())
                forces_.places.push_back(entry.place);
            x_.take(forces_);
        }
        for (int k = 0; k < row_.outputs.size(); ++k) {
            const auto at = static_cast<std::size_t>(k);
            const Core& core = cores_[at];
            if (!results_[at]) {
                x_.give({nullptr, 0, core.rows(), core.columns(), core.size(), core.columns(), 1});
                continue;
            }
            PyArrayObject* const array = results_[at].array();
            output_axes_[at] = axes_.add(array, core.ndim, kSize);
            const npy_intp* strides = PyArray_STRIDES(array) + axes_.ndim();
            x_.give({static_cast<T*>(PyArray_DATA(array)), 0, core.rows(), core.columns(), 0,
                     core.ndim > 0 ? strides[0] / kSize : 1,
                     core.minor >= 0 ? strides[core.minor] / kSize : 1});
        }
        if (status_) status_axis_ = axes_.add(status_.array(), 0, 1);
        x_.frame = call_.frame;
        x_.reference = call_.reference;
        x_.root = call_.root;
        x_.given = call_.given;
    }
    static batch::States<const T> vectors_in(PyArrayObject* array) {
        const int last = PyArray_NDIM(array) - 1;
        return {static_cast<const T*>(PyArray_DATA(array)), 0, PyArray_DIM(array, last), 0,
                PyArray_STRIDE(array, last) / kSize};
    }

    // States [begin, begin + count) of the row that starts at the offsets.
    batch::BatchOperands<T> states(const std::array<npy_intp, Axes::kMostOperands>& offsets,
                                   npy_intp begin, npy_intp count,
                                   batch::ExternalForces<T>& forces) {
        batch::BatchOperands<T> x = x_;
        const auto place = [&](auto& view, int operand) {
            view.state_stride = axes_.row_stride(operand);
            view.data += offsets[static_cast<std::size_t>(operand)] + begin * view.state_stride;
            view.count = count;
        };
        for (std::size_t k = 0; k < static_cast<std::size_t>(x.num_inputs); ++k)
            place(x.inputs[k], input_axes_[k]);
        for (std::size_t k = 0; k < static_cast<std::size_t>(x.num_outputs); ++k) {
            if (results_[k]) {
                place(x.outputs[k], output_axes_[k]);
            } else {
                scratch_[k].resize(static_cast<std::size_t>(count * cores_[k].size()));
                x.outputs[k].data = scratch_[k].data();
                x.outputs[k].count = count;
            }
        }
        if (x.external != nullptr) {
            forces.forces = forces_.forces;
            place(forces.forces, forces_axis_);
            x.external = &forces;
        }
        return x;
    }

    // --- The work ---

    // How many states are computed before Python is asked whether to go on: as many as take some hundredths of a second.
    class Pace {
    public:
        explicit Pace(npy_intp numbers_a_state)
            : count_(std::clamp<npy_intp>((1 << 21) / numbers_a_state, 64, 1 << 16)) {}
        npy_intp count() const { return count_; }
        void took(npy_intp states, double seconds) {
            if (states < count_) return;
            constexpr double kSeconds = 0.04;
            const double factor = std::clamp(kSeconds / std::max(seconds, 1e-9), 0.5, 64.0);
            count_ =
                std::max<npy_intp>(64, static_cast<npy_intp>(static_cast<double>(count_) * factor));
        }

    private:
        npy_intp count_;
    };

    void compute() {
        if (call_.gpu != nullptr) {
            compute_on_gpu();
            return;
        }
        const Lease<Crew<T>> crew = call_.robot.template crew<T>(call_.threads);
        bool interrupted = false;
        {
            const Unlocked released;
            interrupted = !compute_with(crew->evaluator);
        }
        if (interrupted) throw py::error_already_set();
    }
    // On the GPU, as long as the call takes.
    class Copied {
    public:
        Copied(gpu::Device& device, PyArrayObject* array, gpu::Stream stream)
            : device_(device),
              memory_(device.allocate(static_cast<std::size_t>(PyArray_NBYTES(array)))) {
            device.copy_in(memory_, PyArray_DATA(array),
                           static_cast<std::size_t>(PyArray_NBYTES(array)), stream);
        }
        ~Copied() { device_.release(memory_); }
        Copied(const Copied&) = delete;
        Copied& operator=(const Copied&) = delete;
        const T* numbers() const { return static_cast<const T*>(memory_); }

    private:
        gpu::Device& device_;
        void* memory_;
    };
    void compute_on_gpu() {
        const Unlocked released;
        const std::lock_guard lock(call_.gpu->mutex());
        std::optional<Copied> forces_there;
        if (call_.is_on_device() && call_.forces != nullptr) {
            forces_.forces.data =
                forces_there.emplace(call_.gpu->device(), stacked_forces_.array(), stream_)
                    .numbers();
        }
        batch::ExternalForces<T> forces{forces_.places, {}};
        std::vector<Status> status;
        axes_.for_each_row([&](const auto& offsets) {
            const npy_intp count = axes_.row_length();
            batch::BatchOperands<T> x = states(offsets, 0, count, forces);
            if (status_) x.status = status_at(offsets, 0, count, status);
            if (call_.is_on_device()) {
                if (!status.empty())
                    throw Error::because(call_.name(), ": status must be contiguous");
                auto& evaluator = call_.gpu->template evaluator<T>();
                evaluator.set_stream(stream_);
                evaluator.perform(call_.r.index, x);
            } else {
                call_.gpu->template copying<T>().perform(call_.r.index, x);
                if (!status.empty()) write_status(status, offsets, 0);
            }
            return true;
        });
        if (forces_there) call_.gpu->device().synchronize(stream_);  // it is read until then
    }
    // Returns whether all was done: false where Python has been told to stop.
    bool compute_with(batch::Evaluator<T>& evaluator) {
        using Clock = std::chrono::steady_clock;
        const auto seconds = [](Clock::duration d) {
            return std::chrono::duration<double>(d).count();
        };
        npy_intp numbers = 1 + call_.model().nq();  // a robot that cannot move may have none
        for (const Core& core : cores_) numbers += core.size();
        Pace pace(numbers);
        batch::ExternalForces<T> forces{forces_.places, {}};
        std::vector<Status> status;  // where the caller's array is no dense one
        bool goes_on = true;
        auto asked = Clock::now();
        axes_.for_each_row([&](const auto& offsets) {
            for (npy_intp begin = 0; begin < axes_.row_length() && goes_on;) {
                const npy_intp count = std::min(pace.count(), axes_.row_length() - begin);
                batch::BatchOperands<T> x = states(offsets, begin, count, forces);
                x.status = status_at(offsets, begin, count, status);
                const auto started = Clock::now();
                evaluator.perform(call_.r.index, x);
                const auto now = Clock::now();
                pace.took(count, seconds(now - started));
                if (!status.empty()) write_status(status, offsets, begin);
                begin += count;
                if (seconds(now - asked) < 0.02) continue;
                asked = now;
                const Locked locked;
                goes_on = PyErr_CheckSignals() == 0;
            }
            return goes_on;
        });
        return goes_on;
    }
    std::span<Status> status_at(const std::array<npy_intp, Axes::kMostOperands>& offsets,
                                npy_intp begin, npy_intp count, std::vector<Status>& copy) {
        const auto size = static_cast<std::size_t>(count);
        if (axes_.row_stride(status_axis_) == 1) {
            auto* first = static_cast<Status*>(PyArray_DATA(status_.array()));
            return {first + offsets[static_cast<std::size_t>(status_axis_)] + begin, size};
        }
        copy.resize(size);
        return copy;
    }
    void write_status(const std::vector<Status>& status,
                      const std::array<npy_intp, Axes::kMostOperands>& offsets, npy_intp begin) {
        const npy_intp stride = axes_.row_stride(status_axis_);
        auto* to = static_cast<std::uint8_t*>(PyArray_DATA(status_.array())) +
                   offsets[static_cast<std::size_t>(status_axis_)] + begin * stride;
        for (const Status s : status) {
            *to = static_cast<std::uint8_t>(s);
            to += stride;
        }
    }
};

}  // namespace

template <class T>
PyObject* call_batch(const Call& call) {
    return BatchCall<T>(call).run();
}
template PyObject* call_batch<double>(const Call& call);
template PyObject* call_batch<float>(const Call& call);

}  // namespace plucker::python
