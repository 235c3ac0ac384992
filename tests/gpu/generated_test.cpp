// Generated files of CUDA: compiled by nvcc where it is installed, and run on the host with CUDA's few words defined away.
#include <gtest/gtest.h>

#include <cmath>
#include <future>

#include "gpu/host_device.hpp"
#include "plucker/compiler/generate.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::test {
namespace {

namespace fs = std::filesystem;

// What the files ask of CUDA, in the host's memory.
constexpr const char* kRuntime = R"(
typedef int cudaError_t;
typedef void* cudaStream_t;
enum { cudaSuccess = 0, cudaErrorInvalidValue = 1 };
enum { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
enum { cudaFuncAttributeMaxDynamicSharedMemorySize };
struct dim3 { unsigned x; explicit dim3(unsigned x_) : x(x_) {} };
inline cudaError_t cudaMalloc(void** out, size_t bytes) { *out = malloc(bytes); return cudaSuccess; }
inline cudaError_t cudaMallocAsync(void** out, size_t bytes, cudaStream_t) {
    *out = malloc(bytes);
    memset(*out, 0xff, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaFreeAsync(void* x, cudaStream_t) { free(x); return cudaSuccess; }
inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, int) { memcpy(to, from, bytes); return cudaSuccess; }
template <class Kernel>
cudaError_t cudaFuncSetAttribute(Kernel*, int, int) { return cudaSuccess; }
template <class... P>
struct Kernel {
    static inline void (*function)(P...) = nullptr;
    static void run(void** arguments) { call(function, arguments); }
};
// CUDA takes any address; here the parameters must be known, from the variable that is given.
#define cudaLaunchKernel(address, ...) launch_on_host(kernel, (address), __VA_ARGS__)
template <class... P>
cudaError_t launch_on_host(void (*kernel)(P...), const void* address, dim3 blocks, dim3 threads, void** arguments, size_t,
                           cudaStream_t) {
    if (address != (const void*)kernel) return cudaErrorInvalidValue;
    Kernel<P...>::function = kernel;
    run_all(Kernel<P...>::run, blocks.x, threads.x, arguments, true);
    return cudaSuccess;
}
)";

class GeneratedCuda : public testing::Test {
protected:
    fs::path folder =
        fs::temp_directory_path() / ("plucker_generate_cuda_" + std::to_string(getpid()));

    GeneratedCuda() { fs::create_directories(folder); }
    ~GeneratedCuda() override { fs::remove_all(folder); }

    // The paths of the files that are compiled.
    static std::vector<std::string> write(const fs::path& folder, const Model& model,
                                          const std::vector<std::string>& functions,
                                          GeneratedPrecision precision) {
        fs::create_directories(folder);
        std::vector<std::string> out;
        for (const GeneratedFile& file :
             generate(model, {functions, GeneratedLanguage::kCuda, precision})) {
            std::ofstream(folder / file.name) << file.text;
            if (file.name.ends_with(".cu")) out.push_back((folder / file.name).string());
        }
        return out;
    }
    static std::string read(const fs::path& path) {
        std::ifstream file(path);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    // The self-test's exit code.
    int run_on_host(const std::vector<std::string>& files, const std::string& defined) const {
        std::ofstream(folder / "words.h") << kHostWords << kRuntime;
        std::ofstream(folder / "cuda_runtime.h") << "";
        std::string command =
            "c++ -std=c++17 -O0 -Wall -Wextra -Werror -Wno-unused-function "
            "-Wno-unused-variable -include " +
            (folder / "words.h").string() + " -I" + folder.string() + " " + defined + " -x c++";
        for (const std::string& file : files) command += " " + file;
        const std::string program = (folder / "program").string();
        if (std::system((command + " -o " + program).c_str()) != 0) return -1;
        return std::system((program + " > /dev/null").c_str());
    }
};

// One kernel, four parts with shared memory, slices through memory, one in place, many zeros; matrices transposed for rows.
TEST_F(GeneratedCuda, ComputesWhatTheLibraryDoes) {
    const std::vector<std::string> files = write(
        folder, robots::quadruped(),
        {"mass_matrix", "forward_dynamics", "coriolis_matrix", "integrate", "static_regressor"},
        GeneratedPrecision::kF64);
    const std::string header = read(folder / "quadruped.h");
    const auto says = [&](const std::string& function, const std::string& what) {
        const std::size_t end = header.find("int quadruped_" + function + "(");
        const std::size_t begin = header.rfind("/*", end);
        return header.substr(begin, end - begin).find(what) != std::string::npos;
    };
    EXPECT_TRUE(says("mass_matrix", "An output may be an input."));
    EXPECT_TRUE(says("forward_dynamics", "No output may be an input."));
    EXPECT_TRUE(says("coriolis_matrix", "No output may be an input."));
    EXPECT_TRUE(says("coriolis_matrix", " bytes a state in between, of "));
    EXPECT_TRUE(says("integrate", "An output may be an input."));
    EXPECT_TRUE(says("integrate", ": 19 x 1, "));
    EXPECT_TRUE(says("forward_dynamics", ": 18 x 1, "));
    const std::string source = read(folder / "quadruped.cu");
    EXPECT_NE(source.find("quadruped_coriolis_matrix_kernel_1("), std::string::npos) << "slices";
    EXPECT_NE(source.find("extern __shared__"), std::string::npos) << "parts";
    EXPECT_NE(source.find("PLUCKER_KEEP_LOOP\n    for"), std::string::npos) << "runs of zeros";
    // All states at once, and two of the three first.
    EXPECT_EQ(run_on_host(files, ""), 0);
    EXPECT_EQ(run_on_host(files, "'-DPLUCKER_STATES_AT_ONCE(usual)=2'"), 0);
}

// What has no result has none in the self-test either.
TEST_F(GeneratedCuda, KnowsWhatIsSingular) {
    // A point on its own hinge, whose inertia is rounding.
    const Vec3<double> axis = (1 / std::sqrt(3.0)) * Vec3<double>{1, 1, 1};
    const Model model = Builder("needle")
                            .link("ground")
                            .body("ground", revolute("shoulder", {0.3, 1, 0.1}), "arm",
                                  MassProperties::box(1, {1, 1, 1}, {0.1, 0, 1}))
                            .body("arm", revolute("hinge", axis).at(0.1, 0, 1), "point",
                                  MassProperties::point(1, axis))
                            .physics(Physics::kLenient)
                            .build();
    EXPECT_EQ(run_on_host(write(folder, model, {"forward_dynamics"}, GeneratedPrecision::kF64), ""),
              0);
}

TEST_F(GeneratedCuda, RefusesWhatItCannotDo) {
    write(folder, robots::quadruped(), {"forward_dynamics", "mass_matrix"},
          GeneratedPrecision::kF64);
    const fs::path test = folder / "refuses.cpp";
    std::ofstream(test) << R"(
#include "quadruped.h"
int main() {
    static double x[1000];
    if (quadruped_forward_dynamics(1, x, x + 100, x + 200, x + 200, 0, 0) != cudaErrorInvalidValue) return 1;
    if (quadruped_forward_dynamics_rows(1, x, x + 100, x + 200, x + 100, 0, 0) != cudaErrorInvalidValue) return 2;
    if (quadruped_mass_matrix(1L << 29, x, x + 100, 0, 0) != cudaErrorInvalidValue) return 3;
    if (quadruped_mass_matrix(0, x, x + 100, 0, 0) != cudaSuccess) return 4;
    /* A quaternion without direction. */
    unsigned char status[2] = {9, 9};
    for (int k = 0; k < 50; ++k) x[k] = k >= 19 ? 0.1 : 0;
    if (quadruped_mass_matrix_rows(2, x, x + 100, status, 0) != cudaSuccess) return 5;
    if (status[0] != 4 || status[1] != 0 || x[100] == x[100] || x[500] != x[500]) return 6;
    return 0;
})";
    EXPECT_EQ(run_on_host({(folder / "quadruped.cu").string(), test.string()}, ""), 0);
}

TEST_F(GeneratedCuda, CompilesWithoutAWarningWhereThereIsNvcc) {
    const std::string nvcc = "PATH=$PATH:/usr/local/cuda/bin nvcc";
    if (std::system((nvcc + " --version > /dev/null 2>&1").c_str()) != 0)
        GTEST_SKIP() << "nvcc is not installed";
    std::vector<std::future<int>> compilers;
    const auto compile = [&](const std::string& path) {
        const std::string command = nvcc + " -arch=sm_90 -Xptxas -O0 -Werror all-warnings -c " +
                                    path + " -o " + path + ".o";
        compilers.push_back(
            std::async(std::launch::async, [command] { return std::system(command.c_str()); }));
    };
    // Small ones in both precisions; parts and slices.
    for (const std::string& file :
         write(folder / "f32", robots::double_pendulum(), {"inverse_dynamics", "integrate"},
               GeneratedPrecision::kF32))
        compile(file);
    for (const std::string& file :
         write(folder / "f64", robots::quadruped(), {"forward_dynamics", "coriolis_matrix"},
               GeneratedPrecision::kF64))
        compile(file);
    for (auto& compiler : compilers) EXPECT_EQ(compiler.get(), 0);
}

}  // namespace
}  // namespace plucker::test
