#include "support/in_place_functions.hpp"

#include <random>

#include "plucker/constraints/constrained_dynamics.hpp"

namespace plucker::test {
namespace {

InPlaceArgument argument_of(const Argument& from, const Model& model) {
    const Extent extent = extent_of(from.kind, model);
    return {from.name, static_cast<int>(extent.rows),
            static_cast<int>(extent.columns == kAnyColumns ? 1 : extent.columns), from.kind,
            from.reads != Reads::kNothing};
}

template <class Row>
InPlaceFunction in_place_function_of(const Model& model) {
    const Algorithm& row = Row::kAlgorithm;
    InPlaceFunction out;
    out.name = row.name;
    for (const Argument& input : row.inputs) {
        if (!is_option(input.kind)) out.inputs.push_back(argument_of(input, model));
    }
    for (const Argument& output : row.outputs) out.outputs.push_back(argument_of(output, model));
    out.reads = row.kinematics;
    out.takes_forces = row.inputs.has(Kind::kForces);
    out.takes_frame = row.inputs.has(Kind::kFrame);
    out.takes_root = row.inputs.has(Kind::kRoot);
    out.needs_mass = row.needs_mass;
    out.needs_regular = row.needs_regular_mass_matrix;
    out.fills_kinematics = row.fills_kinematics;
    out.returns_by_value = row.returns();
    out.call = call_in_place<Row>;
    return out;
}

// Asked about q, v and a at once, in place of what forward_kinematics left.
template <class Row>
InPlaceFunction from_states(const Model& model) {
    InPlaceFunction out = in_place_function_of<Row>(model);
    const auto states = static_cast<std::size_t>(Row::kAlgorithm.num_states());
    for (std::size_t k = states; k-- > 0;)
        out.inputs.insert(out.inputs.begin(), argument_of(table::kStates[k], model));
    out.reads = Kinematics::kNone;
    out.call = call_from_states<Row>;
    return out;
}

// The two work on somebody's matrix: the first on a mass matrix that comes from elsewhere, the second on the factors of one
// at q.
std::vector<InPlaceFunction> functions_of_a_matrix(const Model& model) {
    const InPlaceArgument q = argument_of(table::q, model);
    const int nv = model.nv();
    InPlaceFunction factor, solve;
    factor.name = "factor_mass_matrix";
    factor.outputs = {{"M", nv, nv, Kind::kSymmetricMatrix, true}};
    factor.call = [](auto& ws, const auto& x) { return factor_mass_matrix(ws, x.matrix(0)); };
    solve.name = "solve_with_factor";
    solve.inputs = {q};
    solve.outputs = {{"factors", nv, nv, Kind::kFactors, false}, {"x", nv, 1, Kind::kTorque, true}};
    solve.call = [](auto& ws, const auto& x) {
        Status status = mass_matrix(ws, x.in(0), x.matrix(0));
        if (status == Status::kOk) status = factor_mass_matrix(ws, x.matrix(0));
        return status == Status::kOk ? solve_with_factor(ws, x.matrix(0), x.out(1)) : status;
    };
    factor.needs_regular = solve.needs_regular = true;
    return {factor, solve};
}

// Those of constraints/.
std::vector<InPlaceFunction> functions_of_constraints(const Model& model) {
    const InPlaceArgument q = argument_of(table::q, model);
    const int nv = model.nv(), m = model.num_constraint_rows();
    const InPlaceArgument v{"v", nv, 1, Kind::kVelocity, false}, tau{"tau", nv},
        a{"a", nv, 1, Kind::kAcceleration, false}, lambda{"lambda", m};
    InPlaceArgument changed_q = q, changed_v = v;
    changed_q.is_read = changed_v.is_read = true;
    InPlaceFunction dynamics, impulse, velocity, configuration, force;
    dynamics.name = "constrained_forward_dynamics";
    dynamics.inputs = {q, v, tau};
    dynamics.outputs = {a, lambda};
    dynamics.takes_forces = true;
    dynamics.call = [](auto& ws, const auto& x) {
        return constrained_forward_dynamics(ws, x.in(0), x.in(1), x.in(2), x.external, x.out(0),
                                            x.out(1))
            .status;
    };
    impulse.name = "constraint_impulse";
    impulse.inputs = {q};
    impulse.outputs = {changed_v, {"impulse", m}};
    impulse.call = [](auto& ws, const auto& x) {
        return constraint_impulse(ws, x.in(0), 0.3, x.out(0), x.out(1)).status;
    };
    velocity.name = "project_velocity";
    velocity.inputs = {q};
    velocity.outputs = {changed_v};
    velocity.call = [](auto& ws, const auto& x) {
        return project_velocity(ws, x.in(0), x.out(0)).status;
    };
    configuration.name = "project_configuration";
    configuration.outputs = {changed_q};
    configuration.call = [](auto& ws, const auto& x) {
        return project_configuration(ws, x.out(0)).status;
    };
    force.name = "constraint_force";
    force.inputs = {q};
    force.outputs = {{"force", 6}};
    force.call = [some = VectorX<double>(VectorX<double>::LinSpaced(m, 1, 2))](auto& ws,
                                                                               const auto& x) {
        x.out(0) = to_eigen(constraint_force(ws, x.in(0), 0, some, x.reference));
        return ws.status();
    };
    for (InPlaceFunction* f : {&dynamics, &impulse, &velocity, &configuration})
        f->needs_regular = true;
    return {dynamics, impulse, velocity, configuration, force};
}

}  // namespace

std::vector<InPlaceFunction> in_place_functions(const Model& model) {
    std::vector<InPlaceFunction> out = functions_of_a_matrix(model);
    if (!model.constraints().empty()) {
        for (InPlaceFunction& f : functions_of_constraints(model)) out.push_back(std::move(f));
    }
    table::All::for_each([&]<class Row>(Row) {
        if (!applies_to(Row::kAlgorithm, model)) return;
        out.push_back(in_place_function_of<Row>(model));
        if constexpr (Row::kAlgorithm.num_states() > 0 && !Row::kAlgorithm.returns())
            out.push_back(from_states<Row>(model));
    });
    return out;
}

ArrangedCall arrange(const Model& model, const InPlaceFunction& function, unsigned seed) {
    std::mt19937 generator(seed);
    // From -1 to 1. A distribution of the standard library takes a logarithm for each number where nothing is optimised, and
    // outputs are large.
    const auto random = [&](long n) {
        VectorX<double> out(n);
        for (double* x = out.data(); x != out.data() + n; ++x)
            *x = 2 * (static_cast<double>(generator()) / std::mt19937::max()) - 1;
        return out;
    };
    ArrangedCall out;
    for (const InPlaceArgument& input : function.inputs) {
        out.inputs.push_back(input.is_configuration() ? random_configuration(model, generator)
                                                      : random(input.rows));
        out.call.input_shapes.push_back({input.rows, input.columns});
    }
    for (const InPlaceArgument& output : function.outputs) {
        if (output.kind == Kind::kSymmetricMatrix && output.is_read) {
            const MatrixX<double> M = mass_matrix(model, random_configuration(model, generator));
            out.outputs.push_back(M.reshaped());
        } else {
            out.outputs.push_back(output.is_configuration()
                                      ? random_configuration(model, generator)
                                      : random(long{output.rows} * output.columns));
        }
        out.call.output_shapes.push_back({output.rows, output.columns});
    }
    for (auto& x : out.inputs) out.call.inputs.push_back(x.data());
    for (auto& x : out.outputs) out.call.outputs.push_back(x.data());
    out.call.frame = model.body_frame(model.num_bodies());
    out.call.root = model.num_bodies();
    out.call.given = every_other_acceleration(model);
    return out;
}

}  // namespace plucker::test
