// The laws of impulses.hpp, one block at a time.
#pragma once

#include <algorithm>
#include <cmath>

#include "plucker/scalar/scalar.hpp"
#include "plucker/simulate/impulses.hpp"

namespace plucker::impulses {

// A block among the rows of its island.
struct Block {
    Law law;
    int row;
    double coefficient;
    double rho;  // the mean of G's diagonal over its rows: turns an impulse into a velocity
    double inverse_rho;
};

// What Newton's method leaves where it converges: rounding of sums of numbers as large as this velocity.
template <class S>
S rounding_of(const S& largest) {
    return S(1e-14) * (largest + S(1e-6));
}

// A movement that takes depth back begins with nothing that is known of it: with so many sweeps.
constexpr int kFirstSweeps = 4;

struct Tangent {
    double x = 0, y = 0;
    double length() const { return std::sqrt(x * x + y * y); }
};

// What the law asks the impulse to be, given a step against the velocity: its projection. λ solves the law if and only if
// it is its own projection.
template <class S>
S projected_dry(const S& y, const S& limit) {
    return select(y > limit, limit, select(y < -limit, -limit, y));
}
inline Tangent projected_disk(const Tangent& y, double radius) {
    const double length = y.length();
    if (length <= radius) return y;
    const double scale = radius / length;
    return {scale * y.x, scale * y.y};
}

template <class S>
struct CertificateOf {
    S primal{}, dual{}, complementarity{};
    S worst() const {
        const S a = select(primal > dual, primal, dual);
        return select(a > complementarity, a, complementarity);
    }
};

// How far a block is from its law. `lambda` and `sigma` point to its rows; λ_N of a spin is that of the contact before it.
// One number each, or one a lane.
template <class S, class C>
void certify(Law law, const S& coefficient, const S& rho, const S* lambda, const S* sigma, C& c) {
    using std::abs;
    using std::sqrt;
    const S zero(0);
    const auto worse = [](S& worst, const S& x) {
        worst = select(!(x <= worst), x, worst);  // NaN is worst of all
    };
    const auto least = [](const S& a, const S& b) { return select(b < a, b, a); };
    const auto positive = [&](const S& a) { return select(a > zero, a, zero); };
    switch (law) {
        case Law::kTied:
            worse(c.primal, abs(sigma[0]));
            break;
        case Law::kStop:
            worse(c.primal, -sigma[0]);
            worse(c.dual, -rho * lambda[0]);
            worse(c.complementarity, least(abs(sigma[0]), abs(rho * lambda[0])));
            break;
        case Law::kDry:
        case Law::kSpin: {
            const S limit = law == Law::kDry ? coefficient : coefficient * positive(lambda[-3]);
            worse(c.dual, rho * (abs(lambda[0]) - limit));
            const S y = lambda[0] - sigma[0] / rho;
            worse(c.complementarity, rho * abs(lambda[0] - projected_dry(y, limit)));
            break;
        }
        case Law::kContact: {
            worse(c.primal, -sigma[0]);
            // Open: nothing else is asked for.
            if (!any((lambda[0] != zero) | (lambda[1] != zero) | (lambda[2] != zero))) break;
            // Impulses as the velocities that they cause.
            const S normal = rho * lambda[0], x = rho * lambda[1], y = rho * lambda[2];
            const S radius = coefficient * positive(normal);
            worse(c.dual, -normal);
            worse(c.dual, sqrt(x * x + y * y) - radius);
            worse(c.complementarity, least(abs(sigma[0]), abs(normal)));
            // What is left of the tangents once they are projected after a step against the velocity.
            const S t_x = x - sigma[1], t_y = y - sigma[2];
            const S length = sqrt(t_x * t_x + t_y * t_y);
            const S scale = select(length <= radius, S(1), radius / length);
            const S left_x = x - scale * t_x, left_y = y - scale * t_y;
            worse(c.complementarity, sqrt(left_x * left_x + left_y * left_y));
            break;
        }
    }
}
inline void certify(const Block& b, const double* lambda, const double* sigma, Certificate& c) {
    certify(b.law, b.coefficient, b.rho, lambda, sigma, c);
}

// One contact alone, exactly: σ = W λ + b with the 3 × 3 matrix W (rows normal, tangent, tangent).
class OneContact {
public:
    OneContact() = default;
    // W, of which the lower half is the upper one.
    OneContact(double nn, double nx, double ny, double xx, double xy, double yy);

    // W λ, and the impulse that obeys Coulomb.
    void apply(const double* lambda, double* out) const;
    void solve(const double* b, double mu, double* lambda) const;

private:
    double nn_ = 0, nx_ = 0, ny_ = 0, xx_ = 0, xy_ = 0, yy_ = 0;
    // With the normal eliminated, in the axes that make the rest of W diagonal, the first of which is (c, s).
    double pivot_ = 0, c_ = 1, s_ = 0, w1_ = 0, w2_ = 0, wn1_ = 0, wn2_ = 0;
};

}  // namespace plucker::impulses
