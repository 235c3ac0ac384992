// Robots that move on a GPU, and batches on several: run on the host, and on GPUs where there are some.
#include "plucker/gpu/motion.hpp"

#include <gtest/gtest.h>

#include "gpu/gpu_runs.hpp"
#include "gpu/host_device.hpp"
#include "plucker/simulate/simulator.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

// Two pendulums whose friction would make explicit steps grow without bound, and one that rubs.
Model sticky_pendulum() {
    Description description = robots::double_pendulum().description();
    description.joints[0].damping = 5000;
    description.joints[1].damping = 0.2;
    return Model(std::move(description));
}

// In the GPU's memory.
class DeviceRows {
public:
    DeviceRows(gpu::Device& device, const Rows<double>& rows)
        : device_(&device), count_(rows.rows()), size_(rows.cols()) {
        const auto bytes = static_cast<std::size_t>(rows.size()) * sizeof(double);
        data_ = device.allocate(bytes);
        device.copy_in(data_, rows.data(), bytes, nullptr);
        device.synchronize(nullptr);
    }
    ~DeviceRows() { device_->release(data_); }
    DeviceRows(const DeviceRows&) = delete;
    DeviceRows& operator=(const DeviceRows&) = delete;

    batch::States<const double> states() const {
        return {static_cast<const double*>(data_), count_, size_};
    }

private:
    gpu::Device* device_;
    long count_, size_;
    void* data_ = nullptr;
};

void expect_motion_of_the_simulator(const std::shared_ptr<gpu::Device>& device) {
    const Model model = sticky_pendulum();
    constexpr double kStep = 2e-3;
    constexpr int kSteps = 50, kRobots = 3;
    gpu::Motion<double> robots(model, kRobots,
                               {.step = kStep, .gpu = {.cache_folder = "none", .on = device}});
    const Rows<double> q = Rows<double>::Random(kRobots, 2), v = Rows<double>::Random(kRobots, 2),
                       tau = Rows<double>::Random(kRobots, 2),
                       push = Rows<double>::Random(kRobots, 6);
    robots.set_states(q, v);
    const DeviceRows tau_there(*device, tau), push_there(*device, push);
    batch::ExternalForces<double> external;
    external.places.push_back({model.body_frame(2), ReferenceFrame::kBody});
    external.forces = push_there.states();
    for (int k = 0; k < kSteps; ++k) robots.step(tau_there.states(), external);
    EXPECT_EQ(robots.synchronize(), 0);
    EXPECT_NEAR(robots.time(), kSteps * kStep, 1e-12);
    Rows<double> q_end(kRobots, 2), v_end(kRobots, 2);
    robots.states(q_end, v_end);
    for (int n = 0; n < kRobots; ++n) {
        Simulator one(model, {}, {.step = kStep, .joint_limits = false});
        one.set_state(q.row(n).transpose(), v.row(n).transpose());
        one.forces().add(
            model.body_frame(2),
            {{push(n, 0), push(n, 1), push(n, 2)}, {push(n, 3), push(n, 4), push(n, 5)}},
            ReferenceFrame::kBody);
        for (int k = 0; k < kSteps; ++k) one.step(tau.row(n).transpose());
        EXPECT_LT((q_end.row(n).transpose() - one.q()).norm(), 1e-11);
        EXPECT_LT((v_end.row(n).transpose() - one.v()).norm(), 1e-11);
    }
}
TEST(MotionOnGpu, IsThatOfTheSimulator) {
    expect_motion_of_the_simulator(std::make_shared<HostDevice>());
    if (gpu::num_devices() > 0) expect_motion_of_the_simulator(gpu::open_device());
}

TEST(MotionOnGpu, LeavesAStateThatHasNoNextOne) {
    const auto device = std::make_shared<HostDevice>();
    gpu::Motion<double> robots(robots::double_pendulum(), 2,
                               {.gpu = {.cache_folder = "none", .on = device}});
    Rows<double> q = Rows<double>::Constant(2, 2, 0.3), v = Rows<double>::Zero(2, 2);
    v(1, 0) = std::numeric_limits<double>::infinity();
    robots.set_states(q, v);
    robots.step();
    EXPECT_GE(robots.synchronize(), 1);
    EXPECT_EQ(robots.status()[0], Status::kOk);
    EXPECT_EQ(robots.status()[1], Status::kNonFiniteInput);
    Rows<double> q_end(2, 2), v_end(2, 2);
    robots.states(q_end, v_end);
    EXPECT_NE(q_end(0, 0), 0.3);
    EXPECT_EQ(q_end.row(1), q.row(1));
    EXPECT_EQ(v_end(1, 0), v(1, 0));
}

TEST(MotionOnGpu, SaysWhatIsWrong) {
    const auto device = std::make_shared<HostDevice>();
    const gpu::Options on{.cache_folder = "none", .on = device};
    const Model model = robots::double_pendulum();
    EXPECT_EQ(message([&] { gpu::Motion<float> robots(model, 0, {.gpu = on}); }),
              "gpu::Motion: 0 robots; there must be at least one");
    EXPECT_EQ(message([&] { gpu::Motion<float> robots(model, 1, {.step = -1, .gpu = on}); }),
              "gpu::Motion: the step is -1 s; it must be a positive number");
    Description tied = model.description();
    tied.constraints.push_back(rod("stay", tied.links.back().name, "world", 1));
    EXPECT_EQ(message([&] { gpu::Motion<float> robots(Model(tied), 1, {.gpu = on}); }),
              "gpu::Motion: robot 'double_pendulum' has constraint 'stay', which these steps would "
              "not keep; use Simulator");
    gpu::Motion<double> robots(model, 2, {.gpu = on});
    const Rows<double> q = Rows<double>::Zero(3, 2);
    EXPECT_EQ(message([&] { robots.set_states(q, q); }),
              "gpu::Motion: q is of 3 robots with 2 numbers each; expected 2 with 2");
}

void expect_shares(const std::vector<std::shared_ptr<gpu::Device>>& devices) {
    const Model model = robots::double_pendulum();
    gpu::AllDevices<double> gpus(model, {.cache_folder = "none"}, devices);
    EXPECT_EQ(gpus.size(), static_cast<int>(devices.size()));
    batch::Evaluator<double> cpu(model, {.threads = 1});
    // Fewer states than devices, too.
    for (const long states : {2L, 7L, 1000L}) {
        Rows<double> q = Rows<double>::Random(states, 2), v = Rows<double>::Random(states, 2),
                     a = Rows<double>::Random(states, 2);
        q(states - 1, 0) = std::numeric_limits<double>::quiet_NaN();
        Rows<double> tau = Rows<double>::Zero(states, 2), expected = Rows<double>::Zero(states, 2);
        std::vector<Status> status(static_cast<std::size_t>(states));
        EXPECT_EQ(inverse_dynamics(gpus, q, v, a, tau, status), 1);
        inverse_dynamics(cpu, q, v, a, expected);
        EXPECT_LT((tau - expected).topRows(states - 1).norm(), 1e-12);
        EXPECT_EQ(status.back(), Status::kNonFiniteInput);
        EXPECT_EQ(status.front(), Status::kOk);
    }
}
TEST(AllDevices, ShareABatch) {
    std::vector<std::shared_ptr<gpu::Device>> devices;
    for (int k = 0; k < 3; ++k) devices.push_back(std::make_shared<HostDevice>());
    expect_shares(devices);
    if (gpu::num_devices() == 0) return;
    // Each GPU, and the first once more, which works for two then.
    devices.clear();
    for (int k = 0; k < gpu::num_devices(); ++k) devices.push_back(gpu::open_device(k));
    devices.push_back(gpu::open_device());
    expect_shares(devices);
}

}  // namespace
}  // namespace plucker::test
