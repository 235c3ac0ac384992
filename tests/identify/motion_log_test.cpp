// Logs: what the filter keeps, what differences find, and what is refused.
#include "plucker/identify/motion_log.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "plucker/plucker.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

// What is computed from positions is filtered, at ten hertz unless another cutoff is wished, or a quarter of the rate where
// the samples are few; what was measured is not.
TEST(PrepareLog, IsFilteredWhereSomethingIsComputed) {
    const MatrixX<double> there = MatrixX<double>::Ones(81, 1);
    for (const bool has_v : {false, true}) {
        for (const bool has_a : {false, true}) {
            MotionLog log{VectorX<double>::LinSpaced(81, 0, 2), there, {}, {}, there};
            if (has_v) log.v = there;
            if (has_a) log.a = there;
            EXPECT_EQ(cutoff_for(log, 0), has_v && has_a ? 0 : 10) << has_v << has_a;
            EXPECT_EQ(cutoff_for(log, 3), 3) << has_v << has_a;
            log.time *= 2;  // at 20 Hz, where 10 Hz is too much for the filter
            EXPECT_EQ(cutoff_for(log, 0), has_v && has_a ? 0 : 5) << has_v << has_a;
        }
    }
}

VectorX<double> wave(double frequency, double rate, long n) {
    return VectorX<double>::NullaryExpr(n, [&](long k) {
        return std::sin(2 * std::numbers::pi * frequency * static_cast<double>(k) / rate);
    });
}

TEST(LowPass, KeepsSlowWavesInPlaceAndStopsFastOnes) {
    const double rate = 200, cutoff = 10;
    const VectorX<double> slow = wave(1, rate, 1000), fast = wave(60, rate, 1000),
                          edge = wave(cutoff, rate, 1000);
    const VectorX<double> kept = low_pass(slow + fast, cutoff, rate);
    // No delay: a wave of 1 Hz stays within a thousandth, away from the ends.
    EXPECT_LE((kept - slow).segment(100, 800).cwiseAbs().maxCoeff(), 1e-3);
    // At the cutoff half is left.
    const VectorX<double> half = low_pass(edge, cutoff, rate);
    EXPECT_NEAR(half.segment(200, 600).cwiseAbs().maxCoeff(), 0.5, 0.01);
    EXPECT_EQ(message([&] { low_pass(slow, 120, INFINITY); }), "low_pass: the rate is inf Hz");
    EXPECT_EQ(message([&] { low_pass(slow, 120, rate); }),
              "low_pass: the cutoff is 120 Hz; it must be above 0 and below 100 Hz, half the rate "
              "of the samples");
    for (const double none : {100.0, 100.0001, 0.0, -1.0, double{NAN}, double{INFINITY}}) {
        EXPECT_NE(message([&] { low_pass(slow, none, rate); }).find("it must be above 0 and below"),
                  std::string::npos)
            << none;
    }
    EXPECT_EQ(message([&] { low_pass(slow, 99.9, rate); }), "no error");
    EXPECT_EQ(low_pass(MatrixX<double>(0, 3), cutoff, rate).rows(), 0);
    // However slow, no more is there to be reflected than the samples are.
    EXPECT_TRUE(low_pass(slow, 1e-30, rate).allFinite());
}

// What goes on as it began is left as it is, up to the first and the last sample.
TEST(LowPass, KeepsStraightLinesToTheirEnds) {
    const VectorX<double> line = VectorX<double>::LinSpaced(400, -3, 5);
    for (const double cutoff : {2.0, 10.0, 40.0}) {
        const VectorX<double> kept = low_pass(line, cutoff, 100);
        EXPECT_LE((kept - line).cwiseAbs().maxCoeff(), 1e-3) << cutoff;
    }
}

MotionLog swinging(const Model& model, long n, double rate) {
    MotionLog log;
    log.time = VectorX<double>::LinSpaced(n, 0, static_cast<double>(n - 1) / rate);
    log.q.resize(n, model.nq());
    for (long c = 0; c < model.nq(); ++c)
        log.q.col(c) = wave(0.5 + 0.1 * static_cast<double>(c), rate, n);
    log.tau = MatrixX<double>::Ones(n, model.nv());
    return log;
}

TEST(PrepareLog, FindsVelocitiesAndAccelerations) {
    const Model model = robots::by_name("arm");
    const MotionLog log = prepare_log(model, swinging(model, 1001, 100), 10);
    ASSERT_EQ(log.v.cols(), 7);
    EXPECT_NEAR(log.rate(), 20, 1e-9);  // two samples a period are enough
    for (long t = log.size() / 4; t < 3 * log.size() / 4; ++t) {
        for (int k = 0; k < 7; ++k) {
            const double w = 2 * std::numbers::pi * (0.5 + 0.1 * k);
            EXPECT_NEAR(log.v(t, k), w * std::cos(w * log.time[t]), 5e-3 * w);
            EXPECT_NEAR(log.a(t, k), -w * w * std::sin(w * log.time[t]), 1e-2 * w * w);
        }
    }
}

// Torques go through the filter that the motion goes through: else they would lag behind or lead it, or bring the noise back.
// So does all that was measured.
TEST(PrepareLog, FiltersAllAlike) {
    const Model model = robots::by_name("double_pendulum");
    MotionLog log = swinging(model, 1001, 100);
    // Ten samples a second are kept, which a wave of 30 Hz would not be seen in.
    const VectorX<double> slow = wave(1, 100, 1001), fast = wave(33, 100, 1001);
    log.tau.col(0) = slow;
    log.tau.col(1) = slow + fast;
    log.q = log.v = log.a = log.tau;
    const MotionLog filtered = prepare_log(model, log, 5);
    for (const auto* all : {&filtered.q, &filtered.v, &filtered.a, &filtered.tau}) {
        const VectorX<double> rest = all->col(1) - all->col(0);
        EXPECT_LE(rest.segment(20, rest.size() - 40).cwiseAbs().maxCoeff(), 1e-3);
        for (long t = 20; t < filtered.size() - 20; ++t) {
            const double phase = 2 * std::numbers::pi * filtered.time[t];
            EXPECT_NEAR((*all)(t, 0), std::sin(phase), 5e-3);
        }
    }
}

// Where accelerations are measured and velocities are not, no sample is dropped: the first and the last count as well.
// A mean of quaternions is none: attitudes stay what they are.
TEST(PrepareLog, DoesNotFilterAttitudes) {
    const Model model = robots::quadruped();
    constexpr long kSamples = 400;
    MotionLog log;
    log.time = VectorX<double>::LinSpaced(kSamples, 0, 1.995);
    log.q = MatrixX<double>(kSamples, model.nq());
    log.v = log.a = log.tau = MatrixX<double>::Zero(kSamples, model.nv());
    for (long k = 0; k < kSamples; ++k) {
        VectorX<double> q = neutral_configuration(model);
        const double angle = 0.3 * std::sin(40 * log.time[k]);
        q.segment(3, 4) << std::sin(angle / 2), 0, 0, std::cos(angle / 2);
        q[8] = angle;
        log.q.row(k) = q.transpose();
    }
    const MotionLog prepared = prepare_log(model, log, 2);
    double joint = 0;
    for (long k = 0; k < prepared.size(); ++k) {
        const double angle = 0.3 * std::sin(40 * prepared.time[k]);
        EXPECT_NEAR(prepared.q(k, 3), std::sin(angle / 2), 1e-12);
        EXPECT_NEAR(prepared.q(k, 6), std::cos(angle / 2), 1e-12);
        joint = std::max(joint, std::abs(prepared.q(k, 8)));
    }
    EXPECT_LT(joint, 0.05) << "a joint's angle is filtered";
}

TEST(PrepareLog, FindsVelocitiesAtBothEnds) {
    const Model model = robots::by_name("double_pendulum");
    MotionLog log;
    log.time = VectorX<double>::LinSpaced(50, 0, 0.49);
    log.q.resize(50, 2);
    log.q.col(0) = 3 * log.time;
    log.q.col(1) = -2 * log.time;
    log.a = log.tau = MatrixX<double>::Zero(50, 2);
    const MotionLog full = prepare_log(model, log, 0);
    ASSERT_EQ(full.size(), 50);
    for (long t = 0; t < 50; ++t) {
        EXPECT_NEAR(full.v(t, 0), 3, 1e-11) << t;
        EXPECT_NEAR(full.v(t, 1), -2, 1e-11) << t;
    }
}

// Attitudes are differentiated along the robot's own coordinates: a steady turn has a constant velocity.
TEST(PrepareLog, DifferentiatesAttitudes) {
    const Model model = robots::by_name("quadruped");
    VectorX<double> turn = VectorX<double>::Zero(model.nv());
    turn.head(6) << 0.3, -0.2, 0.5, 0.1, 0.2, -0.3;
    MotionLog log;
    log.time = VectorX<double>::LinSpaced(100, 0, 0.99);
    log.q.resize(100, model.nq());
    for (long t = 0; t < 100; ++t)
        log.q.row(t) = integrate(model, neutral_configuration(model), (log.time[t] * turn).eval());
    log.tau = MatrixX<double>::Zero(100, model.nv());
    const MotionLog full = prepare_log(model, log, 0);
    EXPECT_EQ(full.size(), 96);
    EXPECT_LE((full.v.rowwise() - turn.transpose()).cwiseAbs().maxCoeff(), 1e-9);
    EXPECT_LE(full.a.cwiseAbs().maxCoeff(), 1e-6);
}

// Between two samples nothing turns by 2π, and the filter would take it for a motion.
TEST(PrepareLog, RefusesAnglesThatBeginAnewAfterATurn) {
    const Model model = robots::by_name("double_pendulum");
    MotionLog log;
    log.time = VectorX<double>::LinSpaced(50, 0, 0.49);
    log.q = MatrixX<double>::Zero(50, 2);
    log.q.col(1) = 20 * log.time;
    log.tau = MatrixX<double>::Zero(50, 2);
    EXPECT_NEAR(prepare_log(model, log, 0).v(20, 1), 20, 1e-10);
    for (double& angle : log.q.col(1)) angle = std::remainder(angle, 2 * std::numbers::pi);
    const std::string why = message([&] { prepare_log(model, log, 0); });
    EXPECT_EQ(why.find("the log's q of joint 'elbow' jumps by -6.08"), 0U) << why;
    EXPECT_NE(why.find(" rad from sample 16 to 17 (time 0.16), as an angle does that begins anew"),
              std::string::npos)
        << why;
    // Where nothing is computed from it, an angle is as good as any other.
    log.v = log.a = MatrixX<double>::Zero(50, 2);
    EXPECT_EQ(message([&] { prepare_log(model, log, 0); }), "no error");
    EXPECT_EQ(message([&] { prepare_log(model, log, 10); }), why);
}

TEST(CheckLog, SaysWhatIsWrong) {
    const Model model = robots::by_name("arm");
    const MotionLog good = swinging(model, 50, 100);
    const auto complaint = [&](auto spoil) {
        MotionLog log = good;
        spoil(log);
        return message([&] { check_log(model, log); });
    };
    EXPECT_EQ(complaint([](MotionLog&) {}), "no error");
    EXPECT_EQ(complaint([](MotionLog& x) {
                  x = {x.time.head(7), x.q.topRows(7), {}, {}, x.tau.topRows(7)};
              }),
              "the log has 7 samples; at least 20 are needed, and some seconds of varied motion");
    EXPECT_EQ(complaint([](MotionLog& x) { x.tau(3, 1) = std::nan(""); }),
              "the log's tau.joint2 is nan in sample 4 (time 0.03); leave such samples out");
    EXPECT_EQ(complaint([](MotionLog& x) { x.q(0, 2) = INFINITY; }),
              "the log's q of joint 'joint3' is inf in sample 1 (time 0); leave such samples out");
    EXPECT_EQ(complaint([](MotionLog& x) { x.tau.resize(0, 0); }),
              "the log has no columns for tau; each joint needs one");
    EXPECT_EQ(complaint([](MotionLog& x) { x.v = x.q.leftCols(3); }),
              "the log's v has shape 50 × 3, expected 50 × 7 (samples × nv)");
    EXPECT_NE(complaint([](MotionLog& x) { x.time[5] = x.time[4]; }).find("it must grow"),
              std::string::npos);
    EXPECT_NE(
        complaint([](MotionLog& x) { x.time.tail(20).array() += 0.5; }).find("resample the log"),
        std::string::npos);
    EXPECT_NE(complaint([](MotionLog& x) {
                  for (long k = 0; k < 50; ++k) x.time[k] += static_cast<double>(k / 3);
              }).find("samples 3 and 4 are 1.01 s apart, most others 0.01 s"),
              std::string::npos);
    // A clock that is a tenth of a step off is as clocks are; three tenths are another step.
    EXPECT_EQ(complaint([](MotionLog& x) { x.time[9] += 0.001; }), "no error");
    EXPECT_NE(complaint([](MotionLog& x) { x.time[9] += 0.003; }).find("resample the log"),
              std::string::npos);
    EXPECT_NE(complaint([](MotionLog& x) { x.time[9] -= 0.003; }).find("resample the log"),
              std::string::npos);
    // One step alone, longer or shorter, after which all is as it was.
    for (const double off : {-0.003, 0.003}) {
        EXPECT_NE(complaint([&](MotionLog& x) {
                      x.time.tail(30).array() += off;
                  }).find("the log's samples 20 and 21 are"),
                  std::string::npos)
            << off;
        EXPECT_EQ(complaint([&](MotionLog& x) { x.time.tail(30).array() += off / 3; }), "no error");
    }
    EXPECT_NE(complaint([](MotionLog& x) { x.time[9] = std::nan(""); }).find("time is nan"),
              std::string::npos);
}

}  // namespace
}  // namespace plucker::test
