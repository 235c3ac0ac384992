#include "plucker/identify/motion_log.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "plucker/algorithms/table.hpp"
#include "plucker/scalar/plain_algebra.hpp"

namespace plucker {
namespace {

using namespace plain;

// y = (b0 + b1 z⁻¹ + b2 z⁻²) / (1 + a1 z⁻¹ + a2 z⁻²) x.
struct SecondOrder {
    double b0, b1, b2, a1, a2;

    // A pair of Butterworth's poles with this quality, by the bilinear transform, prewarped at the cutoff.
    static SecondOrder low_pass(double cutoff, double rate, double quality) {
        const double w = std::tan(std::numbers::pi * cutoff / rate);
        const double scale = 1 / (1 + w / quality + w * w);
        const double b = w * w * scale;
        return {b, 2 * b, b, 2 * (w * w - 1) * scale, (1 - w / quality + w * w) * scale};
    }
    // From rest at the first value on.
    void run(VectorX<double>& x) const {
        double x1 = x[0], x2 = x[0], y1 = x[0], y2 = x[0];
        for (double& sample : x) {
            const double y = b0 * sample + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
            x2 = x1;
            x1 = sample;
            y2 = y1;
            y1 = sample = y;
        }
    }
};

// Continued at both ends by `more` samples, turned about the end: value and slope go on.
VectorX<double> reflected(const VectorX<double>& x, long more) {
    const long n = x.size();
    VectorX<double> out(n + 2 * more);
    std::copy_n(x.data(), n, out.data() + more);
    for (long k = 1; k <= more; ++k) {
        out[more - k] = 2 * x[0] - x[k];
        out[more + n - 1 + k] = 2 * x[n - 1] - x[n - 1 - k];
    }
    return out;
}

std::string named(const Model& model, const char* vector, long column, bool of_q) {
    if (!of_q)
        return std::string(vector) + "." + model.velocity_names()[static_cast<std::size_t>(column)];
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (!body.mimic && column >= body.q_index && column < body.q_index + body.nq)
            return std::string(vector) + " of joint '" + model.joint(i).name + "'";
    }
    return vector;
}

void check_matrix(const Model& model, const MotionLog& log, const char* name,
                  const ResultMatrix<double>& x, long columns, bool may_be_empty) {
    const bool is_q = &x == &log.q;
    if (x.size() == 0 && may_be_empty) return;
    if (x.size() == 0 && columns > 0)
        throw Error::because("the log has no columns for ", name, "; each joint needs one");
    if (x.rows() != log.size() || x.cols() != columns) {
        throw Error::because("the log's ", name, " has shape ", x.rows(), " × ", x.cols(),
                             ", expected ", log.size(), " × ", columns, " (samples × ",
                             is_q ? "nq" : "nv", ")");
    }
    for (long c = 0; c < x.cols(); ++c) {
        for (long r = 0; r < x.rows(); ++r) {
            if (std::isfinite(x(r, c))) continue;
            throw Error::because("the log's ", named(model, name, c, is_q), " is ", x(r, c),
                                 " in sample ", r + 1, " (time ", log.time[r],
                                 "); leave such samples out");
        }
    }
}

// The rows of every `step`-th sample from `first` on.
MatrixX<double> picked(const MatrixX<double>& x, long first, long count, long step) {
    MatrixX<double> out(count, x.cols());
    for (long c = 0; c < x.cols(); ++c) {
        for (long k = 0; k < count; ++k) out(k, c) = x(first + k * step, c);
    }
    return out;
}

// What is filtered or differentiated goes on through any number of turns.
void refuse_wrapped_angles(const Model& model, const MotionLog& log) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic || body.joint != JointType::kRevolute) continue;
        for (long k = 1; k < log.size(); ++k) {
            const double jump = log.q(k, body.q_index) - log.q(k - 1, body.q_index);
            if (std::abs(jump) <= std::numbers::pi) continue;
            throw Error::because("the log's q of joint '", model.joint(i).name, "' jumps by ", jump,
                                 " rad from sample ", k, " to ", k + 1, " (time ", log.time[k],
                                 "), as an angle does that begins anew after a turn; let it go on");
        }
    }
}

// Where coordinates are a vector space they may be filtered; attitudes are left as they are.
MatrixX<double> filtered_q(const Model& model, const MatrixX<double>& q, double cutoff,
                           double rate) {
    MatrixX<double> out = q;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic || body.nq == 0 || !has_coordinate_velocity(body.joint)) continue;
        const MatrixX<double> own = low_pass(columns_of(q, body.q_index, body.nq), cutoff, rate);
        std::copy_n(own.data(), own.size(), out.data() + body.q_index * out.rows());
    }
    return out;
}

// From the sample before to the one after; at the ends one-sided, to be dropped.
MatrixX<double> velocities(const Model& model, const MatrixX<double>& q, double rate) {
    const long n = q.rows();
    MatrixX<double> out(n, model.nv());
    for (long k = 0; k < n; ++k) {
        const long before = std::max(k - 1, 0L), after = std::min(k + 1, n - 1);
        const VectorX<double> step = difference(model, row_of(q, before), row_of(q, after));
        for (int c = 0; c < model.nv(); ++c)
            out(k, c) = rate / static_cast<double>(after - before) * step[c];
    }
    return out;
}
MatrixX<double> rates(const MatrixX<double>& x, double rate) {
    const long n = x.rows();
    MatrixX<double> out(n, x.cols());
    for (long k = 0; k < n; ++k) {
        const long before = std::max(k - 1, 0L), after = std::min(k + 1, n - 1);
        for (long c = 0; c < x.cols(); ++c)
            out(k, c) = rate / static_cast<double>(after - before) * (x(after, c) - x(before, c));
    }
    return out;
}

double median_step(const VectorX<double>& time) {
    VectorX<double> steps(time.size() - 1);
    for (long k = 0; k < steps.size(); ++k) steps[k] = time[k + 1] - time[k];
    double* const middle = steps.data() + steps.size() / 2;
    std::nth_element(steps.data(), middle, steps.data() + steps.size());
    return *middle;
}

}  // namespace

void check_log(const Model& model, const MotionLog& log) {
    if (log.size() < kFewestSamples) {
        throw Error::because("the log has ", log.size(), log.size() == 1 ? " sample" : " samples",
                             "; at least ", kFewestSamples,
                             " are needed, and some seconds of varied motion");
    }
    for (long k = 0; k < log.size(); ++k) {
        if (!std::isfinite(log.time[k]))
            throw Error::because("the log's time is ", log.time[k], " in sample ", k + 1);
    }
    const double step = median_step(log.time);
    for (long k = 1; k < log.size(); ++k) {
        const double taken = log.time[k] - log.time[k - 1];
        if (!(taken > 0)) {
            throw Error::because("the log's time goes from ", log.time[k - 1], " to ", log.time[k],
                                 " in sample ", k + 1, "; it must grow");
        }
        if (std::abs(taken - step) > 0.2 * step) {
            throw Error::because("the log's samples ", k, " and ", k + 1, " are ", taken,
                                 " s apart, most others ", step,
                                 " s; samples must come at equal steps: resample the log");
        }
    }
    check_matrix(model, log, "q", log.q, model.nq(), false);
    check_matrix(model, log, "v", log.v, model.nv(), true);
    check_matrix(model, log, "a", log.a, model.nv(), true);
    check_matrix(model, log, "tau", log.tau, model.nv(), false);
}

ResultMatrix<double> low_pass(const MatrixX<double>& columns, double cutoff, double rate) {
    if (!std::isfinite(rate)) throw Error::because("low_pass: the rate is ", rate, " Hz");
    if (!(cutoff > 0) || !(cutoff < rate / 2)) {
        throw Error::because("low_pass: the cutoff is ", cutoff,
                             " Hz; it must be above 0 and below ", rate / 2,
                             " Hz, half the rate of the samples");
    }
    // Poles at 22.5° and 67.5° from the axis.
    const std::array filters{
        SecondOrder::low_pass(cutoff, rate, 1 / (2 * std::cos(std::numbers::pi / 8))),
        SecondOrder::low_pass(cutoff, rate, 1 / (2 * std::cos(3 * std::numbers::pi / 8)))};
    const long n = columns.rows();
    if (n == 0) return columns;
    const auto more = static_cast<long>(std::min(static_cast<double>(n - 1), 3 * rate / cutoff));
    MatrixX<double> out(n, columns.cols());
    for (long c = 0; c < columns.cols(); ++c) {
        VectorX<double> x = reflected(column_of(columns, c), more);
        for (int direction = 0; direction < 2; ++direction) {
            for (const SecondOrder& filter : filters) filter.run(x);
            std::reverse(x.begin(), x.end());
        }
        std::copy_n(x.data() + more, n, out.data() + c * n);
    }
    return out;
}

double cutoff_for(const MotionLog& log, double wished) {
    constexpr double kDefault = 10;  // Hz
    if (wished > 0) return wished;
    if (log.v.size() > 0 && log.a.size() > 0) return 0;
    return log.size() < kFewestSamples ? kDefault : std::min(kDefault, log.rate() / 4);
}

MotionLog prepare_log(const Model& model, const MotionLog& log, double cutoff) {
    check_log(model, log);
    if (cutoff > 0 || log.v.size() == 0) refuse_wrapped_angles(model, log);
    const double rate = log.rate();
    MotionLog full = log;
    const auto filtered = [&](const ResultMatrix<double>& x) {
        return cutoff > 0 ? low_pass(x, cutoff, rate) : x;
    };
    if (cutoff > 0) full.q = filtered_q(model, log.q, cutoff, rate);
    // Each once. Velocities come from what was measured: attitudes are not filtered.
    if (log.v.size() == 0) full.v = velocities(model, log.q, rate);
    full.v = filtered(full.v);
    if (log.a.size() > 0) {
        full.a = filtered(log.a);
    } else {
        full.a = rates(full.v, rate);
    }
    full.tau = filtered(log.tau);
    // What is left below the cutoff is told by two samples a period.
    const double told = static_cast<double>(log.size());
    const long step =
        cutoff > 0 ? std::max(1L, static_cast<long>(std::min(told, rate / (2 * cutoff)))) : 1;
    const long ends = log.a.size() > 0 ? 0 : 2;
    const long count = (log.size() - 2 * ends + step - 1) / step;
    return {picked(full.time, ends, count, step), picked(full.q, ends, count, step),
            picked(full.v, ends, count, step), picked(full.a, ends, count, step),
            picked(full.tau, ends, count, step)};
}

}  // namespace plucker
