#include "plucker/identify/excite.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "plucker/algorithms/table.hpp"
#include "plucker/identify/base_parameters.hpp"
#include "plucker/identify/identify.hpp"
#include "plucker/scalar/decompositions.hpp"
#include "plucker/scalar/plain_algebra.hpp"

namespace plucker {
namespace {

using namespace plain;

using Matrix = MatrixX<double>;
using Vector = VectorX<double>;

constexpr int kJudged = 60;        // samples that a motion is judged by
constexpr double kHeldBack = 0.9;  // of the greatest effort
constexpr double kMostSamples = 1e7;

void check_options(const Model& model, const ExciteOptions& options) {
    const auto expect = [](bool holds, const char* name, double value, const char* what) {
        if (!holds) throw Error::because("excite: ", name, " is ", value, "; it must be ", what);
    };
    expect(options.duration > 0 && std::isfinite(options.duration), "duration", options.duration,
           "positive");
    expect(options.rate > 0 && std::isfinite(options.rate), "rate", options.rate, "positive");
    expect(options.harmonics >= 2, "harmonics", options.harmonics,
           "at least 2, to begin and end at rest");
    expect(options.trials >= 1, "trials", options.trials, "at least 1");
    expect(options.margin >= 0 && options.margin < 0.5, "margin", options.margin,
           "from 0 to below 0.5");
    expect(options.reach > 0 && std::isfinite(options.reach), "reach", options.reach, "positive");
    expect(options.velocity > 0 && std::isfinite(options.velocity), "velocity", options.velocity,
           "positive");
    expect(options.duration * options.rate >= 2.0 * options.harmonics + kFewestSamples, "duration",
           options.duration, "long enough for some samples a period");
    expect(options.duration * options.rate <= kMostSamples, "duration", options.duration,
           "short enough for no more than ten million samples");
    if (model.nv() == 0)
        throw Error::because("excite: robot '", model.name(), "' has no joints that move");
    if (!model.constraints().empty()) {
        throw Error::because("excite: robot '", model.name(), "' has constraint '",
                             model.constraints()[0].name,
                             "', which joints that move by themselves would violate; lock its "
                             "joints");
    }
}

// The range of one coordinate.
struct Range {
    int q, v;  // indices
    double lower, upper, velocity, effort;
};
std::vector<Range> ranges(const Model& model, const ExciteOptions& options) {
    std::vector<Range> out;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic || !has_coordinate_velocity(body.joint)) continue;
        const JointLimits& limits = model.limits_with_followers(i);
        for (int k = 0; k < body.nv; ++k) {
            Range range{body.q_index + k, body.v_index + k, limits.lower,
                        limits.upper,     limits.velocity,  limits.effort};
            if (!std::isfinite(range.lower))
                range.lower =
                    std::isfinite(range.upper) ? range.upper - 2 * options.reach : -options.reach;
            if (!std::isfinite(range.upper)) range.upper = range.lower + 2 * options.reach;
            if (!(range.velocity > 0) || !std::isfinite(range.velocity))
                range.velocity = options.velocity;
            if (!(range.effort > 0)) range.effort = std::numeric_limits<double>::infinity();
            const double margin = options.margin * (range.upper - range.lower);
            range.lower += margin;
            range.upper -= margin;
            out.push_back(range);
        }
    }
    if (out.empty())
        throw Error::because("excite: robot '", model.name(),
                             "' has no joint that could be moved along its coordinates");
    if (std::none_of(out.begin(), out.end(), [](const Range& x) { return x.upper > x.lower; }))
        throw Error::because("excite: the limits of robot '", model.name(),
                             "' leave none of its joints room to move");
    return out;
}

class Excited {
public:
    Excited(const Model& model, const ExciteOptions& options)
        : model_(model),
          options_(options),
          ranges_(ranges(model, options)),
          base_(base_parameters(model)),
          ws_(model),
          Y_(model.nv(), num_dynamic_parameters(model)),
          generator_(options.seed) {
        find_units();
    }

    // One row per joint: a_1 b_1 a_2 b_2 …
    Matrix random_coefficients() {
        std::normal_distribution<double> any;
        Matrix out(static_cast<long>(ranges_.size()), 2 * options_.harmonics);
        std::generate_n(out.data(), out.size(), [&] { return any(generator_); });
        return out;
    }
    Matrix changed(const Matrix& coefficients, double step) {
        return coefficients + step * random_coefficients();
    }

    // The motion at `count` times of equal steps: at rest in the beginning, and within the limits.
    MotionLog motion(const Matrix& coefficients, long count, double step) const {
        const Vector neutral = neutral_configuration(model_);
        MotionLog log{ResultVector<double>(count),
                      filled<double>(count, 1, 1) * transposed(neutral),
                      zeros<double>(count, model_.nv()),
                      zeros<double>(count, model_.nv()),
                      {}};
        for (long t = 0; t < count; ++t) log.time[t] = static_cast<double>(t) * step;
        for (std::size_t k = 0; k < ranges_.size(); ++k) {
            const Vector x = at_rest(row_of(coefficients, static_cast<long>(k)));
            double lowest = 0, highest = 0, fastest = 0;
            const int samples = std::max(400, 20 * options_.harmonics);
            for (int t = 0; t < samples; ++t) {
                const auto [q, v, a] = at(x, options_.duration * t / samples);
                lowest = t == 0 ? q : std::min(lowest, q);
                highest = t == 0 ? q : std::max(highest, q);
                fastest = std::max(fastest, std::abs(v));
            }
            // Between N samples of its period a sum of H harmonics is larger than at them by 1/cos(πH/N) at the most: Ehlich and Zeller,
            // Schwankung von Polynomen zwischen Gitterpunkten, 1964.
            const double between = 1 / std::cos(std::numbers::pi * options_.harmonics / samples);
            const double beyond = (between - 1) / 2 * (highest - lowest);
            lowest -= beyond;
            highest += beyond;
            fastest *= between;
            const Range& range = ranges_[k];
            const double scale = std::min((range.upper - range.lower) / (highest - lowest),
                                          range.velocity / fastest);
            // In the middle of what is left; where there is room, the pattern moves in it with its own first number.
            const double room = (range.upper - range.lower) - scale * (highest - lowest);
            const double place = 0.5 + 0.5 * std::tanh(coefficients(static_cast<long>(k), 0));
            const double shift = range.lower + place * room - scale * lowest;
            for (long t = 0; t < count; ++t) {
                const auto [q, v, a] = at(x, log.time[t]);
                log.q(t, range.q) = shift + scale * q;
                if (is_end(log.time[t])) continue;
                log.v(t, range.v) = scale * v;
                log.a(t, range.v) = scale * a;
            }
        }
        return log;
    }

    // How ill-conditioned the base parameters' regressor is along a motion, and in how many directions it is zero.
    struct Judgement {
        double condition_number = std::numeric_limits<double>::infinity();
        int unseen = 0;

        // What is not seen is worse than what is badly seen.
        double badness() const { return condition_number * (1 + 1e3 * unseen); }
    };
    // Infinitely so where a joint would have to be too strong.
    Judgement judged(const Matrix& coefficients) {
        const MotionLog log = motion(coefficients, kJudged, options_.duration / kJudged);
        const Excess excess = most_effort(predict_torques(model_, log));
        if (excess.share > kHeldBack) {
            keep_least(least_excess_, excess);
            keep_least(least_at_rest_, most_effort(torques_at_rest(log.q)));
            return {};
        }
        Matrix A = zeros<double>(base_.size(), base_.size());
        Matrix Y(model_.nv(), base_.size());
        for (long t = 0; t < log.size(); ++t) {
            regressor_at(row_of(log.q, t), row_of(log.v, t), row_of(log.a, t), Y);
            for (long k = 0; k < Y.rows(); ++k) add_square_below(row_of(Y, k), A);
        }
        // What these motions never show, such as a held base's, is left out.
        const Vector values = eigenvalues_of(A);
        const double most = values[values.size() - 1];
        if (!(most > 0)) return {};
        const auto least =
            std::find_if(values.begin(), values.end(), [&](double x) { return x > 1e-14 * most; });
        return {std::sqrt(most / *least), static_cast<int>(least - values.begin())};
    }

    // Why no motion was weak enough, and what helps: a slower one does not where holding still is too much.
    std::string too_weak() {
        if (least_excess_.range == nullptr) return "";
        const Excess in_the_middle = most_effort(torques_at_rest(middle_of_ranges()));
        if (in_the_middle.share > kHeldBack) {
            return said(in_the_middle, "needs ", " to hold still in the middle of its range",
                        "; give it a greater effort or other limits, or make it fixed");
        }
        if (least_at_rest_.share > kHeldBack) {
            return said(least_at_rest_, "needs ", " to hold still on the way, however slow",
                        "; a greater margin or a smaller reach keeps it nearer to the middle of "
                        "its range");
        }
        return said(least_excess_, "would need ", " at least", "; a longer duration is slower");
    }

private:
    struct Point {
        double q, v, a;
    };
    // The largest share of its effort that a joint has to give, and which joint.
    struct Excess {
        double share = 0, torque = 0;
        const Range* range = nullptr;
    };
    Excess most_effort(const Matrix& tau) const {
        Excess out;
        for (const Range& range : ranges_) {
            for (long t = 0; t < tau.rows(); ++t) {
                const double torque = std::abs(tau(t, range.v)), share = torque / range.effort;
                if (share > out.share) out = {share, torque, &range};
            }
        }
        return out;
    }

    static void keep_least(Excess& least, const Excess& excess) {
        if (least.range == nullptr || excess.share < least.share) least = excess;
    }
    std::string said(const Excess& excess, const char* needs, const char* when,
                     const char* remedy) const {
        const auto& [share, torque, range] = excess;
        return Error::because("; '", model_.velocity_names()[static_cast<std::size_t>(range->v)],
                              "' ", needs, torque, when, ", of its effort of ", range->effort,
                              remedy)
            .what();
    }
    // Of joints which are about to move, in the direction that takes more.
    Matrix torques_at_rest(const Matrix& q) {
        Matrix out(q.rows(), model_.nv());
        Vector gravity(model_.nv());
        for (long t = 0; t < q.rows(); ++t) {
            gravity_torque(ws_, row_of(q, t), gravity);
            for (int k = 0; k < model_.nv(); ++k)
                out(t, k) = std::abs(gravity[k]) + model_.friction()[static_cast<std::size_t>(k)];
        }
        return out;
    }
    Matrix middle_of_ranges() const {
        Vector q = neutral_configuration(model_);
        for (const Range& range : ranges_) q[range.q] = (range.lower + range.upper) / 2;
        return transposed(q);
    }

    // Without Σ a_h, the velocity at the beginning, and Σ h b_h, the acceleration.
    Vector at_rest(Vector x) const {
        double sum_a = 0, sum_b = 0, squares = 0;
        for (int h = 1; h <= options_.harmonics; ++h) {
            sum_a += x[2 * h - 2];
            sum_b += h * x[2 * h - 1];
            squares += h * h;
        }
        for (int h = 1; h <= options_.harmonics; ++h) {
            x[2 * h - 2] -= sum_a / options_.harmonics;
            x[2 * h - 1] -= h * sum_b / squares;
        }
        return x;
    }
    // There a velocity is zero, of which rounding would leave the sign, and with it all of the dry friction.
    bool is_end(double time) const {
        const double rounding = 1e-12 * options_.duration;
        return time == 0 || std::abs(time - options_.duration) < rounding;
    }
    Point at(const Vector& x, double time) const {
        Point out{0, 0, 0};
        for (int h = 1; h <= options_.harmonics; ++h) {
            const double w = 2 * std::numbers::pi * h / options_.duration;
            const double s = std::sin(w * time), c = std::cos(w * time);
            const double a = x[2 * h - 2], b = x[2 * h - 1];
            out.q += (a * s - b * c) / w;
            out.v += a * c + b * s;
            out.a += w * (b * c - a * s);
        }
        return out;
    }

    void regressor_at(const Vector& q, const Vector& v, const Vector& a, Matrix& Y) {
        torque_regressor(ws_, q, v, a, Y_);
        for (int c = 0; c < base_.size(); ++c) {
            const double unit = unit_.size() > 0 ? unit_[c] : 1;
            const int from = base_.columns[static_cast<std::size_t>(c)];
            for (long r = 0; r < Y.rows(); ++r) Y(r, c) = unit * Y_(r, from);
        }
    }
    // What a column is at random states of this speed is one.
    void find_units() {
        std::uniform_real_distribution<double> any(-1, 1);
        Matrix Y(model_.nv(), base_.size());
        Vector squares = zeros<double>(base_.size());
        for (int sample = 0; sample < kJudged; ++sample) {
            Vector q = neutral_configuration(model_), v = zeros<double>(model_.nv()), a = v;
            for (const Range& range : ranges_) {
                q[range.q] = range.lower + (range.upper - range.lower) * (1 + any(generator_)) / 2;
                v[range.v] = range.velocity * any(generator_);
                a[range.v] = 2 * range.velocity * any(generator_);
            }
            regressor_at(q, v, a, Y);
            for (int c = 0; c < base_.size(); ++c) {
                for (long r = 0; r < Y.rows(); ++r) squares[c] += Y(r, c) * Y(r, c);
            }
        }
        for (double& x : squares) x = x > 0 ? 1 / std::sqrt(x) : 1;
        unit_ = squares;
    }

    const Model& model_;
    const ExciteOptions& options_;
    std::vector<Range> ranges_;
    BaseParameters base_;
    Workspace<double> ws_;
    Matrix Y_;
    Vector unit_;
    Excess least_excess_, least_at_rest_;  // of the motions that are too much
    std::mt19937 generator_;
};

}  // namespace

// First at random, then from the best on in steps that become smaller.
Excitation excite(const Model& model, const ExciteOptions& options) {
    check_options(model, options);
    Excited excited(model, options);
    Excitation out;
    Matrix best;
    double least = std::numeric_limits<double>::infinity();
    for (int trial = 0; trial < options.trials; ++trial) {
        if (options.between) options.between();
        const bool at_random = best.size() == 0 || trial < options.trials / 4;
        const double done = static_cast<double>(trial) / options.trials;
        const Matrix tried = at_random ? excited.random_coefficients()
                                       : excited.changed(best, 0.5 * (1 - done) + 0.02);
        const auto judged = excited.judged(tried);
        if (trial == 0) out.first_condition_number = judged.condition_number;
        if (judged.badness() < least) {
            least = judged.badness();
            best = tried;
            out.condition_number = judged.condition_number;
            out.num_unseen = judged.unseen;
        }
    }
    if (best.size() == 0) {
        throw Error::because("excite: none of ", options.trials,
                             " motions stays below nine tenths of the joints' efforts",
                             excited.too_weak());
    }
    const auto count = static_cast<long>(std::ceil(options.duration * options.rate)) + 1;
    out.log = excited.motion(best, count, 1 / options.rate);
    out.log.tau = predict_torques(model, out.log);
    return out;
}

}  // namespace plucker
