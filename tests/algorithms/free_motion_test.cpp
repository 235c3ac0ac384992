// Simulated free motion: what nature keeps, the integration keeps to its order.
#include <gtest/gtest.h>

#include "plucker/laws/laws.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker {
namespace {

struct Motion2 {
    VectorX<double> q, v;
};

// A classical Runge–Kutta step on the configuration manifold (Munthe-Kaas): stages live in the tangent
// space at q, and dexp⁻¹ is cut after its first term, which leaves an error of the fourth order or less for
// the steps used here.
Motion2 step(const Model& model, const Motion2& s, double h) {
    const VectorX<double> zero = VectorX<double>::Zero(model.nv());
    const auto acceleration = [&](const VectorX<double>& q, const VectorX<double>& v) {
        return forward_dynamics(model, q, v, zero);
    };
    const VectorX<double> k1 = acceleration(s.q, s.v);
    const VectorX<double> v2 = s.v + 0.5 * h * k1;
    const VectorX<double> k2 = acceleration(integrate(model, s.q, (0.5 * h * s.v).eval()), v2);
    const VectorX<double> v3 = s.v + 0.5 * h * k2;
    const VectorX<double> k3 = acceleration(integrate(model, s.q, (0.5 * h * v2).eval()), v3);
    const VectorX<double> v4 = s.v + h * k3;
    const VectorX<double> k4 = acceleration(integrate(model, s.q, (h * v3).eval()), v4);
    return {integrate(model, s.q, (h / 6 * (s.v + 2 * v2 + 2 * v3 + v4)).eval()),
            s.v + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)};
}

class FreeMotion : public testing::TestWithParam<std::string> {};

// The drift over one second must be small, and shrink at least fourfold with half the step.
TEST_P(FreeMotion, ConservesEnergyAndMomentum) {
    const Model model = robots::by_name(GetParam());
    std::mt19937 generator(11);
    const auto start = laws::random_state(model, generator);
    const auto drift = [&](int steps) {
        Motion2 s{start.q, 0.5 * start.v};
        const double energy = laws::total_energy(model, s.q, s.v);
        const Force<double> momentum = centroidal_momentum(model, s.q, s.v);
        const double h = 0.5 / steps;
        for (int k = 0; k < steps; ++k) s = step(model, s, h);
        const double scale = std::max(1.0, std::abs(energy));
        double worst = std::abs(laws::total_energy(model, s.q, s.v) - energy) / scale;
        if (model.has_floating_base()) {
            const Force<double> later = centroidal_momentum(model, s.q, s.v);
            const Vec3<double> weight = model.total_mass() * 0.5 * model.gravity();
            worst = std::max(worst, norm(later.angular - momentum.angular));
            worst = std::max(worst, norm(later.linear - momentum.linear - weight) / norm(weight));
        }
        return worst;
    };
    const double coarse = drift(200);
    const double fine = drift(400);
    EXPECT_LT(fine, 1e-4);
    // Below 1e-10 rounding takes over and the drift need not shrink.
    EXPECT_TRUE(fine < 0.25 * coarse * 1.1 || fine < 1e-10) << coarse << " then " << fine;
}

INSTANTIATE_TEST_SUITE_P(Robots, FreeMotion,
                         testing::Values("pendulum", "double_pendulum", "cart_pole", "lamp",
                                         "exoskeleton", "quadruped", "arm"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace plucker
