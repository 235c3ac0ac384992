// How do the torques change with one joint's angle? Every algorithm is a template on its number type, so
// numbers that carry a derivative give the answer exactly, without a step size to choose.
#include <cmath>
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

namespace {

// The torques at q, v, a, in numbers of any kind.
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
    const int k = arm.body(arm.joint_index("joint4")).q_index;

    // Dual numbers: q + e, with e*e = 0.
    VectorX<Dual<double>> q_dual = q.cast<Dual<double>>();
    q_dual[k].derivative = 1;
    const VectorX<Dual<double>> by_dual = torques(arm, q_dual);

    // A complex step: q + i h with h = 1e-20.
    VectorX<ComplexStep<double>> q_step = q.cast<ComplexStep<double>>();
    q_step[k].imaginary = ComplexStep<double>::kStep;
    const VectorX<ComplexStep<double>> by_step = torques(arm, q_step);

    // Differences, the old way: h must be chosen, and digits are lost whichever it is.
    constexpr double h = 1e-6;
    VectorX<double> ahead = q, behind = q;
    ahead[k] += h;
    behind[k] -= h;
    const VectorX<double> by_difference = (torques(arm, ahead) - torques(arm, behind)) / (2 * h);

    std::printf("d tau / d q of joint4   dual   complex step   difference\n");
    bool agree = true;
    for (int r = 0; r < arm.nv(); ++r) {
        std::printf("  %-12s %15.4f %14.4f %12.4f\n", arm.velocity_names()[r].c_str(),
                    by_dual[r].derivative, by_step[r].derivative(), by_difference[r]);
        agree = agree && std::abs(by_dual[r].derivative - by_step[r].derivative()) < 1e-12;
    }
    std::printf("dual and complex step agree to 1e-12: %s\n", agree ? "yes" : "no");
}
