// One contact alone has three ways to obey Coulomb: to open, to stick, or to slide against its friction.
//
// Where it slides, σ_T = -α λ_T with some α > 0, so that (W + diag(0, α, α)) λ = -b: one unknown is left, and
// φ(α) = |λ_T| - μ λ_N goes from above zero at α = 0, where the contact would stick outside of its cone, to below zero
// for large α. In the axes that make the tangential part of W diagonal, once the normal is eliminated, φ costs little.
#include "laws_of_impulses.hpp"

namespace plucker::impulses {
namespace {

struct Sliding {
    double pivot, b_n;
    double w1, w2;    // what is left of W for the tangents
    double g1, g2;    // what is left of b
    double wn1, wn2;  // W between the normal and the tangents

    double t1(double alpha) const { return -g1 / (w1 + alpha); }
    double t2(double alpha) const { return -g2 / (w2 + alpha); }
    double normal(double alpha) const { return -(b_n + wn1 * t1(alpha) + wn2 * t2(alpha)) / pivot; }
    double excess(double alpha, double mu) const {
        return Tangent{t1(alpha), t2(alpha)}.length() - mu * normal(alpha);
    }
};

// Where sliding meets the cone. 1/|λ_T| and 1/λ_N are nearly straight in α, so that Newton's method on their difference
// takes few steps; it is kept between a point before and one beyond.
double meeting_point(const Sliding& slide, double mu, double high) {
    double low = 0, alpha = 0;
    for (int k = 0; k < 100; ++k) {
        const double t1 = slide.t1(alpha), t2 = slide.t2(alpha), n = slide.normal(alpha);
        const double length = Tangent{t1, t2}.length();
        const double excess = length - mu * n;
        if (excess == 0) break;
        (excess > 0 ? low : high) = alpha;
        const double t1_rate = -t1 / (slide.w1 + alpha), t2_rate = -t2 / (slide.w2 + alpha);
        const double rate = (t1 * t1_rate + t2 * t2_rate) / length;
        const double n_rate = -(slide.wn1 * t1_rate + slide.wn2 * t2_rate) / slide.pivot;
        const double difference = 1 / length - 1 / (mu * n);
        const double slope = n_rate / (mu * n * n) - rate / (length * length);
        double next = alpha - difference / slope;
        if (!(n > 0) || !(next > low && next < high)) next = 0.5 * (low + high);
        if (std::abs(next - alpha) <= 1e-15 * alpha || !(next > low && next < high)) break;
        alpha = next;
    }
    return alpha;
}

}  // namespace

OneContact::OneContact(double nn, double nx, double ny, double xx, double xy, double yy)
    : nn_(nn), nx_(nx), ny_(ny), xx_(xx), xy_(xy), yy_(yy) {
    // A direction in which nothing can move, as for a robot in a plane, must not divide by zero.
    const double little = 1e-15 * (nn + xx + yy);
    pivot_ = nn + little;
    if (!(pivot_ > 0)) return;
    const double a = xx + little - nx * nx / pivot_, b = yy + little - ny * ny / pivot_;
    const double off = xy - nx * ny / pivot_;
    const double half = 0.5 * (a - b), r = std::sqrt(half * half + off * off);
    if (r > 0) {
        const double angle = 0.5 * std::atan2(off, half);
        c_ = std::cos(angle);
        s_ = std::sin(angle);
    }
    w1_ = std::max(0.5 * (a + b) + r, little);
    w2_ = std::max(0.5 * (a + b) - r, little);
    wn1_ = c_ * nx + s_ * ny;
    wn2_ = c_ * ny - s_ * nx;
}

void OneContact::apply(const double* l, double* out) const {
    out[0] = nn_ * l[0] + nx_ * l[1] + ny_ * l[2];
    out[1] = nx_ * l[0] + xx_ * l[1] + xy_ * l[2];
    out[2] = ny_ * l[0] + xy_ * l[1] + yy_ * l[2];
}

void OneContact::solve(const double* b, double mu, double* lambda) const {
    lambda[0] = lambda[1] = lambda[2] = 0;
    if (b[0] >= 0 || !(pivot_ > 0)) return;
    if (mu == 0) {
        lambda[0] = -b[0] / pivot_;
        return;
    }
    const double gx = b[1] - nx_ * b[0] / pivot_, gy = b[2] - ny_ * b[0] / pivot_;
    const Sliding slide{pivot_, b[0], w1_, w2_, c_ * gx + s_ * gy, c_ * gy - s_ * gx, wn1_, wn2_};
    double alpha = 0;
    if (const double at_stick = slide.excess(0, mu); at_stick > 0) {
        double high = w1_;
        double at_high = slide.excess(high, mu);
        for (int k = 0; k < 200 && at_high > 0; ++k) at_high = slide.excess(high *= 4, mu);
        alpha = meeting_point(slide, mu, high);
    }
    const double t1 = slide.t1(alpha), t2 = slide.t2(alpha);
    lambda[0] = std::max(0.0, slide.normal(alpha));
    const Tangent t = projected_disk({c_ * t1 - s_ * t2, s_ * t1 + c_ * t2}, mu * lambda[0]);
    lambda[1] = t.x;
    lambda[2] = t.y;
}

}  // namespace plucker::impulses
