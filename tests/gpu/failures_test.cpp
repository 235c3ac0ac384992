// What goes wrong on a GPU is told, leaves nothing behind, and does not disturb the next call; what was begun is waited for.
#include <gtest/gtest.h>

#include "gpu/gpu_runs.hpp"
#include "gpu/host_device.hpp"
#include "plucker/gpu/motion.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

class FailuresOnHost : public testing::Test {
protected:
    std::shared_ptr<HostDevice> device = std::make_shared<HostDevice>();
    Model model = robots::double_pendulum();
    Rows<double> q = Rows<double>::Random(5, 2), tau = Rows<double>::Zero(5, 2);

    gpu::Options options(bool wait = true) const {
        return {.wait = wait, .cache_folder = "none", .on = device};
    }
};

// Thousands of states go in several pieces, two of which are under way together.
TEST_F(FailuresOnHost, LeaveNothingForTheNextCall) {
    constexpr long kMany = 3L << 20;
    gpu::HostEvaluator<double> robot(model, options());
    Rows<double> many_q = Rows<double>::Zero(kMany, 2), many_tau = Rows<double>::Zero(kMany, 2);
    many_q.col(0).setConstant(std::numeric_limits<double>::quiet_NaN());
    device->failing_launch = 2;
    EXPECT_EQ(message([&] { gravity_torque(robot, many_q, many_tau); }),
              "gpu: the kernel cannot be started");
    EXPECT_EQ(device->num_launches, 3) << "it failed in the third piece";
    device->failing_launch = -1;
    // Neither results of the large call, which would not fit, nor what it flagged.
    EXPECT_EQ(gravity_torque(robot, q, tau), 0);
    Rows<double> expected(5, 2);
    batch::Evaluator<double> cpu(model, {.threads = 1});
    gravity_torque(cpu, q, expected);
    EXPECT_LT((tau - expected).norm(), 1e-12);
}

TEST_F(FailuresOnHost, OfMemoryLoseNone) {
    constexpr int kAllocations = 7;
    for (int k = 0; k <= kAllocations; ++k) {
        device->num_allocations = 0;
        device->failing_allocation = k;
        std::string said;
        {
            std::unique_ptr<gpu::HostEvaluator<double>> robot;
            said = message([&] {
                robot = std::make_unique<gpu::HostEvaluator<double>>(model, options());
                gravity_torque(*robot, q, tau);
            });
            // It can be used as soon as there is memory again.
            device->failing_allocation = -1;
            if (robot != nullptr) EXPECT_EQ(gravity_torque(*robot, q, tau), 0);
        }
        EXPECT_EQ(device->num_held, 0) << "allocation " << k;
        EXPECT_EQ(said, k < kAllocations ? "gpu: no memory is to be had" : "no error");
    }
}

// Each stream has memory of its own; many come and go, and few are kept in mind.
TEST_F(FailuresOnHost, DoNotComeFromStreamsThatAreGone) {
    gpu::Evaluator<double> robot(model, options(false));
    Rows<double> M[20];
    for (auto& one : M) {
        one.setZero(5, 4);
        const gpu::Stream stream = device->make_stream();
        robot.set_stream(stream);
        EXPECT_EQ(mass_matrix(robot, q, batch::Matrices<double>(one.data(), 5, 2, 2)), 0);
        device->release_stream(stream);
    }
    EXPECT_LE(device->recorded.size(), 8U);
    robot.set_stream(nullptr);
    robot.synchronize();
    EXPECT_TRUE(device->recorded.empty()) << "all streams were waited for";
    for (const auto& one : M) EXPECT_EQ(one, M[0]);
}

TEST_F(FailuresOnHost, CountStatesOfAllStreams) {
    gpu::Evaluator<double> robot(model, options(false));
    q(3, 0) = std::numeric_limits<double>::infinity();
    const gpu::Stream streams[] = {device->make_stream(), device->make_stream()};
    for (const gpu::Stream stream : streams) {
        robot.set_stream(stream);
        EXPECT_EQ(gravity_torque(robot, q, tau), 0);
    }
    EXPECT_EQ(robot.synchronize(), 2);
    EXPECT_EQ(robot.synchronize(), 0);
    for (const gpu::Stream stream : streams) device->release_stream(stream);
}

TEST_F(FailuresOnHost, OfStepsCountWhenTheStreamChanges) {
    gpu::Motion<double> robots(model, 3, {.gpu = options()});
    Rows<double> still = Rows<double>::Zero(3, 2), fast = still;
    fast(1, 0) = std::numeric_limits<double>::infinity();
    robots.set_states(still, fast);
    robots.step();
    const long of_one_step = robots.synchronize();
    EXPECT_GE(of_one_step, 1);
    const gpu::Stream streams[] = {device->make_stream(), device->make_stream()};
    for (const gpu::Stream stream : streams) {
        robots.set_stream(stream);
        EXPECT_TRUE(device->recorded.empty()) << "steps on another stream were not waited for";
        robots.step();
        EXPECT_FALSE(device->recorded.empty());
        for (const auto& [event, on] : device->recorded) EXPECT_EQ(on, stream);
    }
    EXPECT_EQ(robots.synchronize(), 2 * of_one_step);
    EXPECT_EQ(robots.synchronize(), 0);
    robots.set_stream(nullptr);
    for (const gpu::Stream stream : streams) device->release_stream(stream);
}

TEST_F(FailuresOnHost, AreNotWhatIsLeftUnwaitedFor) {
    {
        gpu::Evaluator<double> robot(model, options(false));
        gravity_torque(robot, q, tau);
        gpu::Motion<double> robots(model, 3, {.gpu = options()});
        robots.step();
        EXPECT_FALSE(device->recorded.empty());
    }
    EXPECT_TRUE(device->recorded.empty()) << "memory was given back before its user was done";
    EXPECT_EQ(device->num_held, 0);
}

// What becomes of a state has one name, whoever computes it, and where several things are wrong the same one comes first.
TEST_F(FailuresOnHost, OfStatesAreToldAsByBatches) {
    constexpr int kStates = 8;
    for (const double mass : {0.0, 1.5}) {
        const Model robot = Builder("satellite")
                                .base(Base::kFloating)
                                .link("hull", MassProperties::box(5, {0.3, 0.4, 0.5}))
                                .body("hull", revolute("hinge", {0, 1, 0}), "rod",
                                      MassProperties::box(mass, {0.1, 0.2, 0.3}, {0, 0, 0.2}))
                                .build();
        Rows<double> at(kStates, 8), v = Rows<double>::Constant(kStates, 7, 0.5), torque = v, a = v;
        std::vector<Status> expected;
        for (int n = 0; n < kStates; ++n) {
            at.row(n) << 0.1, 0.2, 0.3, 0.5, -0.5, 0.5, 0.5, 0.7;
            const bool is_nan = (n & 1) != 0, has_no_attitude = (n & 2) != 0,
                       overflows = (n & 4) != 0;
            if (overflows) v(n, 1) = 1e200;
            if (has_no_attitude) at.row(n).segment(3, 4).setZero();
            if (is_nan) torque(n, 6) = std::numeric_limits<double>::quiet_NaN();
            expected.push_back(is_nan            ? Status::kNonFiniteInput
                               : has_no_attitude ? Status::kNoAttitude
                               : mass == 0       ? Status::kSingularMassMatrix
                               : overflows       ? Status::kNonFiniteResult
                                                 : Status::kOk);
        }
        const long flagged = kStates - std::count(expected.begin(), expected.end(), Status::kOk);
        gpu::HostEvaluator<double> on_gpu(robot, options());
        batch::Evaluator<double> on_cpu(robot, {.threads = 1});
        std::vector<Status> told(kStates), told_by_cpu(kStates);
        EXPECT_EQ(forward_dynamics(on_gpu, at, v, torque, a, told), flagged);
        EXPECT_EQ(forward_dynamics(on_cpu, at, v, torque, a, told_by_cpu), flagged);
        for (std::size_t n = 0; n < kStates; ++n) {
            EXPECT_STREQ(name_of(told[n]), name_of(expected[n])) << n << ", mass " << mass;
            EXPECT_STREQ(name_of(told_by_cpu[n]), name_of(expected[n])) << n << ", mass " << mass;
        }
    }
}

// More kernels of a function than are kept: the oldest is unloaded when nothing runs any more.
TEST_F(FailuresOnHost, DoNotComeFromKernelsThatAreForgotten) {
    device->collect();
    gpu::Evaluator<double> robot(model, options(false));
    Rows<double> x(5, 2);
    for (int k = 0; k < 70; ++k) {
        batch::ExternalForces<double> external;
        external.places.assign(static_cast<std::size_t>(k),
                               {model.body_frame(1), ReferenceFrame::kBody});
        const Rows<double> forces = Rows<double>::Zero(5, 6 * k);
        external.forces = forces;
        inverse_dynamics(robot, q, q, q, external, x);
        EXPECT_LE(device->num_loaded, 66);
    }
    robot.synchronize();
    EXPECT_EQ(device->num_loaded, 64);
}

TEST_F(FailuresOnHost, AreNoStates) {
    const Rows<double> none(0, 2);
    Rows<double> out(0, 2);
    gpu::Evaluator<double> robot(model, options());
    EXPECT_EQ(gravity_torque(robot, none, out), 0);
    EXPECT_EQ(mass_matrix(robot, none, batch::Matrices<double>(nullptr, 0, 2, 2)), 0);
    gpu::HostEvaluator<double> copying(model, options());
    EXPECT_EQ(gravity_torque(copying, none, out), 0);
    EXPECT_EQ(device->num_launches, 0);
}

// What large results take in between is bounded, on the device and here.
TEST_F(FailuresOnHost, DoNotComeFromLargeResults) {
    const Model chain = robots::by_name("chain(40)");
    device->collect();  // nothing is computed
    device->set_memory(std::size_t{1} << 30U);
    constexpr long kMany = 1024;
    const Rows<double> many = Rows<double>::Zero(kMany, 40);
    std::vector<double> symbols(static_cast<std::size_t>(40 * 40 * 40 * kMany));
    const batch::Matrices<double> out(symbols.data(), kMany, 40, 1600);
    {
        gpu::Evaluator<double> robot(chain, options());
        christoffel_symbols(robot, many, out);
        EXPECT_LE(device->most_allocated, std::size_t{1} << 26U) << "a sixteenth";
    }
    gpu::HostEvaluator<double> copying(chain, options());
    christoffel_symbols(copying, many, out);
    EXPECT_LE(device->most_allocated, std::size_t{1} << 28U);
}

// A GPU whose blocks have less shared memory than the one that shapes were measured on.
TEST_F(FailuresOnHost, DoNotComeFromLittleSharedMemory) {
    const Model two_limbs = fork();
    const StateRows<double> states = random_states<double>(two_limbs, 100);
    batch::Evaluator<double> cpu(two_limbs, {.threads = 1});
    Rows<double> a(100, 4), expected(100, 4);
    forward_dynamics(cpu, states.q, states.v, states.tau, expected);
    gpu::Options how = options();
    how.shape = compiler::KernelShape{.threads = 128, .parts = 3};
    std::size_t before = 0;
    for (const std::size_t least : {std::size_t{1} << 20U, std::size_t{8000}, std::size_t{100}}) {
        device->set_shared_memory(least);
        device->most_shared = 0;
        gpu::Evaluator<double> robot(two_limbs, how);
        EXPECT_EQ(forward_dynamics(robot, states.q, states.v, states.tau, a), 0);
        EXPECT_LT((a - expected).norm(), 1e-10 * expected.norm());
        EXPECT_LE(device->most_shared, least);
        EXPECT_NE(device->most_shared, before) << "in another shape than the last";
        before = device->most_shared;
    }
    EXPECT_EQ(before, 0U) << "in one part";
}

TEST_F(FailuresOnHost, OfAddressesAreToldBefore) {
    gpu::Evaluator<double> robot(model, options());
    const auto* const odd =
        reinterpret_cast<const double*>(reinterpret_cast<std::uintptr_t>(q.data()) + 4);
    const std::string said = message(
        [&] { gravity_torque(robot, batch::States<const double>(odd, 2, 2), tau.topRows(2)); });
    EXPECT_TRUE(said.starts_with("gravity_torque: the address 0x")) << said;
    EXPECT_TRUE(said.ends_with(" is no multiple of 8, the bytes of its numbers")) << said;
}

}  // namespace
}  // namespace plucker::test
