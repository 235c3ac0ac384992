// One contact alone has three ways to obey Coulomb: to open, to stick, or to slide against its friction.
//
// Where it slides, σ_T = -α λ_T with some α > 0, so that (W + diag(0, α, α)) λ = -b: one unknown is left, and
// φ(α) = |λ_T| - μ λ_N goes from above zero at α = 0, where the contact would stick outside of its cone, to below zero
// for large α. In the axes that make the tangential part of W diagonal, once the normal is eliminated, φ costs little.
#include "laws_of_impulses.hpp"

namespace plucker::impulses {
namespace {

struct Sliding {
    double nn, b_n;
    double w1, w2;    // what is left of W for the tangents, in its own axes
    double g1, g2;    // what is left of b
    double wn1, wn2;  // W between the normal and these axes

    double t1(double alpha) const { return -g1 / (w1 + alpha); }
    double t2(double alpha) const { return -g2 / (w2 + alpha); }
    double normal(double alpha) const { return -(b_n + wn1 * t1(alpha) + wn2 * t2(alpha)) / nn; }
    double excess(double alpha, double mu) const {
        return std::hypot(t1(alpha), t2(alpha)) - mu * normal(alpha);
    }
};

// The root of a function that is positive at `low` and negative at `high`: regula falsi, with the weight of an end that
// stays put halved (Illinois), and never slower than bisection for long.
template <class F>
double root_between(const F& f, double low, double f_low, double high, double f_high) {
    int last = 0;
    for (int k = 0; k < 100 && high - low > 4e-16 * high; ++k) {
        double middle =
            k % 8 == 7 ? 0.5 * (low + high) : low + (high - low) * (f_low / (f_low - f_high));
        if (!(middle > low && middle < high)) middle = 0.5 * (low + high);
        if (!(middle > low && middle < high)) break;
        const double value = f(middle);
        if (value == 0) return middle;
        if (value > 0) {
            low = middle;
            f_low = value;
            if (last == 1) f_high *= 0.5;
            last = 1;
        } else {
            high = middle;
            f_high = value;
            if (last == -1) f_low *= 0.5;
            last = -1;
        }
    }
    return 0.5 * (low + high);
}

}  // namespace

void solve_one_contact(const OneContact& given, const double* b, double mu, double* lambda) {
    lambda[0] = lambda[1] = lambda[2] = 0;
    if (b[0] >= 0) return;
    OneContact W = given;
    // A direction in which nothing can move, as for a robot in a plane, must not divide by zero.
    const double little = 1e-12 * (W.nn + W.xx + W.yy);
    W.nn += little;
    W.xx += little;
    W.yy += little;
    if (!(W.nn > 0)) return;
    // The normal is eliminated; then the tangents' axes.
    const double xx = W.xx - W.nx * W.nx / W.nn, yy = W.yy - W.ny * W.ny / W.nn;
    const double xy = W.xy - W.nx * W.ny / W.nn;
    const double gx = b[1] - W.nx * b[0] / W.nn, gy = b[2] - W.ny * b[0] / W.nn;
    const double half = 0.5 * (xx - yy), r = std::hypot(half, xy);
    double c = 1, s = 0;  // first axis (c, s)
    if (r > 0) {
        const double angle = 0.5 * std::atan2(xy, half);
        c = std::cos(angle);
        s = std::sin(angle);
    }
    const double mean = 0.5 * (xx + yy);
    const Sliding slide{W.nn,
                        b[0],
                        std::max(mean + r, little),
                        std::max(mean - r, little),
                        c * gx + s * gy,
                        c * gy - s * gx,
                        c * W.nx + s * W.ny,
                        c * W.ny - s * W.nx};
    double alpha = 0;
    const double at_stick = slide.excess(0, mu);
    if (at_stick > 0) {
        double high = slide.w1;
        double at_high = slide.excess(high, mu);
        for (int k = 0; k < 200 && at_high > 0; ++k) at_high = slide.excess(high *= 4, mu);
        alpha = mu > 0 ? root_between([&](double x) { return slide.excess(x, mu); }, 0, at_stick,
                                      high, at_high)
                       : 0;
    }
    double t1 = slide.t1(alpha), t2 = slide.t2(alpha);
    double normal = slide.normal(alpha);
    if (mu == 0) {
        t1 = t2 = 0;
        normal = -b[0] / W.nn;
    }
    lambda[0] = std::max(0.0, normal);
    const Tangent t = projected_disk({c * t1 - s * t2, s * t1 + c * t2}, mu * lambda[0]);
    lambda[1] = t.x;
    lambda[2] = t.y;
}

}  // namespace plucker::impulses
