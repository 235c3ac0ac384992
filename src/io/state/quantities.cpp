#include "state/quantities.hpp"

#include <algorithm>
#include <optional>

#include "plucker/algorithms/arranged.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"
#include "plucker/scalar/plain_algebra.hpp"

namespace plucker::io {
namespace {

using namespace plain;

// --- Arrays without an order of joints -------------------------------------------------------------

Array number(double x) { return {{x}, {}}; }

Array vector(const VectorX<double>& x, const AxisNames& names) {
    return {{x.data(), x.data() + x.size()}, {&names}};
}
Array matrix(const MatrixX<double>& m, const AxisNames& rows, const AxisNames& columns) {
    Array out{{}, {&rows, &columns}};
    out.numbers.reserve(static_cast<std::size_t>(m.size()));
    for (long r = 0; r < m.rows(); ++r) {
        for (long c = 0; c < m.cols(); ++c) out.numbers.push_back(m(r, c));
    }
    return out;
}

// --- Arrays in the order that was asked for: v' = T v, τ' = T τ, a' = T a + Ṫ v ------------------------

const AxisNames& order(const Context& c) { return c.coordinates.v_names(); }

Array torque(const Context& c, const VectorX<double>& tau) {
    return vector(c.coordinates.export_tau(c.s.q, tau), order(c));
}
Array acceleration(const Context& c, const VectorX<double>& a) {
    return vector(c.coordinates.export_a(c.s.q, c.s.v, a), order(c));
}
Array square(const Context& c, const MatrixX<double>& m) {
    return matrix(c.coordinates.export_matrix(c.s.q, m), order(c), order(c));
}
Array columns(const Context& c, const MatrixX<double>& J, const AxisNames& rows) {
    return matrix(c.coordinates.export_jacobian(c.s.q, J), rows, order(c));
}
// J' = J Tᵀ, so J̇' = J̇ Tᵀ + J Ṫᵀ.
Array columns_rate(const Context& c, const MatrixX<double>& J_dot, const MatrixX<double>& J,
                   const AxisNames& rows) {
    if (c.coordinates.only_permutes()) return columns(c, J_dot, rows);
    const MatrixX<double> turning = J * transposed(c.coordinates.velocity_map_rate(c.s.q, c.s.v));
    return matrix(c.coordinates.export_jacobian(c.s.q, J_dot) + turning, rows, order(c));
}
// M' v̇' + C' v' + … = T τ with v̇ = Tᵀ (v̇' - Ṫ v): C' = T C Tᵀ + T M Ṫᵀ. It leaves Ṁ' - 2 C' skew.
Array coriolis(const Context& c, const MatrixX<double>& C) {
    if (c.coordinates.only_permutes()) return square(c, C);
    const MatrixX<double> T = c.coordinates.velocity_map(c.s.q);
    const MatrixX<double> T_dot = c.coordinates.velocity_map_rate(c.s.q, c.s.v);
    const MatrixX<double> M = mass_matrix(c.model, c.s.q);
    return matrix(T * (C * transposed(T) + M * transposed(T_dot)), order(c), order(c));
}
// The acceleration at which that order's is zero: - Tᵀ Ṫ v.
VectorX<double> still(const Context& c) {
    return c.coordinates.import_a(c.s.q, c.s.v, VectorX<double>::Zero(c.coordinates.nv()));
}
// What is left of τ' at v̇' = 0.
Array bias(const Context& c, const VectorX<double>& without_acceleration) {
    if (c.coordinates.only_permutes()) return torque(c, without_acceleration);
    return torque(c, without_acceleration + mass_matrix(c.model, c.s.q) * still(c));
}
// C'ᵀ v' = T Cᵀ v + Ṫ M v.
Array coriolis_transpose(const Context& c, const VectorX<double>& CT_v) {
    const VectorX<double> turned = c.coordinates.export_tau(c.s.q, CT_v);
    if (c.coordinates.only_permutes()) return vector(turned, order(c));
    return vector(turned + c.coordinates.velocity_map_rate(c.s.q, c.s.v) *
                               (mass_matrix(c.model, c.s.q) * c.s.v),
                  order(c));
}
// Y' = T Y, as π stays what it is.
Array regressor(const Context& c, const MatrixX<double>& Y) {
    MatrixX<double> turned(c.coordinates.nv(), Y.cols());
    for (long k = 0; k < Y.cols(); ++k)
        turned.col(k) = c.coordinates.export_tau(c.s.q, column_of(Y, k));
    return matrix(turned, order(c), c.parameters);
}
// τ' - d(T M v)/dt = T (τ - d(M v)/dt) - Ṫ M v.
Array bias_regressor(const Context& c, const MatrixX<double>& Y) {
    if (c.coordinates.only_permutes()) return regressor(c, Y);
    const MatrixX<double> turning =
        c.coordinates.velocity_map_rate(c.s.q, c.s.v) * momentum_regressor(c.model, c.s.q, c.s.v);
    return matrix(c.coordinates.velocity_map(c.s.q) * Y - turning, order(c), c.parameters);
}
// Derivatives in coordinates that turn with the robot are others than ours, turned.
void require_permutation(const Context& c) {
    if (c.coordinates.only_permutes()) return;
    throw Error(
        "derivatives and Christoffel symbols are not computed in this order, whose velocities are "
        "not along the body's axes; ask for "
        "the order "
        "plucker, file or pinocchio");
}

// --- A row of the table ---------------------------------------------------------------------------------

Sample<double> sample_of(const State& s) { return {s.q, s.v, s.a, s.tau, {}}; }

// Which of the state's vectors an argument of the table is; 0: none of them.
unsigned state_vector(const Argument& argument) {
    const std::string_view name = argument.name;
    return name == "q" ? kQ : name == "v" ? kV : name == "a" ? kA : name == "tau" ? kTau : 0U;
}

// Of a row's options those that a state does not give.
struct FrameOptions {
    FrameId frame{};
    ReferenceFrame reference = ReferenceFrame::kBody;
};
bool is_frame_option(Kind kind) { return kind == Kind::kFrame || kind == Kind::kReference; }

// Whether a state has all that the row takes, and what that is.
std::optional<unsigned> needs_of(const Algorithm& row) {
    constexpr unsigned kStates[] = {0, kQ, kQ | kV, kQ | kV | kA};
    unsigned needs = kStates[row.num_states()];
    if (row.outputs.size() == 0) return {};
    for (const Argument& argument : row.inputs) {
        if (argument.kind == Kind::kForces || argument.kind == Kind::kRoot ||
            is_frame_option(argument.kind)) {
            continue;
        }
        if (state_vector(argument) == 0) return {};
        needs |= state_vector(argument);
    }
    for (const Argument& argument : row.outputs) {
        if (argument.kind == Kind::kConfigurationRate) return {};  // answers are by velocities
        if (argument.reads == Reads::kNothing) continue;
        if (state_vector(argument) == 0 || argument.kind == Kind::kConfiguration) return {};
        needs |= state_vector(argument);
    }
    return needs;
}
// Whether the row tells of frames what the kinematics say: "frames" has it.
bool is_of_frames(const Algorithm& row) {
    return row.inputs.has(Kind::kFrame) && row.kinematics != Kinematics::kNone;
}

void fill_kinematics(const Context& c, Kinematics level) {
    if (level == Kinematics::kPosition) forward_kinematics(c.ws, c.s.q);
    if (level == Kinematics::kVelocity) forward_kinematics(c.ws, c.s.q, c.s.v);
    if (level == Kinematics::kAcceleration) forward_kinematics(c.ws, c.s.q, c.s.v, c.s.a);
}

MatrixX<double> numbers_of(const Algorithm& row, const Arranged<double>& arranged, int k) {
    const Operand<double>& out = arranged.result(k);
    if (stands_row_by_row(row.outputs[k].kind))
        return transposed(Eigen::Map<const MatrixX<double>>(out.data, out.columns, out.rows));
    return Eigen::Map<const MatrixX<double>>(out.data, out.rows, out.columns);
}

// With the kinematics that are there.
std::vector<MatrixX<double>> ask(const Context& c, int index, const FrameOptions& options = {}) {
    const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
    const Sample<double> sample = sample_of(c.s);
    Arranged<double> arranged(row, c.model);
    arranged.refill(sample);
    arranged.options().external = c.forces;
    if (row.inputs.has(Kind::kFrame)) {
        arranged.options().frame = options.frame;
        arranged.options().reference = options.reference;
    }
    Operands<double> x = arranged.at(sample);
    table::perform_compiled(index, c.ws, x);
    std::vector<MatrixX<double>> out;
    for (int k = 0; k < row.outputs.size(); ++k) {
        out.push_back(numbers_of(row, arranged, k));
    }
    return out;
}
std::vector<MatrixX<double>> compute(const Context& c, int index) {
    fill_kinematics(c, algorithms()[static_cast<std::size_t>(index)].kinematics);
    return ask(c, index);
}

int index_of(std::string_view name) {
    return row_named(std::string(name), "algorithm", [](const Algorithm&) { return true; });
}
// The rate of a Jacobian changes with the Jacobian itself, which has its name without "_dot".
MatrixX<double> jacobian_of(const Context& c, const Algorithm& rate, const FrameOptions& options) {
    const std::string_view name = rate.name;
    const int index = index_of(name.substr(0, name.size() - 4));
    const Arguments& outputs = algorithms()[static_cast<std::size_t>(index)].outputs;
    const auto* const found = std::find_if(outputs.begin(), outputs.end(), [](const Argument& x) {
        return x.kind == Kind::kJacobian || x.kind == Kind::kPointJacobian;
    });
    return ask(c, index, options)[static_cast<std::size_t>(found - outputs.begin())];
}

// out[k][i][j] = Γ_ijk
Array christoffel_array(const Context& c, const MatrixX<double>& symbols) {
    require_permutation(c);
    const long n = c.model.nv();
    Array out{{}, {&order(c), &order(c), &order(c)}};
    out.numbers.reserve(static_cast<std::size_t>(n * n * n));
    for (const int k : c.coordinates.velocity_order()) {
        const Array face = square(c, symbols.middleCols(k * n, n));
        out.numbers.insert(out.numbers.end(), face.numbers.begin(), face.numbers.end());
    }
    return out;
}

Answer reaction_answers(const Context& c, const MatrixX<double>& forces) {
    Answer out;
    for (int i = 1; i <= c.model.num_bodies(); ++i) {
        out.parts.push_back({{c.model.joint(i).name}, vector(row_of(forces, i), kSpatial)});
    }
    return out;
}

Answer pose_answers(const Context& c, const MatrixX<double>& poses) {
    Answer out;
    for (int i = 1; i <= c.model.num_bodies(); ++i) {
        MatrixX<double> pose(3, 4);  // row by row
        for (int k = 0; k < 12; ++k) pose(k / 4, k % 4) = poses(i - 1, k);
        const std::string& name = c.model.body_name(i);
        out.parts.push_back({{name, "rotation"}, matrix(columns_of(pose, 0, 3), kXyz, kXyz)});
        out.parts.push_back({{name, "position"}, vector(column_of(pose, 3), kXyz)});
    }
    return out;
}

// An output in the order that was asked for.
Answer answer_from(const Context& c, const Algorithm& row, Kind kind, const MatrixX<double>& x,
                   const FrameOptions& options = {}) {
    switch (kind) {
        case Kind::kAcceleration:
            return acceleration(c, x);
        case Kind::kTorque:
            return torque(c, x);
        case Kind::kBiasTorque:
            return bias(c, x);
        case Kind::kTransposedBiasTorque:
            return coriolis_transpose(c, x);
        case Kind::kMassMatrix:
        case Kind::kSymmetricMatrix:
        case Kind::kJointMatrix:
            return square(c, x);
        case Kind::kCoriolisMatrix:
            return coriolis(c, x);
        case Kind::kChristoffelSymbols:
        case Kind::kHessians:
            return christoffel_array(c, x);
        case Kind::kGradient:
            require_permutation(c);
            return torque(c, x);
        case Kind::kTorqueDerivative:
        case Kind::kAccelerationDerivative:
        case Kind::kStepDerivative:
        case Kind::kHessian:
            require_permutation(c);
            return square(c, x);
        case Kind::kSpatialDerivative:
            require_permutation(c);
            return columns(c, x, kSpatial);
        case Kind::kPointDerivative:
            require_permutation(c);
            return columns(c, x, kXyz);
        case Kind::kJacobian:
            return columns(c, x, kSpatial);
        case Kind::kPointJacobian:
            return columns(c, x, kXyz);
        case Kind::kJacobianRate:
            return columns_rate(c, x, jacobian_of(c, row, options), kSpatial);
        case Kind::kPointJacobianRate:
            return columns_rate(c, x, jacobian_of(c, row, options), kXyz);
        case Kind::kFrameInertia:
            return matrix(x, kSpatial, kSpatial);
        case Kind::kRegressor:
            return regressor(c, x);
        case Kind::kBiasRegressor:
            return bias_regressor(c, x);
        case Kind::kEnergyRegressor:
            return matrix(x, kEnergies, c.parameters);
        case Kind::kJointForces:
            return reaction_answers(c, x);
        case Kind::kBodyPoses:
            return pose_answers(c, x);
        case Kind::kPoint:
            return vector(x, kXyz);
        case Kind::kMotion:
        case Kind::kForce:
            return vector(x, kSpatial);
        default:
            return number(x(0, 0));
    }
}

// Several outputs stand under their names. Factors are for those who solve with them in memory.
Answer row_answers(const Context& c, int index) {
    const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
    const std::vector<MatrixX<double>> results = compute(c, index);
    Answer out;
    for (int k = 0; k < row.outputs.size(); ++k) {
        const Argument& output = row.outputs[k];
        if (output.kind == Kind::kFactors) continue;
        Answer answer = answer_from(c, row, output.kind, results[static_cast<std::size_t>(k)]);
        for (Answer::Part& part : answer.parts) {
            if (row.outputs.size() > 1) part.path.insert(part.path.begin(), output.name);
            out.parts.push_back(std::move(part));
        }
    }
    return out;
}

// --- What is put together from rows ------------------------------------------------------------------------

// A row's answer of one frame in one reference.
Array answer_of_frame(const Context& c, int index, const FrameOptions& options) {
    const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
    const MatrixX<double> x = ask(c, index, options)[0];
    return answer_from(c, row, row.outputs[0].kind, x, options).parts[0].array;
}

// What the kinematics say of each frame, as far as the state goes: frame_velocity as "velocity_body", …
Answer frame_answers(const Context& c) {
    fill_kinematics(c, !c.s.has(kV)   ? Kinematics::kPosition
                       : !c.s.has(kA) ? Kinematics::kVelocity
                                      : Kinematics::kAcceleration);
    Answer out;
    for (const FrameId id : c.frames) {
        const auto put = [&](const std::string& what, Array array) {
            out.parts.push_back({{c.model.frame(id).name, what}, std::move(array)});
        };
        for (int index = 0; index < static_cast<int>(algorithms().size()); ++index) {
            const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
            if (!is_of_frames(row) || c.ws.kinematics.level < row.kinematics) continue;
            if (row.outputs[0].kind == Kind::kPose) {
                const MatrixX<double> pose = ask(c, index, {id})[0];
                put("rotation", matrix(pose.leftCols(3), kXyz, kXyz));
                put("position", vector(column_of(pose, 3), kXyz));
                continue;
            }
            const std::string what = std::string(row.name).substr(std::string("frame_").size());
            for (const std::string& in : reference_names())
                put(what + "_" + in, answer_of_frame(c, index, {id, reference_named(in)}));
        }
    }
    return out;
}
// Of a row that takes a frame and more than the kinematics: {"tool": {"body": …}}; of several outputs by their names.
Answer answers_by_frame(const Context& c, int index) {
    const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
    Answer out;
    for (const FrameId id : c.frames) {
        for (const std::string& in : reference_names()) {
            const FrameOptions options{id, reference_named(in)};
            const std::vector<MatrixX<double>> results = ask(c, index, options);
            for (int k = 0; k < row.outputs.size(); ++k) {
                Answer answer = answer_from(c, row, row.outputs[k].kind,
                                            results[static_cast<std::size_t>(k)], options);
                std::vector<std::string> path{c.model.frame(id).name, in};
                if (row.outputs.size() > 1) path.emplace_back(row.outputs[k].name);
                out.parts.push_back({std::move(path), std::move(answer.parts[0].array)});
            }
        }
    }
    return out;
}

// --- Under the constraints ---------------------------------------------------------------------------------------

// The equations of a constraint between frames: the axes along which it prevents them to differ.
const AxisNames& equations_along(const std::array<bool, 6>& axes) {
    static const auto kNames = [] {
        std::array<AxisNames, 64> out;
        for (std::size_t bits = 0; bits < out.size(); ++bits) {
            for (std::size_t k = 0; k < 6; ++k) {
                if ((bits >> k & 1U) != 0) out[bits].push_back(kSpatial[k]);
            }
        }
        return out;
    }();
    std::size_t bits = 0;
    for (std::size_t k = 0; k < 6; ++k) bits |= std::size_t{axes[k]} << k;
    return kNames[bits];
}

// What there is of each equation (and along `second`, where that is given), by the names of the constraints. Rods and
// couplings have one equation.
Answer by_constraint(const Context& c, const MatrixX<double>& rows, const AxisNames* second) {
    Answer out;
    for (const Constraint& constraint : c.model.constraints()) {
        Array array;
        if (constraint.kind == ConstraintKind::kFrames)
            array.axes.push_back(&equations_along(constraint.axes));
        if (second != nullptr) array.axes.push_back(second);
        for (int r = 0; r < constraint.num_rows; ++r) {
            for (long k = 0; k < rows.cols(); ++k)
                array.numbers.push_back(rows(constraint.first_row + r, k));
        }
        out.parts.push_back({{constraint.name}, std::move(array)});
    }
    return out;
}

struct UnderConstraints {
    VectorX<double> a, lambda;
};
UnderConstraints under_constraints(const Context& c) {
    UnderConstraints out{VectorX<double>(c.model.nv()),
                         VectorX<double>(c.model.num_constraint_rows())};
    constrained_forward_dynamics(c.ws, c.s.q, c.s.v, c.s.tau, c.forces, out.a, out.lambda);
    return out;
}

Answer constrained_accelerations(const Context& c) {
    const UnderConstraints found = under_constraints(c);
    Answer out;
    out.parts.push_back({{"a"}, acceleration(c, found.a)});
    for (Answer::Part& part : by_constraint(c, found.lambda, nullptr).parts) {
        part.path.insert(part.path.begin(), "lambda");
        out.parts.push_back(std::move(part));
    }
    return out;
}

// On the first frame of each constraint, in each reference; of a coupling the torque on its first joint.
Answer constraint_force_answers(const Context& c) {
    const VectorX<double> lambda = under_constraints(c).lambda;
    Answer out;
    const auto constraints = c.model.constraints();
    for (std::size_t k = 0; k < constraints.size(); ++k) {
        const std::string& name = constraints[k].name;
        if (constraints[k].kind == ConstraintKind::kCoupling) {
            out.parts.push_back({{name, "torque"}, number(lambda[constraints[k].first_row])});
            continue;
        }
        for (const std::string& in : reference_names()) {
            const Force<double> f =
                constraint_force(c.ws, c.s.q, static_cast<int>(k), lambda, reference_named(in));
            out.parts.push_back(
                {{name, in},
                 {{f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z},
                  {&kSpatial}}});
        }
    }
    return out;
}

Quantity of_constraints(const char* name, unsigned needs,
                        std::function<Answer(const Context&)> compute) {
    Quantity out{name, needs, std::move(compute)};
    out.needs_constraints = true;
    return out;
}

// An output of a row under a name of its own: those of earlier versions, which programs may still ask for and read, and
// what is short for one of several outputs.
Quantity other_name(const char* name, const char* row_name, int output) {
    const int index = index_of(row_name);
    const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
    Quantity out{name, *needs_of(row), [=, &row](const Context& c) {
                     return answer_from(c, row, row.outputs[output].kind,
                                        compute(c, index)[static_cast<std::size_t>(output)]);
                 }};
    out.leaves_out_constraints = leaves_out_constraints(row);
    return out;
}

std::vector<Quantity> all_quantities() {
    std::vector<Quantity> out{
        {"total_mass", 0, [](const Context& c) -> Answer { return number(c.model.total_mass()); }}};
    for (int index = 0; index < static_cast<int>(algorithms().size()); ++index) {
        const Algorithm& row = algorithms()[static_cast<std::size_t>(index)];
        const auto needs = needs_of(row);
        if (!needs || is_of_frames(row)) continue;
        const bool by_frame = row.inputs.has(Kind::kFrame);
        // Poses and axes of all bodies repeat what "frames" says. What is asked of a frame may exist for few of them. Second
        // derivatives of everything are many numbers, and so are regressors.
        const Kind kind = row.outputs[0].kind;
        const bool in_all = row.another_way_for == nullptr && !by_frame &&
                            kind != Kind::kBodyPoses && kind != Kind::kHessians &&
                            !is_regressor(kind);
        out.push_back({row.name, *needs,
                       [=](const Context& c) {
                           return by_frame ? answers_by_frame(c, index) : row_answers(c, index);
                       },
                       in_all, row.needs_floating_base, false, leaves_out_constraints(row)});
    }
    out.insert(
        out.end(),
        {{"coriolis_times_v", kQ | kV,
          [](const Context& c) -> Answer {
              return bias(c, coriolis_matrix(c.model, c.s.q, c.s.v) * c.s.v);
          }},
         {"com_bias_acceleration", kQ | kV,
          [](const Context& c) -> Answer {
              const VectorX<double> a = still(c);
              return vector(com_acceleration(c.model, c.s.q, c.s.v, a), kXyz);
          }},
         {"frames", kQ, frame_answers},
         of_constraints("constrained_forward_dynamics", kQ | kV | kTau, constrained_accelerations),
         of_constraints("constraint_forces", kQ | kV | kTau, constraint_force_answers),
         of_constraints("constraint_errors", kQ,
                        [](const Context& c) {
                            return by_constraint(c, constraint_errors(c.ws, c.s.q), nullptr);
                        }),
         of_constraints("constraint_jacobian", kQ,
                        [](const Context& c) {
                            return by_constraint(c,
                                                 c.coordinates.export_jacobian(
                                                     c.s.q, constraint_jacobian(c.ws, c.s.q)),
                                                 &order(c));
                        }),
         other_name("inverse_dynamics_dq", "inverse_dynamics_derivatives", 0),
         other_name("inverse_dynamics_dv", "inverse_dynamics_derivatives", 1),
         other_name("forward_dynamics_dq", "forward_dynamics_derivatives", 0),
         other_name("forward_dynamics_dv", "forward_dynamics_derivatives", 1),
         other_name("com", "center_of_mass", 0),
         other_name("coriolis_christoffel", "coriolis_matrix", 0),
         other_name("coriolis_mne", "modified_newton_euler", 0)});
    return out;
}

}  // namespace

const std::vector<Quantity>& quantities() {
    static const std::vector<Quantity> kAll = all_quantities();
    return kAll;
}

}  // namespace plucker::io
