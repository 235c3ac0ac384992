// Derivatives of constrained forward dynamics.
#include "plucker/algorithms/differentiate.hpp"
#include "plucker/algorithms/door.hpp"
#include "plucker/constraints/constrained_dynamics.hpp"

namespace plucker {
namespace {

using Number = Dual<double>;

VectorX<double> copied(const ConstVector<double>& x) {
    return Eigen::Map<const VectorX<double>>(x.data(), x.size());
}

ExternalForces<Number> as_dual(const Model& model, const ExternalForces<double>& forces) {
    ExternalForces<Number> out(model);
    for (const auto& entry : forces.entries())
        out.add(entry.frame, cast<Number>(entry.force), entry.expressed_in);
    return out;
}

// (a; λ) in dual numbers.
class DualDynamics {
public:
    DualDynamics(const Model& model, VectorX<Number> tau, MaybeForces<double> external)
        : ws_(model), tau_(std::move(tau)) {
        if (external != nullptr) forces_ = as_dual(model, *external);
    }
    VectorX<Number> operator()(const VectorX<Number>& q, const VectorX<Number>& v) {
        const long n = ws_.model().nv();
        VectorX<Number> out(n + ws_.model().num_constraint_rows());
        kernel::constrained_forward_dynamics<Number>(ws_, q.data(), v.data(), tau_.data(),
                                                     forces_ ? &*forces_ : nullptr, out.data(),
                                                     out.data() + n);
        return out;
    }

private:
    Workspace<Number> ws_;
    VectorX<Number> tau_;
    std::optional<ExternalForces<Number>> forces_;
};

void split(const MatrixX<double>& both, ResultMatrix<double>& a, ResultMatrix<double>& lambda) {
    const long n = a.rows();
    for (long c = 0; c < both.cols(); ++c) {
        for (long r = 0; r < both.rows(); ++r) (r < n ? a(r, c) : lambda(r - n, c)) = both(r, c);
    }
}

// What a unit of each torque does: M⁻¹ of it, and what the constraints answer. After constrained_forward_dynamics.
void respond_to_torques(Workspace<double>& ws, ResultMatrix<double>& a,
                        ResultMatrix<double>& lambda) {
    const int m = ws.model().num_constraint_rows();
    for (int k = 0; k < ws.model().nv(); ++k) {
        double* column = &a(0, k);
        std::fill_n(column, a.rows(), 0.0);
        column[k] = 1;
        kernel::inverse_mass_matrix_times(ws, column);
        if (m == 0) continue;
        double* target = ws.constraints.target.data();
        std::fill_n(target, m, 0.0);
        kernel::add_jacobian_times(ws, column, target);
        for (int r = 0; r < m; ++r) target[r] = -target[r];
        kernel::respond_to_constraints(ws, target, &lambda(0, k), column);
    }
}

}  // namespace

ConstrainedDerivatives constrained_forward_dynamics_derivatives(const Model& model,
                                                                ConstVector<double> q,
                                                                ConstVector<double> v,
                                                                ConstVector<double> tau,
                                                                MaybeForces<double> external) {
    const long n = model.nv(), m = model.num_constraint_rows();
    Workspace<double> ws(model);
    detail::Door<double> door("constrained_forward_dynamics_derivatives", ws);
    Operand<const double> in[] = {{q.data(), q.size(), 1, q.size()},
                                  {v.data(), v.size(), 1, v.size()},
                                  {tau.data(), tau.size(), 1, tau.size()}};
    door.input({"q", Kind::kConfiguration}, in[0]);
    door.input({"v", Kind::kVelocity}, in[1]);
    door.input({"tau", Kind::kTorque}, in[2]);
    door.forces(external);
    VectorX<double> a(n), lambda(m);
    kernel::constrained_forward_dynamics<double>(ws, q.data(), v.data(), tau.data(), external,
                                                 a.data(), lambda.data());
    (void)door.regular();

    using Matrix = ResultMatrix<double>;
    ConstrainedDerivatives out{Matrix(n, n), Matrix(n, n), Matrix(n, n),
                               Matrix(m, n), Matrix(m, n), Matrix(m, n)};
    respond_to_torques(ws, out.da_dtau, out.dlambda_dtau);
    const VectorX<double> at = copied(q), moving = copied(v);
    DualDynamics dynamics(model, detail::as_dual<1>(copied(tau)), external);
    const auto dual_q = detail::as_dual<1>(at), dual_v = detail::as_dual<1>(moving);
    split(differentiate_along_tangent(
              model, at, [&](const VectorX<Number>& x) { return dynamics(x, dual_v); }),
          out.da_dq, out.dlambda_dq);
    split(differentiate(moving, [&](const VectorX<Number>& x) { return dynamics(dual_q, x); }),
          out.da_dv, out.dlambda_dv);
    return out;
}

}  // namespace plucker
