#include "plucker/compiler/record.hpp"

#include <algorithm>

#include "plucker/algorithms/table.hpp"
#include "plucker/compiler/parameters.hpp"

#include "factored.hpp"
#include "factored_kernels.hpp"
#include "limbs.hpp"
#include "record_factors.hpp"

namespace plucker::compiler {

thread_local Recorder* Recording::current_ = nullptr;

bool TraceMask::known() const {
    if (!Recording::current().is_constant(id))
        throw Error("a recorded program cannot branch on a value");
    return Recording::current().constant_of(id) != 0;
}

namespace {

template <class... Rows>
constexpr std::array<Kernel<Trace>, sizeof...(Rows)> kernels_of(table::List<Rows...>) {
    return {Rows::template run<Trace>...};
}

using KernelOfFactors = void (*)(Workspace<Trace>&, Operands<Trace>&,
                                 const FactoredResults<Trace>&);
template <class Row>
constexpr KernelOfFactors kernel_of_factors() {
    if constexpr (FactoredKernel<Row>::kExists) return FactoredKernel<Row>::template run<Trace>;
    return nullptr;
}
template <class... Rows>
constexpr std::array<KernelOfFactors, sizeof...(Rows)> kernels_of_factors(table::List<Rows...>) {
    return {kernel_of_factors<Rows>()...};
}

// Memory for the arguments of a call, and their numbers.
class Call {
public:
    Call(const Model& model, const Algorithm& row, const RecordOptions& options)
        : model_(model),
          row_(row),
          options_(options),
          limbs_(equal_limbs(model)),
          limb_of_body_(limb_of_bodies(model)),
          forces_(model) {
        program_.name = row.name;
    }

    Program run(Kernel<Trace> kernel) {
        return run([&](Workspace<Trace>& ws) { kernel(ws, x_); },
                   [&] {
                       for (int k = 0; k < row_.outputs.size(); ++k) give_output(k);
                   });
    }
    // The outputs are the factors: the left one, and of each output the right one and the rest.
    Program run(KernelOfFactors kernel) {
        const long n = model_.nv();
        const auto num_results = static_cast<std::size_t>(row_.outputs.size());
        std::vector<std::vector<Trace>> factors(
            1 + 2 * num_results, std::vector<Trace>(static_cast<std::size_t>(n * n)));
        const auto view = [&](std::size_t k) {
            return detail::MatrixView<Trace>{factors[k].data(), n};
        };
        FactoredResults<Trace> to{view(0), {}};
        for (std::size_t k = 0; k < num_results; ++k)
            to.results[k] = {view(1 + 2 * k), view(2 + 2 * k)};
        return run([&](Workspace<Trace>& ws) { kernel(ws, x_, to); },
                   [&] {
                       program_.output_groups.clear();
                       for (const std::vector<Trace>& factor : factors) {
                           program_.output_groups.push_back(
                               {"factor", static_cast<int>(n), static_cast<int>(n)});
                           for (const Trace& x : factor) program_.outputs.push_back(x.id);
                       }
                   });
    }

private:
    template <class RunKernel, class GiveOutputs>
    Program run(const RunKernel& run_kernel, const GiveOutputs& give_outputs) {
        constexpr Argument kStates[] = {table::q, table::v, table::a};
        std::size_t vectors = 0;
        for (int k = 0; k < row_.num_states(); ++k) inputs_[vectors++] = take(kStates[k]);
        vectors = 0;
        for (const Argument& argument : row_.inputs) {
            if (is_option(argument.kind)) continue;
            if (row_.num_states() > 0) throw Error("kinematics stand for q, v and a");
            inputs_[vectors] = take(argument);
            const std::vector<Trace>& input = inputs_[vectors];
            const auto size = static_cast<long>(input.size());
            x_.inputs[vectors++] = {input.data(), size, 1, size};
        }
        for (int k = 0; k < row_.outputs.size(); ++k) prepare_output(k);
        take_forces();
        x_.frame = options_.frame;
        x_.reference = options_.reference;
        x_.root = options_.root;
        x_.given = options_.given;
        Workspace<Trace> ws(model_, constants());
        kernel::kinematics_up_to(row_.kinematics, ws, ws.kinematics, inputs_[0].data(),
                                 inputs_[1].data(), inputs_[2].data());
        run_kernel(ws);
        give_outputs();
        if (row_.needs_regular_mass_matrix) program_.singular = ws.coordinates.pivots.singular.id;
        return std::move(program_);
    }

    const Model& model_;
    const Algorithm& row_;
    const RecordOptions& options_;
    std::vector<EqualLimbs> limbs_;
    std::vector<int> limb_of_body_;
    ExternalForces<Trace> forces_;
    Operands<Trace> x_;
    std::array<std::vector<Trace>, kMostInputs> inputs_;
    std::array<std::vector<Trace>, kMostOutputs> outputs_;
    Program program_;

    // Not where bodies are told apart, as centres of mass are, which read the kinematics; nor where pivots are compared with
    // the inertia of their body, so that a singular robot is told as the kernel tells it.
    bool may_be_regrouped() const {
        return row_.kinematics == Kinematics::kNone && !row_.tells_bodies_apart &&
               !row_.needs_regular_mass_matrix;
    }

    std::vector<Trace> take(const std::string& name, long size) {
        std::vector<Trace> out;
        const int first = program_.num_inputs();
        for (int k = 0; k < size; ++k) out.push_back(Trace::input(first + k));
        program_.limb_of_input.resize(static_cast<std::size_t>(first + size), -1);
        program_.input_groups.push_back({name, static_cast<int>(size)});
        return out;
    }
    std::vector<Trace> take(const Argument& argument) {
        if (argument.kind <= Kind::kTransposedBiasTorque) {
            const auto equal = equal_inputs(model_, limbs_, program_.num_inputs(),
                                            argument.kind == Kind::kConfiguration);
            program_.equal_inputs.insert(program_.equal_inputs.end(), equal.begin(), equal.end());
        }
        std::vector<Trace> out = take(argument.name, extent_of(argument.kind, model_).rows);
        const auto size = static_cast<long>(out.size());
        if (!is_vector(argument.kind)) return out;
        for (long k = 0; k < size; ++k)
            *(program_.limb_of_input.end() - size + k) = limb_of_coordinate(k, size);
        return out;
    }
    // Of the k-th of `size` numbers, one a coordinate or one a body; -1: of none.
    int limb_of_coordinate(long k, long size) const {
        int limb = -1;
        for (int i = 1; i <= model_.num_bodies(); ++i) {
            const Body<double>& body = model_.body(i);
            const bool is_velocity = size == model_.nv();
            const int first = is_velocity ? body.v_index : body.q_index;
            const int end = first + (is_velocity ? body.nv : body.nq);
            if (!body.mimic && k >= first && k < end)
                limb = limb_of_body_[static_cast<std::size_t>(i)];
        }
        return limb;
    }
    void prepare_output(int k) {
        const Argument& argument = row_.outputs[k];
        const Extent extent = extent_of(argument.kind, model_);
        const long columns = extent.columns == kAnyColumns ? 1 : extent.columns;
        std::vector<Trace>& output = outputs_[static_cast<std::size_t>(k)];
        output.assign(static_cast<std::size_t>(extent.rows * columns), Trace());
        if (argument.reads != Reads::kNothing) output = take(argument.name, extent.rows);
        x_.outputs[static_cast<std::size_t>(k)] = {output.data(), extent.rows, columns,
                                                   extent.rows};
        program_.output_groups.push_back(
            {argument.name, static_cast<int>(extent.rows), static_cast<int>(columns)});
    }
    void take_forces() {
        if (options_.forces.empty()) return;
        const std::vector<Trace> f = take("forces", 6 * static_cast<long>(options_.forces.size()));
        for (std::size_t k = 0; k < options_.forces.size(); ++k) {
            const Trace* at = f.data() + 6 * k;
            forces_.add(options_.forces[k].frame, {{at[0], at[1], at[2]}, {at[3], at[4], at[5]}},
                        options_.forces[k].expressed_in);
        }
        x_.external = &forces_;
    }
    RobotConstants<Trace> constants() {
        RobotConstants<Trace> out = take_parameters();
        if (may_be_regrouped()) out.regroup_at_hinges();
        // What follows is the kernel's.
        Recording::current().count_anew();
        return out;
    }
    RobotConstants<Trace> take_parameters() {
        const std::vector<ProgramParameter> parameters =
            parameters_named(model_, options_.parameters);
        ParameterNumbers<Trace> inputs;
        for (const ProgramParameter& parameter : parameters)
            inputs.push_back(take(parameter.name, parameter.size()));
        return parameters.empty() ? RobotConstants<Trace>(model_)
                                  : constants_with(model_, parameters, inputs);
    }
    void give_output(int k) {
        const Operand<Trace>& out = x_.outputs[static_cast<std::size_t>(k)];
        const bool by_columns = model_.nv() > 0 && out.columns % model_.nv() == 0;
        for (long i = 0; i < out.rows * out.columns; ++i) {
            program_.outputs.push_back(out.data[i].id);
            program_.limb_of_output.push_back(
                by_columns ? limb_of_coordinate(i / out.rows % model_.nv(), model_.nv())
                : out.columns == 1 && (out.rows == model_.nv() || out.rows == model_.nq())
                    ? limb_of_coordinate(i, out.rows)
                    : -1);
        }
    }
};

void check(const Algorithm& row, const Model& model, const RecordOptions& options) {
    if (row.fills_kinematics) {
        throw Error::because("record: ", row.name,
                             " leaves its results in a workspace, and a program has none; record "
                             "what asks for them");
    }
    detail::require_floating_base(row, model);
    if (row.inputs.has(Kind::kFrame)) detail::require_frame(row, model, options.frame);
    if (row.needs_mass) detail::require_subtree(row, model, options.root);
    if (row.inputs.has(Kind::kGiven)) detail::require_given(row, model, options.given);
    if (!options.forces.empty() && !row.inputs.has(Kind::kForces))
        throw Error::because("record: ", row.name, " takes no external forces");
    for (const ForcePlace& place : options.forces) detail::require_frame(row, model, place.frame);
}

template <class AnyKernel>
Program run(Recorder& recorder, const Model& model, int row, const RecordOptions& options,
            AnyKernel kernel) {
    const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
    check(algorithm, model, options);
    const Recording here(recorder);
    return Call(model, algorithm, options).run(kernel);
}
Program run(Recorder& recorder, const Model& model, int row, const RecordOptions& options) {
    static constexpr auto kKernels = kernels_of(table::All{});
    return run(recorder, model, row, options, kKernels[static_cast<std::size_t>(row)]);
}
// With fewer coordinates straight-line code is shorter than loops are quick. Deep trees are inverted in another way.
constexpr int kFewestForLoops = 16;
KernelOfFactors factored_kernel(const Model& model, int row) {
    static constexpr auto kKernels = kernels_of_factors(table::All{});
    if (model.nv() < kFewestForLoops || model.is_deep()) return nullptr;
    return kKernels[static_cast<std::size_t>(row)];
}

}  // namespace

Recorded record(const Model& model, int row, const RecordOptions& options) {
    Recorder recorder(options.most_nodes);
    Program program = run(recorder, model, row, options);
    program.nodes = recorder.take_nodes();
    return {without_dead_code(program), recorder.num_asked(), recorder.asked(), program.counts()};
}

namespace {

// The outputs that a row has, of a program that has them among others.
Program with_outputs_of(const Algorithm& row, const Program& from) {
    Program out = from;
    out.name = row.name;
    out.outputs.clear();
    out.limb_of_output.clear();
    out.output_groups.clear();
    for (const Argument& wanted : row.outputs) {
        std::size_t first = 0;
        for (const Group& group : from.output_groups) {
            const auto size = static_cast<std::size_t>(group.size());
            if (group.name == wanted.name) {
                const auto take = [&](const auto& all, auto& part) {
                    part.insert(part.end(), all.begin() + static_cast<long>(first),
                                all.begin() + static_cast<long>(first + size));
                };
                take(from.outputs, out.outputs);
                take(from.limb_of_output, out.limb_of_output);
                out.output_groups.push_back(group);
            }
            first += size;
        }
    }
    return without_dead_code(out);
}

}  // namespace

std::vector<Recorded> record_all_ways(const Model& model, int row, const RecordOptions& options) {
    std::vector<Recorded> out;
    out.push_back(record(model, row, options));
    const Algorithm& asked = algorithms()[static_cast<std::size_t>(row)];
    // What takes twice as many numbers is no shorter way, and is not recorded to its end.
    RecordOptions shorter = options;
    shorter.most_nodes = std::min(options.most_nodes, 2 * out[0].program.nodes.size());
    for (int k = 0; k < static_cast<int>(algorithms().size()); ++k) {
        const char* const way_for = algorithms()[static_cast<std::size_t>(k)].another_way_for;
        if (way_for == nullptr || std::string_view(way_for) != asked.name) continue;
        try {
            Recorded other = record(model, k, shorter);
            other.program = with_outputs_of(asked, other.program);
            out.push_back(std::move(other));
        } catch (const ProgramTooLong&) {  // the other way will do
        }
    }
    return out;
}

Recorded record_shortest(const Model& model, int row, const RecordOptions& options) {
    std::vector<Recorded> ways = record_all_ways(model, row, options);
    return std::move(*std::min_element(ways.begin(), ways.end(), [](const auto& a, const auto& b) {
        return a.program.num_operations() < b.program.num_operations();
    }));
}

bool ends_in_products(const Model& model, int row) {
    return factored_kernel(model, row) != nullptr;
}
Recorded record_factors(const Model& model, int row, const RecordOptions& options) {
    Recorder recorder(options.most_nodes);
    Program program = run(recorder, model, row, options, factored_kernel(model, row));
    program.nodes = recorder.take_nodes();
    return {without_dead_code(program), recorder.num_asked(), recorder.asked(), program.counts()};
}

Value zero_of(Program& program) {
    const auto is_zero = [](const Node& node) {
        return node.op == Op::kConstant && node.constant == 0;
    };
    const auto found = std::find_if(program.nodes.begin(), program.nodes.end(), is_zero);
    if (found != program.nodes.end()) return static_cast<Value>(found - program.nodes.begin());
    program.nodes.push_back({Op::kConstant, {}, 0});
    return static_cast<Value>(program.nodes.size()) - 1;
}

Recorded record(const Model& model, std::string_view name, const RecordOptions& options) {
    const auto any = [](const Algorithm&) { return true; };
    return record(model, row_named(std::string(name), "algorithm", any), options);
}

std::array<long, kNumOps> count_operations(const Model& model, int row,
                                           const RecordOptions& options) {
    Recorder recorder = Recorder::that_only_counts();
    run(recorder, model, row, options);
    return recorder.asked();
}

}  // namespace plucker::compiler
