#include "bind.hpp"
#include "gpu.hpp"
#include "methods.hpp"
#include "plucker/gpu/motion.hpp"

namespace plucker::python {
namespace {

// Many robots that move, in one precision or the other.
class MotionOnGpu {
public:
    virtual ~MotionOnGpu() = default;
    virtual void set_states(const py::object& q, const py::object& v) = 0;
    virtual py::tuple states() = 0;
    virtual void step(const py::object& tau, int steps) = 0;
    virtual long synchronize() = 0;
    virtual double time() const = 0;
    virtual long size() const = 0;
    virtual py::dict lies(bool is_q) const = 0;
};

template <class T>
class MotionOf : public MotionOnGpu {
public:
    MotionOf(std::shared_ptr<Gpu> gpu, long count, double step)
        : gpu_(std::move(gpu)),
          motion_(gpu_->robot()->model(), count, {.step = step, .gpu = {.on = gpu_->on()}}) {}
    ~MotionOf() override { gpu_->device().release(tau_); }
    MotionOf(const MotionOf&) = delete;
    MotionOf& operator=(const MotionOf&) = delete;

    void set_states(const py::object& q, const py::object& v) override {
        const Owned all_q = rows("set_states", "q", q, motion_.model().nq());
        const Owned all_v = rows("set_states", "v", v, motion_.model().nv());
        motion_.set_states(view(all_q), view(all_v));
    }
    py::tuple states() override {
        const auto made_of = [&](long n) {
            const npy_intp shape[] = {size(), n};
            return made(PyArray_EMPTY(2, shape, kNumpyType<T>, 0));
        };
        Owned q = made_of(motion_.model().nq()), v = made_of(motion_.model().nv());
        const auto to = [&](const Owned& array) {
            return batch::States<T>(static_cast<T*>(PyArray_DATA(array.array())), size(),
                                    PyArray_DIM(array.array(), 1));
        };
        motion_.states(to(q), to(v));
        return py::make_tuple(py::reinterpret_steal<py::object>(q.release()),
                              py::reinterpret_steal<py::object>(v.release()));
    }
    void step(const py::object& tau, int steps) override {
        const long nv = motion_.model().nv();
        if (tau.is_none()) {
            for (int k = 0; k < steps; ++k) motion_.step();
            return;
        }
        py::object owner;
        Owned there;
        batch::States<const T> torques;
        if (is_on_device(tau.ptr())) {
            there =
                view_of_device("step", "tau", tau.ptr(), gpu_->number(), {kNumpyType<T>}, owner);
            check_shape("step", "tau", there.array(), nv);
            torques = view(there);
            motion_.set_stream(stream_of(tau));
        } else {
            const Owned here = rows("step", "tau", tau, nv);
            const auto bytes = static_cast<std::size_t>(size() * nv) * sizeof(T);
            motion_.set_stream(nullptr);
            if (tau_ == nullptr) tau_ = gpu_->device().allocate(bytes);
            gpu_->device().copy_in(tau_, PyArray_DATA(here.array()), bytes, nullptr);
            gpu_->device().synchronize(nullptr);
            torques = {static_cast<const T*>(tau_), size(), nv};
        }
        for (int k = 0; k < steps; ++k) motion_.step(torques);
    }
    long synchronize() override { return motion_.synchronize(); }
    double time() const override { return motion_.time(); }
    long size() const override { return motion_.size(); }
    py::dict lies(bool is_q) const override {
        const batch::States<T> x = is_q ? motion_.q() : motion_.v();
        constexpr long kSize = sizeof(T);
        return py::dict(
            py::arg("shape") = py::make_tuple(x.count, x.size),
            py::arg("typestr") = kSize == 4 ? "<f4" : "<f8",
            py::arg("data") = py::make_tuple(reinterpret_cast<std::uintptr_t>(x.data), false),
            py::arg("strides") = py::make_tuple(kSize, x.count * kSize), py::arg("version") = 3,
            py::arg("stream") = py::none());
    }

private:
    std::shared_ptr<Gpu> gpu_;
    gpu::Motion<T> motion_;
    void* tau_ = nullptr;

    void check_shape(const char* function, const char* argument, PyArrayObject* array,
                     npy_intp n) const {
        if (PyArray_NDIM(array) == 2 && PyArray_DIM(array, 0) == size() &&
            PyArray_DIM(array, 1) == n)
            return;
        throw Error::because(function, ": ", argument, " has shape ", shape_text(array),
                             ", expected (", size(), ", ", n, "), one row per robot");
    }
    Owned rows(const char* function, const char* argument, const py::object& object,
               npy_intp n) const {
        const Owned given = number_array(function, argument, object.ptr());
        check_shape(function, argument, given.array(), n);
        return made(PyArray_FROM_OTF(given.object(), kNumpyType<T>,
                                     NPY_ARRAY_IN_ARRAY | NPY_ARRAY_FORCECAST));
    }
    static batch::States<const T> view(const Owned& array) {
        constexpr auto kSize = static_cast<npy_intp>(sizeof(T));
        PyArrayObject* const x = array.array();
        return {static_cast<const T*>(PyArray_DATA(x)), PyArray_DIM(x, 0), PyArray_DIM(x, 1),
                PyArray_STRIDE(x, 0) / kSize, PyArray_STRIDE(x, 1) / kSize};
    }
};

// Where q or v lies, for whoever knows the interface.
struct StatesOnDevice {
    std::shared_ptr<MotionOnGpu> motion;
    bool is_q;
};

void bind_motion(py::module_& module, py::class_<Gpu, std::shared_ptr<Gpu>>& gpu) {
    py::class_<StatesOnDevice>(
        module, "StatesOnDevice",
        "The states of a GpuMotion where they lie, for torch.as_tensor, "
        "cupy.asarray and the like.\n\n"
        ">>> Q = torch.as_tensor(moving.q, device='cuda')  # doctest: +SKIP\n")
        .def_property_readonly("__cuda_array_interface__",
                               [](const StatesOnDevice& x) { return x.motion->lies(x.is_q); });
    py::class_<MotionOnGpu, std::shared_ptr<MotionOnGpu>>(
        module, "GpuMotion",
        "Many robots that move without contact on a GPU: made by Gpu.motion. Steps are those of "
        "Simulator without contact, limits and dry friction: semi-implicit, viscous friction "
        "implicit.\n\n"
        ">>> moving = robot.gpu().motion(100_000)  # doctest: +SKIP\n"
        ">>> moving.step(steps=1000)  # doctest: +SKIP\n")
        .def("set_states", &MotionOnGpu::set_states, py::arg("q"), py::arg("v"),
             "From arrays of NumPy, one row per robot.\n\n"
             ">>> moving.set_states(np.tile(q, (100_000, 1)), np.zeros(robot.nv))  # doctest: "
             "+SKIP\n")
        .def("states", &MotionOnGpu::states,
             "q and v, as arrays of NumPy.\n\n"
             ">>> q, v = moving.states()  # doctest: +SKIP\n")
        .def("step", &MotionOnGpu::step, py::arg("tau") = py::none(), py::arg("steps") = 1,
             "So many steps under the same torques (count, nv): of NumPy, which are copied, or on "
             "the GPU, in the order of that library's stream. Returns before they are done.\n\n"
             ">>> moving.step(tau, steps=10)  # doctest: +SKIP\n")
        .def("synchronize", &MotionOnGpu::synchronize,
             "Waits; how many steps of robots failed since the last time.\n\n"
             ">>> moving.synchronize()  # doctest: +SKIP\n"
             "0\n")
        .def_property_readonly("time", &MotionOnGpu::time, "Seconds.")
        .def("__len__", &MotionOnGpu::size)
        .def_property_readonly(
            "q",
            [](const std::shared_ptr<MotionOnGpu>& self) {
                return StatesOnDevice{self, true};
            },
            "Where the configurations lie on the GPU.")
        .def_property_readonly(
            "v",
            [](const std::shared_ptr<MotionOnGpu>& self) {
                return StatesOnDevice{self, false};
            },
            "Where the velocities lie on the GPU.");
    gpu.def(
        "motion",
        [](const std::shared_ptr<Gpu>& self, long count, double step,
           const std::string& dtype) -> std::shared_ptr<MotionOnGpu> {
            if (dtype == "float32") return std::make_shared<MotionOf<float>>(self, count, step);
            if (dtype == "float64") return std::make_shared<MotionOf<double>>(self, count, step);
            throw Error::because("motion: dtype is '", dtype, "'; it must be float32 or float64");
        },
        py::arg("count"), py::arg("step") = 1e-3, py::arg("dtype") = "float64",
        "So many of this robot that move without contact, from its neutral configuration: see "
        "GpuMotion.\n\n"
        ">>> moving = robot.gpu().motion(100_000, dtype='float32')  # doctest: +SKIP\n");
}

}  // namespace

void bind_gpu(py::module_& module, RobotClass& robot) {
    py::class_<Gpu, std::shared_ptr<Gpu>> type(
        module, "Gpu",
        "A robot on a GPU: made by Robot.gpu().\n\n"
        "It has the methods of Robot that compute. Arrays of torch and CuPy that lie on the GPU, "
        "and "
        "whatever else has __cuda_array_interface__ or DLPack, are read where they are, and "
        "results "
        "are new arrays of the same library, or written to out=. Such a call returns before it is "
        "done, in the order of that library's stream; synchronize() waits. Arrays of NumPy are "
        "copied to the GPU and back.\n\n"
        "Fastest are arrays in which all states of an entry lie side by side: of shape (N, nq), "
        "with "
        "strides (1, N).\n\n"
        ">>> gpu = robot.gpu()  # doctest: +SKIP\n"
        ">>> M = gpu.mass_matrix(robot.random_configurations(100_000))  # doctest: +SKIP\n");
    type.def_property_readonly(
        "robot", [](const Gpu& gpu) { return gpu.robot(); }, "The robot.");
    type.def_property_readonly("device", &Gpu::number, "Which GPU, counted from 0.");
    type.def_property_readonly(
        "name", [](const Gpu& gpu) { return gpu.device().info().name; }, "The GPU's name.");
    type.def("synchronize", &Gpu::synchronize, py::call_guard<Unlocked>(),
             "Waits for what was begun on arrays of the GPU; how many states had no result since "
             "the last time.\n\n"
             ">>> robot.gpu().synchronize()  # doctest: +SKIP\n"
             "0\n");
    // For arrays of our own (_device_arrays.py).
    type.def("_allocate", [](Gpu& gpu, std::size_t bytes) {
        return reinterpret_cast<std::uintptr_t>(gpu.device().allocate(bytes));
    });
    type.def("_release",
             [](Gpu& gpu, std::uintptr_t address) { gpu.device().release(memory_at(address)); });
    type.def("_copy_in", [](Gpu& gpu, std::uintptr_t to, const py::buffer& from) {
        const py::buffer_info info = from.request();
        gpu.device().copy_in(memory_at(to), info.ptr,
                             static_cast<std::size_t>(info.size * info.itemsize), nullptr);
        gpu.device().synchronize(nullptr);
    });
    type.def("_copy_out", [](Gpu& gpu, const py::buffer& to, std::uintptr_t from) {
        const py::buffer_info info = to.request(true);
        gpu.device().copy_out(info.ptr, memory_at(from),
                              static_cast<std::size_t>(info.size * info.itemsize), nullptr);
        gpu.device().synchronize(nullptr);
    });
    bind_motion(module, type);
    add_methods_of_gpu(reinterpret_cast<PyTypeObject*>(type.ptr()));
    robot.def(
        "gpu",
        [](const std::shared_ptr<Robot>& self, int device) {
            return std::make_shared<Gpu>(self, device);
        },
        py::arg("device") = 0,
        "The robot on a GPU, with the methods that compute: see Gpu and docs/gpu.md. Throws Error "
        "where there is no GPU, or no driver or compiler for it.\n\n"
        ">>> gpu = robot.gpu()  # doctest: +SKIP\n");
    module.def("_num_gpus", &gpu::num_devices, "How many GPUs there are.");
}

}  // namespace plucker::python
