// Kernels of every function compute what batches compute: run on the host, and on a GPU where there is one.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "gpu/gpu_runs.hpp"
#include "gpu/host_device.hpp"
#include "gpu/laws_on_gpu.hpp"
#include "gpu/limited_device.hpp"
#include "plucker/model/builder.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

// Second derivatives of all but the smallest robots, and first ones of accelerations of large ones, are programs of many
// thousand operations, for which the host's compiler takes minutes. It is given results of up to so many numbers per state.
constexpr long kMostOnHost = 60;
constexpr long kAll = std::numeric_limits<long>::max();
// Where other tests have all functions: those that people call most, and those of configurations.
bool is_one_of_few(const BatchFunction& function) {
    return function.row->is_hot || function.row->outputs[0].kind == Kind::kConfiguration;
}
bool is_short(const BatchFunction& function, const Model& model, long most_numbers) {
    if (most_numbers == kAll || model.nv() <= 2) return true;
    long size = 0;
    for (const BatchFunction::Shape& shape : function.outputs)
        size += long{shape.rows} * shape.columns;
    const bool is_other_way = function.row->another_way_for != nullptr;
    return size <= most_numbers && !comes_in_blocks(function.row->outputs[0].kind) && !is_other_way;
}

// `make` gives an evaluator that takes memory of the host.
template <class T, class Make>
void expect_agreement(const Model& model, const Make& make, Layout in, Layout out,
                      long most_numbers, bool few = false) {
    const StateRows<T> states = states_of_all_kinds<T>(model);
    batch::Evaluator<T> cpu(model, {.threads = 1});
    batch::Evaluator<double> exact(model, {.threads = 1});
    auto gpu = make();
    for (const BatchFunction& function : batch_functions(model)) {
        if (!is_short(function, model, most_numbers)) continue;
        if (few && !is_one_of_few(function)) continue;
        SCOPED_TRACE(function.name);
        const Outcome<T> got = run_on(*gpu, function, states, in, out);
        if (gpu->device().info().name == "collecting") continue;
        const Outcome<T> expected = run(cpu, function, states, in, out);
        const Outcome<double> right = run(exact, function, in_double(states), in, out);
        expect_same(got, expected, right, model.nv());
    }
}

template <class T>
class KernelsOnHost : public testing::Test {};
TYPED_TEST_SUITE(KernelsOnHost, Numbers, NumberNames);

struct HostCase {
    std::string robot;
    Layout in, out;
    std::optional<compiler::KernelShape> shape{};
    bool copies = false;  // as if the arrays were the host's
    bool few = false;     // functions
};

template <class T>
void expect_agreement_on_host(const HostCase& test) {
    SCOPED_TRACE(test.robot);
    const Model model = test.robot == "fork" ? fork() : model_named(test.robot);
    const auto device = std::make_shared<HostDevice>();
    const gpu::Options options{.cache_folder = "none", .on = device, .shape = test.shape};
    const auto run_all = [&] {
        if (test.copies) {
            const auto make = [&] {
                return std::make_unique<gpu::HostEvaluator<T>>(model, options);
            };
            expect_agreement<T>(model, make, test.in, test.out, kMostOnHost, test.few);
        } else {
            const auto make = [&] { return std::make_unique<gpu::Evaluator<T>>(model, options); };
            expect_agreement<T>(model, make, test.in, test.out, kMostOnHost, test.few);
        }
    };
    device->compile_together(run_all);
    EXPECT_GT(device->num_compiled, test.few ? 10 : 30);
}

TYPED_TEST(KernelsOnHost, AgreeWithBatches) {
    expect_agreement_on_host<TypeParam>(
        {"double_pendulum", Layout::kBlockOfColumns, Layout::kBlockOfColumns});
}
TEST(KernelsOnHost, AgreeWhereArraysAreCopied) {
    expect_agreement_on_host<float>(
        {"double_pendulum", Layout::kBlockOfRows, Layout::kBlockOfRows, {}, true, true});
}
TEST(KernelsOnHost, AgreeWhereAnythingCanMove) {
    expect_agreement_on_host<double>(
        {"joint_floating_mimic", Layout::kRowMajor, Layout::kBlockOfColumns, {}, false, true});
}
// Limbs side by side, with few threads: each is one of the host's.
TEST(KernelsOnHost, AgreeInParts) {
    expect_agreement_on_host<double>({"fork", Layout::kColumnMajor, Layout::kColumnMajor,
                                      compiler::KernelShape{.threads = 5, .parts = 3, .stride = 20},
                                      false, true});
}
// One kernel after another, which hand on what they have computed.
TEST(KernelsOnHost, AgreeInSlices) {
    expect_agreement_on_host<double>({"fork", Layout::kColumnMajor, Layout::kRowMajor,
                                      compiler::KernelShape{.slice = 150, .reading = 10}, false,
                                      true});
}
// Each computes all that it needs.
TEST(KernelsOnHost, AgreeInSlicesThatShareNothing) {
    expect_agreement_on_host<float>({"double_pendulum", Layout::kBlockOfColumns,
                                     Layout::kBlockOfColumns, compiler::KernelShape{.slice = 20},
                                     false, true});
}

TEST(KernelsOnHost, KeepTheLaws) {
    const auto device = std::make_shared<HostDevice>();
    const gpu::Options options{.cache_folder = "none", .on = device};
    device->compile_together([&] {
        expect_laws<double>(model_named("joint_dissipative"), options);
        expect_laws<float>(robots::double_pendulum(), options);
    });
}

// --- On a GPU ---

// A compiler takes seconds for a large robot's functions, and one core: many at once.
template <class T>
void compile_all(const Model& model, const gpu::Options& options, Layout in, Layout out) {
    const StateRows<T> states = random_states<T>(model, 2);
    const std::vector<BatchFunction> functions = batch_functions(model);
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (unsigned k = 0; k < std::max(1U, std::thread::hardware_concurrency()); ++k) {
        threads.emplace_back([&] {
            gpu::HostEvaluator<T> evaluator(model, options);
            for (std::size_t f; (f = next++) < functions.size();)
                run_on(evaluator, functions[f], states, in, out);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

class KernelsOnGpu : public testing::TestWithParam<std::string> {
protected:
    std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("plucker_gpu_test_" + std::to_string(getpid()));
    ~KernelsOnGpu() override { std::filesystem::remove_all(folder); }

    template <class T>
    void expect_agreement_on_gpu() {
        const Model model = model_named(GetParam());
        const gpu::Options options{.cache_folder = folder.string(), .on = gpu::open_device()};
        compile_all<T>(model, options, Layout::kRowMajor, Layout::kRowMajor);
        const auto make = [&] { return std::make_unique<gpu::HostEvaluator<T>>(model, options); };
        expect_agreement<T>(model, make, Layout::kRowMajor, Layout::kRowMajor, kAll);
    }
};

TEST_P(KernelsOnGpu, AgreeWithBatches) {
    if (gpu::num_devices() == 0) GTEST_SKIP() << "this machine has no GPU";
    expect_agreement_on_gpu<double>();
    expect_agreement_on_gpu<float>();
}

TEST_P(KernelsOnGpu, KeepTheLaws) {
    if (gpu::num_devices() == 0) GTEST_SKIP() << "this machine has no GPU";
    const Model model = model_named(GetParam());
    if (model.nv() == 0) GTEST_SKIP() << "it cannot move";
    const gpu::Options options{.cache_folder = folder.string(), .on = gpu::open_device()};
    expect_laws<double>(model, options);
    expect_laws<float>(model, options);
}

std::vector<std::string> all_robots() {
    std::vector<std::string> out;
    for (const std::string& name : robots::names()) {
        // Of a robot with one body some functions' arguments, as tests make them, are none.
        if (name.find('(') == std::string::npos && robots::by_name(name).num_bodies() > 1)
            out.push_back(name);
    }
    for (const char* name :
         {"tree(5,1)", "joint_floating_mimic", "joint_universal", "joint_dissipative"})
        out.emplace_back(name);
    return out;
}
INSTANTIATE_TEST_SUITE_P(Robots, KernelsOnGpu, testing::ValuesIn(all_robots()),
                         [](const auto& test) { return name_for_test(test.param); });

// Limbs side by side hand on numbers in shared memory: where there is less of it, by fewer threads, and in one part at last.
TEST(SharedMemoryOfGpu, MayBeLittle) {
    if (gpu::num_devices() == 0) GTEST_SKIP() << "this machine has no GPU";
    const Model model = robots::quadruped();
    const StateRows<float> states = states_of_all_kinds<float>(model);
    batch::Evaluator<float> cpu(model, {.threads = 1});
    batch::Evaluator<double> exact(model, {.threads = 1});
    for (const BatchFunction& function : batch_functions(model)) {
        if (function.name != "forward_dynamics") continue;
        const Outcome<float> expected = run(cpu, function, states);
        const Outcome<double> right = run(exact, function, in_double(states));
        std::size_t before = 0;
        for (const std::size_t most : {std::size_t{200000}, std::size_t{20000}, std::size_t{100}}) {
            const auto device = std::make_shared<LimitedDevice>(gpu::open_device(), most);
            gpu::HostEvaluator<float> robot(
                model, {.cache_folder = "none",
                        .on = device,
                        .shape = compiler::KernelShape{.threads = 128, .parts = 4}});
            expect_same(run_on(robot, function, states), expected, right, model.nv());
            EXPECT_LE(device->most_shared, most);
            EXPECT_NE(device->most_shared, before) << "in another shape than the last";
            before = device->most_shared;
        }
        EXPECT_EQ(before, 0U) << "in one part";
        return;
    }
    FAIL() << "no such function";
}

TEST(Evaluator, SaysWhatIsMissing) {
    if (gpu::num_devices() > 0) GTEST_SKIP() << "this machine has a GPU";
    const std::string text = message([] { gpu::Evaluator<float> robot(robots::arm()); });
    EXPECT_TRUE(text.find("NVIDIA's driver is missing") != std::string::npos ||
                text.find("no GPU") != std::string::npos)
        << text;
}

}  // namespace
}  // namespace plucker::test
