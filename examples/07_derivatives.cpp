// How do the torques change with the joints' angles? For the dynamics there is a function. For anything else, numbers that
// carry a derivative give the answer exactly, without a step size to choose: every algorithm is a template on its number type.
#include <cmath>
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

namespace {

// The torques at q, in numbers of any kind.
template <class S>
VectorX<S> torques(const Model& model, const VectorX<S>& q) {
    const VectorX<S> v = VectorX<S>::Constant(model.nv(), S(0.5));
    const VectorX<S> a = VectorX<S>::Constant(model.nv(), S(-1.0));
    return inverse_dynamics(model, q, v, a);
}

}  // namespace

int main() {
    const Model arm = robots::arm();
    const VectorX<double> q = VectorX<double>::Constant(arm.nq(), 0.3);
    const VectorX<double> v = VectorX<double>::Constant(arm.nv(), 0.5);
    const VectorX<double> a = VectorX<double>::Constant(arm.nv(), -1.0);

    // Analytic: all three matrices, in about the time of five inverse dynamics.
    const auto analytic = inverse_dynamics_derivatives(arm, q, v, a);

    // Without a step: dual numbers, q + e with e*e = 0, of any function.
    const MatrixX<double> dual = differentiate_along_tangent(
        arm, q, [&](const VectorX<Dual<double>>& at) { return torques(arm, at); });

    // Differences, the old way: h must be chosen, and digits are lost whichever it is.
    constexpr double h = 1e-6;
    const int k = arm.body(arm.joint_index("joint4")).q_index;
    VectorX<double> ahead = q, behind = q;
    ahead[k] += h;
    behind[k] -= h;
    const VectorX<double> quotient = (torques(arm, ahead) - torques(arm, behind)) / (2 * h);

    std::printf("d tau / d q of joint4   analytic    without h       with h\n");
    for (int r = 0; r < arm.nv(); ++r) {
        std::printf("  %-12s %17.4f %12.4f %12.4f\n", arm.velocity_names()[r].c_str(),
                    analytic.dtau_dq(r, k), dual(r, k), quotient[r]);
    }
    const double apart = (analytic.dtau_dq - dual).cwiseAbs().maxCoeff();
    std::printf("analytic and without h agree to 1e-12: %s\n", apart < 1e-12 ? "yes" : "no");
}
