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
// Most rows of most steps ask for σ = 0, and from one step to the next few modes change. So what all rows but the open ones
// would do if each asked for σ = 0 is solved once, by P = (G + ε D)⁻¹, for all steps and for the correction of depth too. Rows that
// ask for something else depart from that: the velocities s that they are left with are unknown,
//
//     Δλ = P (E s - σ),    E: where they act
//
// and there are as many equations for them: λ = 0, or λ_T along y_T, and what is left of σ_T across it.
//
// Redundant contacts make G singular: ε D, a small multiple of what each row moves by itself, only slows convergence down. It is
// the proximal step of a method of multipliers.
#include <algorithm>
#include <numeric>

#include "dense_island.hpp"

namespace plucker::impulses {
namespace {

// Relative to what a row moves by itself. The less, the fewer steps; but each inverse of an inverse loses as many digits.
constexpr double kProximal = 1e-6;
// Where equations are eliminated as they are.
constexpr double kLeastProximal = 1e-9;

}  // namespace

// Which rows ask for σ = 0, and what the others ask for. False where none has an impulse that is to be found.
void DenseIsland::find_modes() {
    closed.clear();
    given.clear();
    departures.clear();
    const auto is_given = [&](int r, double value) { given.push_back({r, value}); };
    for (const Block& b : blocks) {
        const int r = b.row;
        const double *l = lambda.data() + r, *s = sigma.data() + r;
        const double y = l[0] - s[0] * b.inverse_rho;
        switch (b.law) {
            case Law::kTied:
                closed.push_back(r);
                break;
            case Law::kStop:
                y > 0 ? closed.push_back(r) : is_given(r, 0);
                break;
            case Law::kDry:
                std::abs(y) <= b.coefficient ? closed.push_back(r)
                                             : is_given(r, std::copysign(b.coefficient, y));
                break;
            case Law::kContact: {
                if (!(y > 0)) {
                    for (int t = r; t < r + 3; ++t) is_given(t, 0);
                    break;
                }
                closed.push_back(r);
                if (b.coefficient == 0) {
                    is_given(r + 1, 0);
                    is_given(r + 2, 0);
                    break;
                }
                closed.push_back(r + 1);
                closed.push_back(r + 2);
                const Tangent y_T{l[1] - s[1] * b.inverse_rho, l[2] - s[2] * b.inverse_rho};
                const double radius = b.coefficient * y, length = y_T.length();
                if (length <= radius) break;
                // ρ (λ_T - a |y_T| n) = 0 with n along y_T and a = μ λ_N/|y_T|. Along n: Δλ_T - μ Δλ_N = μ λ_N - λ_T. Across:
                // (1 - a) Δλ_T + a s/ρ = a σ_T/ρ - λ_T.
                const double n_x = y_T.x / length, n_y = y_T.y / length;
                const double a = std::min(radius / length, 1.0), turn = a * b.inverse_rho;
                departures.push_back({r + 1, r + 2, r, n_x, n_y, b.coefficient, 1, 0,
                                      b.coefficient * l[0] - (n_x * l[1] + n_y * l[2])});
                departures.push_back(
                    {r + 1, r + 2, r, -n_y, n_x, 0, 1 - a, turn,
                     turn * (n_x * s[2] - n_y * s[1]) - (n_x * l[2] - n_y * l[1])});
                break;
            }
            case Law::kSpin: {
                // Its limit moves with the normal impulse, three rows before.
                const double limit = b.coefficient * std::max(0.0, l[-3]);
                if (closed.empty() || closed.back() < r - 3) {
                    is_given(r, 0);
                    break;
                }
                closed.push_back(r);
                if (std::abs(y) <= limit) break;
                const double share = std::copysign(b.coefficient, y);
                departures.push_back({r, r, r - 3, 1, 0, share, 1, 0, share * l[-3] - l[0]});
                break;
            }
        }
    }
}

// Sets impulses that are given where nothing else changes them, and keeps σ true to them.
void DenseIsland::set_given() {
    bool changed = false;
    for (const Given& one : given) {
        if (place[one.row] >= 0) continue;
        changed = changed || lambda[one.row] != one.value;
        lambda[one.row] = one.value;
    }
    if (changed) update_velocities();
}

// Whose equations P has; `place`: where among them a row is.
void DenseIsland::choose_base(std::span<const int> rows_of_base) {
    base.assign(rows_of_base.begin(), rows_of_base.end());
    std::fill(place.begin(), place.end(), -1);
    for (int i = 0; i < static_cast<int>(base.size()); ++i) place[base[i]] = i;
}

// Those that are closed, and have been.
bool DenseIsland::invert_equations() {
    every.clear();
    if (holds_inverse) {
        std::set_union(base.begin(), base.end(), closed.begin(), closed.end(),
                       std::back_inserter(every));
    } else {
        every.assign(closed.begin(), closed.end());
    }
    choose_base(every);
    const int n = static_cast<int>(base.size()), wide = pitch_of(n);
    matrix.resize(static_cast<std::size_t>(wide) * static_cast<std::size_t>(wide));
    if (n == rows) {
        std::copy(G.begin(), G.begin() + static_cast<std::ptrdiff_t>(n) * wide, matrix.begin());
    } else {
        code.choose(n, pitch, G.data(), base.data(), false, matrix.data());
    }
    for (int i = 0; i < n; ++i)
        matrix[static_cast<std::size_t>(i) * static_cast<std::size_t>(wide + 1)] +=
            kProximal * weight[base[i]];
    holds_inverse = code.invert(n, wide, matrix.data());
    return holds_inverse;
}

// One step from λ and σ, and σ after it. False where the equations cannot be solved.
bool DenseIsland::newton_step() {
    find_modes();
    const auto is_in_base = [&](int r) { return place[r] >= 0; };
    if (!holds_inverse || !std::all_of(closed.begin(), closed.end(), is_in_base)) {
        if (!invert_equations()) return false;
    }
    set_given();
    const int n = static_cast<int>(base.size()), wide = pitch_of(n);
    // What is given comes first: among itself it is symmetric and positive.
    departing.clear();
    for (const Given& one : given) {
        const int at = place[one.row];
        if (at >= 0) departing.push_back({at, at, at, 1, 0, 0, 1, 0, one.value - lambda[one.row]});
    }
    const int symmetric = static_cast<int>(departing.size());
    for (const Departure& d : departures) {
        departing.push_back(d);
        departing.back().row = place[d.row];
        departing.back().second = place[d.second];
        departing.back().normal = place[d.normal];
    }
    // If all asked for σ = 0.
    for (int i = 0; i < n; ++i) right[i] = -sigma[base[i]];
    code.multiply(n, wide, matrix.data(), right.data(), zeros.data(), change.data());
    const auto k = departing.size();
    system.resize(k * static_cast<std::size_t>(pitch_of(static_cast<int>(k) + 1)) +
                  static_cast<std::size_t>(wide));
    if (k > 0 && !code.depart(wide, matrix.data(), static_cast<int>(k), symmetric, departing.data(),
                              system.data(), change.data()))
        return false;
    for (int i = 0; i < n; ++i) lambda[base[i]] += change[i];
    for (const Given& one : given) lambda[one.row] = one.value;
    update_velocities();
    return true;
}

// The same step by elimination of its equations, which is dearer and loses no digits where contacts are redundant and slide.
bool DenseIsland::exact_step() {
    find_modes();
    bool changed = false;
    for (const Given& one : given) {
        changed = changed || lambda[one.row] != one.value;
        lambda[one.row] = one.value;
    }
    if (changed) update_velocities();
    // Rows that ask for σ = 0 come first: among themselves their equations are symmetric and positive.
    const auto departs = [&](int r) {
        return std::any_of(departures.begin(), departures.end(),
                           [&](const Departure& d) { return d.row == r || d.second == r; });
    };
    every.assign(closed.begin(), closed.end());
    const auto beyond =
        std::stable_partition(every.begin(), every.end(), [&](int r) { return !departs(r); });
    const int symmetric = static_cast<int>(beyond - every.begin());
    const int n = static_cast<int>(every.size()), wide = pitch_of(n);
    if (n == 0) return true;
    system.resize(static_cast<std::size_t>(n) * static_cast<std::size_t>(wide));
    code.choose(n, pitch, G.data(), every.data(), false, system.data());
    const auto at = [&](int r) {
        return static_cast<int>(std::find(every.begin(), every.end(), r) - every.begin());
    };
    const auto equation = [&](int i) {
        return system.data() + static_cast<std::ptrdiff_t>(i) * wide;
    };
    for (int i = 0; i < n; ++i) {
        right[i] = -sigma[every[i]];
        equation(i)[i] += kLeastProximal * weight[every[i]];
    }
    // A contact's two stand together, along and across, in the places of its tangents.
    for (std::size_t k = 0; k < departures.size();) {
        const Departure* pair[] = {&departures[k], &departures[k]};
        const int places[] = {at(pair[0]->row), at(pair[0]->second)};
        const int count = places[0] == places[1] ? 1 : 2;
        if (count == 2) pair[1] = &departures[k + 1];
        const double rho = weight[pair[0]->row];
        double *X = equation(places[0]), *Y = equation(places[1]);
        for (int j = 0; j < n; ++j) {
            const double x = X[j], y = Y[j];
            for (int i = 0; i < count; ++i) {
                const Departure& d = *pair[i];
                (i == 0 ? X : Y)[j] = rho * d.of_velocity * (d.x * x + (count == 2 ? d.y * y : 0));
            }
        }
        for (int i = 0; i < count; ++i) {
            const Departure& d = *pair[i];
            double* own = i == 0 ? X : Y;
            own[places[0]] += rho * d.of_impulse * d.x;
            if (count == 2) own[places[1]] += rho * d.of_impulse * d.y;
            own[at(d.normal)] -= rho * d.of_impulse * d.share;
            const double along = d.x * sigma[d.row] + (count == 2 ? d.y * sigma[d.second] : 0);
            right[places[i]] = rho * (d.goal - d.of_velocity * along);
        }
        k += static_cast<std::size_t>(count);
    }
    if (!code.solve_any(n, symmetric, wide, system.data(), right.data())) return false;
    for (int i = 0; i < n; ++i) lambda[every[i]] += right[i];
    update_velocities();
    return true;
}

// The last digits.
int DenseIsland::polish(int steps, double tolerance) {
    int k = 0;
    while (k < steps && !(reached.worst() <= tolerance)) {
        ++k;
        if (!exact_step()) break;
        const Certificate now = certificate();
        const bool goes_on = now.worst() < 0.5 * reached.worst();
        if (!(now.worst() < reached.worst())) break;
        reached = now;
        keep();
        if (!goes_on) break;
    }
    return_to_best();
    return k;
}

void DenseIsland::keep() {
    std::copy(lambda.begin(), lambda.begin() + rows, best.begin());
    std::copy(sigma.begin(), sigma.begin() + rows, best_sigma.begin());
}
void DenseIsland::return_to_best() {
    std::copy(best.begin(), best.begin() + rows, lambda.begin());
    std::copy(best_sigma.begin(), best_sigma.begin() + rows, sigma.begin());
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
        if (!newton_step()) break;
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
    constexpr int kInVain = 4;
    double here = reached.worst();
    int k = 0, in_vain = 0;
    while (k < steps && in_vain < kInVain && !(reached.worst() <= target)) {
        ++k;
        std::copy(lambda.begin(), lambda.begin() + rows, z.begin());
        std::copy(sigma.begin(), sigma.begin() + rows, gamma.begin());
        if (!newton_step()) break;
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
