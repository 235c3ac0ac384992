// Laws of mechanics as residuals: how far the two sides of an identity are apart.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "plucker/laws/formulas.hpp"

namespace plucker::laws {

struct Residual {
    std::string law;
    double value = 0;              // |left - right| over the size of what was added up to get them
    double tolerance = 0;          // rounding: a multiple of the scalar's precision
    std::string not_checked = {};  // why this robot has no such law; empty: it was checked

    bool checked() const { return not_checked.empty(); }
    // Written so that NaN does not hold.
    bool holds() const { return checked() && value <= tolerance; }
    bool fails() const { return checked() && !holds(); }
};

// A state, and the accelerations and torques that the laws are tried with.
template <class S>
struct State {
    VectorX<S> q, v, a, tau;
};

// The larger one. Nothing is worse than NaN.
inline double worse(double a, double b) { return a >= b || std::isnan(a) ? a : b; }

template <Stored Matrix>
double max_magnitude(const Matrix& m) {
    double largest = 0;
    for (long c = 0; c < m.cols(); ++c) {
        for (long r = 0; r < m.rows(); ++r)
            largest = worse(largest, static_cast<double>(magnitude(m(r, c))));
    }
    return largest;
}

// Collects residuals, keeping the worst of each law.
template <class S>
class Report {
public:
    // Errors grow with the length of the sums, at most linearly in the number of coordinates. The factor
    // leaves room for the constants: a few dozen operations per body, and unlucky cancellation.
    explicit Report(int nv) : rounding_((nv + 8) * precision()) {}

    // What rounding does to a sum over the robot, relative to its terms.
    double rounding() const { return rounding_; }

    // `scale`: the sizes of the terms behind each entry of the two sides, where they exceed the sides themselves.
    void equal(const std::string& law, const Entries<S>& left, const Entries<S>& right,
               const Entries<double>& scale) {
        assert(left.rows() == right.rows() && left.columns() == right.columns());
        assert(left.rows() == scale.rows() && left.columns() == scale.columns());
        double worst = 0;
        for (long c = 0; c < left.columns(); ++c) {
            for (long r = 0; r < left.rows(); ++r) {
                worst = worse(worst, relative(left(r, c), right(r, c), scale(r, c)));
            }
        }
        add(law, worst);
    }
    void equal(const std::string& law, const S& left, const S& right, double scale) {
        add(law, relative(left, right, scale));
    }
    void is_true(const std::string& law, bool holds) { add(law, holds ? 0.0 : 1.0); }

    // These laws do not exist for this robot in this state. Where they do in another, that counts.
    void not_checked(std::span<const char* const> laws, const std::string& reason) {
        for (const char* law : laws) {
            if (find(law) == nullptr) residuals_.push_back({law, 0, tolerance(), reason});
        }
    }

    std::vector<Residual> take() && { return std::move(residuals_); }

private:
    static double precision() {
        using Real = decltype(value_of(std::declval<S>()));
        return static_cast<double>(std::numeric_limits<Real>::epsilon());
    }
    double tolerance() const { return 64 * rounding_; }

    static double relative(const S& left, const S& right, double scale) {
        const auto difference = static_cast<double>(magnitude(S(left - right)));
        const double size = worse(scale, worse(static_cast<double>(magnitude(left)),
                                               static_cast<double>(magnitude(right))));
        // Against terms that are infinite, anything would be small.
        if (!std::isfinite(scale) || !std::isfinite(size)) return std::nan("");
        return difference == 0 ? 0 : difference / size;
    }

    Residual* find(const std::string& law) {
        for (Residual& known : residuals_) {
            if (known.law == law) return &known;
        }
        return nullptr;
    }
    void add(const std::string& law, double value) {
        Residual* known = find(law);
        if (known == nullptr) {
            residuals_.push_back({law, value, tolerance()});
        } else {
            *known = {law, known->checked() ? worse(known->value, value) : value, tolerance()};
        }
    }

    double rounding_;
    std::vector<Residual> residuals_;
};

}  // namespace plucker::laws
