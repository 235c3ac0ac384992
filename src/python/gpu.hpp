// A robot on a GPU, for Python: the methods of Robot, on arrays that are there already, or are copied there and back.
#pragma once

#include <cstdint>
#include <mutex>

#include "arrays.hpp"
#include "plucker/gpu/gpu.hpp"
#include "robot.hpp"

namespace plucker::python {

class Gpu {
public:
    Gpu(std::shared_ptr<Robot> robot, int device);

    const std::shared_ptr<Robot>& robot() const { return robot_; }
    int number() const { return number_; }
    gpu::Device& device() const { return *device_; }
    const std::shared_ptr<gpu::Device>& on() const { return device_; }
    // For arrays of the device, and for those of the host. One call at a time.
    template <class T>
    gpu::Evaluator<T>& evaluator();
    template <class T>
    gpu::HostEvaluator<T>& copying();
    std::mutex& mutex() { return mutex_; }
    long synchronize();

private:
    template <class T>
    struct Evaluators {
        std::unique_ptr<gpu::Evaluator<T>> here;
        std::unique_ptr<gpu::HostEvaluator<T>> copying;
    };
    std::shared_ptr<Robot> robot_;
    int number_;
    std::shared_ptr<gpu::Device> device_;
    std::mutex mutex_;
    Evaluators<double> of_double_;
    Evaluators<float> of_float_;

    template <class T>
    Evaluators<T>& evaluators();
};

// Addresses in a GPU's memory are whole numbers in Python.
inline void* memory_at(std::uintptr_t address) {
    return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

// Whether it is an array in a GPU's memory: of torch, CuPy, or whatever has __cuda_array_interface__ or DLPack.
bool is_on_device(PyObject* object);
// An array of NumPy's with its shape, strides and address. Nobody may look at its numbers. `owner` is set to what has to be
// kept while it is used. Throws TypeError where its numbers are not of `numpy_types`, and Error where they lie on another GPU.
Owned view_of_device(const char* function, const char* argument, PyObject* object, int device,
                     std::initializer_list<int> numpy_types, py::object& owner);
// A new array of the library that `like` is of, with strides in bytes.
py::object new_on_device(const py::object& like, Gpu& gpu, int ndim, const npy_intp* shape,
                         const npy_intp* strides, int numpy_type);
// The stream on which that library works now.
gpu::Stream stream_of(const py::object& like);

}  // namespace plucker::python
