// An interior point method on De Saxcé's form of the laws: impulses and velocities stay inside of their cones, and are led to
// where their products vanish, all of them at the same pace. It knows no modes, so that none can go round in circles, and
// where contacts are redundant it ends amid the many answers.
//
// A contact's impulse and velocity, x = (λ_N, λ_T/μ) and z = (σ_N + μ|σ_T|, μ σ_T), lie in the same cone |t| ≤ n, a
// stop's are positive, and σ = G λ + g becomes
//
//     z = G x + w + |z_T| e,     x ∘ z = 0.
//
// A step of Newton's method on these, with x ∘ z = β instead of 0, in the scaling W of Nesterov and Todd, W z = W⁻¹ x = v:
//
//     (W⁻² + (1 + E) G) Δx = W⁻¹ (v \ (β - v ∘ v)) - (1 + E) r,    Δz = (1 + E) (G Δx + r),    E: the derivative of |z_T| e
//
// The derivative E makes the matrix one without symmetry, and is worth it: with |z_T| taken from the step before, r falls
// too slowly. Where E leads to the edge at once, a step without it, towards the middle, leads away.
//
// Sources: Mehrotra's predictor and corrector; Andersen, Dahl, Liu and Vandenberghe, Interior-point methods for large-scale
// cone programming, 2011, for cones; Acary, Armand, Nguyen and Shpakovych, Second-order cone programming for frictional
// contact mechanics using interior point algorithm, 2023, for friction.
#include "dense_island.hpp"

namespace plucker::impulses {
namespace {

double product_of(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
// The root of n² - |t|²: zero on the edge of the cone.
double depth(const double* x) {
    const double t = Tangent{x[1], x[2]}.length();
    return std::sqrt(std::max((x[0] - t) * (x[0] + t), 1e-300));
}

// How far x may go along d.
double way_to_edge(int size, const double* x, const double* d) {
    if (size == 1) return d[0] < 0 ? -x[0] / d[0] : INFINITY;
    const double scale = 1 / depth(x);
    const double n = x[0] * scale, t[] = {x[1] * scale, x[2] * scale};
    const double along = (n * d[0] - t[0] * d[1] - t[1] * d[2]) * scale;
    const double share = (along + d[0] * scale) / (n + 1);
    const double beyond =
        Tangent{d[1] * scale - share * t[0], d[2] * scale - share * t[1]}.length() - along;
    return beyond > 0 ? 1 / beyond : INFINITY;
}

}  // namespace

// The scaling of one cone: W = η (w; …), of which W⁻¹ has the other sign on the tangents.
struct DenseIsland::Cone {
    int row, size;
    bool rubs;  // its velocity has |z_T| in it
    double eta, w[3];

    // For x, and what is dual to it.
    void scale(const double* x, const double* dual) {
        if (size == 1) {
            eta = std::sqrt(x[0] / dual[0]);
            w[0] = 1;
            return;
        }
        const double of_x = depth(x), of_dual = depth(dual);
        const double half = std::sqrt(0.5 * (1 + product_of(x, dual) / (of_x * of_dual)));
        eta = std::sqrt(of_x / of_dual);
        const double a = 0.5 / (half * of_x), b = 0.5 / (half * of_dual);
        w[0] = a * x[0] + b * dual[0];
        w[1] = a * x[1] - b * dual[1];
        w[2] = a * x[2] - b * dual[2];
    }
    // W u with side = 1, W⁻¹ u with side = -1.
    void apply(double side, const double* u, double* out) const {
        const double times = side > 0 ? eta : 1 / eta;
        if (size == 1) {
            out[0] = times * u[0];
            return;
        }
        const double t = w[1] * u[1] + w[2] * u[2];
        const double share = side * u[0] + t / (1 + w[0]);
        out[0] = times * (w[0] * u[0] + side * t);
        out[1] = times * (u[1] + share * w[1]);
        out[2] = times * (u[2] + share * w[2]);
    }
    // A cone's product a ∘ b, and what has a given product with v.
    void multiply(const double* a, const double* b, double* out) const {
        if (size == 1) {
            out[0] = a[0] * b[0];
            return;
        }
        out[0] = product_of(a, b);
        out[1] = a[0] * b[1] + b[0] * a[1];
        out[2] = a[0] * b[2] + b[0] * a[2];
    }
    void divide(const double* v, const double* d, double* out) const {
        if (size == 1) {
            out[0] = d[0] / v[0];
            return;
        }
        const double deep = depth(v), t = v[1] * d[1] + v[2] * d[2];
        const double n = (v[0] * d[0] - t) / (deep * deep);
        out[0] = n;
        out[1] = (d[1] - n * v[1]) / v[0];
        out[2] = (d[2] - n * v[2]) / v[0];
    }
};

// Everything in the coordinates in which each cone is |t| ≤ n and each row's own entry of G is about one.
struct DenseIsland::InteriorPoint {
    std::vector<Cone> cones;
    Numbers to_lambda;  // λ = to_lambda x
    Numbers G, w, x, z, v, r, G_x, dx, dz, toward, found;
    Numbers lower;
    std::vector<int> pivots;
};

DenseIsland::DenseIsland() : interior(std::make_unique<InteriorPoint>()) {}
DenseIsland::~DenseIsland() = default;

void DenseIsland::reserve_for_hard_steps() {
    InteriorPoint& in = *interior;
    const auto n = static_cast<std::size_t>(pitch);
    if (in.pivots.capacity() >= n) return;
    in.pivots.reserve(n);
    in.cones.reserve(n);
    for (Numbers* x : {&in.to_lambda, &in.w, &in.x, &in.z, &in.v, &in.r, &in.G_x, &in.dx, &in.dz,
                       &in.toward, &in.found}) {
        x->reserve(n);
    }
    for (Numbers* x : {&in.G, &in.lower, &matrix, &factor}) x->reserve(n * n);
    alone.reserve(n);
}

int DenseIsland::interior_point(int steps, double target, double rounding, double middle) {
    InteriorPoint& in = *interior;
    const int n = rows;
    for (const Block& b : blocks) {
        if (b.law == Law::kDry || b.law == Law::kSpin) return 0;
    }
    for (Numbers* x : {&in.to_lambda, &in.w, &in.x, &in.z, &in.v, &in.r, &in.G_x, &in.dx, &in.dz,
                       &in.toward, &in.found}) {
        x->assign(static_cast<std::size_t>(pitch), 0.0);
    }
    in.cones.clear();
    for (const Block& b : blocks) {
        const double scale = 1 / std::sqrt(b.rho);
        in.to_lambda[b.row] = scale;
        const bool rubs = b.law == Law::kContact && b.coefficient > 0;
        if (rubs) in.to_lambda[b.row + 1] = in.to_lambda[b.row + 2] = b.coefficient * scale;
        if (b.law != Law::kTied) in.cones.push_back({b.row, rubs ? 3 : 1, rubs, 1, {1, 0, 0}});
    }
    if (in.cones.empty()) return 0;
    in.G.resize(static_cast<std::size_t>(n) * pitch);
    double size = 1e-6;
    for (int r = 0; r < n; ++r) {
        double* own = in.G.data() + static_cast<std::ptrdiff_t>(r) * pitch;
        for (int c = 0; c < n; ++c) own[c] = in.to_lambda[r] * in.to_lambda[c] * row(r)[c];
        std::fill(own + n, own + pitch, 0.0);
        in.w[r] = in.to_lambda[r] * g[r];
        size = std::max(size, std::abs(in.w[r]));
    }
    for (const Cone& c : in.cones) in.x[c.row] = in.z[c.row] = size;
    double best_found = reached.worst(), polish_below = 1e-4 * size;
    std::copy(lambda.begin(), lambda.begin() + n, in.found.begin());

    const auto longest = [&] {
        double way = INFINITY;
        for (const Cone& c : in.cones) {
            way = std::min(way, way_to_edge(c.size, in.x.data() + c.row, in.dx.data() + c.row));
            way = std::min(way, way_to_edge(c.size, in.z.data() + c.row, in.dz.data() + c.row));
        }
        return way;
    };
    const auto direction_of = [&](const Cone& c) {
        const Tangent t{in.z[c.row + 1], in.z[c.row + 2]};
        const double scale = 1 / std::max(t.length(), 1e-12 * size);
        return Tangent{scale * t.x, scale * t.y};
    };
    // (1 + E) u: the change of |z_T| reaches the normal.
    const auto add_rubbing = [&](bool with_derivative, double* u) {
        if (!with_derivative) return;
        for (const Cone& c : in.cones) {
            if (!c.rubs) continue;
            const Tangent along = direction_of(c);
            u[c.row] += along.x * u[c.row + 1] + along.y * u[c.row + 2];
        }
    };
    const auto factor_system = [&](bool with_derivative) {
        matrix.resize(in.G.size());
        std::copy(in.G.begin(), in.G.end(), matrix.begin());
        const auto entry = [&](int r, int c) -> double& {
            return matrix[static_cast<std::size_t>(r) * pitch + c];
        };
        for (const Cone& c : in.cones) {
            if (c.rubs && with_derivative) {
                const Tangent along = direction_of(c);
                const double* tangents =
                    in.G.data() + static_cast<std::ptrdiff_t>(c.row + 1) * pitch;
                double* normal = matrix.data() + static_cast<std::ptrdiff_t>(c.row) * pitch;
                code.add(pitch, along.x, tangents, normal);
                code.add(pitch, along.y, tangents + pitch, normal);
            }
            for (int k = 0; k < c.size; ++k) {
                double unit[3] = {}, once[3], twice[3];
                unit[k] = 1;
                c.apply(-1, unit, once);
                c.apply(-1, once, twice);
                for (int j = 0; j < c.size; ++j) entry(c.row + j, c.row + k) += twice[j];
            }
        }
        for (const Block& b : blocks) {
            if (b.law == Law::kTied) entry(b.row, b.row) += 1e-9;
            // Tangents without friction have no impulse.
            if (b.law == Law::kContact && b.coefficient == 0)
                entry(b.row + 1, b.row + 1) = entry(b.row + 2, b.row + 2) = 1;
        }
        holds_inverse = false;
        in.lower.resize(matrix.size());
        in.pivots.resize(static_cast<std::size_t>(n));
        return code.factor_any(n, pitch, matrix.data(), in.lower.data(), in.pivots.data());
    };
    // Δx and Δz from what W⁻¹Δx + WΔz is to be, `toward`.
    const auto find_direction = [&](bool with_derivative) {
        for (int r = 0; r < n; ++r) in.dx[r] = -in.r[r];
        add_rubbing(with_derivative, in.dx.data());
        for (const Cone& c : in.cones) {
            double part[3];
            c.apply(-1, in.toward.data() + c.row, part);
            for (int k = 0; k < c.size; ++k) in.dx[c.row + k] += part[k];
        }
        code.solve_factored(n, pitch, matrix.data(), in.lower.data(), in.pivots.data(),
                            in.dx.data());
        code.multiply(n, pitch, in.G.data(), in.dx.data(), in.r.data(), in.dz.data());
        add_rubbing(with_derivative, in.dz.data());
    };
    // `toward` of x ∘ z = β, less a correction of second order.
    const auto aim_at = [&](double beta, bool corrected) {
        for (const Cone& c : in.cones) {
            const double* v = in.v.data() + c.row;
            double d[3], a[3], b[3], second[3];
            c.multiply(v, v, d);
            for (int k = 0; k < c.size; ++k) d[k] = (k == 0 ? beta : 0) - d[k];
            if (corrected) {
                c.apply(-1, in.dx.data() + c.row, a);
                c.apply(1, in.dz.data() + c.row, b);
                c.multiply(a, b, second);
                for (int k = 0; k < c.size; ++k) d[k] -= second[k];
            }
            c.divide(v, d, in.toward.data() + c.row);
        }
    };

    constexpr double kShortOfEdge = 0.99;
    int k = 0;
    for (; k < steps; ++k) {
        code.multiply(n, pitch, in.G.data(), in.x.data(), in.w.data(), in.G_x.data());
        double gap = 0, rest = 0;
        for (int r = 0; r < n; ++r) in.r[r] = in.G_x[r];
        for (const Cone& c : in.cones) {
            for (int r = c.row; r < c.row + c.size; ++r) {
                gap += in.x[r] * in.z[r];
                in.r[r] -= in.z[r];
            }
            if (c.rubs) in.r[c.row] += Tangent{in.z[c.row + 1], in.z[c.row + 2]}.length();
        }
        gap /= static_cast<double>(in.cones.size());
        for (int r = 0; r < n; ++r) {
            rest = std::max(rest, std::abs(in.r[r]));
            lambda[r] = in.to_lambda[r] * in.x[r];
            sigma[r] = in.to_lambda[r] > 0 ? in.G_x[r] / in.to_lambda[r] : 0;
        }
        const double now = certificate().worst();
        if (!std::isfinite(now) || !std::isfinite(gap)) break;
        if (now < best_found) {
            best_found = now;
            std::copy(lambda.begin(), lambda.begin() + n, in.found.begin());
        }
        if (best_found <= target) break;
        // Near the end Newton's method on the modes has all digits, unless they are not to be told apart.
        if (std::max(std::sqrt(gap), rest) < polish_below) {
            polish_below *= 0.1;
            k += newton(4, target, rounding);
            if (reached.worst() < best_found) {
                best_found = reached.worst();
                std::copy(lambda.begin(), lambda.begin() + n, in.found.begin());
                if (best_found <= target) break;
            }
        }
        for (Cone& c : in.cones) {
            c.scale(in.x.data() + c.row, in.z.data() + c.row);
            c.apply(1, in.z.data() + c.row, in.v.data() + c.row);
        }
        if (!factor_system(true)) break;
        for (int r = 0; r < n; ++r) in.toward[r] = -in.v[r];
        find_direction(true);
        const double reach = 1 - std::min(1.0, longest());
        const double aim =
            std::max(reach * reach * reach * gap, std::min(gap, middle * middle * rest * rest));
        aim_at(aim, true);
        find_direction(true);
        double length = std::min(1.0, kShortOfEdge * longest());
        if (length < 0.3) {
            if (!factor_system(false)) break;
            for (const double part : {0.1, 0.5}) {
                aim_at(std::max(part * gap, std::min(10 * gap, rest * rest)), false);
                find_direction(false);
                length = std::min(1.0, kShortOfEdge * longest());
                if (length > 0.5) break;
            }
        }
        if (!(length > 1e-4)) break;
        for (int r = 0; r < n; ++r) {
            in.x[r] += length * in.dx[r];
            in.z[r] += length * in.dz[r];
        }
    }
    std::copy(in.found.begin(), in.found.begin() + n, lambda.begin());
    update_velocities();
    reached = certificate();
    return k;
}

}  // namespace plucker::impulses
