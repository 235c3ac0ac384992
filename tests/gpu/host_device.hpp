// A device that is none: kernels are compiled by the host's compiler, with CUDA's few words defined away, and run thread by
// thread. What is tested with it is all but the GPU: the text of the kernels, arguments, layouts, statuses, the cache.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <map>
#include <mutex>

#include "plucker/error.hpp"
#include "plucker/gpu/driver.hpp"

namespace plucker::test {

// What stands for CUDA's words. Threads of a block run one after another; where they wait for each other, each runs up to there,
// on a stack of its own.
inline constexpr const char* kHostWords = R"(
extern "C" {
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
}
#define __global__
#define __device__
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __shared__ static
struct Index { unsigned x; };
static Index blockIdx, threadIdx, blockDim;
enum { kMostThreads = 1024, kStack = 1 << 20 };
struct Fiber { ucontext_t context; char* stack; bool is_done; };
static Fiber fibers[kMostThreads];
static ucontext_t scheduler;
static void (*body)(void**);
static void** given;
inline void __syncthreads() { swapcontext(&fibers[threadIdx.x].context, &scheduler); }
inline int __float_as_int(float x) { int y; memcpy(&y, &x, 4); return y; }
inline float __int_as_float(int x) { float y; memcpy(&y, &x, 4); return y; }
inline int __double2loint(double x) { long long y; memcpy(&y, &x, 8); return (int)y; }
inline double __longlong_as_double(long long x) { double y; memcpy(&y, &x, 8); return y; }
inline void atomicAdd(unsigned long long* x, unsigned long long y) { *x += y; }
template <unsigned... I> struct Places {};
template <unsigned N, unsigned... I> struct PlacesUpTo { using Type = typename PlacesUpTo<N - 1, N - 1, I...>::Type; };
template <unsigned... I> struct PlacesUpTo<0, I...> { using Type = Places<I...>; };
template <class P> struct Plain { using Type = P; };
template <class P> struct Plain<const P> { using Type = P; };
template <class... P, unsigned... I>
inline void call(void (*kernel)(P...), void** arguments, Places<I...>) {
    kernel(*static_cast<typename Plain<P>::Type*>(arguments[I])...);
}
template <class... P>
inline void call(void (*kernel)(P...), void** arguments) {
    call(kernel, arguments, typename PlacesUpTo<sizeof...(P)>::Type());
}
static void run_fiber() {
    body(given);
    fibers[threadIdx.x].is_done = true;
}
static void run_all(void (*kernel)(void**), unsigned blocks, unsigned threads, void** arguments, bool together) {
    blockDim.x = threads;
    body = kernel;
    given = arguments;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
        if (!together) {
            for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) body(given);
            continue;
        }
        for (unsigned t = 0; t < threads; ++t) {
            Fiber& fiber = fibers[t];
            if (fiber.stack == nullptr) fiber.stack = static_cast<char*>(malloc(kStack));
            fiber.is_done = false;
            getcontext(&fiber.context);
            fiber.context.uc_stack.ss_sp = fiber.stack;
            fiber.context.uc_stack.ss_size = kStack;
            fiber.context.uc_link = &scheduler;
            makecontext(&fiber.context, run_fiber, 0);
        }
        for (bool all_done = false; !all_done;) {
            all_done = true;
            for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) {
                Fiber& fiber = fibers[threadIdx.x];
                if (!fiber.is_done) swapcontext(&scheduler, &fiber.context);
                all_done = all_done && fiber.is_done;
            }
        }
    }
}
)";

class HostDevice : public gpu::Device {
public:
    int num_compiled = 0;
    std::atomic<int> num_loaded = 0;
    // What is out of its owner's hands: 0 when all is given back.
    int num_held = 0;
    // The launch that fails, and all after it, as on a GPU that is lost; or, of memory, the allocation alone. -1: none.
    int failing_launch = -1, failing_allocation = -1;
    int num_launches = 0, num_allocations = 0;

    HostDevice() {
        info_.name = "host";
        info_.architecture = "none";
        info_.toolchain = "the host's compiler";
        folder_ = std::filesystem::temp_directory_path() /
                  ("plucker_host_device_" + std::to_string(getpid()) + "_" +
                   std::to_string(num_devices_++));
        std::filesystem::create_directories(folder_);
    }
    ~HostDevice() override {
        std::error_code error;
        std::filesystem::remove_all(folder_, error);
        for (void* library : all_) {
            if (library != nullptr) dlclose(library);
        }
    }
    HostDevice(const HostDevice&) = delete;
    HostDevice& operator=(const HostDevice&) = delete;

    const gpu::DeviceInfo& info() const override { return info_; }

    // A compiler takes longer to start than to compile most kernels. Until compile_all() kernels are only collected, and run
    // as if there were nothing to do; then they are compiled together.
    void collect() {
        collecting_ = true;
        info_.name = "collecting";
    }
    // Runs it twice: kernels are collected first, then they compute.
    template <class Run>
    void compile_together(const Run& run) {
        collect();
        run();
        compile_all();
        run();
    }
    void compile_all() {
        collecting_ = false;
        info_.name = "host";
        // On two cores.
        std::string texts[2];
        for (const auto& [kernel, number] : collected_)
            texts[number % 2] += in_namespace(kernel, number);
        auto other = std::async(std::launch::async, [&] { return library_of(texts[1], 1); });
        all_[0] = open(library_of(texts[0], 0));
        all_[1] = open(other.get());
    }

    std::string compile(const std::string& text) override {
        const std::lock_guard lock(mutex_);
        const auto known = collected_.find(text);
        if (known != collected_.end()) return "collected " + std::to_string(known->second);
        ++num_compiled;
        if (!collecting_) return library_of(in_namespace(text, 0), num_files_++);
        const int number = static_cast<int>(collected_.size());
        collected_[text] = number;
        return "collected " + std::to_string(number);
    }
    std::unique_ptr<gpu::Kernel> load(const std::string& binary, const std::string&) override {
        const std::lock_guard lock(mutex_);
        auto kernel = std::make_unique<HostKernel>(*this);
        if (binary.starts_with("collected ")) {
            if (collecting_) return kernel;
            const std::string number = binary.substr(10);
            kernel->run = find(all_[std::stoi(number) % 2], number);
            return kernel;
        }
        kernel->library = open(binary);
        kernel->run = find(kernel->library, "0");
        return kernel;
    }
    void launch(gpu::Kernel& kernel, const gpu::Grid& grid, void** arguments,
                gpu::Stream) override {
        if (num_launches++ >= failing_launch && failing_launch >= 0)
            throw Error("gpu: the kernel cannot be started");
        most_shared = std::max(most_shared, grid.shared_memory);
        Run* const run = static_cast<HostKernel&>(kernel).run;
        if (run != nullptr) run(grid.blocks, grid.threads, arguments);
    }

    // Filled with what no number is.
    void* allocate(std::size_t bytes) override {
        if (num_allocations++ == failing_allocation) throw Error("gpu: no memory is to be had");
        ++num_held;
        most_allocated = std::max(most_allocated, bytes);
        void* const out = std::malloc(bytes);
        std::memset(out, 0xff, bytes);
        return out;
    }
    void release(void* memory) noexcept override {
        if (memory != nullptr) --num_held;
        std::free(memory);
    }
    void* allocate_pinned(std::size_t bytes) override { return allocate(bytes); }
    void release_pinned(void* memory) noexcept override { release(memory); }
    std::size_t most_allocated = 0;  // at once
    void set_memory(std::size_t bytes) { info_.memory = bytes; }
    void set_shared_memory(std::size_t bytes) { info_.shared_memory = bytes; }
    std::size_t most_shared = 0;
    void copy_in(void* to, const void* from, std::size_t bytes, gpu::Stream) override {
        std::memcpy(to, from, bytes);
    }
    void copy_out(void* to, const void* from, std::size_t bytes, gpu::Stream) override {
        std::memcpy(to, from, bytes);
    }
    void clear(void* memory, std::size_t bytes, gpu::Stream) override {
        std::memset(memory, 0, bytes);
    }
    gpu::Stream make_stream() override { return allocate(1); }
    void release_stream(gpu::Stream stream) noexcept override { release(stream); }
    void synchronize(gpu::Stream) override {}
    // Work is done when it is begun; events tell who waited for whom.
    gpu::Event make_event() override { return allocate(1); }
    void release_event(gpu::Event event) noexcept override { release(event); }
    void record(gpu::Event event, gpu::Stream stream) override { recorded[event] = stream; }
    bool is_done(gpu::Event event) override { return !recorded.contains(event); }
    void wait(gpu::Event event) override { recorded.erase(event); }
    void wait(gpu::Stream, gpu::Event) override {}
    std::map<gpu::Event, gpu::Stream> recorded;  // and not yet waited for
    double seconds_of(gpu::Stream, void (*work)(void*), void* context) override {
        work(context);
        return 1;
    }

private:
    using Run = void(unsigned, unsigned, void**);
    struct HostKernel : gpu::Kernel {
        HostDevice& device;
        void* library = nullptr;
        Run* run = nullptr;
        explicit HostKernel(HostDevice& device_) : device(device_) { ++device.num_loaded; }
        HostKernel(const HostKernel&) = delete;
        HostKernel& operator=(const HostKernel&) = delete;
        ~HostKernel() override {
            --device.num_loaded;
            if (library != nullptr) dlclose(library);
        }
    };

    std::mutex mutex_;  // slices are made side by side
    gpu::DeviceInfo info_;
    std::filesystem::path folder_;
    int num_files_ = 0;
    // Libraries are known by their paths, even when they are closed.
    static inline int num_devices_ = 0;
    bool collecting_ = false;
    std::map<std::string, int> collected_;
    void* all_[2] = {};

    // The kernel with a function that runs it, run_NUMBER.
    static std::string in_namespace(std::string text, int number) {
        const std::string head = "extern \"C\" __global__";
        text.replace(text.find(head), head.size(), "static");
        const std::size_t at = text.find("\nplucker_") + 1;
        const std::string name = text.substr(at, text.find('(', at) - at);
        // The one that transposes does with any number of warps.
        const bool transposes = text.find("tile[") != std::string::npos;
        const bool together = transposes || text.find("marks[") != std::string::npos;
        const std::string space = "k" + std::to_string(number);
        return "namespace " + space + " {\n" + text + "}\nextern \"C\" void run_" +
               std::to_string(number) +
               "(unsigned blocks, unsigned threads, void** arguments) {\n    run_all([](void** x) "
               "{ "
               "call(" +
               space + "::" + name + ", x); }, blocks, " + (transposes ? "32" : "threads") +
               ", arguments, " + (together ? "true" : "false") + ");\n}\n";
    }
    std::string library_of(const std::string& text, int number) const {
        const std::string path =
            (folder_ / ((collected_.empty() ? "k" : "all") + std::to_string(number))).string();
        std::ofstream(path + ".cpp") << kHostWords << text;
        const std::string command =
            "c++ -std=c++20 -O0 -Wall -Wextra -Wno-unused-parameter -Werror -shared -fPIC "
            "-pthread " +
            path + ".cpp -o " + path + ".so";
        if (std::system(command.c_str()) != 0)
            throw Error("the kernel does not compile: " + command);
        std::ifstream file(path + ".so", std::ios::binary);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    void* open(const std::string& binary) {
        const std::string path = (folder_ / ("l" + std::to_string(num_files_++) + ".so")).string();
        std::ofstream(path, std::ios::binary) << binary;
        void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) throw Error::because("not loaded: ", dlerror());
        return library;
    }
    static Run* find(void* library, const std::string& number) {
        void* const run = dlsym(library, ("run_" + number).c_str());
        if (run == nullptr) throw Error::because("there is no kernel ", number);
        return reinterpret_cast<Run*>(run);
    }
};

}  // namespace plucker::test
