// Kernels of every function compute what batches compute: run on the host, and on a GPU where there is one.
//
// In float both differ from what is right by rounding, which a mass matrix that is almost singular enlarges: a kernel may be
// some times as far from the result in double as a batch in float is.
#include <gtest/gtest.h>

#include "gpu/gpu_runs.hpp"
#include "gpu/host_device.hpp"

namespace plucker::test {
namespace {

template <class T>
StateRows<double> in_double(const StateRows<T>& states) {
    StateRows<double> out;
    for (const char* c = StateRows<T>::kAll; *c != 0; ++c)
        out.of(*c) = states.of(*c).template cast<double>();
    return out;
}
template <class T>
Outcome<double> in_double(const Outcome<T>& run) {
    Outcome<double> out{run.flagged, run.status, {}};
    for (const std::vector<T>& x : run.out) out.out.emplace_back(x.begin(), x.end());
    return out;
}

// What the kernel may be off by, where a batch is off by that much.
template <class T>
double tolerance(double of_batch, int nv) {
    const auto epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
    return std::is_same_v<T, double> ? 1e-10 : 16 * of_batch + 64 * (nv + 8) * epsilon;
}

// Second derivatives of all but the smallest robots are programs of many thousand operations.
bool is_short(const BatchFunction& function, const Model& model) {
    long size = 0;
    for (const BatchFunction::Shape& shape : function.outputs)
        size += long{shape.rows} * shape.columns;
    return model.nv() <= 3 || (size <= 400 && !comes_in_blocks(function.row->outputs[0].kind));
}

// `make` gives an evaluator that takes memory of the host.
template <class T, class Make>
void expect_agreement(const Model& model, const Make& make, Layout in, Layout out) {
    const long kStates = 37;
    StateRows<T> states = random_states<T>(model, kStates);
    // Large angles, numbers that are none, and no attitude.
    states.q(5, model.nq() - 1) = T(1e7);
    states.v(11, 0) = std::numeric_limits<T>::infinity();
    states.q(12, model.nq() / 2) = std::numeric_limits<T>::quiet_NaN();
    for (const int i : model.bodies_with_quaternion()) {
        const auto& body = model.body(i);
        states.q.row(20).segment(body.q_index + body.nq - 4, 4).setZero();
    }
    batch::Evaluator<T> cpu(model, {.threads = 1});
    batch::Evaluator<double> exact(model, {.threads = 1});
    auto gpu = make();
    for (const BatchFunction& function : batch_functions(model)) {
        if (!is_short(function, model)) continue;
        SCOPED_TRACE(function.name);
        const Outcome<T> got = run_on(*gpu, function, states, in, out);
        if (gpu->device().info().name == "collecting") continue;
        const Outcome<T> expected = run(cpu, function, states, in, out);
        EXPECT_EQ(got.flagged, expected.flagged);
        for (std::size_t n = 0; n < got.status.size(); ++n)
            ASSERT_EQ(name_of(got.status[n]), name_of(expected.status[n])) << "state " << n;
        const Outcome<double> right = run(exact, function, in_double(states), in, out);
        const double off = difference_of(in_double(expected), right);
        EXPECT_LE(difference_of(in_double(got), right), tolerance<T>(off, model.nv()));
    }
}

template <class T>
class KernelsOnHost : public testing::Test {};
TYPED_TEST_SUITE(KernelsOnHost, Numbers, NumberNames);

template <class T>
void expect_agreement_on_host(const std::string& name, Layout in, Layout out) {
    SCOPED_TRACE(name);
    const Model model = model_named(name);
    const auto device = std::make_shared<HostDevice>();
    const auto evaluator = [&] {
        return std::make_unique<gpu::Evaluator<T>>(
            model, gpu::Options{.cache_folder = "none", .on = device});
    };
    device->collect();
    expect_agreement<T>(model, evaluator, in, out);
    device->compile_all();
    expect_agreement<T>(model, evaluator, in, out);
    EXPECT_GT(device->num_compiled, 40);
}

TYPED_TEST(KernelsOnHost, AgreeWithBatches) {
    expect_agreement_on_host<TypeParam>("double_pendulum", Layout::kBlockOfColumns,
                                        Layout::kBlockOfColumns);
    expect_agreement_on_host<TypeParam>("joint_floating_mimic", Layout::kRowMajor,
                                        Layout::kColumnMajor);
}
TEST(KernelsOnHost, AgreeWithBatchesForAnArm) {
    expect_agreement_on_host<float>("arm", Layout::kColumnMajor, Layout::kRowMajor);
}

}  // namespace
}  // namespace plucker::test
