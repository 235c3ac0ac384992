// Parameters from simulated logs: a robot whose file has wrong masses, with friction, noise and a load.
#include "plucker/identify/identify.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>

#include "identify/measured.hpp"
#include "plucker/identify/base_parameters.hpp"
#include "plucker/identify/excite.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"
#include "pseudo_inertia.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

// The robot as it is, where its file is off: masses by 20 %, centres by 2 cm; and friction that the file does not know.
Model real_robot(const Model& file, std::mt19937& generator) {
    std::normal_distribution<double> any;
    Description d = file.description();
    for (LinkDescription& link : d.links) {
        const double scale = std::exp(0.2 * any(generator));
        link.mass.mass *= scale;
        link.mass.about_center = scale * link.mass.about_center;
        const Vec3<double> shift{any(generator), any(generator), any(generator)};
        link.mass.center = link.mass.center + 0.02 * shift;
    }
    for (JointDescription& joint : d.joints) {
        joint.damping = 0.3;
        joint.friction = 0.8;
    }
    return Model(d);
}

const Model& arm() {
    static const Model kArm = robots::by_name("arm");
    return kArm;
}
const MotionLog& motion() {
    static const MotionLog kMotion = excite(arm(), {.duration = 10, .trials = 60}).log;
    return kMotion;
}
const MotionLog& second_motion() {
    static const MotionLog kMotion = excite(arm(), {.duration = 6, .trials = 5, .seed = 99}).log;
    return kMotion;
}

// How many of the found numbers are within so many deviations of the true ones, of those that were sought.
double part_within(const std::vector<IdentifiedParameter>& found, const VectorX<double>& truth,
                   double deviations) {
    int inside = 0, all = 0;
    for (std::size_t k = 0; k < found.size(); ++k) {
        if (found[k].prior == 0) continue;
        ++all;
        if (std::abs(found[k].value - truth[static_cast<long>(k)]) <=
            deviations * found[k].deviation)
            ++inside;
    }
    EXPECT_GT(all, 20);
    return static_cast<double>(inside) / all;
}

void expect_bodies(const Model& model) {
    const VectorX<double> pi = dynamic_parameters(model);
    for (int k = 0; k < num_inertial_parameters(model); k += kLinkParameters) {
        const Matrix4 P = pseudo_inertia(pi.segment<10>(k));
        EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix4>(P).eigenvalues()[0], 0)
            << "link " << k / kLinkParameters;
    }
    EXPECT_GE(pi.tail(3 * model.nv()).minCoeff(), 0);
}

TEST(Identify, FindsTheParametersWithinTheirIntervals) {
    for (const unsigned seed : {1U, 2U, 3U}) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 generator(seed);
        const Model real = real_robot(arm(), generator);
        const Identified found = identify(arm(), measured(real, motion(), 0.02, generator));
        const VectorX<double> truth = dynamic_parameters(real);
        EXPECT_GE(part_within(found.parameters, truth, 3), 0.95);
        const VectorX<double> combined = base_parameters(arm()).combination * truth;
        EXPECT_GE(part_within(found.combinations, combined, 3), 0.97);
        // Deviations are not generous either: of a normal distribution, a third is beyond one.
        EXPECT_LE(part_within(found.combinations, combined, 1), 0.9);
        expect_bodies(found.model);
        EXPECT_GE(found.num_told, 40);
        EXPECT_LT(found.condition_number, 100);
    }
}

TEST(Identify, PredictsASecondMotionManyTimesBetter) {
    std::mt19937 generator(5);
    const Model real = with_payload(real_robot(arm(), generator), "link7",
                                    MassProperties::box(1.2, {0.1, 0.1, 0.1}, {0, 0, 0.1}));
    const Identified found = identify(arm(), measured(real, motion(), 0.05, generator));
    const MatrixX<double> torques = predict_torques(real, second_motion());
    const VectorX<double> before =
        root_mean_squares(torques - predict_torques(arm(), second_motion()));
    const VectorX<double> after =
        root_mean_squares(torques - predict_torques(found.model, second_motion()));
    for (int k = 0; k < arm().nv(); ++k) {
        EXPECT_LT(5 * after[k], before[k]) << k;
    }
    expect_bodies(found.model);
}

// From positions alone, with an encoder's noise.
TEST(Identify, DifferentiatesPositions) {
    std::mt19937 generator(6);
    std::normal_distribution<double> any;
    const Model real = real_robot(arm(), generator);
    MotionLog log = measured(real, motion(), 0.02, generator);
    log.q = log.q.unaryExpr([&](double x) { return x + 1e-5 * any(generator); });
    log.v.resize(0, 0);
    log.a.resize(0, 0);
    const Identified found = identify(arm(), log);
    EXPECT_LT(found.log.size(), log.size() / 3);
    const MatrixX<double> torques = predict_torques(real, second_motion());
    const double before = (torques - predict_torques(arm(), second_motion())).norm();
    EXPECT_LT(8 * (torques - predict_torques(found.model, second_motion())).norm(), before);
}

// Only the load is not known: a first guess of half its weight, at the wrong place.
TEST(Identify, FindsALoadAlone) {
    std::mt19937 generator(7);
    const auto carrying = [&](const MassProperties& load) {
        return with_payload(arm(), "link7", load);
    };
    const MassProperties load = MassProperties::box(2, {0.1, 0.08, 0.12}, {0.02, -0.03, 0.1});
    const Model real = carrying(load), guess = carrying(MassProperties::sphere(1, 0.05));
    const Identified found = identify(guess, measured(real, motion(), 0.02, generator),
                                      {.prior = 1, .friction = false, .links = {"payload"}});
    const auto& payload = found.model.description().links.back();
    ASSERT_EQ(payload.name, "payload");
    EXPECT_NEAR(payload.mass.mass, 2, 0.02);
    EXPECT_NEAR(payload.mass.center.x, 0.02, 0.002);
    EXPECT_NEAR(payload.mass.center.y, -0.03, 0.002);
    EXPECT_NEAR(payload.mass.center.z, 0.1, 0.002);
    // All else stays, to the last bit.
    const VectorX<double> before = dynamic_parameters(guess),
                          after = dynamic_parameters(found.model);
    EXPECT_EQ(before.head(70), after.head(70));
    EXPECT_EQ(before.tail(21), after.tail(21));
}

// Waves of all coordinates, as fast as each other; a floating base stays where it is.
MotionLog waves(const Model& model, int samples = 80) {
    const int n = model.nv(), base = model.has_floating_base() ? 6 : 0;
    const VectorX<double> start = neutral_configuration(model);
    MotionLog log{VectorX<double>::LinSpaced(samples, 0, 4),
                  MatrixX<double>(samples, model.nq()),
                  MatrixX<double>::Zero(samples, n),
                  MatrixX<double>::Zero(samples, n),
                  {}};
    for (int t = 0; t < samples; ++t) {
        VectorX<double> step = VectorX<double>::Zero(n);
        for (int k = base; k < n; ++k) {
            const double w = 2 + k, phase = w * log.time[t] + k;
            step[k] = std::sin(phase);
            log.v(t, k) = w * std::cos(phase);
            log.a(t, k) = -w * w * std::sin(phase);
        }
        log.q.row(t) = integrate(model, start, step).transpose();
    }
    log.tau = predict_torques(model, log);
    return log;
}

// What the option says is how far a body's numbers may be off all together. Of its mass alone, whatever its shape, that is
// twice as much.
TEST(Identify, KnowsMassesBeforehandUpToThePrior) {
    const Model model = robots::double_pendulum();
    for (const double prior : {0.1, 0.3, 0.6}) {
        const Identified found = identify(model, waves(model), {.prior = prior, .friction = false});
        for (const IdentifiedParameter& x : found.parameters) {
            if (!x.name.ends_with(".m")) continue;
            EXPECT_NEAR(x.prior, 2 * prior * x.before, 1e-3 * x.before) << x.name << ", " << prior;
        }
    }
}

// A robot may be far from its file, where that is not taken for sure: the search has a long way to go, and some steps back.
TEST(Identify, FindsARobotFarFromItsFile) {
    for (const double times : {0.02, 0.2, 3.0, 5.0}) {
        std::mt19937 generator(6);
        MotionLog log = measured(arm(), motion(), 0, generator);
        log.tau *= times;
        for (const IdentifiedJoint& joint : identify(arm(), log, {.prior = 10}).joints)
            EXPECT_LE(joint.after, 1e-6 * joint.torque) << joint.name << ", times " << times;
    }
}

// Rotors are sought where the file has some, or everywhere if that is asked for.
TEST(Identify, SeeksRotorsWhereTheFileHasSome) {
    std::mt19937 generator(12);
    Description file = arm().description(), real = file;
    for (std::size_t k = 0; k < file.joints.size(); ++k) {
        real.joints[k].armature = 2.0;
        if (k % 2 == 0) file.joints[k].armature = 1.0;
    }
    const MotionLog log = measured(Model(real), motion(), 0.001, generator);
    for (const bool everywhere : {false, true}) {
        const Identified found = identify(Model(file), log, {.rotors = everywhere});
        int sought = 0;
        for (const IdentifiedParameter& x : found.parameters) {
            if (!x.name.ends_with(".armature")) continue;
            const bool is_sought = everywhere || x.before > 0;
            EXPECT_EQ(x.prior > 0, is_sought) << x.name;
            if (is_sought && everywhere) EXPECT_NEAR(x.value, 2, 0.5) << x.name;
            if (is_sought) EXPECT_NE(x.value, x.before) << x.name;
            if (!is_sought) EXPECT_EQ(x.value, x.before) << x.name;
            sought += is_sought ? 1 : 0;
        }
        EXPECT_EQ(sought, everywhere ? 7 : 4);
    }
}

// The rotors of a joint with several freedoms are one unknown: that they are equal is known, not found.
TEST(Identify, SeeksOneRotorOfABallJoint) {
    const Model model =
        Builder("lamp")
            .link("world")
            .body("world", spherical("ball"), "shade", MassProperties::box(1.3, {0.3, 0.4, 0.5}))
            .build();
    std::mt19937 generator(5);
    MotionLog log;
    constexpr long kSamples = 200;
    log.time = VectorX<double>::LinSpaced(kSamples, 0, 4);
    log.q = MatrixX<double>(kSamples, model.nq());
    log.v = log.a = MatrixX<double>(kSamples, model.nv());
    for (long t = 0; t < kSamples; ++t) {
        const auto s = laws::random_state(model, generator);
        log.q.row(t) = s.q;
        log.v.row(t) = s.v;
        log.a.row(t) = s.a;
    }
    log.tau = predict_torques(model, log);
    const Identified found = identify(model, log, {.rotors = true});
    int sought = 0, tied = 0;
    for (const IdentifiedParameter& x : found.combinations) {
        const bool is_tied = x.name.starts_with("ball.angular.y.armature") ||
                             x.name.starts_with("ball.angular.z.armature");
        EXPECT_EQ(x.prior > 0, !is_tied) << x.name << " " << x.prior;
        tied += is_tied ? 1 : 0;
        sought += x.prior > 0 ? 1 : 0;
    }
    EXPECT_EQ(tied, 2);
    EXPECT_EQ(found.num_told, sought);
}

// Nothing holds a floating base: it has neither rotors nor friction to be found.
TEST(Identify, SeeksNoFrictionOfAFloatingBase) {
    const Model model = Builder("satellite")
                            .base(plucker::Base::kFloating)
                            .link("hull", MassProperties::box(5, {0.3, 0.4, 0.5}))
                            .body("hull", revolute("wheel", {0, 0, 1}), "disk",
                                  MassProperties::cylinder(1, 0.1, 0.02))
                            .build();
    MotionLog log = waves(model);
    log.v.leftCols(6).setConstant(0.1);  // as a gyroscope that is off
    const Identified found = identify(model, log, {.rotors = true});
    for (const IdentifiedParameter& x : found.parameters) {
        if (x.name.starts_with("base.")) {
            EXPECT_EQ(x.prior, 0) << x.name;
        }
    }
}

// With few data of much noise plain least squares finds negative masses; here the file's numbers hold.
TEST(Identify, FindsBodiesHoweverPoorTheData) {
    std::mt19937 generator(8);
    const Model real = real_robot(arm(), generator);
    MotionLog log = measured(real, motion(), 0.5, generator);
    const auto rows = Eigen::seqN(0, 40);
    log = {log.time(rows), log.q(rows, Eigen::all), log.v(rows, Eigen::all),
           log.a(rows, Eigen::all), log.tau(rows, Eigen::all)};
    const Identified found = identify(arm(), log, {.rotors = true});
    expect_bodies(found.model);
    for (const IdentifiedParameter& x : found.parameters) {
        if (x.name.ends_with(".m")) {
            EXPECT_GT(x.value, 0.2 * x.before) << x.name;
            EXPECT_LT(x.value, 3 * x.before) << x.name;
        }
    }
}

TEST(Identify, TellsWhatTheDataDoNot) {
    std::mt19937 generator(9);
    MotionLog still = motion();
    // The last joint is held: what it alone shows stays as it was.
    still.q.col(6).setConstant(0.3);
    still.v.col(6).setZero();
    still.a.col(6).setZero();
    const Identified found = identify(arm(), measured(arm(), still, 0.02, generator));
    EXPECT_NE(std::find(found.remarks.begin(), found.remarks.end(), "'joint7' hardly moves"),
              found.remarks.end());
    const auto told = [&](const std::string& name) {
        for (const IdentifiedParameter& x : found.combinations) {
            if (x.name == name) return x.is_told_by_data();
        }
        ADD_FAILURE() << name;
        return false;
    };
    EXPECT_FALSE(told("joint7.friction"));
    EXPECT_FALSE(told("joint7.damping"));
    EXPECT_TRUE(told("joint6.damping"));
    EXPECT_TRUE(std::isinf(found.condition_number) || found.condition_number > 1e4);
}

// A joint hardly moves if it is a thousand times slower than the fastest.
TEST(Identify, SaysWhichJointsHardlyMove) {
    std::mt19937 generator(10);
    const MotionLog usual = motion();
    const double fastest = root_mean_squares(usual.v).maxCoeff(),
                 own = root_mean_squares(usual.v)[6];
    for (const double slower : {5e-4, 2e-3}) {
        const double factor = slower * fastest / own;
        MotionLog slow = usual;
        slow.q.col(6) *= factor;
        slow.v.col(6) *= factor;
        slow.a.col(6) *= factor;
        const Identified found = identify(arm(), measured(arm(), slow, 0.02, generator));
        EXPECT_EQ(std::count(found.remarks.begin(), found.remarks.end(), "'joint7' hardly moves"),
                  slower < 1e-3 ? 1 : 0)
            << slower;
    }
}

// A log whose torques have the other sign is that of no robot.
// A link that has no extent in the file, in one direction, in two or at all, is found as any other.
TEST(Identify, FindsLinksWithoutExtent) {
    for (const SymMat3<double>& about_center :
         {SymMat3<double>::diagonal(0.01, 0.02, 0.03), SymMat3<double>::diagonal(0, 0.02, 0.02),
          SymMat3<double>{}, point_inertia<double>({0.1, 0.05, -0.1})}) {
        const auto robot = [&](double mass) {
            return Builder("r")
                .link("ground")
                .body("ground", revolute("hinge", {0, 1, 0}), "arm",
                      MassProperties{mass, {0.3, 0, 0}, mass * about_center})
                .build();
        };
        MotionLog log = excite(robot(1), {.duration = 5, .rate = 50, .trials = 3}).log;
        log.tau = predict_torques(robot(1.5), log);
        const Identified found = identify(robot(1), log, {.friction = false});
        const MassProperties arm = found.model.description().links[1].mass;
        EXPECT_NEAR(arm.mass * arm.center.x, 1.5 * 0.3, 1e-3);
    }
}

TEST(Identify, SaysWhatNoRobotExplains) {
    std::mt19937 generator(9);
    MotionLog log = measured(arm(), motion(), 0.02, generator);
    const auto remarks = [&] { return identify(arm(), log).remarks.size(); };
    EXPECT_EQ(remarks(), 0U);
    log.tau *= -1;
    EXPECT_GE(remarks(), 2U);
}

// A pendulum that is driven at several frequencies, from positions alone; with noise of the encoder.
MotionLog driven(const Model& model, double frequency, double rate, double noise = 0) {
    std::mt19937 generator(3);
    std::normal_distribution<double> any;
    const auto samples = static_cast<long>(8 * rate);
    MotionLog log{VectorX<double>::LinSpaced(samples, 0, static_cast<double>(samples - 1) / rate),
                  MatrixX<double>(samples, 1),
                  MatrixX<double>(samples, 1),
                  MatrixX<double>(samples, 1),
                  {}};
    for (long t = 0; t < samples; ++t) {
        log.q(t, 0) = log.v(t, 0) = log.a(t, 0) = 0;
        for (const auto& [times, size] : {std::pair(0.13, 0.8), {0.37, 0.3}, {1.0, 0.05}}) {
            const double w = 2 * 3.14159265358979 * times * frequency, phase = w * log.time[t];
            log.q(t, 0) += size * std::sin(phase);
            log.v(t, 0) += size * w * std::cos(phase);
            log.a(t, 0) -= size * w * w * std::sin(phase);
        }
    }
    log.tau = predict_torques(model, log);
    for (double& x : log.q.col(0)) x += noise * any(generator);
    log.v.resize(0, 0);
    log.a.resize(0, 0);
    return log;
}

// A filter that takes away motion leaves torques that nothing explains: that is said, and which cutoff does not.
TEST(Identify, SaysWhereTheFilterTakesAwayMotion) {
    const Model model = robots::by_name("pendulum");
    const auto remark = [&](const MotionLog& log, double cutoff = 0) {
        std::string out;
        for (const std::string& each : identify(model, log, {.cutoff = cutoff}).remarks) {
            EXPECT_EQ(each.find("no masses and friction"), std::string::npos) << each;
            if (each.starts_with("the filter's cutoff")) out += each;
        }
        return out;
    };
    for (const double noise : {0.0, 1e-5}) {
        EXPECT_EQ(remark(driven(model, 1, 1000, noise)), "") << noise;
        EXPECT_EQ(remark(driven(model, 4, 200, noise)), "") << noise;
        for (const double frequency : {12.0, 20.0, 40.0}) {
            const MotionLog log = driven(model, frequency, 1000, noise);
            const std::string why = remark(log);
            EXPECT_EQ(why.find("the filter's cutoff of 10 Hz takes away "), 0U) << frequency;
            EXPECT_NE(why.find(" % of the power of the accelerations of 'hinge'"),
                      std::string::npos)
                << why;
            // What is said to help helps.
            const std::size_t at = why.find("a cutoff of ");
            ASSERT_NE(at, std::string::npos) << why;
            const double cutoff = std::stod(why.substr(at + 12));
            EXPECT_GT(cutoff, frequency);
            EXPECT_EQ(remark(log, cutoff), "") << cutoff;
            const IdentifiedJoint told = identify(model, log, {.cutoff = cutoff}).joints[0];
            EXPECT_LE(told.after, 0.05 * told.torque) << frequency;
        }
    }
}
// Noise of positions is what the filter is there for, however much of the accelerations it makes.
TEST(Identify, SaysNothingWhereTheFilterTakesAwayNoise) {
    const Model model = robots::by_name("pendulum");
    for (const double rate : {50.0, 200.0, 1000.0}) {
        for (const double noise : {1e-4, 1e-3, 1e-2}) {
            for (const std::string& each : identify(model, driven(model, 1, rate, noise)).remarks)
                EXPECT_FALSE(each.starts_with("the filter's")) << each << " " << rate;
        }
    }
}

TEST(Identify, RefusesWhatIsNoMeasurement) {
    std::mt19937 generator(4);
    const MotionLog good = measured(arm(), motion(), 0.02, generator);
    const auto complaint = [&](auto spoil, const IdentifyOptions& options = {}) {
        MotionLog log = good;
        spoil(log);
        return message([&] { identify(arm(), log, options); });
    };
    const auto as_it_is = [](MotionLog&) {};
    EXPECT_NE(complaint([](MotionLog& x) {
                  x.q.rowwise() = x.q.row(0).eval();
                  x.v.setZero();
                  x.a.setZero();
              }).find("nothing moves"),
              std::string::npos);
    EXPECT_NE(complaint([](MotionLog& x) { x.tau.setZero(); }).find("torques are all zero"),
              std::string::npos);
    EXPECT_NE(complaint([](MotionLog& x) { x.a(5, 3) = NAN; }).find("a.joint4 is nan in sample 6"),
              std::string::npos);
    EXPECT_NE(complaint(as_it_is, {.prior = 0}).find("prior is 0"), std::string::npos);
    EXPECT_NE(complaint(as_it_is, {.cutoff = -1}).find("cutoff is -1 Hz"), std::string::npos);
    EXPECT_NE(complaint(as_it_is, {.cutoff = 80}).find("below 50 Hz"), std::string::npos);
    EXPECT_NE(complaint(as_it_is, {.links = {"link8"}}).find("closest: 'link1'"),
              std::string::npos);
    EXPECT_NE(
        complaint(as_it_is, {.links = {"pedestal"}}).find("unknown link that moves 'pedestal'"),
        std::string::npos);
    const Model weightless = with_mass(arm(), "link7", MassProperties{});
    EXPECT_NE(message([&] {
                  identify(weightless, good, {.links = {"link7"}});
              }).find("link 'link7' has no mass in the file; give it a first guess"),
              std::string::npos);
    EXPECT_NE(complaint([](MotionLog& x) { x.tau *= 1e200; }).find("too large"), std::string::npos);
}

// Of the robot whose tool a rod holds, the torques say nothing by themselves.
TEST(Identify, RefusesConstraintsWhoseForceNobodyKnows) {
    Description tied = arm().description();
    tied.constraints.push_back(rod("stay", "link7", "world", 0.5));
    const Model model{std::move(tied)};
    EXPECT_EQ(message([&] { identify(model, motion()); }),
              "identify: robot 'arm' has constraint 'stay', whose force is not known; leave it out "
              "of the model, and log motions in which it does nothing, or lock its joints");
    EXPECT_EQ(message([&] { excite(model); }),
              "excite: robot 'arm' has constraint 'stay', which joints that move by themselves "
              "would violate; lock its joints");
}

TEST(Excite, StaysWithinLimitsAndAtRestAtBothEnds) {
    Description d = arm().description();
    d.joints[1].limits = {-0.2, 0.9, 0.7, 1000};
    const Model model(d);
    const Excitation found =
        excite(model, {.duration = 5, .rate = 50, .trials = 40, .margin = 0.05});
    EXPECT_EQ(found.log.size(), 251);
    EXPECT_LE(found.condition_number, found.first_condition_number);
    const int k = model.v_index(d.joints[1].name);
    EXPECT_GE(found.log.q.col(k).minCoeff(), -0.2 + 0.05 * 1.1 - 1e-3);
    EXPECT_LE(found.log.q.col(k).maxCoeff(), 0.9 - 0.05 * 1.1 + 1e-3);
    EXPECT_LE(found.log.v.col(k).cwiseAbs().maxCoeff(), 0.7 + 1e-3);
    // Where the range, not the speed, is what holds it back, it goes up to both margins and no further.
    d.joints[1].limits = {-0.2, 0.3, 100, 1e6};
    const MatrixX<double> narrow =
        excite(Model(d), {.duration = 5, .rate = 50, .trials = 5, .margin = 0.05}).log.q;
    EXPECT_NEAR(narrow.col(k).minCoeff(), -0.2 + 0.05 * 0.5, 2e-3);
    EXPECT_NEAR(narrow.col(k).maxCoeff(), 0.3 - 0.05 * 0.5, 2e-3);
    // Exactly at rest: the sign of a velocity, however small, is all that dry friction asks for.
    for (const long end : {0L, 250L}) {
        EXPECT_EQ(found.log.v.row(end).cwiseAbs().maxCoeff(), 0);
        EXPECT_EQ(found.log.a.row(end).cwiseAbs().maxCoeff(), 0);
    }
    // It is one motion: velocities are rates, accelerations too.
    const MotionLog positions{found.log.time, found.log.q, {}, {}, found.log.tau};
    const MotionLog rates = prepare_log(model, positions, 0);
    EXPECT_LE((rates.v - found.log.v.middleRows(2, 247)).cwiseAbs().maxCoeff(), 0.02);
    EXPECT_LE((rates.a - found.log.a.middleRows(2, 247)).cwiseAbs().maxCoeff(), 0.1);
}

// However many harmonics it has, and wherever between two samples it is fastest.
TEST(Excite, StaysWithinLimitsAtEveryMoment) {
    Description d = arm().description();
    for (JointDescription& joint : d.joints) joint.limits = {-0.5, 0.5, 1, 1e9};
    const Model model(d);
    for (const int harmonics : {2, 5, 20, 100}) {
        for (const double slow : {1.0, 100.0}) {  // where the speed limits, or the range
            const MotionLog log = excite(model, {.duration = 10 * slow,
                                                 .rate = 1000 / slow,
                                                 .harmonics = harmonics,
                                                 .trials = 1,
                                                 .margin = 0})
                                      .log;
            const double most = log.q.cwiseAbs().maxCoeff(), fastest = log.v.cwiseAbs().maxCoeff();
            EXPECT_LE(most, 0.5 * (1 + 1e-12)) << harmonics;
            EXPECT_LE(fastest, 1 + 1e-12) << harmonics;
            EXPECT_GE(std::max(most / 0.5, fastest), 0.98) << harmonics;
        }
    }
}

TEST(Excite, KeepsToTheEffortsOrSaysThatItCannot) {
    Description d = arm().description();
    for (JointDescription& joint : d.joints) joint.limits.effort = 0.001;
    const std::string why = message([&] { excite(Model(d), {.trials = 5}); });
    EXPECT_EQ(
        why.find(
            "excite: none of 5 motions stays below nine tenths of the joints' efforts; 'joint"),
        0U)
        << why;
    EXPECT_NE(why.find(" to hold still in the middle of its range, of its effort of 0.001; give it "
                       "a greater effort or other limits, or make it fixed"),
              std::string::npos)
        << why;
    // An effort that the best motion needs more than: another is found, which does not. Without gravity a motion can be gentle.
    const Model light = with_gravity(arm(), {0, 0, 0});
    const ExciteOptions options{.duration = 4, .rate = 50, .trials = 40};
    const MatrixX<double> strong = excite(light, options).log.tau;
    for (const std::string name : {"joint1", "joint4", "joint6"}) {
        const int k = arm().v_index(name);
        Description weak = light.description();
        for (JointDescription& joint : weak.joints) {
            if (joint.name == name)
                joint.limits.effort = 0.97 * strong.col(k).cwiseAbs().maxCoeff();
        }
        const MatrixX<double> tau = excite(Model(weak), options).log.tau;
        EXPECT_LE(tau.col(k).cwiseAbs().maxCoeff(), 0.97 * strong.col(k).cwiseAbs().maxCoeff());
    }
    EXPECT_NE(message([&] { excite(arm(), {.duration = -1}); }).find("duration is -1"),
              std::string::npos);
    EXPECT_NE(message([&] { excite(arm(), {.harmonics = 1}); }).find("harmonics is 1"),
              std::string::npos);
}

// Of a joint with a limit on one side alone the range begins there, and is as wide as that of one without limits.
TEST(Excite, ReachesAsFarFromALimitAsWithoutAny) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    for (const auto& [lower, upper, from, to] : {std::tuple(-kNone, kNone, -0.4, 0.4),
                                                 {0.5, kNone, 0.5, 1.3},
                                                 {-kNone, -0.5, -1.3, -0.5},
                                                 {0.1, 0.3, 0.1, 0.3}}) {
        const Model model =
            Builder("r")
                .link("ground")
                .body("ground", revolute("hinge", {0, 1, 0}).with_limits({lower, upper, 100, 1e6}),
                      "arm", MassProperties::sphere(1, 0.1, {0.3, 0, 0}))
                .build();
        const MatrixX<double> q =
            excite(model, {.duration = 5, .rate = 50, .trials = 3, .margin = 0, .reach = 0.4})
                .log.q;
        EXPECT_NEAR(q.minCoeff(), from, 2e-3) << lower << " " << upper;
        EXPECT_NEAR(q.maxCoeff(), to, 2e-3) << lower << " " << upper;
    }
}

// What mimics a joint keeps its own limits, whichever way it goes and however fast.
TEST(Excite, KeepsFollowersWithinTheirLimits) {
    for (const auto& [multiplier, offset] :
         {std::pair(-2.0, 0.3), {2.0, 0.3}, {0.5, -0.4}, {-0.7, 0.0}}) {
        const MassProperties mass = MassProperties::sphere(1, 0.1, {0.3, 0, 0});
        const Model model =
            Builder("hand")
                .link("palm")
                .body("palm", revolute("a", {0, 1, 0}).with_limits({-1, 1, 1, 1e6}), "one", mass)
                .body("one",
                      revolute("b", {0, 1, 0})
                          .with_limits({-0.6, 0.6, 0.4, 1e-6})
                          .mimicking("a", multiplier, offset),
                      "two", mass)
                .build();
        const MotionLog log =
            excite(model, {.duration = 5, .rate = 50, .trials = 5, .margin = 0}).log;
        const VectorX<double> q_b = (multiplier * log.q.col(0)).array() + offset;
        EXPECT_GE(q_b.minCoeff(), -0.6 - 1e-3) << multiplier;
        EXPECT_LE(q_b.maxCoeff(), 0.6 + 1e-3) << multiplier;
        EXPECT_LE(std::abs(multiplier) * log.v.cwiseAbs().maxCoeff(), 0.4 + 1e-3) << multiplier;
        EXPECT_LE(log.q.cwiseAbs().maxCoeff(), 1 + 1e-3) << multiplier;
    }
}

// A weight on a beam of a metre, level in the middle of its range or where it ends: gravity does not become less with time.
TEST(Excite, SaysWhichRemedyHelpsAgainstTooLittleEffort) {
    const auto why = [](double middle, double reach, double effort, double duration = 5) {
        const JointLimits limits{middle - reach, middle + reach, 100, effort};
        const Model model =
            Builder("beam")
                .link("ground")
                .body("ground",
                      revolute("hinge", {0, 1, 0}).with_limits(limits).with_friction(0.19), "beam",
                      MassProperties::sphere(1, 0.1, {1, 0, 0}))
                .build();
        return message(
            [&] { excite(model, {.duration = duration, .rate = 50, .trials = 5, .margin = 0}); });
    };
    const std::string none =
        "excite: none of 5 motions stays below nine tenths of the joints' efforts; 'hinge' ";
    for (const double duration : {5.0, 100.0}) {
        EXPECT_EQ(why(0, 0.5, 5, duration),
                  none +
                      "needs 10 to hold still in the middle of its range, of its effort of 5; "
                      "give it a greater effort or other limits, or make it fixed");
    }
    const std::string on_the_way = why(1.5708, 1.5, 5);
    EXPECT_EQ(on_the_way.find(none + "needs "), 0U) << on_the_way;
    EXPECT_NE(on_the_way.find(" to hold still on the way, however slow, of its effort of 5; a "
                              "greater margin or a smaller reach keeps it nearer to the middle of "
                              "its range"),
              std::string::npos)
        << on_the_way;
    const std::string fast = why(1.5708, 0.2, 3, 1);
    EXPECT_EQ(fast.find(none + "would need "), 0U) << fast;
    EXPECT_NE(fast.find(" at least, of its effort of 3; a longer duration is slower"),
              std::string::npos)
        << fast;
    // What is said to help helps.
    EXPECT_EQ(why(0, 0.5, 40), "no error");
    EXPECT_EQ(why(1.5708, 0.2, 3, 20), "no error");
}

TEST(Excite, SaysWhatIsWrong) {
    const auto refuses = [](double ExciteOptions::*option, double value) {
        ExciteOptions options;
        options.*option = value;
        options.trials = 1;
        return message([&] { excite(robots::pendulum(), options); }).find("; it must be") !=
               std::string::npos;
    };
    for (const auto option :
         {&ExciteOptions::duration, &ExciteOptions::rate, &ExciteOptions::margin,
          &ExciteOptions::reach, &ExciteOptions::velocity}) {
        for (const double value : {-1.0, double{NAN}, double{INFINITY}})
            EXPECT_TRUE(refuses(option, value)) << value;
    }
    // More samples than there is memory for, or numbers to count them by.
    for (const double duration : {1e6, 1e18, 1e300})
        EXPECT_TRUE(refuses(&ExciteOptions::duration, duration)) << duration;
    const Model locked = Builder("locked")
                             .link("ground")
                             .body("ground", revolute("hinge", {0, 0, 1}).with_limits({0.1, 0.1}),
                                   "arm", MassProperties::sphere(1, 0.1))
                             .build();
    EXPECT_EQ(message([&] { excite(locked, {.trials = 1}); }),
              "excite: the limits of robot 'locked' leave none of its joints room to move");
}

TEST(Excite, HoldsAFloatingBase) {
    const Model model = robots::by_name("quadruped");
    const Excitation found = excite(model, {.duration = 4, .trials = 3});
    EXPECT_EQ(found.log.v.leftCols(6).cwiseAbs().maxCoeff(), 0);
    EXPECT_GT(found.log.v.rightCols(12).cwiseAbs().maxCoeff(), 0.5);
    // What the base would show does not count as badly shown: the condition number is that of the rest.
    EXPECT_GT(found.num_unseen, 0);
    EXPECT_LT(found.condition_number, 1e4);
    EXPECT_EQ(excite(arm(), {.duration = 4, .trials = 1}).num_unseen, 0);
}

}  // namespace
}  // namespace plucker::test
