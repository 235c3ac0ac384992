#include "plucker/algorithms/table.hpp"
#include "plucker/compiler/cuda.hpp"

namespace plucker::compiler {

KernelChecks checks_of(const Algorithm& row, const Model& model, const RecordOptions& options) {
    KernelChecks out;
    const auto add = [&](const Argument& argument) {
        const auto first = static_cast<int>(out.finite.size());
        const long size = extent_of(argument.kind, model).rows;
        if (argument.kind == Kind::kConfiguration) {
            for (const int i : model.bodies_with_quaternion())
                out.quaternions.push_back(first + model.body(i).q_index + model.body(i).nq - 4);
        }
        for (long k = 0; k < size; ++k)
            out.finite.push_back(argument.reads == Reads::kNothing ||
                                 argument.reads == Reads::kAll ||
                                 (argument.reads == Reads::kJoints && k >= 6));
        if (argument.reads != Reads::kGiven) return;
        const Given read =
            argument.kind == Kind::kAcceleration ? Given::kAcceleration : Given::kTorque;
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const auto& body = model.body(i);
            if (body.mimic || options.given[static_cast<std::size_t>(i)] != read) continue;
            for (int k = 0; k < body.nv; ++k)
                out.finite[static_cast<std::size_t>(first + body.v_index + k)] = true;
        }
    };
    for (int k = 0; k < row.num_states(); ++k) add(table::kStates[static_cast<std::size_t>(k)]);
    for (const Argument& argument : row.inputs) {
        if (!is_option(argument.kind)) add(argument);
    }
    for (const Argument& argument : row.outputs) {
        if (argument.reads != Reads::kNothing) add(argument);
    }
    out.finite.insert(out.finite.end(), 6 * options.forces.size(), true);
    return out;
}

}  // namespace plucker::compiler
