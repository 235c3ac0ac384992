#include "bind.hpp"
#include "gpu.hpp"
#include "methods.hpp"

namespace plucker::python {
namespace {

void* memory_at(std::uintptr_t address) { return reinterpret_cast<void*>(address); }

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
        "strides (1, N).");
    type.def_property_readonly(
        "robot", [](const Gpu& gpu) { return gpu.robot(); }, "The robot.");
    type.def_property_readonly("device", &Gpu::number, "Which GPU, counted from 0.");
    type.def_property_readonly(
        "name", [](const Gpu& gpu) { return gpu.device().info().name; }, "The GPU's name.");
    type.def("synchronize", &Gpu::synchronize, py::call_guard<py::gil_scoped_release>(),
             "Waits for what was begun on arrays of the GPU; how many states had no result since "
             "the last time.");
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
    add_methods_of_gpu(reinterpret_cast<PyTypeObject*>(type.ptr()));
    robot.def(
        "gpu",
        [](const std::shared_ptr<Robot>& self, int device) {
            return std::make_shared<Gpu>(self, device);
        },
        py::arg("device") = 0,
        "The robot on a GPU, with the methods that compute: see Gpu and docs/gpu.md. Throws Error "
        "where there is no GPU, or no driver or compiler for it.");
    module.def("_num_gpus", &gpu::num_devices, "How many GPUs there are.");
}

}  // namespace plucker::python
