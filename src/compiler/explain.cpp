#include "plucker/compiler/explain.hpp"

#include <numeric>

#include "plucker/compiler/machine_code.hpp"
#include "plucker/scalar/isa.hpp"
#include "schedule.hpp"
#include "selected_functions.hpp"

namespace plucker {
namespace {

template <class Counts>
OperationsByKind operations(const Counts& counts) {
    OperationsByKind out{};
    for (std::size_t k = 0; k < out.size(); ++k)
        out[k] = compiler::num_operands(static_cast<compiler::Op>(k)) > 0 ? counts[k] : 0;
    return out;
}

}  // namespace

long total(const OperationsByKind& operations) {
    return std::accumulate(operations.begin(), operations.end(), 0L);
}

std::vector<ExplainedFunction> explain(const Model& model, const GenerateOptions& options) {
    std::vector<ExplainedFunction> out;
    for (const compiler::SelectedFunction& f : compiler::selected_functions(model, options)) {
        const compiler::Recorded recorded = compiler::record(model, f, options, options.parameters);
        ExplainedFunction& e = out.emplace_back();
        e.name = f.algorithm().name;
        e.frame = f.frame;
        e.asked = operations(recorded.asked);
        e.folded = operations(recorded.folded);
        e.needed = operations(recorded.program.counts());
        const compiler::Program woven = compiler::with_lanes_where_they_pay(recorded.program);
        e.in_lanes = operations(woven.counts());
        e.steps =
            static_cast<long>(compiler::schedule(compiler::with_short_sums(woven)).steps.size());
        if (!compiler::can_assemble(active_isa())) continue;
        // As compile() does it, with all parameters in one argument.
        const auto code = compiler::assemble(
            compiler::with_joined_inputs(recorded.program, options.parameters.size()), active_isa(),
            compiler::Lanes::kOneF64);
        if (code == nullptr) continue;
        e.machine = {name_of(active_isa()), code->spills(), code->bytes()};
    }
    return out;
}

}  // namespace plucker
