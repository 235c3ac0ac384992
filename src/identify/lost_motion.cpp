// The power of an acceleration grows with the cutoff up to that of the motion, and stays there; noise of positions makes it grow
// with the fifth power of the cutoff, and on and on. So what was lost is told from noise by where the power comes to rest.
#include "lost_motion.hpp"

#include <array>
#include <cmath>

#include "plucker/scalar/plain_algebra.hpp"
#include "rounded.hpp"

namespace plucker {
namespace {

using Vector = VectorX<double>;

// The power is at rest where a step of the ladder adds no more than this part, and motion is lost where more than that other
// part is missing below.
constexpr double kAtRest = 1e-3, kLost = 3e-3;

// From this cutoff on, in steps by a half at least, as long as samples tell the frequency.
std::vector<double> ladder(double cutoff, double rate) {
    constexpr std::array kSteps{1.0, 1.5, 2.0, 3.0, 5.0, 7.0};
    std::vector<double> out{cutoff};
    for (double decade = std::pow(10, std::floor(std::log10(cutoff))); decade < rate;
         decade *= 10) {
        for (const double step : kSteps) {
            const double next = decade * step;
            if (next > 1.3 * cutoff && next < rate / 3) out.push_back(next);
        }
    }
    return out;
}

// Where a column's power comes to rest, and which part of it is above the first rung.
struct Rest {
    double cutoff, lost;
};
Rest rest_of(const Vector& a, const std::vector<double>& rungs, double rate) {
    const auto power = [&](double cutoff) {
        const Vector x = plain::column_of(low_pass(a, cutoff, rate), 0);
        return plain::sum_of_products(x, x);
    };
    const double first = power(rungs[0]);
    double below = first;
    for (std::size_t k = 1; k < rungs.size(); ++k) {
        const double above = power(rungs[k]);
        if (!(above > 0)) break;
        if (above - below <= kAtRest * above) return {rungs[k - 1], 1 - first / below};
        below = above;
    }
    return {rungs[0], 0};
}

}  // namespace

std::string remark_on_lost_motion(const Model& model, const MotionLog& log, double cutoff) {
    if (!(cutoff > 0)) return "";
    const double rate = log.rate();
    const std::vector<double> rungs = ladder(cutoff, rate);
    const ResultMatrix<double> a = prepare_log(model, log, 0).a;
    Rest worst{cutoff, 0};
    double enough = cutoff;
    long joint = 0;
    for (long k = 0; k < a.cols(); ++k) {
        const Rest rest = rest_of(plain::column_of(a, k), rungs, rate);
        if (rest.lost <= kLost) continue;
        enough = std::max(enough, rest.cutoff);
        if (rest.lost <= worst.lost) continue;
        worst = rest;
        joint = k;
    }
    if (worst.lost == 0) return "";
    return Error::because("the filter's cutoff of ", cutoff, " Hz takes away ",
                          rounded(100 * worst.lost), " % of the power of the accelerations of '",
                          model.velocity_names()[static_cast<std::size_t>(joint)],
                          "': what is found is biased; a cutoff of ", enough, " Hz (--cutoff ",
                          enough, ") leaves the motion as it is")
        .what();
}

}  // namespace plucker
