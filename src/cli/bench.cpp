#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "bench_algorithms.hpp"
#include "bench_gpu.hpp"
#include "bench_measure.hpp"
#include "commands.hpp"
#include "model_argument.hpp"
#include "plucker/compiler/compile.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/compiler/recorder.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

constexpr long kSingleStates = 64;

struct BenchOptions {
    std::vector<std::string> models;
    ModelArgument common;
    long batch = 256;
    int threads = 1;
    double seconds = 0.05;
    bool as_json = false;
    bool on_gpu = false;
    GpuBenchOptions gpu;
};

// Changes of sign, comparisons and selections are none.
struct OperationCounts {
    long additions, multiplications, divisions, square_roots, sines_and_cosines, arc_tangents;

    template <class Counts>  // by compiler::Op
    static OperationCounts of(const Counts& counts) {
        using compiler::Op;
        const auto sum = [&](auto... ops) {
            return (static_cast<long>(counts[static_cast<std::size_t>(ops)]) + ...);
        };
        return {sum(Op::kAdd, Op::kSubtract), sum(Op::kMultiply), sum(Op::kDivide), sum(Op::kSqrt),
                sum(Op::kSin, Op::kCos),      sum(Op::kAtan2)};
    }
    // Every operation is one, even a sine, which takes a processor some twenty.
    long flops() const {
        return additions + multiplications + divisions + square_roots + sines_and_cosines +
               arc_tangents;
    }
};

struct Row {
    const char* name;
    Times interpreted;  // by the kernels for any robot
    Times compiled;     // by code made for this one
    bool has_code;
    OperationCounts operations;   // of the kernel
    long executed;                // of a batch, a state: less, where it is machine code
    double batch_f64, batch_f32;  // nanoseconds per state, at best

    const Times& single() const { return has_code ? compiled : interpreted; }
};

struct Result {
    std::string argument, name;
    int bodies, nv;
    Isa isa;
    int threads;
    long batch;
    PeakRate peak;
    std::vector<Row> rows;
    std::vector<CompiledFunction> compilation;

    double milliseconds_of_compilation() const {
        double sum = 0;
        for (const CompiledFunction& f : compilation) sum += f.milliseconds;
        return sum;
    }
};

// The faster of two measurements: whatever else the machine does can only slow it down.
PeakRate faster(const PeakRate& a, const PeakRate& b) {
    return {std::max(a.f64, b.f64), std::max(a.f32, b.f32)};
}

// The options of the calls that are timed.
compiler::RecordOptions record_options(const Model& model) {
    compiler::RecordOptions options;
    options.frame = model.body_frame(model.num_bodies());
    options.given = every_other_acceleration(model);
    return options;
}

// Of a kernel.
OperationCounts count_operations(const Model& model, int row) {
    return OperationCounts::of(compiler::count_operations(model, row, record_options(model)));
}

// What is left of a kernel's operations for this robot.
long executed_flops(const Model& model, int row, long of_kernel) try {
    if (!can_compile()) return of_kernel;
    compiler::RecordOptions options = record_options(model);
    options.most_nodes = compiler::kMostNodesOfBatch;
    const auto counts =
        OperationCounts::of(compiler::record_shortest(model, row, options).program.counts());
    return counts.arc_tangents > 0 ? of_kernel : counts.flops();
} catch (const compiler::ProgramTooLong&) {
    return of_kernel;
}

Result run(const std::string& argument, const Model& model, const BenchOptions& options) {
    if (model.nv() == 0) {
        throw Error::because("bench: robot '", model.name(),
                             "' has no joint that moves, so there is nothing to time");
    }
    const std::vector<Sample<double>> samples = bench_samples(model, kSingleStates);
    SingleBench single{Workspace<double>(model), samples};
    std::vector<CompiledFunction> compilation;
    SingleBench compiled{Workspace<double>(compile(model, {}, compilation)), samples};
    BatchBench<double> f64(model, samples, options.batch, options.threads);
    BatchBench<float> f32(model, samples, options.batch, options.threads);
    const std::vector<BenchAlgorithm> algorithms = bench_algorithms(single, compiled, f64, f32);

    Result result{argument,
                  model.name(),
                  model.num_bodies(),
                  model.nv(),
                  f64.evaluator.isa(),
                  f64.evaluator.threads(),
                  options.batch,
                  {},
                  {},
                  compilation};
    // What cannot be computed for this robot is said before anything is timed.
    for (const BenchAlgorithm& a : algorithms) a.single();
    for (const BenchAlgorithm& a : algorithms) {
        const OperationCounts operations = count_operations(model, a.row);
        result.rows.push_back({a.name,
                               {},
                               {},
                               static_cast<bool>(a.compiled),
                               operations,
                               executed_flops(model, a.row, operations.flops()),
                               0,
                               0});
    }
    const auto peak = [&] { return measure_peak(result.isa, result.threads, options.seconds); };
    result.peak = peak();
    const bool show_progress = isatty(STDERR_FILENO) == 1;
    for (std::size_t k = 0; k < algorithms.size(); ++k) {
        if (show_progress) {
            complain("\r\033[K{}: {} of {} algorithms", model.name(), k + 1, algorithms.size());
        }
        const BenchAlgorithm& a = algorithms[k];
        Row& row = result.rows[k];
        const auto time = [&](const std::function<void()>& call) {
            return measure(options.seconds, [&] {
                call();
                return kSingleStates;
            });
        };
        row.interpreted = time(a.single);
        if (row.has_code) row.compiled = time(a.compiled);
        row.batch_f64 = measure(options.seconds, a.batch_f64).minimum;
        row.batch_f32 = measure(options.seconds, a.batch_f32).minimum;
    }
    if (show_progress) complain("\r\033[K");
    result.peak = faster(result.peak, peak());
    return result;
}

void print_table(const Result& r) {
    print_heading(fmt::format("{}: {}, nv {}", r.name, counted(r.bodies, "bod", "y", "ies"), r.nv));
    print("{}, {} f64, {} f32; {}, batches of {}\n", name_of(r.isa),
          counted(lanes_of<double>(r.isa), "lane"), counted(lanes_of<float>(r.isa), "lane"),
          counted(r.threads, "thread"), counted(r.batch, "state"));
    if (!r.compilation.empty()) {
        print("{} compiled for this robot, in {:.1f} ms\n",
              counted(static_cast<int>(r.compilation.size()), "function"),
              r.milliseconds_of_compilation());
    }
    print("peak {:.1f} GFLOP/s f64, {:.1f} GFLOP/s f32\n", r.peak.f64, r.peak.f32);
    print("{:<42}{:>21}{:>23}{:>18}{:>19}\n", "", "single [ns per call]", "batch [ns per state]",
          "operations", "batch f64");
    print("{}\n", bold(fmt::format("{:<42} {:>9} {:>10} {:>11} {:>10} {:>9} {:>7}{:>10}{:>9}",
                                   "algorithm", "kernel", "compiled", "f64", "f32", "kernel",
                                   "batch", "GFLOP/s", "of peak")));
    for (const Row& row : r.rows) {
        const double rate = static_cast<double>(row.executed) / row.batch_f64;
        print("{:<42} {:>9.0f} {:>10} {:>11.1f} {:>10.1f} {:>9} {:>7}{:>10.2f}{:>7.1f} %\n",
              row.name, row.interpreted.minimum,
              row.has_code ? fmt::format("{:.0f}", row.compiled.minimum) : "–", row.batch_f64,
              row.batch_f32, row.operations.flops(), row.executed, rate, 100 * rate / r.peak.f64);
    }
}

nlohmann::ordered_json to_json(const Result& r) {
    using Json = nlohmann::ordered_json;
    Json single, interpreted, compilation, f64, f32, operations, executed, gflops, fraction;
    for (const Row& row : r.rows) {
        const OperationCounts& n = row.operations;
        const auto flops = static_cast<double>(row.executed);
        const auto times = [](const Times& t) -> Json {
            return {{"min", t.minimum}, {"median", t.median}};
        };
        single[row.name] = times(row.single());
        interpreted[row.name] = times(row.interpreted);
        f64[row.name] = row.batch_f64;
        f32[row.name] = row.batch_f32;
        operations[row.name] = {{"additions", n.additions},
                                {"multiplications", n.multiplications},
                                {"divisions", n.divisions},
                                {"square_roots", n.square_roots},
                                {"sines_and_cosines", n.sines_and_cosines},
                                {"arc_tangents", n.arc_tangents},
                                {"flops", n.flops()}};
        executed[row.name] = row.executed;
        gflops["f64"][row.name] = flops / row.batch_f64;
        gflops["f32"][row.name] = flops / row.batch_f32;
        fraction["f64"][row.name] = flops / row.batch_f64 / r.peak.f64;
        fraction["f32"][row.name] = flops / row.batch_f32 / r.peak.f32;
    }
    for (const CompiledFunction& f : r.compilation) {
        compilation[f.name] = {{"compiled", f.compiled},
                               {"operations_asked", f.asked},
                               {"operations", f.operations},
                               {"steps", f.steps},
                               {"spills", f.spills},
                               {"bytes", f.bytes},
                               {"milliseconds", f.milliseconds}};
    }
    return {{"name", r.name},
            {"model", r.argument},
            {"bodies", r.bodies},
            {"nv", r.nv},
            {"isa", name_of(r.isa)},
            {"lanes", {{"f64", lanes_of<double>(r.isa)}, {"f32", lanes_of<float>(r.isa)}}},
            {"threads", r.threads},
            {"batch_size", r.batch},
            {"peak_gflops", {{"f64", r.peak.f64}, {"f32", r.peak.f32}}},
            {"single", single},
            {"interpreted", interpreted},
            {"compilation", compilation},
            {"batch", {{"f64", f64}, {"f32", f32}}},
            {"operations", operations},
            {"executed_flops", executed},
            {"gflops", gflops},
            {"fraction_of_peak", fraction}};
}

void run(const BenchOptions& options) {
    const Isa isa = active_isa();
    // Read all before the first is timed: a mistyped name should show at once.
    std::vector<Model> models;
    for (const std::string& name : options.models) {
        ModelArgument argument = options.common;
        argument.name = name;
        models.push_back(argument.load());
    }
    if (options.on_gpu) {
        GpuBenchOptions gpu = options.gpu;
        gpu.as_json = options.as_json;
        bench_gpu(models, gpu);
        return;
    }
    nlohmann::ordered_json reports = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < models.size(); ++k) {
        const Result result = run(options.models[k], models[k], options);
        if (options.as_json) {
            reports.push_back(to_json(result));
        } else {
            print_table(result);
        }
    }
    if (!options.as_json) return;
    if (reports.size() == 1) {
        print_json(reports.front());
    } else {
        print_json({{"isa", name_of(isa)}, {"models", reports}});
    }
}

}  // namespace

void add_bench(CLI::App& app) {
    auto options = std::make_shared<BenchOptions>();
    auto* command =
        app.add_subcommand("bench", "Time every algorithm on a robot, singly and in batches");
    command->footer(
        "A single call takes one state, on one core. Its time is the minimum (in JSON also the\n"
        "median) over passes through 64 random states, for the kernels, which work for any robot,\n"
        "and for machine code made for this one, where there is any (in JSON, single is the\n"
        "time of the latter, interpreted that of the former). A batch takes many states, in SIMD\n"
        "lanes, in double and in float; its time is the minimum, divided by the number of states.\n"
        "Flops count one for each operation of the algorithm; the peak is the rate of independent\n"
        "multiply-adds on as many threads, measured in the same run. jacobians: the poses of all\n"
        "bodies and the axes of all joints; jacobians_dot: also their rates. The times of "
        "functions\n"
        "that use kinematics (frame_…, com_…, energies, …) include it. Functions with several\n"
        "matrices, such as christoffel_symbols, run in batches of at most 64 MB.\n"
        "\n"
        "On a GPU (--gpu), the rates are billions of states a second, for states in its memory, "
        "in\n"
        "planes (each entry of all states side by side) or in rows (one state after another), and\n"
        "for states in the host's memory, with all copies (copied). A multiply-add is two flops,\n"
        "also at the measured peak.\n"
        "\n"
        "The environment variable PLUCKER_ISA forces an instruction set; see: plucker version.\n"
        "\n"
        "Examples:\n"
        "  plucker bench builtin:humanoid\n"
        "  plucker bench builtin:arm --gpu --functions inverse_dynamics,mass_matrix\n"
        "  plucker bench arm.urdf leg.urdf --batch 4096 --threads 0 --json");
    command->add_option("MODEL", options->models, "Robot files (URDF, SDF, MJCF), or builtin:NAME")
        ->type_name("")
        ->required();
    add_model_options(*command, options->common);
    command->add_option("--batch", options->batch, "Number of states in a batch")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str();
    command
        ->add_option("--threads", options->threads,
                     "Number of threads for a batch; 0: one per core")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command
        ->add_option("--seconds", options->seconds,
                     "Approximate time to measure each algorithm, in each of the three forms")
        ->check(CLI::Range(1e-6, 60.0))
        ->capture_default_str();
    auto* gpu = command->add_flag("--gpu", options->on_gpu,
                                  "Time functions over many states on a GPU instead");
    command->add_option("--device", options->gpu.device, "Which GPU, counted from 0")
        ->check(CLI::Range(0, 1023))
        ->needs(gpu)
        ->capture_default_str();
    command->add_option("--states", options->gpu.states, "Number of states for the GPU")
        ->check(CLI::Range(1L, 1L << 28))
        ->needs(gpu)
        ->capture_default_str();
    command
        ->add_option("--functions", options->gpu.functions,
                     "Names of the functions to time, separated by commas")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->needs(gpu)
        ->capture_default_str();
    command->add_flag("--json", options->as_json, "Machine-readable output");
    command->callback([options] { run(*options); });
}

}  // namespace plucker::cli
