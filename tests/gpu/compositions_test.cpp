// Functions whose programs are too long, composed of others: of small robots, for which little is too long here.
#include <gtest/gtest.h>

#include "gpu/gpu_runs.hpp"
#include "gpu/host_device.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/compiler/recorder.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

// The least Options::most_nodes with which it is one program.
std::size_t nodes_of(const Model& model, const std::string& name, bool forces) {
    std::size_t too_few = 0, enough = 100000;
    while (enough - too_few > 1) {
        const std::size_t between = (too_few + enough) / 2;
        compiler::RecordOptions options;
        options.most_nodes = between;
        if (forces) options.forces = force_places<double>(model);
        try {
            compiler::record(model, name, options);
            enough = between;
        } catch (const compiler::ProgramTooLong&) {
            too_few = between;
        }
    }
    return enough;
}

struct Composed {
    const char* name;
    std::vector<const char*> parts;
};
const Composed kComposed[] = {
    {"forward_dynamics_derivatives",
     {"forward_dynamics", "inverse_dynamics_derivatives", "inverse_mass_matrix"}},
    {"forward_dynamics_hessians",
     {"forward_dynamics", "inverse_dynamics_derivatives", "inverse_mass_matrix",
      "inverse_mass_matrix_times", "inverse_dynamics_hessians"}},
    {"inverse_dynamics_second_derivatives", {"inverse_dynamics_hessians"}},
    {"christoffel_symbols", {"coriolis_matrix"}},
    {"inverse_mass_matrix", {"inverse_mass_matrix_times"}},
};

// As many nodes as its longest part has.
std::size_t limit_for(const Model& model, const Composed& composed, bool forces) {
    std::size_t limit = 0;
    for (const char* part : composed.parts) {
        const int row = row_named(part, "part", [](const Algorithm&) { return true; });
        const bool takes_forces =
            algorithms()[static_cast<std::size_t>(row)].inputs.has(Kind::kForces);
        limit = std::max(limit, nodes_of(model, part, forces && takes_forces));
    }
    return limit;
}

const Composed& composition_of(const BatchFunction& function) {
    for (const Composed& each : kComposed) {
        if (function.row->name == std::string(each.name)) return each;
    }
    throw Error("it is no composition");
}

struct Case {
    std::vector<std::string> names;
    Layout in, out;
};

// `Evaluator` takes memory of the host.
template <class T, template <class> class Evaluator>
void expect_agreement_on(const std::shared_ptr<gpu::Device>& device, const Model& model,
                         const Case& test) {
    const StateRows<T> states = states_of_all_kinds<T>(model);
    batch::Evaluator<T> cpu(model, {.threads = 1});
    batch::Evaluator<double> exact(model, {.threads = 1});
    for (const BatchFunction& function : batch_functions(model)) {
        if (std::find(test.names.begin(), test.names.end(), function.row->name) == test.names.end())
            continue;
        SCOPED_TRACE(function.name);
        const Composed& composed = composition_of(function);
        const std::size_t limit = limit_for(model, composed, function.forces);
        ASSERT_GT(nodes_of(model, composed.name, function.forces), limit);
        Evaluator<T> robot(model, {.cache_folder = "none", .on = device, .most_nodes = limit});
        const Outcome<T> got = run_on(robot, function, states, test.in, test.out);
        const gpu::KernelReport report = robot.kernel();
        EXPECT_GE(report.kernels, static_cast<int>(composed.parts.size()));
        // In as many pieces as it may be, and made before.
        run_on(robot, function, states.part(0, 3), test.in, test.out);
        EXPECT_EQ(robot.kernel().operations, report.operations);
        EXPECT_EQ(robot.kernel().kernels, report.kernels);
        EXPECT_EQ(robot.kernel().seconds, report.seconds);
        if (device->info().name == "collecting") continue;
        expect_same(got, run(cpu, function, states, test.in, test.out),
                    run(exact, function, in_double(states), test.in, test.out), model.nv());
    }
}
template <class T>
void expect_agreement_of_compositions(const Model& model, const Case& test) {
    const auto device = std::make_shared<HostDevice>();
    device->compile_together([&] { expect_agreement_on<T, gpu::Evaluator>(device, model, test); });
    EXPECT_EQ(device->num_held, 0);
}

const std::vector<std::string> kDerivatives = {"forward_dynamics_derivatives",
                                               "forward_dynamics_hessians"};
TEST(CompositionsOnHost, AgreeWithBatchesInPlanes) {
    expect_agreement_of_compositions<double>(
        fork(), {kDerivatives, Layout::kColumnMajor, Layout::kBlockOfColumns});
}
TEST(CompositionsOnHost, AgreeWithBatchesInRows) {
    expect_agreement_of_compositions<float>(fork(),
                                            {kDerivatives, Layout::kRowMajor, Layout::kRowMajor});
}
// On robots with fewer joints, all torques' matrices are a shorter program than those of one sum with weights.
TEST(CompositionsOnHost, AgreeTorqueByTorque) {
    const Model chain = robots::by_name("chain(4)");
    const std::vector<std::string> tensors = {"inverse_dynamics_second_derivatives"};
    expect_agreement_of_compositions<double>(
        chain, {tensors, Layout::kColumnMajor, Layout::kBlockOfColumns});
    expect_agreement_of_compositions<float>(chain, {tensors, Layout::kRowMajor, Layout::kRowMajor});
}
TEST(CompositionsOnHost, AgreeWhereABaseFloats) {
    expect_agreement_of_compositions<double>(
        model_named("joint_floating_mimic"),
        {{"forward_dynamics_derivatives", "christoffel_symbols"},
         Layout::kBlockOfRows,
         Layout::kBlockOfRows});
}
TEST(CompositionsOnHost, AgreeColumnByColumn) {
    expect_agreement_of_compositions<double>(
        robots::by_name("chain(10)"),
        {{"inverse_mass_matrix"}, Layout::kRowMajor, Layout::kColumnMajor});
}
TEST(CompositionsOnGpu, AgreeWithBatches) {
    if (gpu::num_devices() == 0) GTEST_SKIP() << "this machine has no GPU";
    const Case test{kDerivatives, Layout::kRowMajor, Layout::kRowMajor};
    expect_agreement_on<double, gpu::HostEvaluator>(gpu::open_device(), fork(), test);
    expect_agreement_on<float, gpu::HostEvaluator>(gpu::open_device(), fork(), test);
    expect_agreement_on<double, gpu::HostEvaluator>(
        gpu::open_device(), robots::by_name("chain(4)"),
        {{"inverse_dynamics_second_derivatives"}, Layout::kRowMajor, Layout::kRowMajor});
}

// A long program in double has more numbers at hand than registers; and some would be compiled for minutes.
template <class T>
bool is_composed(const Model& model, const std::string& name) {
    const auto device = std::make_shared<HostDevice>();
    device->collect();
    gpu::Evaluator<T> robot(model, {.cache_folder = "none", .on = device});
    const StateRows<T> states = random_states<T>(model, 1);
    for (const BatchFunction& function : batch_functions(model)) {
        if (function.row->name != name || function.forces) continue;
        run_on(robot, function, states);
        return robot.kernel().is_composed;
    }
    throw Error("no such function");
}
TEST(CompositionsOnHost, AreTakenWhereProgramsAreSlowerOrTooLong) {
    const Model pendulum = robots::double_pendulum(), arm = robots::arm(),
                quadruped = robots::quadruped();
    EXPECT_FALSE(is_composed<double>(pendulum, "forward_dynamics_derivatives"));
    EXPECT_TRUE(is_composed<double>(arm, "forward_dynamics_derivatives"));
    EXPECT_FALSE(is_composed<float>(arm, "forward_dynamics_derivatives"));
    EXPECT_FALSE(is_composed<float>(arm, "forward_dynamics_hessians"));
    EXPECT_TRUE(is_composed<float>(quadruped, "forward_dynamics_hessians"));
    // Column by column: only where nothing else is left.
    EXPECT_FALSE(is_composed<double>(quadruped, "inverse_mass_matrix"));
}

TEST(CompositionsOnHost, SayWhatIsTooLong) {
    const auto device = std::make_shared<HostDevice>();
    const Model model = fork();
    gpu::Evaluator<double> robot(model, {.cache_folder = "none", .on = device, .most_nodes = 100});
    const Rows<double> q = Rows<double>::Zero(1, 4);
    Rows<double> tau = q, results[3];
    const std::string why =
        " of robot 'fork' (nv = 4) is a program too long to be compiled in a few minutes; compute "
        "it "
        "in batches on the CPU, or allow more with Options::most_nodes";
    EXPECT_EQ(message([&] { inverse_dynamics(robot, q, q, q, tau); }),
              "gpu: inverse_dynamics" + why);
    // The part is to blame.
    const auto square = [&](int k) {
        results[k] = Rows<double>::Zero(4, 4);
        return batch::Matrices<double>(results[k].data(), 1, 4, 4);
    };
    EXPECT_EQ(message([&] {
                  forward_dynamics_derivatives(robot, q, q, q, square(0), square(1), square(2));
              }),
              "gpu: forward_dynamics" + why);
}

}  // namespace
}  // namespace plucker::test
