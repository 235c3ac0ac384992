// Alternating directions of multipliers (ADMM): the laws' cones and the equation σ = G λ + g are satisfied in turns.
//
//     λ ← (G + (ρ + η) D)⁻¹ (ηDλ + ρDz - γ - g - s)      one factorisation, as long as ρ stays; D: what rows move
//     z ← the nearest to λ + D⁻¹γ/ρ in the cones           closed forms
//     γ ← γ + ρD (λ - z)                                  -γ becomes σ + s
//
// s is De Saxcé's μ |σ_T| on the normals. No step can fail, and all are the same whatever the modes are. It finds modes that
// Newton's method can finish; by itself it needs many steps for the last digits.
//
// Source: Carpentier, Le Lidec and Montaut 2024, algorithm 1, with ρ balanced by the two residuals.
#include "dense_island.hpp"

namespace plucker::impulses {
namespace {

// The nearest point of the cone |x_T| ≤ μ x_N.
void project_to_cone(double mu, double* x) {
    const double t = std::sqrt(x[1] * x[1] + x[2] * x[2]);
    if (t <= mu * x[0]) return;
    if (mu * t <= -x[0] || t == 0) {
        x[0] = std::max(x[0], 0.0) * (t == 0 ? 1 : 0);
        x[1] = x[2] = 0;
        return;
    }
    const double normal = (x[0] + mu * t) / (1 + mu * mu);
    const double scale = mu * normal / t;
    x[0] = normal;
    x[1] *= scale;
    x[2] *= scale;
}

// G with so much of each row's own weight added, factored.
bool factor_shifted(DenseIsland& island, double shift) {
    const int n = island.rows;
    island.factor.assign(island.G.begin(),
                         island.G.begin() + static_cast<std::ptrdiff_t>(n) * island.pitch);
    for (int r = 0; r < n; ++r) {
        island.factor[static_cast<std::size_t>(r) * (island.pitch + 1)] += shift * island.weight[r];
    }
    return island.code.factor(n, island.pitch, island.factor.data(), island.inverses.data());
}

}  // namespace

int DenseIsland::alternate_directions(int steps, double tolerance) {
    const int n = rows;
    // Both relative to what a row moves by itself.
    constexpr double kEta = 1e-6;
    double rho = 0.1;
    if (!factor_shifted(*this, rho + kEta)) return 0;
    update_velocities();
    for (int r = 0; r < n; ++r) {
        z[r] = lambda[r];
        gamma[r] = -sigma[r];
    }
    // De Saxcé's correction is a part of γ from the beginning.
    for (const Block& b : blocks) {
        if (b.law != Law::kContact) continue;
        gamma[b.row] -= b.coefficient * Tangent{sigma[b.row + 1], sigma[b.row + 2]}.length();
    }
    int k = 0;
    while (k < steps) {
        ++k;
        for (int r = 0; r < n; ++r) {
            step[r] = weight[r] * (kEta * lambda[r] + rho * z[r]) - gamma[r] - g[r];
        }
        for (const Block& b : blocks) {
            if (b.law != Law::kContact) continue;
            step[b.row] -= b.coefficient * Tangent{gamma[b.row + 1], gamma[b.row + 2]}.length();
        }
        code.solve(n, pitch, factor.data(), inverses.data(), step.data());
        double primal = 0, dual = 0;
        for (int r = 0; r < n; ++r) {
            dual = std::max(dual, std::abs(step[r] - lambda[r]) * kEta * weight[r]);
            lambda[r] = step[r];
            right[r] = z[r];
            z[r] = lambda[r] + gamma[r] / (rho * weight[r]);
        }
        for (const Block& b : blocks) {
            const int r = b.row;
            switch (b.law) {
                case Law::kTied:
                    break;
                case Law::kStop:
                    z[r] = std::max(0.0, z[r]);
                    break;
                case Law::kDry:
                    z[r] = projected_dry(z[r], b.coefficient);
                    break;
                case Law::kSpin:
                    z[r] = projected_dry(z[r], b.coefficient * std::max(0.0, z[r - 3]));
                    break;
                case Law::kContact:
                    project_to_cone(b.coefficient, z.data() + r);
                    break;
            }
        }
        for (int r = 0; r < n; ++r) {
            const double apart = lambda[r] - z[r];
            gamma[r] += rho * weight[r] * apart;
            primal = std::max(primal, std::abs(apart) * weight[r]);
            dual = std::max(dual, rho * weight[r] * std::abs(z[r] - right[r]));
        }
        if (std::max(primal, dual) <= tolerance) break;
        // One side lags behind: give it more weight. A new factor costs as much as a third of n steps.
        if (k % 10 == 0 && k + 10 < steps) {
            const double ratio = primal / std::max(dual, 1e-300);
            if (ratio > 10 || ratio < 0.1) {
                rho *= std::clamp(std::sqrt(ratio), 0.1, 10.0);
                if (!factor_shifted(*this, rho + kEta)) break;
            }
        }
    }
    std::copy(z.begin(), z.begin() + n, lambda.begin());
    update_velocities();
    return k;
}

}  // namespace plucker::impulses
