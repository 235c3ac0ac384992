// Newton's method on the laws, in the form of Alart and Curnier: where a block's mode (open, stick, slide) is known, its
// law is an equation. With y = λ - σ/ρ:
//
//     λ = 0                        y_N ≤ 0: open
//     σ_N = 0, σ_T = 0             |y_T| ≤ μ y_N: stick
//     σ_N = 0, λ_T = μ λ_N y_T/|y_T|               slide
//
// The modes are those of the point where the last step ended. Where all modes are right the equations of sticking are
// linear, and one step solves them; those of sliding turn with y_T. A robot that stands keeps the modes of the step before.
//
// Redundant contacts make G singular: a small multiple of the identity is added, which only slows convergence down. It is
// the proximal step of a method of multipliers.
#include "dense_island.hpp"

namespace plucker::impulses {

// The equations of the unknowns: G Δλ = -σ, but for tangents that slide. Who factors a symmetric matrix reads its upper half
// alone.
void DenseIsland::copy_equations(int n, double proximal, bool upper_half) {
    const int wide = pitch_of(n);
    matrix.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(wide));
    code.choose(n, pitch, G.data(), unknown.data(), upper_half, matrix.data());
    for (int i = 0; i < n; ++i) {
        matrix[static_cast<std::size_t>(i) * static_cast<std::size_t>(wide + 1)] +=
            proximal * weight[unknown[i]];
    }
}

// One step from λ and σ, and σ after it. False where the equations cannot be solved.
bool DenseIsland::newton_step(double proximal) {
    // Modes; `share`: μ λ_N/|y_T| of a contact that slides, and its direction. Rows whose impulse is given are no unknowns.
    int n = 0;
    sliding.clear();
    const auto is_unknown = [&](int r) {
        place[r] = n;
        unknown[n++] = r;
    };
    const auto slides = [&](int r) {
        place[r] = 0;  // an unknown; where, is known once all others have their places
        sliding.push_back(r);
    };
    bool changed = false;
    const auto is_given = [&](int r, double value) {
        place[r] = -1;
        changed = changed || lambda[r] != value;
        lambda[r] = value;
    };
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Block& b = blocks[i];
        const int r = b.row;
        const double y = lambda[r] - sigma[r] / b.rho;
        share[i] = -1;
        switch (b.law) {
            case Law::kTied:
                is_unknown(r);
                break;
            case Law::kStop:
                y > 0 ? is_unknown(r) : is_given(r, 0);
                break;
            case Law::kDry:
                std::abs(y) <= b.coefficient ? is_unknown(r)
                                             : is_given(r, std::copysign(b.coefficient, y));
                break;
            case Law::kContact: {
                if (!(y > 0)) {
                    for (int t = r; t < r + 3; ++t) is_given(t, 0);
                    break;
                }
                const Tangent y_T{lambda[r + 1] - sigma[r + 1] / b.rho,
                                  lambda[r + 2] - sigma[r + 2] / b.rho};
                const double radius = b.coefficient * y, length = y_T.length();
                is_unknown(r);
                if (b.coefficient == 0) {
                    is_given(r + 1, 0);
                    is_given(r + 2, 0);
                    break;
                }
                if (length <= radius) {
                    is_unknown(r + 1);
                    is_unknown(r + 2);
                    break;
                }
                slides(r + 1);
                slides(r + 2);
                share[i] = radius / length;
                direction_x[i] = y_T.x / length;
                direction_y[i] = y_T.y / length;
                break;
            }
            case Law::kSpin: {
                // Its limit moves with the normal impulse, three rows before.
                const double limit = b.coefficient * std::max(0.0, lambda[r - 3]);
                if (place[r - 3] < 0) {
                    is_given(r, 0);
                    break;
                }
                if (std::abs(y) <= limit) {
                    is_unknown(r);
                    break;
                }
                slides(r);
                share[i] = 1;
                direction_x[i] = std::copysign(1.0, y);
                break;
            }
        }
    }
    if (changed) update_velocities();
    // Rows that ask for σ = 0 come first. Among themselves their equations are a part of G, symmetric and positive.
    const int symmetric = n;
    for (const int r : sliding) is_unknown(r);
    if (n == 0) return true;

    for (int i = 0; i < n; ++i) right[i] = -sigma[unknown[i]];
    if (sliding.empty()) {
        // The same unknowns as in the step before: its factors serve again, and what they left is taken away.
        const std::span<const int> now(unknown.data(), static_cast<std::size_t>(n));
        if (proximal != factored_proximal || !std::ranges::equal(now, factored)) {
            copy_equations(n, proximal, true);
            factored.clear();
            if (!code.factor(n, pitch_of(n), matrix.data(), inverses.data())) return false;
            factored.assign(now.begin(), now.end());
            factored_proximal = proximal;
        }
        code.solve(n, pitch_of(n), matrix.data(), inverses.data(), right.data());
        for (int i = 0; i < n; ++i) lambda[unknown[i]] += right[i];
        update_velocities();
        return true;
    }
    copy_equations(n, proximal, false);
    factored.clear();
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (share[i] < 0) continue;
        // ρ (λ_T - a n |y_T|…): with P = 1 - n nᵀ, a = μ λ_N/|y_T|,
        // ρ [Δλ_T - μ n Δλ_N - a P (Δλ_T - Δσ_T/ρ)] = -ρ [λ_T - μ λ_N n].
        const Block& b = blocks[i];
        if (b.law == Law::kSpin) {  // ρ (λ - c λ_N) = 0, with its sign
            const int own = place[b.row], normal = place[b.row - 3];
            const double sign = direction_x[i];
            double* A = matrix.data() + static_cast<std::ptrdiff_t>(own) * pitch_of(n);
            std::fill(A, A + n, 0.0);
            A[own] = b.rho;
            A[normal] = -b.rho * b.coefficient * sign;
            right[own] = -b.rho * (lambda[b.row] - sign * b.coefficient * lambda[b.row - 3]);
            continue;
        }
        const double a = std::min(share[i], 1.0), nx = direction_x[i], ny = direction_y[i];
        const int at = place[b.row];
        const int x = place[b.row + 1], y = place[b.row + 2];
        double* X = matrix.data() + static_cast<std::ptrdiff_t>(x) * pitch_of(n);
        double* Y = matrix.data() + static_cast<std::ptrdiff_t>(y) * pitch_of(n);
        // P applied to the rows of G.
        for (int j = 0; j < n; ++j) {
            const double along = nx * X[j] + ny * Y[j];
            X[j] = a * (X[j] - along * nx);
            Y[j] = a * (Y[j] - along * ny);
        }
        const double rho = b.rho;
        X[at] -= rho * b.coefficient * nx;
        Y[at] -= rho * b.coefficient * ny;
        X[x] += rho * (1 - a * (1 - nx * nx));
        X[y] += rho * a * nx * ny;
        Y[x] += rho * a * nx * ny;
        Y[y] += rho * (1 - a * (1 - ny * ny));
        const double normal = lambda[b.row];
        right[x] = -rho * (lambda[b.row + 1] - b.coefficient * normal * nx);
        right[y] = -rho * (lambda[b.row + 2] - b.coefficient * normal * ny);
    }
    if (!code.solve_any(n, symmetric, pitch_of(n), matrix.data(), right.data())) return false;
    for (int i = 0; i < n; ++i) lambda[unknown[i]] += right[i];
    update_velocities();
    return true;
}

void DenseIsland::keep() {
    std::copy(lambda.begin(), lambda.begin() + rows, best.begin());
    std::copy(sigma.begin(), sigma.begin() + rows, best_sigma.begin());
}
void DenseIsland::return_to_best() {
    std::copy(best.begin(), best.begin() + rows, lambda.begin());
    std::copy(best_sigma.begin(), best_sigma.begin() + rows, sigma.begin());
}

namespace {
constexpr double kLeastProximal = 1e-9;  // relative to what a row moves by itself
}

int DenseIsland::newton(int steps, double target, double tolerance) {
    update_velocities();
    reached = certificate();
    keep();
    int k = 0;
    bool at_best = true;
    while (k < steps && !(reached.worst() <= tolerance)) {
        ++k;
        at_best = false;
        if (!newton_step(kLeastProximal)) break;
        const Certificate now = certificate();
        // Where whole steps lead to the solution each is much better than the last. Good enough, and no better for another
        // step: rounding is left.
        const double gain = reached.worst() <= target ? 0.5 : 0.3;
        const bool goes_on = now.worst() < gain * reached.worst();
        if (now.worst() < reached.worst()) {
            reached = now;
            keep();
            at_best = true;
        }
        if (!goes_on) break;
    }
    if (!at_best) return_to_best();
    return k;
}

int DenseIsland::guarded_newton(int steps, double target) {
    // Relative to the velocities that are to be dealt with: a large error asks for short steps, and a small one for digits.
    constexpr double kMostProximal = 1e-2;
    constexpr int kInVain = 4;
    double largest = 1e-6;
    for (int r = 0; r < rows; ++r) largest = std::max(largest, std::abs(g[r]));
    double here = reached.worst();
    int k = 0, in_vain = 0;
    while (k < steps && in_vain < kInVain && !(reached.worst() <= target)) {
        ++k;
        std::copy(lambda.begin(), lambda.begin() + rows, z.begin());
        std::copy(sigma.begin(), sigma.begin() + rows, gamma.begin());
        const double proximal =
            std::clamp(kMostProximal * here / largest, 10 * kLeastProximal, kMostProximal);
        if (!newton_step(proximal)) break;
        double now = certificate().worst();
        if (!std::isfinite(now)) break;
        if (!(now < here)) {
            // Between the two points σ is as straight as λ. The best of the shorter steps, even where none is better.
            std::copy(lambda.begin(), lambda.begin() + rows, step.begin());
            std::copy(sigma.begin(), sigma.begin() + rows, right.begin());
            const auto go = [&](double part) {
                for (int r = 0; r < rows; ++r) {
                    lambda[r] = z[r] + part * (step[r] - z[r]);
                    sigma[r] = gamma[r] + part * (right[r] - gamma[r]);
                }
            };
            double best_part = 1;
            for (double part = 0.5; part > 0.007 && !(now < here); part *= 0.5) {
                go(part);
                const double there = certificate().worst();
                if (!(there < now)) continue;
                now = there;
                best_part = part;
            }
            go(best_part);
        }
        here = now;
        ++in_vain;
        if (now < reached.worst()) {
            reached = certificate();
            keep();
            in_vain = 0;
        }
    }
    return_to_best();
    return k;
}

}  // namespace plucker::impulses
