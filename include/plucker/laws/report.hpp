// Laws of mechanics as residuals: how far the two sides of an identity are apart.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "plucker/scalar/eigen.hpp"

namespace plucker::laws {

struct Residual {
    std::string law;
    double value = 0;      // |left - right| over the size of what was added up to get them
    double tolerance = 0;  // rounding: a multiple of the scalar's precision

    // Written so that NaN does not hold.
    bool holds() const { return value <= tolerance; }
};

// A state, and the accelerations and torques that the laws are tried with.
template <class S>
struct State {
    VectorX<S> q, v, a, tau;
};

template <class Derived>
double max_magnitude(const Eigen::MatrixBase<Derived>& m) {
    double largest = 0;
    for (long c = 0; c < m.cols(); ++c) {
        for (long r = 0; r < m.rows(); ++r) {
            const auto x = static_cast<double>(magnitude(m(r, c)));
            if (!(x <= largest)) largest = x;  // keeps a NaN
        }
    }
    return largest;
}

// Collects residuals, keeping the worst of each law.
template <class S>
class Report {
public:
    // Errors grow with the length of the sums, at most linearly in the number of coordinates. The factor
    // leaves room for the constants: a few dozen operations a body, and unlucky cancellation.
    explicit Report(int nv) {
        using Real = decltype(value_of(std::declval<S>()));
        tolerance_ = 64.0 * (nv + 8) * static_cast<double>(std::numeric_limits<Real>::epsilon());
    }

    // `scale`: the size of the terms behind the two sides, where it exceeds that of the sides themselves.
    template <class Left, class Right>
    void equal(const std::string& law, const Eigen::MatrixBase<Left>& left,
               const Eigen::MatrixBase<Right>& right, double scale = 0) {
        // One: a robot's forces and motions are of order one or more in SI units; below that, absolute.
        const double size = std::max({1.0, scale, max_magnitude(left), max_magnitude(right)});
        add(law, max_magnitude(left - right) / size);
    }
    void equal(const std::string& law, const S& left, const S& right, double scale = 0) {
        equal(law, Eigen::Matrix<S, 1, 1>(left), Eigen::Matrix<S, 1, 1>(right), scale);
    }
    void is_true(const std::string& law, bool holds) { add(law, holds ? 0.0 : 1.0); }

    std::vector<Residual> take() && { return std::move(residuals_); }

private:
    void add(const std::string& law, double value) {
        for (Residual& known : residuals_) {
            if (known.law != law) continue;
            if (!(value <= known.value)) known.value = value;
            return;
        }
        residuals_.push_back({law, value, tolerance_});
    }

    double tolerance_;
    std::vector<Residual> residuals_;
};

}  // namespace plucker::laws
