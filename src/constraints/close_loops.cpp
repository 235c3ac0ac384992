#include "plucker/constraints/close_loops.hpp"

#include <cmath>
#include <random>

#include "plucker/algorithms/door.hpp"

namespace plucker {
namespace {

class LoopCloser {
public:
    LoopCloser(Workspace<double>& ws, const CloseLoopsOptions& options)
        : model_(ws.model()),
          options_(options),
          ws_(ws),
          may_move_(VectorX<double>::Ones(model_.nv())),
          m_(model_.num_constraint_rows()) {
        for (const std::string& name : options.held) {
            const Body<double>& joint = model_.body(model_.joint_index(name));
            may_move_.segment(joint.v_index, joint.nv).setZero();
        }
    }

    ClosedLoops run(const VectorX<double>& guess) {
        ClosedLoops best;
        std::mt19937 generator(1);
        std::normal_distribution<double> normal;
        for (int k = 0; k < options_.tries; ++k) {
            VectorX<double> q = guess;
            if (k > 0) {
                // Up to about a radian, or a metre, from the guess.
                const double distance = static_cast<double>(k) / options_.tries;
                VectorX<double> step(model_.nv());
                for (long c = 0; c < step.size(); ++c)
                    step[c] = distance * may_move_[c] * normal(generator);
                kernel::integrate(model_, guess.data(), step.data(), q.data());
            }
            const int steps = descend(q);
            const double residual = errors_at(q).lpNorm<Eigen::Infinity>();
            const bool is_better = k == 0 || residual < best.residual;
            if (is_better) {
                best.q = q;
                best.residual = residual;
            }
            best.iterations += steps;
            best.closed = best.residual <= options_.tolerance;
            if (best.closed) break;
        }
        if (!best.closed) explain(best);
        return best;
    }

private:
    VectorX<double> errors_at(const VectorX<double>& q) {
        kernel::set_up_constraint_rows(ws_, q.data());
        return Eigen::Map<VectorX<double>>(ws_.constraints.error.data(), m_);
    }

    // From q as far down as it goes; returns the number of steps.
    int descend(VectorX<double>& q) {
        VectorX<double> e = errors_at(q), next_q(model_.nq());
        double damping = 1e-3;
        int step = 0;
        for (; step < options_.iterations; ++step) {
            if (e.lpNorm<Eigen::Infinity>() <= options_.tolerance) break;
            const VectorX<double> change = step_from(e, damping);
            kernel::integrate(model_, q.data(), change.data(), next_q.data());
            const VectorX<double> next_e = errors_at(next_q);
            if (next_e.squaredNorm() < e.squaredNorm()) {
                q = next_q;
                e = next_e;
                damping = std::max(0.1 * damping, 1e-15);
            } else {
                damping *= 10;
                if (damping > 1e6) break;  // nothing near is better
                errors_at(q);              // and J with them
            }
        }
        return step;
    }

    // -W Jᵀ (J W Jᵀ + μ)⁻¹ e, μ relative to the largest of the diagonal. Needs errors_at.
    VectorX<double> step_from(const VectorX<double>& e, double damping) {
        const Eigen::Map<MatrixX<double>> J(ws_.constraints.J.data(), m_, model_.nv());
        MatrixX<double> A(m_, m_);
        for (int c = 0; c < m_; ++c) {
            for (int r = 0; r < m_; ++r) {
                A(r, c) =
                    (J.row(r).array() * J.row(c).array() * may_move_.transpose().array()).sum();
            }
        }
        const double size = std::max(A.diagonal().maxCoeff(), 1e-300);
        A.diagonal().array() += std::max(damping, 1e-14) * size;
        VectorX<double> x = e;
        const detail::MatrixView<double> view{A.data(), m_};
        kernel::factor_symmetric(m_, view);
        kernel::solve_symmetric<double>(m_, view, x.data());
        return -may_move_.cwiseProduct((x.transpose() * J).transpose());
    }

    void explain(ClosedLoops& found) {
        const VectorX<double> e = errors_at(found.q);
        double worst = -1;
        const Constraint* at = nullptr;
        for (const Constraint& c : model_.constraints()) {
            const double here = e.segment(c.first_row, c.num_rows).lpNorm<Eigen::Infinity>();
            if (here > worst) {
                worst = here;
                at = &c;
            }
        }
        found.constraint = at->name;
        const ConstraintDescription& described =
            model_.description()
                .constraints[static_cast<std::size_t>(model_.constraint_index(at->name))];
        if (at->kind == ConstraintKind::kCoupling) {
            found.message =
                Error::because("constraint '", at->name, "' cannot be met: joint '",
                               described.joint_a, "' stays ", worst, " from where it has to be")
                    .what();
        } else {
            // Turns come first among the rows.
            int turns = 0;
            for (int k = 0; k < 3 && at->kind == ConstraintKind::kFrames; ++k)
                turns += at->axes[static_cast<std::size_t>(k)] ? 1 : 0;
            const auto rows = e.segment(at->first_row, at->num_rows);
            found.message =
                Error::because("constraint '", at->name, "' cannot be closed: '", described.frame_a,
                               "' and '", described.frame_b, "' stay ",
                               rows.tail(at->num_rows - turns).norm(), " m and ",
                               rows.head(turns).norm(), " rad from where they have to be")
                    .what();
        }
        found.message += options_.held.empty()
                             ? "; look at the lengths of its links, or start nearer"
                             : "; look at the lengths of its links, hold fewer joints, or hold "
                               "them elsewhere";
    }

    const Model& model_;
    const CloseLoopsOptions& options_;
    Workspace<double>& ws_;
    VectorX<double> may_move_;
    int m_;
};

}  // namespace

ClosedLoops close_loops(const Model& model, ConstVector<double> q_guess,
                        const CloseLoopsOptions& options) {
    Workspace<double> ws(model);
    detail::Door<double> door("close_loops", ws);
    Operand<const double> in{q_guess.data(), q_guess.size(), 1, q_guess.size()};
    door.input({"q_guess", Kind::kConfiguration}, in);
    if (!(options.tolerance > 0) || options.iterations < 1 || options.tries < 1) {
        throw Error::because("close_loops: tolerance is ", options.tolerance, ", iterations ",
                             options.iterations, ", tries ", options.tries,
                             "; all must be positive");
    }
    VectorX<double> guess = q_guess;
    kernel::normalize_configuration(model, guess.data());
    if (model.num_constraint_rows() == 0) {
        ClosedLoops nothing_to_close;
        nothing_to_close.q = guess;
        nothing_to_close.closed = true;
        return nothing_to_close;
    }
    return LoopCloser(ws, options).run(guess);
}

}  // namespace plucker
