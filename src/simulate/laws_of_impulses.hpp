// The laws of impulses.hpp, one block at a time.
#pragma once

#include <algorithm>
#include <cmath>

#include "plucker/simulate/impulses.hpp"

namespace plucker::impulses {

// A block among the rows of its island.
struct Block {
    Law law;
    int row;
    double coefficient;
    double rho;  // the mean of G's diagonal over its rows: turns an impulse into a velocity
};

struct Tangent {
    double x = 0, y = 0;
    double length() const { return std::sqrt(x * x + y * y); }
};

// What the law asks the impulse to be, given a step against the velocity: its projection. λ solves the law if and only if
// it is its own projection.
inline double projected_dry(double y, double limit) { return std::clamp(y, -limit, limit); }
inline Tangent projected_disk(const Tangent& y, double radius) {
    const double length = y.length();
    if (length <= radius) return y;
    const double scale = radius / length;
    return {scale * y.x, scale * y.y};
}

// How far a block is from its law. `lambda` and `sigma` point to its rows; λ_N of a spin is that of the contact before it.
inline void certify(const Block& b, const double* lambda, const double* sigma, Certificate& c) {
    const auto worse = [](double& worst, double x) {
        if (!(x <= worst)) worst = x;  // NaN is worst of all
    };
    switch (b.law) {
        case Law::kTied:
            worse(c.primal, std::abs(sigma[0]));
            break;
        case Law::kStop:
            worse(c.primal, -sigma[0]);
            worse(c.dual, -b.rho * lambda[0]);
            worse(c.complementarity, std::min(std::abs(sigma[0]), std::abs(b.rho * lambda[0])));
            break;
        case Law::kDry:
        case Law::kSpin: {
            const double limit =
                b.law == Law::kDry ? b.coefficient : b.coefficient * std::max(0.0, lambda[-3]);
            worse(c.dual, b.rho * (std::abs(lambda[0]) - limit));
            const double y = lambda[0] - sigma[0] / b.rho;
            worse(c.complementarity, b.rho * std::abs(lambda[0] - projected_dry(y, limit)));
            break;
        }
        case Law::kContact: {
            worse(c.primal, -sigma[0]);
            if (lambda[0] == 0 && lambda[1] == 0 && lambda[2] == 0) break;  // open
            // Impulses as the velocities that they cause.
            const double normal = b.rho * lambda[0];
            const Tangent tangent{b.rho * lambda[1], b.rho * lambda[2]};
            const double radius = b.coefficient * std::max(0.0, normal);
            worse(c.dual, -normal);
            worse(c.dual, tangent.length() - radius);
            worse(c.complementarity, std::min(std::abs(sigma[0]), std::abs(normal)));
            const Tangent t = projected_disk({tangent.x - sigma[1], tangent.y - sigma[2]}, radius);
            worse(c.complementarity, Tangent{tangent.x - t.x, tangent.y - t.y}.length());
            break;
        }
    }
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
