// NVIDIA's driver and run-time compiler, loaded by name. Their interfaces in C are stable; what is used of them is declared
// here, so that no header of theirs is needed.
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "plucker/error.hpp"
#include "plucker/gpu/driver.hpp"

namespace plucker::gpu {
namespace {

class Library {
public:
    // The first of these names that can be loaded; none: Error, which says what it is for.
    Library(const std::vector<std::string>& names, const std::string& what) {
        for (const std::string& name : names) {
            handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
            if (handle_ != nullptr) return;
        }
        throw Error::because("gpu: ", what, " is missing: ", names.front(),
                             " could not be loaded (", dlerror(), ")");
    }
    // Never unloaded: other code of the process may hold on to it.

    template <class F>
    void find(F*& function, const char* name) const {
        void* const symbol = dlsym(handle_, name);
        if (symbol == nullptr)
            throw Error::because("gpu: the library of the GPU is too old: it has no ", name);
        function = reinterpret_cast<F*>(symbol);
    }

private:
    void* handle_ = nullptr;
};

// The driver. Results are 0 where all is well.
struct Cuda {
    using Pointer = std::uint64_t;

    int (*init)(unsigned);
    int (*error_name)(int, const char**);
    int (*error_string)(int, const char**);
    int (*driver_version)(int*);
    int (*device_count)(int*);
    int (*device_get)(int*, int);
    int (*device_name)(char*, int, int);
    int (*device_attribute)(int*, int, int);
    int (*device_memory)(std::size_t*, int);
    int (*context_retain)(void**, int);
    int (*context_release)(int);
    int (*context_push)(void*);
    int (*context_pop)(void**);
    int (*module_load)(void**, const void*);
    int (*module_unload)(void*);
    int (*module_function)(void**, void*, const char*);
    int (*function_attribute)(int*, int, void*);
    int (*set_function_attribute)(void*, int, int);
    int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                  void*, void**, void**);
    int (*allocate)(Pointer*, std::size_t);
    int (*release)(Pointer);
    int (*allocate_host)(void**, std::size_t, unsigned);
    int (*release_host)(void*);
    int (*copy_in)(Pointer, const void*, std::size_t, void*);
    int (*copy_out)(void*, Pointer, std::size_t, void*);
    int (*set_bytes)(Pointer, unsigned char, std::size_t, void*);
    int (*stream_create)(void**, unsigned);
    int (*stream_destroy)(void*);
    int (*stream_synchronize)(void*);
    int (*event_create)(void**, unsigned);
    int (*event_destroy)(void*);
    int (*event_record)(void*, void*);
    int (*event_synchronize)(void*);
    int (*event_query)(void*);
    int (*event_elapsed)(float*, void*, void*);
    int (*stream_wait)(void*, void*, unsigned);

    Cuda() {
        const Library library({"libcuda.so.1", "libcuda.so"}, "NVIDIA's driver");
        library.find(init, "cuInit");
        library.find(error_name, "cuGetErrorName");
        library.find(error_string, "cuGetErrorString");
        library.find(driver_version, "cuDriverGetVersion");
        library.find(device_count, "cuDeviceGetCount");
        library.find(device_get, "cuDeviceGet");
        library.find(device_name, "cuDeviceGetName");
        library.find(device_attribute, "cuDeviceGetAttribute");
        library.find(device_memory, "cuDeviceTotalMem_v2");
        library.find(context_retain, "cuDevicePrimaryCtxRetain");
        library.find(context_release, "cuDevicePrimaryCtxRelease_v2");
        library.find(context_push, "cuCtxPushCurrent_v2");
        library.find(context_pop, "cuCtxPopCurrent_v2");
        library.find(module_load, "cuModuleLoadData");
        library.find(module_unload, "cuModuleUnload");
        library.find(module_function, "cuModuleGetFunction");
        library.find(function_attribute, "cuFuncGetAttribute");
        library.find(set_function_attribute, "cuFuncSetAttribute");
        library.find(launch, "cuLaunchKernel");
        library.find(allocate, "cuMemAlloc_v2");
        library.find(release, "cuMemFree_v2");
        library.find(allocate_host, "cuMemHostAlloc");
        library.find(release_host, "cuMemFreeHost");
        library.find(copy_in, "cuMemcpyHtoDAsync_v2");
        library.find(copy_out, "cuMemcpyDtoHAsync_v2");
        library.find(set_bytes, "cuMemsetD8Async");
        library.find(stream_create, "cuStreamCreate");
        library.find(stream_destroy, "cuStreamDestroy_v2");
        library.find(stream_synchronize, "cuStreamSynchronize");
        library.find(event_create, "cuEventCreate");
        library.find(event_destroy, "cuEventDestroy_v2");
        library.find(event_record, "cuEventRecord");
        library.find(event_synchronize, "cuEventSynchronize");
        library.find(event_query, "cuEventQuery");
        library.find(event_elapsed, "cuEventElapsedTime");
        library.find(stream_wait, "cuStreamWaitEvent");
        check(init(0), "the driver could not be started");
    }
    template <class... What>
    void check(int result, const What&... what) const {
        if (result == 0) return;
        const char *name = nullptr, *says = nullptr;
        error_name(result, &name);
        error_string(result, &says);
        throw Error::because("gpu: ", what..., ": ", says != nullptr ? says : "unknown error", " (",
                             name != nullptr ? name : "", ", ", result, ")");
    }
};

const Cuda& cuda() {
    static const Cuda it;
    return it;
}

// The compiler.
struct Nvrtc {
    int (*version)(int*, int*);
    int (*create)(void**, const char*, const char*, int, const char* const*, const char* const*);
    int (*destroy)(void**);
    int (*num_architectures)(int*);
    int (*architectures)(int*);
    int (*compile)(void*, int, const char* const*);
    int (*binary_size)(void*, std::size_t*);
    int (*binary)(void*, char*);
    int (*assembly_size)(void*, std::size_t*);
    int (*assembly)(void*, char*);
    int (*log_size)(void*, std::size_t*);
    int (*log)(void*, char*);
    const char* (*error_string)(int);

    Nvrtc() {
        const std::string toolkit = "/usr/local/cuda/lib64/";
        const Library library(
            {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", toolkit + "libnvrtc.so",
             toolkit + "libnvrtc.so.13", toolkit + "libnvrtc.so.12"},
            "NVIDIA's run-time compiler NVRTC, which comes with the CUDA toolkit or the Python "
            "package "
            "nvidia-cuda-nvrtc,");
        library.find(version, "nvrtcVersion");
        library.find(create, "nvrtcCreateProgram");
        library.find(destroy, "nvrtcDestroyProgram");
        library.find(num_architectures, "nvrtcGetNumSupportedArchs");
        library.find(architectures, "nvrtcGetSupportedArchs");
        library.find(compile, "nvrtcCompileProgram");
        library.find(binary_size, "nvrtcGetCUBINSize");
        library.find(binary, "nvrtcGetCUBIN");
        library.find(assembly_size, "nvrtcGetPTXSize");
        library.find(assembly, "nvrtcGetPTX");
        library.find(log_size, "nvrtcGetProgramLogSize");
        library.find(log, "nvrtcGetProgramLog");
        library.find(error_string, "nvrtcGetErrorString");
    }
    void check(int result, const char* what) const {
        if (result != 0) throw Error::because("gpu: NVRTC ", what, ": ", error_string(result));
    }
};

const Nvrtc& nvrtc() {
    static const Nvrtc it;
    return it;
}

// A text that is compiled.
class NvrtcProgram {
public:
    explicit NvrtcProgram(const std::string& text) {
        nvrtc().check(nvrtc().create(&program_, text.c_str(), "robot.cu", 0, nullptr, nullptr),
                      "takes no program");
    }
    ~NvrtcProgram() { nvrtc().destroy(&program_); }
    NvrtcProgram(const NvrtcProgram&) = delete;
    NvrtcProgram& operator=(const NvrtcProgram&) = delete;

    void compile(const std::string& architecture) {
        const std::string option = "--gpu-architecture=" + architecture;
        const char* const options[] = {option.c_str(), "--std=c++17"};
        const int result = nvrtc().compile(program_, 2, options);
        if (result == 0) return;
        throw Error::because("gpu: the kernel does not compile: ", nvrtc().error_string(result),
                             "\n", text_of(nvrtc().log_size, nvrtc().log));
    }
    std::string binary() { return text_of(nvrtc().binary_size, nvrtc().binary); }
    std::string assembly() { return text_of(nvrtc().assembly_size, nvrtc().assembly); }

private:
    void* program_ = nullptr;

    std::string text_of(int (*size)(void*, std::size_t*), int (*get)(void*, char*)) {
        std::size_t bytes = 0;
        nvrtc().check(size(program_, &bytes), "gives no result");
        std::string out(bytes, '\0');
        nvrtc().check(get(program_, out.data()), "gives no result");
        return out;
    }
};

// The device's own context, which the rest of the process (torch, CuPy, the runtime of CUDA) uses too. It is current while we
// need it, and then what was current before.
class Current {
public:
    explicit Current(void* context) {
        cuda().check(cuda().context_push(context), "the GPU cannot be used");
    }
    ~Current() {
        void* ours = nullptr;
        cuda().context_pop(&ours);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;
};
// The same to give something back: where the GPU is gone, so is that.
template <class Release>
void release_in(void* context, const Release& release) noexcept {
    if (cuda().context_push(context) != 0) return;
    release();
    void* ours = nullptr;
    cuda().context_pop(&ours);
}

class CudaKernel : public Kernel {
public:
    void* module = nullptr;
    void* function = nullptr;
    void* context = nullptr;
    std::size_t allowed = 0;  // shared memory

    CudaKernel() = default;
    CudaKernel(const CudaKernel&) = delete;
    CudaKernel& operator=(const CudaKernel&) = delete;
    ~CudaKernel() override {
        if (module != nullptr) release_in(context, [&] { cuda().module_unload(module); });
    }
};

Cuda::Pointer address(const void* memory) { return reinterpret_cast<std::uintptr_t>(memory); }

class CudaDevice : public Device {
public:
    explicit CudaDevice(int number) {
        int count = 0;
        cuda().check(cuda().device_count(&count), "the GPUs could not be counted");
        if (count == 0) throw Error("gpu: this machine has no GPU that its driver knows");
        if (number < 0 || number >= count)
            throw Error::because("gpu: there is no device ", number, "; there are ", count,
                                 ", counted from 0");
        cuda().check(cuda().device_get(&device_, number), "the GPU cannot be used");
        char name[256] = {};
        cuda().check(cuda().device_name(name, sizeof(name) - 1, device_), "the GPU has no name");
        info_.name = name;
        generation_ = 10 * attribute(75) + attribute(76);
        info_.architecture = "sm_" + std::to_string(generation_);
        info_.multiprocessors = attribute(16);
        info_.shared_memory = static_cast<std::size_t>(attribute(97));
        cuda().check(cuda().device_memory(&info_.memory, device_), "the GPU's memory is unknown");
        int driver = 0, major = 0, minor = 0;
        cuda().check(cuda().driver_version(&driver), "the driver has no version");
        nvrtc().check(nvrtc().version(&major, &minor), "has no version");
        info_.toolchain = "driver " + std::to_string(driver) + ", nvrtc " + std::to_string(major) +
                          "." + std::to_string(minor);
        find_architecture();
        // Last, because nobody gives it back if something is thrown.
        cuda().check(cuda().context_retain(&context_, device_), "the GPU cannot be used");
    }
    ~CudaDevice() override { cuda().context_release(device_); }
    CudaDevice(const CudaDevice&) = delete;
    CudaDevice& operator=(const CudaDevice&) = delete;

    const DeviceInfo& info() const override { return info_; }

    std::string compile(const std::string& text) override {
        NvrtcProgram program(text);
        if (is_known_) {
            program.compile(info_.architecture);
            return program.binary();
        }
        program.compile("compute_" + std::to_string(compiled_for_));
        return program.assembly();
    }
    std::unique_ptr<Kernel> load(const std::string& binary, const std::string& name) override {
        const Current here(context_);
        auto kernel = std::make_unique<CudaKernel>();
        kernel->context = context_;
        cuda().check(cuda().module_load(&kernel->module, binary.data()),
                     "the kernel cannot be loaded");
        cuda().check(cuda().module_function(&kernel->function, kernel->module, name.c_str()),
                     "the kernel is not there");
        int local = 0;
        cuda().function_attribute(&local, 3, kernel->function);
        cuda().function_attribute(&kernel->registers, 4, kernel->function);
        kernel->local_memory = static_cast<std::size_t>(local);
        return kernel;
    }
    void launch(Kernel& kernel, const Grid& grid, void** arguments, Stream stream) override {
        const Current here(context_);
        auto& ours = static_cast<CudaKernel&>(kernel);
        // Beyond this much a kernel must be allowed it.
        constexpr std::size_t kFree = 48 << 10;
        constexpr int kMostSharedMemory = 8;
        if (grid.shared_memory > kFree && ours.allowed < grid.shared_memory) {
            cuda().check(cuda().set_function_attribute(ours.function, kMostSharedMemory,
                                                       static_cast<int>(grid.shared_memory)),
                         "the kernel cannot have its shared memory");
            ours.allowed = grid.shared_memory;
        }
        cuda().check(
            cuda().launch(ours.function, grid.blocks, 1, 1, grid.threads, 1, 1,
                          static_cast<unsigned>(grid.shared_memory), stream, arguments, nullptr),
            "the kernel cannot be started");
    }

    void* allocate(std::size_t bytes) override {
        const Current here(context_);
        Cuda::Pointer out = 0;
        cuda().check(cuda().allocate(&out, bytes == 0 ? 1 : bytes), "no ", bytes,
                     " bytes of the GPU's memory are to be had");
        // The driver's addresses are whole numbers. NOLINTNEXTLINE(performance-no-int-to-ptr)
        return reinterpret_cast<void*>(static_cast<std::uintptr_t>(out));
    }
    void release(void* memory) noexcept override {
        if (memory != nullptr) release_in(context_, [&] { cuda().release(address(memory)); });
    }
    void* allocate_pinned(std::size_t bytes) override {
        const Current here(context_);
        void* out = nullptr;
        cuda().check(cuda().allocate_host(&out, bytes == 0 ? 1 : bytes, 0), "no ", bytes,
                     " bytes of pinned memory are to be had");
        return out;
    }
    void release_pinned(void* memory) noexcept override {
        if (memory != nullptr) release_in(context_, [&] { cuda().release_host(memory); });
    }
    void copy_in(void* device, const void* host, std::size_t bytes, Stream stream) override {
        const Current here(context_);
        cuda().check(cuda().copy_in(address(device), host, bytes, stream),
                     "copying to the GPU failed");
    }
    void copy_out(void* host, const void* device, std::size_t bytes, Stream stream) override {
        const Current here(context_);
        cuda().check(cuda().copy_out(host, address(device), bytes, stream),
                     "copying from the GPU failed");
    }
    void clear(void* memory, std::size_t bytes, Stream stream) override {
        const Current here(context_);
        cuda().check(cuda().set_bytes(address(memory), 0, bytes, stream),
                     "memory of the GPU cannot be cleared");
    }

    Stream make_stream() override {
        const Current here(context_);
        void* out = nullptr;
        constexpr unsigned kWaitsForNobody = 1;
        cuda().check(cuda().stream_create(&out, kWaitsForNobody), "there is no stream");
        return out;
    }
    void release_stream(Stream stream) noexcept override {
        if (stream != nullptr) release_in(context_, [&] { cuda().stream_destroy(stream); });
    }
    void synchronize(Stream stream) override {
        const Current here(context_);
        cuda().check(cuda().stream_synchronize(stream), "the work on the GPU failed");
    }

    Event make_event() override { return made_event(kNoClock); }
    void release_event(Event event) noexcept override {
        if (event != nullptr) release_in(context_, [&] { cuda().event_destroy(event); });
    }
    void record(Event event, Stream stream) override {
        const Current here(context_);
        cuda().check(cuda().event_record(event, stream), "the stream cannot be used");
    }
    bool is_done(Event event) override {
        const Current here(context_);
        constexpr int kNotReady = 600;
        const int result = cuda().event_query(event);
        if (result != kNotReady) cuda().check(result, "the work on the GPU failed");
        return result != kNotReady;
    }
    void wait(Event event) override {
        const Current here(context_);
        cuda().check(cuda().event_synchronize(event), "the work on the GPU failed");
    }
    void wait(Stream stream, Event event) override {
        const Current here(context_);
        cuda().check(cuda().stream_wait(stream, event, 0), "the stream cannot be used");
    }

    double seconds_of(Stream stream, void (*work)(void*), void* context) override {
        struct Clock {
            CudaDevice& device;
            Event event;
            explicit Clock(CudaDevice& device_) : device(device_), event(device_.made_event(0)) {}
            ~Clock() { device.release_event(event); }
            Clock(const Clock&) = delete;
            Clock& operator=(const Clock&) = delete;
        };
        const Clock begin(*this), end(*this);
        record(begin.event, stream);
        work(context);
        record(end.event, stream);
        wait(end.event);
        const Current here(context_);
        float milliseconds = 0;
        cuda().check(cuda().event_elapsed(&milliseconds, begin.event, end.event),
                     "the clock failed");
        return static_cast<double>(milliseconds) * 1e-3;
    }

private:
    static constexpr unsigned kNoClock = 2;

    int device_ = 0;
    void* context_ = nullptr;
    DeviceInfo info_;
    int generation_ = 0;     // 90 of sm_90
    bool is_known_ = false;  // to the compiler
    int compiled_for_ =
        0;  // otherwise: the nearest that it knows, whose code the driver translates

    // A GPU may be younger than the compiler.
    void find_architecture() {
        int count = 0;
        nvrtc().check(nvrtc().num_architectures(&count), "knows no GPU");
        std::vector<int> known(static_cast<std::size_t>(count));
        nvrtc().check(nvrtc().architectures(known.data()), "knows no GPU");
        for (const int each : known) {
            is_known_ = is_known_ || each == generation_;
            if (each <= generation_) compiled_for_ = std::max(compiled_for_, each);
        }
        if (compiled_for_ > 0) return;
        throw Error::because("gpu: ", info_.name, " (", info_.architecture,
                             ") is older than the GPUs that NVRTC compiles for (", info_.toolchain,
                             "); an older CUDA toolkit knows it");
    }
    Event made_event(unsigned flags) {
        const Current here(context_);
        void* out = nullptr;
        cuda().check(cuda().event_create(&out, flags), "there is no event");
        return out;
    }
    int attribute(int which) const {
        int out = 0;
        cuda().check(cuda().device_attribute(&out, which, device_),
                     "the GPU does not say what it is");
        return out;
    }
};

}  // namespace

int num_devices() try {
    int count = 0;
    return cuda().device_count(&count) == 0 ? count : 0;
} catch (const Error&) {
    return 0;
}

std::shared_ptr<Device> open_device(int number) { return std::make_shared<CudaDevice>(number); }

}  // namespace plucker::gpu
