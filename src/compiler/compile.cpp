#include "plucker/compiler/compile.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "plucker/algorithms/algorithm.hpp"
#include "plucker/compiler/machine_code.hpp"
#include "plucker/compiler/parameters.hpp"
#include "plucker/compiler/record.hpp"
#include "plucker/compiler/recorder.hpp"

#include "assemble.hpp"

namespace plucker {
namespace {

// Beyond, straight-line code no longer fits into the caches, and loops are faster. Nodes are more than operations: inputs and
// constants are among them, and what no output needs.
constexpr int kMostOperations = 30000;
constexpr std::size_t kMostNodes = 3 * kMostOperations;

// Whether a program can stand for single calls. Of those that read kinematics it can for the form that takes q, v and a, which
// calls that return a few numbers do not have. Hybrid dynamics would be another program for each list of what is given.
bool can_be_program(const Algorithm& row) {
    return (row.num_states() == 0 || !row.returns()) && !row.fills_kinematics &&
           !row.inputs.has(Kind::kGiven);
}
// Each result is stored by an operation of its own, zeros by a part of one: what has too many is not even recorded.
bool has_too_many_results(const Algorithm& row, const Model& model) {
    long results = 0;
    for (const Argument& argument : row.outputs) {
        const Extent extent = extent_of(argument.kind, model);
        if (extent.columns != kAnyColumns) results += extent.rows * extent.columns;
    }
    return results > kMostOperations;
}
constexpr std::array kReferences{std::pair{ReferenceFrame::kBody, "body"},
                                 std::pair{ReferenceFrame::kWorld, "world"},
                                 std::pair{ReferenceFrame::kWorldAligned, "world_aligned"}};
// Whether the code would have to look first whether there is any mass: it may change.
bool may_lack_mass(const Algorithm& row, const Model& model, const CompileOptions& options) {
    return row.needs_mass && (!(model.total_mass() > 0) || !options.parameters.empty());
}

bool is_switched_off() {
    const char* wish = std::getenv("PLUCKER_COMPILE");
    return wish != nullptr && std::string(wish) == "off";
}

class RobotCompiler {
public:
    RobotCompiler(const Model& model, const CompileOptions& options,
                  std::vector<RobotCode::Parameter> parameters,
                  std::vector<CompiledFunction>& report)
        : model_(model), options_(options), report_(report), code_(std::make_shared<RobotCode>()) {
        record_options_.parameters = options.parameters;
        record_options_.most_nodes = kMostNodes;
        code_->parameters = std::move(parameters);
        code_->single.resize(algorithms().size());
    }

    void add(std::size_t row) {
        if (!algorithms()[row].inputs.has(Kind::kFrame)) {
            code_->single[row] = made(row, algorithms()[row].name);
            return;
        }
        for (const std::string& name : options_.frames) {
            record_options_.frame = model_.frame_id(name);
            for (const auto& [reference, word] : kReferences) {
                record_options_.reference = reference;
                add_of_frame(row, name, word);
                if (!algorithms()[row].inputs.has(Kind::kReference)) break;
            }
        }
    }
    Model finished() { return model_.with_code(code_); }

private:
    const Model& model_;
    const CompileOptions& options_;
    std::vector<CompiledFunction>& report_;
    std::shared_ptr<RobotCode> code_;
    compiler::RecordOptions record_options_;

    void add_of_frame(std::size_t row, const std::string& frame, const std::string& reference) {
        const RobotCode::Single single =
            made(row, algorithms()[row].name + ("(" + frame + ", " + reference + ")"));
        if (single.entry == nullptr) return;
        code_->of_frames.push_back({static_cast<int>(row), record_options_.frame.index(),
                                    static_cast<int>(record_options_.reference), single});
    }

    // The code of one program; none, where that would be too long.
    RobotCode::Single made(std::size_t row, const std::string& name) {
        const auto start = std::chrono::steady_clock::now();
        RobotCode::Single out;
        CompiledFunction function;
        function.name = name;
        try {
            if (!may_lack_mass(algorithms()[row], model_, options_) &&
                !has_too_many_results(algorithms()[row], model_))
                out = compile(row, function);
        } catch (const compiler::ProgramTooLong&) {  // the kernel has loops
        }
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - start;
        function.milliseconds = taken.count();
        report_.push_back(function);
        return out;
    }

    RobotCode::Single compile(std::size_t row, CompiledFunction& function) {
        if (record_options_.parameters.empty() &&
            compiler::ends_in_products(model_, static_cast<int>(row)))
            return compile_with_loops(row, function);
        // Of all ways the one with the fewest instructions, which equal limbs share.
        std::shared_ptr<const compiler::MachineCode> shortest;
        for (const compiler::Recorded& recorded :
             compiler::record_all_ways(model_, static_cast<int>(row), record_options_)) {
            const int operations = recorded.program.num_operations();
            if (shortest == nullptr) {
                function.asked = recorded.num_asked;
                function.operations = operations;
            }
            if (operations > kMostOperations) continue;
            // The parameters are one argument.
            const compiler::Program program =
                compiler::with_joined_inputs(recorded.program, record_options_.parameters.size());
            const auto code = compiler::assemble(program, active_isa(), compiler::Lanes::kOneF64);
            if (code == nullptr) return {};
            if (shortest != nullptr && code->instructions() >= shortest->instructions()) continue;
            shortest = code;
            function.asked = recorded.num_asked;
            function.operations = operations;
        }
        return keep(row, shortest, function);
    }
    RobotCode::Single compile_with_loops(std::size_t row, CompiledFunction& function) {
        const compiler::Factored factored = compiler::record_factors(
            model_, static_cast<int>(row), record_options_, lanes_of<double>(active_isa()));
        function.asked = factored.asked;
        function.operations = factored.program.num_operations();
        if (function.operations > kMostOperations) return {};
        return keep(row, compiler::assemble(factored, active_isa()), function);
    }
    RobotCode::Single keep(std::size_t row,
                           const std::shared_ptr<const compiler::MachineCode>& code,
                           CompiledFunction& function) {
        if (code == nullptr) return {};
        function.compiled = true;
        function.steps = code->instructions();
        function.spills = code->spills();
        function.bytes = code->bytes();
        code_->owned.push_back(code);
        return single_of(algorithms()[row], code->entry());
    }

    RobotCode::Single single_of(const Algorithm& row, RobotCode::Entry entry) const {
        RobotCode::Single out;
        out.entry = entry;
        out.is_plain = true;
        for (int k = 0; k < row.num_states(); ++k) {
            out.inputs[static_cast<std::size_t>(out.num_inputs++)] =
                k == 0 ? model_.nq() : model_.nv();
        }
        for (const Argument& argument : row.inputs) {
            if (is_option(argument.kind)) continue;
            // Attitudes are looked for in the first.
            if (argument.kind == Kind::kConfiguration && out.num_inputs > 0) out.is_plain = false;
            out.inputs[static_cast<std::size_t>(out.num_inputs++)] =
                extent_of(argument.kind, model_).rows;
        }
        out.is_plain =
            out.is_plain && (row.num_states() > 0 || row.inputs[0].kind == Kind::kConfiguration);
        for (const Argument& argument : row.outputs) {
            const Extent extent = extent_of(argument.kind, model_);
            if (argument.reads != Reads::kNothing || extent.columns == kAnyColumns)
                out.is_plain = false;
            out.outputs[static_cast<std::size_t>(out.num_outputs++)] = {extent.rows,
                                                                        extent.columns};
        }
        return out;
    }
};

// As a workspace changes them. It cannot move a frame.
std::vector<RobotCode::Parameter> code_parameters(const Model& model,
                                                  const std::vector<std::string>& names) {
    std::vector<RobotCode::Parameter> out;
    for (const compiler::ProgramParameter& parameter : compiler::parameters_named(model, names)) {
        switch (parameter.kind) {
            case compiler::ParameterKind::kGravity:
                out.push_back({RobotChange::kGravity});
                break;
            case compiler::ParameterKind::kMass:
                out.push_back({RobotChange::kMass, parameter.frame});
                break;
            case compiler::ParameterKind::kPayload:
                out.push_back({RobotChange::kPayload, parameter.frame});
                break;
            case compiler::ParameterKind::kFrame:
                throw Error::because("compile: parameter '", parameter.name,
                                     "': no workspace can move a frame; generate() takes it");
        }
    }
    return out;
}

std::vector<std::size_t> rows_named(const Model& model, const CompileOptions& options) {
    std::vector<std::size_t> out;
    for (const std::string& name : options.functions) {
        const auto row =
            static_cast<std::size_t>(row_named(name, "function to compile", can_be_program));
        if (!applies_to(algorithms()[row], model))
            throw Error::because("compile: robot '", model.name(), "' has no ", name);
        if (algorithms()[row].inputs.has(Kind::kFrame) && options.frames.empty())
            throw Error::because("compile: ", name, " takes a frame; name those that it is for");
        out.push_back(row);
    }
    return out;
}
// Those that are worth it: called often, not merely another way to what a better one gives, and not as long as code for the
// matrices of every torque.
std::vector<std::size_t> usual_rows(const Model& model) {
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < algorithms().size(); ++k) {
        const Algorithm& row = algorithms()[k];
        const bool is_called_often =
            row.is_hot || row.num_states() > 0 || row.inputs.has(Kind::kFrame);
        if (can_be_program(row) && applies_to(row, model) && is_called_often &&
            row.another_way_for == nullptr && !comes_in_blocks(row.outputs[0].kind)) {
            out.push_back(k);
        }
    }
    return out;
}

}  // namespace

bool can_compile() { return !is_switched_off() && compiler::can_assemble(active_isa()); }

Model compile(const Model& model, const CompileOptions& options) {
    std::vector<CompiledFunction> report;
    return compile(model, options, report);
}

Model compile(const Model& model, const CompileOptions& options,
              std::vector<CompiledFunction>& report) {
    const std::vector<std::size_t> rows =
        options.functions.empty() ? usual_rows(model) : rows_named(model, options);
    for (const std::string& frame : options.frames) (void)model.frame_id(frame);  // or it throws
    std::vector<RobotCode::Parameter> parameters = code_parameters(model, options.parameters);
    if (!can_compile()) return model;
    RobotCompiler compiler(model, options, std::move(parameters), report);
    for (const std::size_t row : rows) compiler.add(row);
    return compiler.finished();
}

}  // namespace plucker
