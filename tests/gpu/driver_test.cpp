// NVIDIA's driver as our code meets it, on machines without one: a library of its name in which every call succeeds and
// nothing is computed, or a call fails as it would on a real machine. The compiler, where it is installed, is the real one.
#include <gtest/gtest.h>

#include <iostream>

#include "gpu/gpu_runs.hpp"
#include "gpu/host_device.hpp"
#include "plucker/compiler/generate.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

constexpr const char* kDriver = R"(
#include <stdlib.h>
#include <string.h>
typedef unsigned long long Pointer;
int devices = 1, generation = 90, fails_from = -1, held = 0, depth = 0;
int calls = 0;
/* From call `fails_from` on everything fails, as on a GPU that is lost. */
static int result(void) { return fails_from >= 0 && calls++ >= fails_from ? 719 : 0; }
int driver_result = 0, memory_result = 0;
int cuInit(unsigned x) { return driver_result; }
int cuGetErrorName(int x, const char** out) { *out = x == 2 ? "OUT_OF_MEMORY" : x == 100 ? "NO_DEVICE" : "LAUNCH_FAILED"; return 0; }
int cuGetErrorString(int x, const char** out) { *out = x == 2 ? "out of memory" : x == 100 ? "no device" : "launch failure"; return 0; }
int cuDriverGetVersion(int* out) { *out = 13000; return 0; }
int cuDeviceGetCount(int* out) { *out = devices; return 0; }
int cuDeviceGet(int* out, int k) { *out = k; return 0; }
int cuDeviceGetName(char* out, int size, int k) { strncpy(out, "stand-in", size); return 0; }
int cuDeviceGetAttribute(int* out, int which, int k) { *out = which == 75 ? generation / 10 : which == 76 ? generation % 10 : 1; return 0; }
int cuDeviceTotalMem_v2(size_t* out, int k) { *out = 1ull << 34; return 0; }
int cuDevicePrimaryCtxRetain(void** out, int k) { ++held; *out = &held; return 0; }
int cuDevicePrimaryCtxRelease_v2(int k) { --held; return 0; }
int cuCtxPushCurrent_v2(void* x) { const int r = result(); if (r == 0) ++depth; return r; }
int cuCtxPopCurrent_v2(void** out) { --depth; return 0; }
int cuModuleLoadData(void** out, const void* data) {
    const char* const text = data; /* what is compiled is an ELF file, or begins with a comment */
    if (memcmp(text, "\177ELF", 4) != 0 && memcmp(text, "//\n", 3) != 0) return 200;
    ++held; *out = malloc(1); return result();
}
int cuModuleUnload(void* x) { --held; free(x); return 0; }
int cuModuleGetFunction(void** out, void* module, const char* name) { *out = module; return result(); }
int cuFuncGetAttribute(int* out, int which, void* x) { *out = which; return 0; }
int cuFuncSetAttribute(void* x, int which, int value) { return 0; }
int cuLaunchKernel(void* f, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e, unsigned g, unsigned h, void* s, void** x, void** y) { return result(); }
int cuMemAlloc_v2(Pointer* out, size_t bytes) { if (memory_result != 0) return memory_result; ++held; *out = (Pointer)calloc(bytes, 1); return result(); }
int cuMemFree_v2(Pointer x) { --held; free((void*)x); return 0; }
int cuMemHostAlloc(void** out, size_t bytes, unsigned flags) { ++held; *out = calloc(bytes, 1); return result(); }
int cuMemFreeHost(void* x) { --held; free(x); return 0; }
int cuMemcpyHtoDAsync_v2(Pointer to, const void* from, size_t bytes, void* s) { memcpy((void*)to, from, bytes); return result(); }
int cuMemcpyDtoHAsync_v2(void* to, Pointer from, size_t bytes, void* s) { memcpy(to, (void*)from, bytes); return result(); }
int cuMemsetD8Async(Pointer to, unsigned char x, size_t bytes, void* s) { memset((void*)to, x, bytes); return result(); }
int cuStreamCreate(void** out, unsigned flags) { ++held; *out = malloc(1); return result(); }
int cuStreamDestroy_v2(void* x) { --held; free(x); return 0; }
int cuStreamSynchronize(void* x) { return result(); }
int cuEventCreate(void** out, unsigned flags) { ++held; *out = malloc(1); return result(); }
int cuEventDestroy_v2(void* x) { --held; free(x); return 0; }
int cuEventRecord(void* x, void* s) { return result(); }
int cuEventSynchronize(void* x) { return result(); }
int cuEventQuery(void* x) { return 600; }
int cuEventElapsedTime(float* out, void* a, void* b) { *out = 1500; return 0; }
int cuStreamWaitEvent(void* s, void* x, unsigned flags) { return result(); }
/* NVRTC asks the driver for a table of functions that nobody else knows: of none. */
int cuGetExportTable(const void** out, const void* id) { static const size_t none[8] = {8}; *out = none; return 0; }
)";

// In a process of its own, which has the stand-in for its driver.
class Driver : public testing::Test {
protected:
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("plucker_driver_" + std::to_string(getpid()));

    void SetUp() override {
        if (gpu::num_devices() > 0) GTEST_SKIP() << "this machine has a driver";
        std::filesystem::create_directories(folder);
    }
    ~Driver() override { std::filesystem::remove_all(folder); }

    void make(const std::string& text) const {
        std::ofstream(folder / "driver.c") << text;
        const std::string command = "cc -w -shared -fPIC -Wl,-soname,libcuda.so.1 " +
                                    (folder / "driver.c").string() + " -o " +
                                    (folder / "driver.so").string();
        ASSERT_EQ(std::system(command.c_str()), 0);
    }
    // A library is known by its name once it is loaded.
    void* load() const { return dlopen((folder / "driver.so").c_str(), RTLD_NOW | RTLD_GLOBAL); }
    static int& of(void* driver, const char* name) {
        return *static_cast<int*>(dlsym(driver, name));
    }
    static bool has_compiler() {
        for (const char* name : {"libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"}) {
            if (dlopen(name, RTLD_NOW | RTLD_LOCAL) != nullptr) return true;
        }
        return false;
    }
    // What `f` says with this driver. All is given back, but to a GPU that is lost.
    template <class F>
    void expect(const std::string& said, const F& f) const {
        const auto run = [&] {
            void* const driver = load();
            std::cerr << message([&] { f(driver); }) << std::endl;
            const bool is_lost = of(driver, "fails_from") >= 0;
            _exit(is_lost || (of(driver, "held") == 0 && of(driver, "depth") == 0) ? 0 : 1);
        };
        EXPECT_EXIT(run(), testing::ExitedWithCode(0), said);
    }
};

TEST_F(Driver, MayKnowNoGpu) {
    make(kDriver);
    expect("gpu: this machine has no GPU that its driver knows", [](void* driver) {
        of(driver, "devices") = 0;
        gpu::open_device();
    });
    expect("gpu: there is no device 3; there are 1, counted from 0",
           [](void*) { gpu::open_device(3); });
    expect("gpu: the driver could not be started: no device .NO_DEVICE, 100.", [](void* driver) {
        of(driver, "driver_result") = 100;
        gpu::open_device();
    });
}
TEST_F(Driver, MayBeTooOld) {
    std::string old = kDriver;
    old.replace(old.find("cuStreamWaitEvent"), 17, "somethingElse");
    make(old);
    expect("gpu: the library of the GPU is too old: it has no cuStreamWaitEvent",
           [](void*) { gpu::open_device(); });
}

class DriverWithCompiler : public Driver {
protected:
    void SetUp() override {
        Driver::SetUp();
        if (IsSkipped()) return;
        make(kDriver);
        if (!has_compiler()) {
            expect("gpu: NVIDIA's run-time compiler NVRTC, .* is missing",
                   [](void*) { gpu::open_device(); });
            GTEST_SKIP() << "NVRTC is not installed";
        }
    }
    // Calls of the GPU that are none, with every kind of kernel that we write ourselves.
    template <class T>
    static void use() {
        const Model model = fork();
        const StateRows<T> states = random_states<T>(model, 3);
        for (const auto& [name, most_nodes, least_kernels] :
             {std::tuple{"inverse_dynamics", 100000, 1},
              std::tuple{"inverse_mass_matrix", 100000, 1},
              std::tuple{"forward_dynamics_derivatives", 1800, 3},
              std::tuple{"forward_dynamics_hessians", 2800, 5}}) {
            gpu::HostEvaluator<T> robot(
                model,
                {.cache_folder = "none", .most_nodes = static_cast<std::size_t>(most_nodes)});
            for (const BatchFunction& function : batch_functions(model)) {
                if (function.name == name) run_on(robot, function, states);
            }
            if (robot.kernel().kernels < least_kernels)
                throw Error::because(name, " is not composed");
        }
    }
};

TEST_F(DriverWithCompiler, TakesAllKernels) {
    expect("no error", [](void*) {
        use<float>();
        use<double>();
    });
}
// The launchers are left out.
TEST_F(DriverWithCompiler, TakesGeneratedFiles) {
    expect("no error", [](void*) {
        const auto device = gpu::open_device();
        for (const GeneratedFile& file :
             generate(fork(), {{"forward_dynamics", "coriolis_matrix", "integrate"},
                               GeneratedLanguage::kCuda,
                               GeneratedPrecision::kF32})) {
            if (file.name == "fork.cu") device->load(device->compile(file.text), "any");
        }
    });
}
TEST_F(DriverWithCompiler, MayHaveAGpuThatIsYoungerThanTheCompiler) {
    expect("no error", [](void* driver) {
        of(driver, "generation") = 999;
        const auto device = gpu::open_device();
        if (!device->compile("extern \"C\" __global__ void f() {}").starts_with("//"))
            throw Error("it is no text for the driver to translate");
    });
    expect("gpu: stand-in .sm_13. is older than the GPUs that NVRTC compiles for",
           [](void* driver) {
               of(driver, "generation") = 13;
               gpu::open_device();
           });
}
TEST_F(DriverWithCompiler, SaysWhatDoesNotCompile) {
    expect("gpu: the kernel does not compile: NVRTC_ERROR_COMPILATION\nrobot.cu.1.: error",
           [](void*) { gpu::open_device()->compile("nonsense"); });
}
TEST_F(DriverWithCompiler, MayHaveNoMemory) {
    expect(
        "gpu: no 12345678 bytes of the GPU's memory are to be had: out of memory "
        ".OUT_OF_MEMORY, 2.",
        [](void* driver) {
            const auto device = gpu::open_device();
            of(driver, "memory_result") = 2;
            device->allocate(12345678);
        });
}
TEST_F(DriverWithCompiler, MayLoseTheGpuAtAnyTime) {
    expect("gpu: .*: launch failure .LAUNCH_FAILED, 719.", [&](void* driver) {
        const Model model = robots::double_pendulum();
        const Rows<double> q = Rows<double>::Zero(3, 2);
        Rows<double> tau = q;
        for (int k = 0; k < 60; ++k) {
            of(driver, "fails_from") = -1;
            gpu::HostEvaluator<double> robot(model, {.cache_folder = folder.string()});
            gravity_torque(robot, q, tau);
            of(driver, "calls") = 0;
            of(driver, "fails_from") = k;
            const std::string said = message([&] { gravity_torque(robot, q, tau); });
            if (said == "no error" && k < 20) throw Error::because("nothing failed at call ", k);
        }
        of(driver, "fails_from") = 0;
        gpu::open_device()->allocate(1);
    });
}

}  // namespace
}  // namespace plucker::test
