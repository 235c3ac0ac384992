#include "plucker/constraints/constrained_dynamics.hpp"

#include <cmath>

#include "plucker/algorithms/door.hpp"

namespace plucker {
namespace {

constexpr Argument kConfiguration{"q", Kind::kConfiguration};
constexpr Argument kVelocity{"v", Kind::kVelocity};
constexpr Argument kTorque{"tau", Kind::kTorque};
constexpr Argument kAcceleration{"a", Kind::kAcceleration};
constexpr Argument kEntryOfLambda{"an entry of lambda", Kind::kForce};

template <class Vector>
Operand<double> writable(Vector& x) {
    return {x.data(), x.size(), 1, x.size()};
}
Operand<const double> readable(const ConstVector<double>& x) {
    return {x.data(), x.size(), 1, x.size()};
}

double largest(const double* x, int n) {
    double out = 0;
    for (int k = 0; k < n; ++k) out = larger_magnitude(out, std::abs(x[k]));
    return out;
}

// |y + J x|, where ws.constraints.residual holds y.
double residual_with(Workspace<double>& ws, const double* x) {
    double* residual = ws.constraints.residual.data();
    kernel::add_jacobian_times(ws, x, residual);
    return largest(residual, ws.model().num_constraint_rows());
}

// Rows of the constraints at q, with everything that G takes, for a function that returns its results. False: it cannot.
bool set_up(detail::Door<double>& door, Workspace<double>& ws, const ConstVector<double>& q) {
    Operand<const double> in = readable(q);
    door.input(kConfiguration, in);
    if (!door.opens()) return false;
    kernel::set_up_constraint_rows(ws, in.data);
    return true;
}
// A result that there is none of.
MatrixX<double> nan_matrix(long rows, long columns) {
    return MatrixX<double>::Constant(rows, columns, std::nan(""));
}

}  // namespace

ConstraintReport constrained_forward_dynamics(Workspace<double>& ws, ConstVector<double> q,
                                              ConstVector<double> v, ConstVector<double> tau,
                                              MaybeForces<double> external, MutableVector<double> a,
                                              MutableVector<double> lambda) {
    constexpr const char* kName = "constrained_forward_dynamics";
    const int m = ws.model().num_constraint_rows();
    detail::Door<double> door(kName, ws);
    Operand<const double> in[] = {readable(q), readable(v), readable(tau)};
    door.output(kAcceleration, writable(a));
    door.output("lambda", writable(lambda), m, "num_constraint_rows");
    door.input(kConfiguration, in[0]);
    door.input(kVelocity, in[1]);
    door.input(kTorque, in[2]);
    door.forces(external);
    if (!door.opens()) return {door.status(), 0, 0};
    ConstraintReport report;
    report.iterations = kernel::constrained_forward_dynamics<double>(
        ws, in[0].data, in[1].data, in[2].data, external, a.data(), lambda.data());
    report.status = door.regular();
    std::copy_n(ws.constraints.bias.data(), m, ws.constraints.residual.data());
    report.residual = residual_with(ws, a.data());
    return report;
}

ConstrainedAccelerations constrained_forward_dynamics(const Model& model, ConstVector<double> q,
                                                      ConstVector<double> v,
                                                      ConstVector<double> tau,
                                                      MaybeForces<double> external) {
    Workspace<double> ws(model);
    ConstrainedAccelerations out{
        ResultVector<double>(model.nv()), ResultVector<double>(model.num_constraint_rows()), {}};
    out.report = constrained_forward_dynamics(ws, q, v, tau, external, out.a, out.lambda);
    return out;
}

namespace {

ConstraintReport strike(const char* name, Workspace<double>& ws, const ConstVector<double>& q,
                        double restitution, MutableVector<double> v,
                        MutableVector<double> impulse) {
    const int m = ws.model().num_constraint_rows();
    detail::Door<double> door(name, ws);
    door.require(restitution >= 0 && restitution <= 1, [&] {
        return Error::because(name, ": restitution is ", restitution, "; it must be from 0 to 1");
    });
    Operand<const double> configuration = readable(q);
    door.output(kVelocity, writable(v));
    door.output("impulse", writable(impulse), m, "num_constraint_rows");
    door.input(kConfiguration, configuration);
    if (!door.opens()) return {door.status(), 0, 0};
    door.read(kVelocity, v.data(), 0, v.size());
    if (!door.opens()) return {door.status(), 0, 0};
    ConstraintReport report;
    report.iterations = kernel::constraint_impulse<double>(ws, configuration.data, restitution,
                                                           v.data(), impulse.data());
    report.status = door.regular();
    // J v⁺ + e J v, with -(1 + e) J v the target.
    for (int r = 0; r < m; ++r) {
        ws.constraints.residual[r] = -restitution / (1 + restitution) * ws.constraints.target[r];
    }
    report.residual = residual_with(ws, v.data());
    return report;
}

}  // namespace

ConstraintReport constraint_impulse(Workspace<double>& ws, ConstVector<double> q,
                                    double restitution, MutableVector<double> v,
                                    MutableVector<double> impulse) {
    return strike("constraint_impulse", ws, q, restitution, v, impulse);
}

ConstraintReport project_velocity(Workspace<double>& ws, ConstVector<double> q,
                                  MutableVector<double> v) {
    const Eigen::Map<VectorX<double>> impulse(ws.constraints.lambda.data(),
                                              ws.model().num_constraint_rows());
    return strike("project_velocity", ws, q, 0, v, impulse);
}

ConstraintReport project_configuration(Workspace<double>& ws, MutableVector<double> q,
                                       double tolerance) {
    constexpr const char* kName = "project_configuration";
    detail::Door<double> door(kName, ws);
    door.require(tolerance >= 0, [&] {
        return Error::because(kName, ": tolerance is ", tolerance, "; it must not be negative");
    });
    door.output(kConfiguration, writable(q));
    if (!door.opens()) return {door.status(), 0, 0};
    door.read(kConfiguration, q.data(), 0, q.size());
    if (!door.opens()) return {door.status(), 0, 0};
    const Model& model = ws.model();
    auto& scratch = ws.constraints;
    const int m = model.num_constraint_rows();
    ConstraintReport report;
    constexpr int kMost = 20;
    double before = 0;
    for (; m > 0; ++report.iterations) {
        kernel::set_up_constraint_rows(ws, q.data());
        report.residual = largest(scratch.error.data(), m);
        if (report.iterations > 0 && !(report.residual <= before)) {  // the last step has led away
            std::copy_n(scratch.q.data(), model.nq(), q.data());
            report.residual = before;
            break;
        }
        const bool is_done = report.residual <= tolerance;
        if (is_done || report.iterations == kMost ||
            (report.iterations > 0 && !(report.residual < 0.5 * before)))
            break;
        before = report.residual;
        kernel::prepare_inverse_mass_matrix_times(ws, q.data());
        kernel::factor_constraints(ws);
        for (int r = 0; r < m; ++r) scratch.target[r] = -scratch.error[r];
        double* step = ws.coordinates.copy.data();
        std::fill_n(step, model.nv(), 0.0);
        kernel::respond_to_constraints<double>(ws, scratch.target.data(), scratch.lambda.data(),
                                               step);
        std::copy_n(q.data(), model.nq(), scratch.q.data());
        kernel::integrate<double>(model, scratch.q.data(), step, q.data());
        report.status = door.regular();
        if (report.status != Status::kOk) break;
    }
    return report;
}

Force<double> constraint_force(Workspace<double>& ws, ConstVector<double> q, int k,
                               ConstVector<double> lambda, ReferenceFrame reference) {
    constexpr const char* kName = "constraint_force";
    const auto constraints = ws.model().constraints();
    const bool exists = k >= 0 && k < static_cast<int>(constraints.size());
    const long m = ws.model().num_constraint_rows();
    detail::Door<double> door(kName, ws);
    door.require(exists, [&] {
        return Error::because(kName, ": there is no constraint ", k, "; robot '", ws.model().name(),
                              "' has ", constraints.size());
    });
    door.require(lambda.size() == m, [&] {
        return wrong_size(kName, "lambda", lambda.size(), m, "num_constraint_rows");
    });
    Operand<const double> in = readable(q);
    door.input(kConfiguration, in);
    if (door.opens()) {
        const Constraint& c = constraints[static_cast<std::size_t>(k)];
        door.require(c.kind != ConstraintKind::kCoupling, [&] {
            return Error::because(kName, ": constraint '", c.name,
                                  "' couples joints: its torque on the first is lambda[",
                                  c.first_row, "]");
        });
        door.read(kEntryOfLambda, lambda.data(), 0, m);
    }
    if (!door.opens()) {
        const double nan = std::nan("");
        return {{nan, nan, nan}, {nan, nan, nan}};
    }
    const Constraint& c = constraints[static_cast<std::size_t>(k)];
    const WorldKinematics<double>& kin = ws.passing_kinematics;
    kernel::position_kinematics(ws, ws.passing_kinematics, in.data);
    double error[kernel::kMostConstraintRows];
    ConstraintRow<double> rows[kernel::kMostConstraintRows];
    kernel::constraint_forces(kin, in.data, c, error, rows);
    Force<double> sum;
    for (int r = 0; r < c.num_rows; ++r) sum += lambda[c.first_row + r] * rows[r].force;
    const Transform<double> A = detail::constraint_frame_a(kin, c);
    switch (reference) {
        case ReferenceFrame::kWorld:
            return Transform<double>::translation(-kin.anchor) * sum;
        case ReferenceFrame::kWorldAligned:
            return Transform<double>::translation(A.r) * sum;
        case ReferenceFrame::kBody:
            break;
    }
    return A * sum;
}

ResultVector<double> constraint_errors(Workspace<double>& ws, ConstVector<double> q) {
    const int m = ws.model().num_constraint_rows();
    detail::Door<double> door("constraint_errors", ws);
    if (!set_up(door, ws, q)) return nan_matrix(m, 1);
    return Eigen::Map<VectorX<double>>(ws.constraints.error.data(), m);
}
ResultVector<double> constraint_errors(const Model& model, ConstVector<double> q) {
    Workspace<double> ws(model);
    return constraint_errors(ws, q);
}

ResultMatrix<double> constraint_jacobian(Workspace<double>& ws, ConstVector<double> q) {
    const int m = ws.model().num_constraint_rows(), n = ws.model().nv();
    detail::Door<double> door("constraint_jacobian", ws);
    if (!set_up(door, ws, q)) return nan_matrix(m, n);
    return Eigen::Map<MatrixX<double>>(ws.constraints.J.data(), m, n);
}
ResultMatrix<double> constraint_jacobian(const Model& model, ConstVector<double> q) {
    Workspace<double> ws(model);
    return constraint_jacobian(ws, q);
}

ResultVector<double> constraint_bias(Workspace<double>& ws, ConstVector<double> q,
                                     ConstVector<double> v) {
    const Model& model = ws.model();
    VectorX<double> bias = nan_matrix(model.num_constraint_rows(), 1);
    detail::Door<double> door("constraint_bias", ws);
    Operand<const double> velocity = readable(v);
    door.input(kVelocity, velocity);
    if (!set_up(door, ws, q)) return bias;
    kernel::velocity_kinematics(ws, ws.passing_kinematics, v.data());
    for (const Constraint& c : model.constraints()) {
        kernel::constraint_bias(ws, ws.passing_kinematics, q.data(), v.data(), c,
                                bias.data() + c.first_row);
    }
    return bias;
}
ResultVector<double> constraint_bias(const Model& model, ConstVector<double> q,
                                     ConstVector<double> v) {
    Workspace<double> ws(model);
    return constraint_bias(ws, q, v);
}

namespace {

// G of any rows at a configuration for which the kinematics are known.
MatrixX<double> delassus_of_rows(detail::Door<double>& door, Workspace<double>& ws, const double* q,
                                 const std::vector<ConstraintRow<double>>& rows) {
    const int m = static_cast<int>(rows.size()), n = ws.model().nv();
    const WorldKinematics<double>& kin = ws.passing_kinematics;
    std::vector<Force<double>> U(static_cast<std::size_t>(ws.model().num_dofs()));
    MatrixX<double> u(m, n), D_inv_u(m, n), G(m, m);
    VectorX<double> noise(m);
    kernel::prepare_inverse_mass_matrix_times(ws, q);
    if (door.regular() != Status::kOk) return nan_matrix(m, m);
    kernel::articulated_forces_about_anchor(ws, kin, U.data());
    kernel::row_responses(ws, kin, U.data(), rows.data(), m,
                          detail::MatrixView<double>{u.data(), m},
                          detail::MatrixView<double>{D_inv_u.data(), m}, noise.data());
    kernel::delassus_matrix<double>(ws, rows.data(), m, {u.data(), m}, {D_inv_u.data(), m},
                                    {G.data(), m});
    return G;
}

}  // namespace

ResultMatrix<double> delassus_matrix(Workspace<double>& ws, ConstVector<double> q) {
    const int m = ws.model().num_constraint_rows();
    detail::Door<double> door("delassus_matrix", ws);
    if (!set_up(door, ws, q)) return nan_matrix(m, m);
    const auto& rows = ws.constraints.rows;
    return delassus_of_rows(door, ws, q.data(), {rows.begin(), rows.end()});
}
ResultMatrix<double> delassus_matrix(const Model& model, ConstVector<double> q) {
    Workspace<double> ws(model);
    return delassus_matrix(ws, q);
}

ResultMatrix<double> inverse_inertia_of_frames(Workspace<double>& ws, ConstVector<double> q,
                                               std::span<const FrameId> frames,
                                               ReferenceFrame reference) {
    detail::Door<double> door("inverse_inertia_of_frames", ws);
    for (const FrameId frame : frames) door.frame(frame);
    const auto size = 6 * static_cast<long>(frames.size());
    if (!set_up(door, ws, q)) return nan_matrix(size, size);
    std::vector<ConstraintRow<double>> rows;
    for (const FrameId frame : frames) {
        const Transform<double> X =
            detail::X_reference_anchor(ws, ws.passing_kinematics, frame, reference);
        for (int k = 0; k < 6; ++k) {
            double unit[6] = {};
            unit[k] = 1;
            ConstraintRow<double> row;
            row.body_a = ws.model().frame(frame).body;
            row.force = apply_inverse(
                X, Force<double>{{unit[0], unit[1], unit[2]}, {unit[3], unit[4], unit[5]}});
            rows.push_back(row);
        }
    }
    return delassus_of_rows(door, ws, q.data(), rows);
}
ResultMatrix<double> inverse_inertia_of_frames(const Model& model, ConstVector<double> q,
                                               std::span<const FrameId> frames,
                                               ReferenceFrame reference) {
    Workspace<double> ws(model);
    return inverse_inertia_of_frames(ws, q, frames, reference);
}

bool leaves_out_constraints(const Algorithm& row) {
    const auto gives = [&](Kind kind) { return row.outputs.has(kind); };
    const bool gives_forces = gives(Kind::kTorque) || gives(Kind::kTorqueDerivative) ||
                              gives(Kind::kHessian) || gives(Kind::kHessians) ||
                              gives(Kind::kRegressor) || gives(Kind::kJointForces);
    return row.needs_regular_mass_matrix || (row.inputs.has(Kind::kAcceleration) && gives_forces);
}

}  // namespace plucker
