#include "gpu.hpp"

#include <pybind11/stl.h>

namespace plucker::python {

Gpu::Gpu(std::shared_ptr<Robot> robot, int device)
    : robot_(std::move(robot)), number_(device), device_(gpu::open_device(device)) {}

template <>
Gpu::Evaluators<double>& Gpu::evaluators() {
    return of_double_;
}
template <>
Gpu::Evaluators<float>& Gpu::evaluators() {
    return of_float_;
}
template <class T>
gpu::Evaluator<T>& Gpu::evaluator() {
    auto& here = evaluators<T>().here;
    if (here == nullptr) {
        here = std::make_unique<gpu::Evaluator<T>>(robot_->model(),
                                                   gpu::Options{.wait = false, .on = device_});
    }
    return *here;
}
template <class T>
gpu::HostEvaluator<T>& Gpu::copying() {
    auto& copying = evaluators<T>().copying;
    if (copying == nullptr) {
        copying =
            std::make_unique<gpu::HostEvaluator<T>>(robot_->model(), gpu::Options{.on = device_});
    }
    return *copying;
}
template gpu::Evaluator<double>& Gpu::evaluator();
template gpu::Evaluator<float>& Gpu::evaluator();
template gpu::HostEvaluator<double>& Gpu::copying();
template gpu::HostEvaluator<float>& Gpu::copying();

long Gpu::synchronize() {
    const std::lock_guard lock(mutex_);
    long flagged = 0;
    if (of_double_.here != nullptr) flagged += of_double_.here->synchronize();
    if (of_float_.here != nullptr) flagged += of_float_.here->synchronize();
    return flagged;
}

namespace {

constexpr const char* kInterface = "__cuda_array_interface__";
constexpr int kCuda = 2;  // a kind of device, in DLPack

// As DLPack lays them out.
struct DlTensor {
    void* data;
    std::int32_t device_kind, device;
    std::int32_t ndim;
    std::uint8_t code, bits;
    std::uint16_t lanes;
    std::int64_t* shape;
    std::int64_t* strides;  // of numbers; null: dense
    std::uint64_t offset;
};
struct DlManaged {
    DlTensor tensor;
    void* context;
    void (*release)(DlManaged*);
};

// How an array lies in memory, whoever says so.
struct Lying {
    std::uintptr_t data = 0;
    std::vector<npy_intp> shape, strides;  // strides in bytes; empty: dense
    int numpy_type = NPY_NOTYPE;
    npy_intp size = 0;  // bytes of a number
    bool is_read_only = false;
    std::string type;  // in words
};

int numpy_type_of(char kind, npy_intp size) {
    if (kind == 'f' && size == 4) return NPY_FLOAT;
    if (kind == 'f' && size == 8) return NPY_DOUBLE;
    if (kind == 'u' && size == 1) return NPY_UINT8;
    return NPY_NOTYPE;
}

Lying read_interface(const py::dict& interface) {
    Lying out;
    const auto data = interface["data"].cast<py::tuple>();
    out.data = data[0].is_none() ? 0 : data[0].cast<std::uintptr_t>();
    out.is_read_only = data[1].cast<bool>();
    out.shape = interface["shape"].cast<std::vector<npy_intp>>();
    out.type = interface["typestr"].cast<std::string>();
    if (out.type.size() > 2) {
        out.size = std::atol(out.type.c_str() + 2);
        out.numpy_type = out.type[0] == '>' ? NPY_NOTYPE : numpy_type_of(out.type[1], out.size);
    }
    if (interface.contains("strides") && !interface["strides"].is_none())
        out.strides = interface["strides"].cast<std::vector<npy_intp>>();
    return out;
}
Lying read_tensor(const DlTensor& tensor) {
    Lying out;
    out.data = reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.offset;
    out.shape.assign(tensor.shape, tensor.shape + tensor.ndim);
    constexpr char kKinds[] = {'i', 'u', 'f'};
    const char kind = tensor.code < 3 ? kKinds[tensor.code] : '?';
    out.size = tensor.bits / 8;
    out.numpy_type = tensor.lanes == 1 ? numpy_type_of(kind, out.size) : NPY_NOTYPE;
    out.type = kind + std::to_string(out.size);
    if (tensor.strides != nullptr) {
        for (int k = 0; k < tensor.ndim; ++k) out.strides.push_back(tensor.strides[k] * out.size);
    }
    return out;
}

// Which of the devices; -1: it does not say.
int device_of(const py::object& object) {
    if (!py::hasattr(object, "__dlpack_device__")) return -1;
    const auto device = object.attr("__dlpack_device__")().cast<py::tuple>();
    return device[1].cast<int>();
}

}  // namespace

bool is_on_device(PyObject* object) {
    if (object == nullptr || PyArray_Check(object) || PyFloat_Check(object) ||
        PyUnicode_Check(object))
        return false;
    const auto x = py::reinterpret_borrow<py::object>(object);
    if (py::hasattr(x, kInterface)) return true;
    if (!py::hasattr(x, "__dlpack__") || !py::hasattr(x, "__dlpack_device__")) return false;
    const py::tuple device = x.attr("__dlpack_device__")();
    return device[0].cast<int>() == kCuda;
}

Owned view_of_device(const char* function, const char* argument, PyObject* object, int device,
                     std::initializer_list<int> numpy_types, py::object& owner) {
    const auto x = py::reinterpret_borrow<py::object>(object);
    owner = x;
    Lying lying;
    if (py::hasattr(x, kInterface)) {
        lying = read_interface(x.attr(kInterface));
    } else {
        const py::capsule capsule = x.attr("__dlpack__")();
        auto* const managed =
            static_cast<DlManaged*>(PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
        if (managed == nullptr) throw py::error_already_set();
        lying = read_tensor(managed->tensor);
        PyCapsule_SetName(capsule.ptr(), "used_dltensor");
        // Ours from now on: it is let go with its new capsule.
        owner = py::capsule(managed, [](void* p) {
            auto* const it = static_cast<DlManaged*>(p);
            if (it->release != nullptr) it->release(it);
        });
    }
    bool is_one = false;
    for (const int type : numpy_types) is_one = is_one || type == lying.numpy_type;
    if (!is_one) {
        throw wrong_type(function, argument, object,
                         (std::string(numpy_types.size() > 1 ? "an array of float32 or float64"
                                      : *numpy_types.begin() == NPY_UINT8 ? "an array of uint8"
                                      : *numpy_types.begin() == NPY_FLOAT
                                          ? "an array of float32, like the others"
                                          : "an array of float64, like the others") +
                          "; its numbers are " + lying.type)
                             .c_str());
    }
    if (const int on = device_of(x); on >= 0 && on != device) {
        throw Error::because(function, ": ", argument, " lies on GPU ", on,
                             ", and this evaluator works on GPU ", device,
                             "; make one with robot.gpu(", on, "), or copy it");
    }
    for (const npy_intp stride : lying.strides) {
        if (stride % lying.size != 0)
            throw Error::because(function, ": ", argument,
                                 " has strides that are no whole numbers; make it contiguous");
    }
    // NumPy takes an array that has numbers to lie somewhere.
    void* const data =
        memory_at(lying.data == 0 ? static_cast<std::uintptr_t>(lying.size) : lying.data);
    return made(PyArray_New(
        &PyArray_Type, static_cast<int>(lying.shape.size()), lying.shape.data(), lying.numpy_type,
        lying.strides.empty() ? nullptr : lying.strides.data(), data, 0,
        NPY_ARRAY_ALIGNED | (lying.is_read_only ? 0 : NPY_ARRAY_WRITEABLE), nullptr));
}

py::object new_on_device(const py::object& like, Gpu& gpu, int ndim, const npy_intp* shape,
                         const npy_intp* strides, int numpy_type) {
    const npy_intp size = numpy_type == NPY_FLOAT ? 4 : 8;
    py::tuple lengths(ndim), steps(ndim);
    for (int k = 0; k < ndim; ++k) {
        lengths[static_cast<std::size_t>(k)] = shape[k];
        steps[static_cast<std::size_t>(k)] = strides[k] / size;
    }
    return py::module_::import("plucker._device_arrays")
        .attr("new")(like, lengths, steps, numpy_type == NPY_FLOAT ? "float32" : "float64",
                     py::cast(&gpu, py::return_value_policy::reference));
}

gpu::Stream stream_of(const py::object& like) {
    const auto stream = py::module_::import("plucker._device_arrays").attr("stream")(like);
    return memory_at(stream.cast<std::uintptr_t>());
}

}  // namespace plucker::python
