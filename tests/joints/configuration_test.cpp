// Coordinates on their manifold: neutral, integrate, difference, normalize.
#include "joints/joint_cases.hpp"

namespace plucker::test {
namespace {

template <class S>
class JointConfiguration : public testing::Test {
protected:
    static Transform<S> place(const JointCase& c, const VectorX<S>& q) {
        return joints_at(c.model, q).joints.X[c.body];
    }
};
TYPED_TEST_SUITE(JointConfiguration, Scalars, ScalarNames);

// At zero the link's frame is the joint's frame: at its placement in the parent link. A mimic joint is
// at its offset.
TYPED_TEST(JointConfiguration, NeutralIsTheJointsPlacement) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto&) {
        const VectorX<S> q = neutral_configuration<S>(c.model);
        if (c.joint.mimic) return;
        EXPECT_TRUE(same_place(TestFixture::place(c, q), cast<S>(c.model.body(c.body).X_tree), 4));
        const Pose<S> upper = frame_pose(c.model, q, "upper");
        const Pose<S> lower = frame_pose(c.model, q, "lower");
        const Pose<S> relative = inverse(upper) * lower;
        EXPECT_TRUE(close(relative.rotation, cast<S>(kPlacement).rotation, model_roundings<S>()));
        EXPECT_TRUE(close(relative.position, cast<S>(kPlacement).position, model_roundings<S>()));
    });
}

TYPED_TEST(JointConfiguration, IntegratingZeroStaysInPlace) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto& random) {
        const VectorX<S> q = random_q(c.model, random);
        const VectorX<S> zero = VectorX<S>::Zero(c.model.nv());
        EXPECT_TRUE(close(integrate(c.model, q, zero), q, 8));
        EXPECT_TRUE(close(difference(c.model, q, q), zero, 8));
    });
}

// Turns are below half a turn: |ω| ≤ √3 < π. The bound is that of the logarithm and of
// differentiate_turning with their derivatives (see spatial/turning_test.cpp).
TYPED_TEST(JointConfiguration, DifferenceUndoesIntegrate) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto& random) {
        const VectorX<S> q = random_q(c.model, random), dv = random.vector(c.model.nv());
        for (const double scale : {1.0, 1e-3, 1e-9}) {
            const VectorX<S> step = S(scale) * dv;
            const VectorX<S> q1 = integrate(c.model, q, step);
            EXPECT_TRUE(close(difference(c.model, q, q1), step, 256)) << "scale " << scale;
        }
    });
}

TYPED_TEST(JointConfiguration, IntegrateUndoesDifference) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto& random) {
        const VectorX<S> q0 = random_q(c.model, random), q1 = random_q(c.model, random);
        const VectorX<S> there = integrate(c.model, q0, difference(c.model, q0, q1));
        EXPECT_TRUE(same_place(TestFixture::place(c, there), TestFixture::place(c, q1), 512));
    });
}

// Following v for s and then for t is following it for s + t.
TYPED_TEST(JointConfiguration, StepsAlongOneVelocityAdd) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto& random) {
        const VectorX<S> q = random_q(c.model, random), v = random.vector(c.model.nv());
        const S s = random.scalar(), t = random.scalar();
        const VectorX<S> in_two = integrate(c.model, integrate(c.model, q, s * v), t * v);
        const VectorX<S> in_one = integrate(c.model, q, (s + t) * v);
        EXPECT_TRUE(same_place(TestFixture::place(c, in_two), TestFixture::place(c, in_one)));
    });
}

TYPED_TEST(JointConfiguration, IntegratesInPlace) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto& random) {
        VectorX<S> q = random_q(c.model, random);
        const VectorX<S> dv = random.vector(c.model.nv());
        const VectorX<S> apart = integrate(c.model, q, dv);
        Workspace<S> ws(c.model);
        integrate(ws, q, dv, q);
        EXPECT_TRUE(close(q, apart, 0));
    });
}

TYPED_TEST(JointConfiguration, NormalizingKeepsTheAttitude) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto& random) {
        const VectorX<S> q = random_q(c.model, random);
        const Body<double>& body = c.model.body(c.body);
        VectorX<S> drifted = q;
        if (body.nq == body.nv + 1) drifted.segment(body.q_index + body.nq - 4, 4) *= S(1.75);
        EXPECT_TRUE(close(normalize_configuration(c.model, drifted), q, 16));
        // Even before that, a long quaternion turns as a short one does.
        EXPECT_TRUE(same_place(TestFixture::place(c, drifted), TestFixture::place(c, q), 64));
    });
}

// --- In double ------------------------------------------------------------------------------------

TEST(Configuration, QuaternionsStayNormalOverTenThousandSteps) {
    for (const JointCase& c : all_joint_cases()) {
        const Body<double>& body = c.model.body(c.body);
        if (body.nq != body.nv + 1) continue;
        SCOPED_TRACE(c.name);
        Sampler<double> random(1);
        VectorX<double> q = random_q(c.model, random);
        Workspace<double> ws(c.model);
        for (int step = 0; step < 10000; ++step) {
            const VectorX<double> dv = 0.01 * random.vector(c.model.nv());
            integrate(ws, q, dv, q);
        }
        const double norm = q.segment(body.q_index + body.nq - 4, 4).norm();
        // The last step normalises: what is left is its own rounding, not ten thousand of them.
        EXPECT_NEAR(norm, 1, 4 * kEpsilon<double>);
    }
}

// Ten thousand steps along one screw end where one long step ends: each step is exact.
TEST(Configuration, ManySmallStepsEndWhereOneLongStepEnds) {
    for (const JointCase& c : all_joint_cases()) {
        SCOPED_TRACE(c.name);
        Sampler<double> random(2);
        VectorX<double> q = random_q(c.model, random);
        const VectorX<double> v = random.vector(c.model.nv());
        const VectorX<double> expected = integrate(c.model, q, v);
        Workspace<double> ws(c.model);
        for (int step = 0; step < 10000; ++step) integrate(ws, q, 1e-4 * v, q);
        // Ten thousand roundings at worst.
        EXPECT_TRUE(same_place(joints_at(c.model, q).joints.X[c.body],
                               joints_at(c.model, expected).joints.X[c.body], 10000));
    }
}

// Within its limits, and all over them: those in reach, on one side, and beyond what is drawn without limits; of a hinge that turns
// more than once, one turn.
TEST(Configuration, RandomOnesKeepTheLimits) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    constexpr double kPi = 3.14159265358979323846;
    struct Case {
        double lower, upper;
        std::pair<double, double> angles, slides;  // what is drawn from, for either type
    };
    const Case cases[] = {{-0.5, 0.25, {-0.5, 0.25}, {-0.5, 0.25}},
                          {0.5, 0.75, {0.5, 0.75}, {0.5, 0.75}},
                          {-0.75, -0.5, {-0.75, -0.5}, {-0.75, -0.5}},
                          {0.25, 0.25, {0.25, 0.25}, {0.25, 0.25}},
                          {0.5, kNone, {0.5, 0.5 + 2 * kPi}, {0.5, 2.5}},
                          {-kNone, -0.5, {-0.5 - 2 * kPi, -0.5}, {-2.5, -0.5}},
                          {-kNone, kNone, {-kPi, kPi}, {-1, 1}},
                          {0.8, 5.5, {0.8, 5.5}, {0.8, 5.5}},
                          {-40, 40, {-kPi, kPi}, {-40, 40}},
                          {-1e9, 1e300, {-kPi, kPi}, {-1, 1}},
                          {-1, 40, {-1, 2 * kPi - 1}, {-1, 40}},
                          {5, 7, {5, 7}, {5, 7}},
                          {-7, -5, {-7, -5}, {-7, -5}},
                          {5, kNone, {5, 5 + 2 * kPi}, {5, 7}},
                          {-kNone, -5, {-5 - 2 * kPi, -5}, {-7, -5}}};
    for (const Case& c : cases) {
        for (const bool slides : {false, true}) {
            SCOPED_TRACE(testing::Message() << slides << " " << c.lower << " … " << c.upper);
            const auto [from, to] = slides ? c.slides : c.angles;
            const JointDescription joint =
                joint_of_type(slides ? JointType::kPrismatic : JointType::kRevolute, "j")
                    .with_limits({.lower = c.lower, .upper = c.upper});
            const Model model =
                Builder("r").link("a").body("a", joint, "b", MassProperties::sphere(1, 1)).build();
            std::mt19937 generator(1);
            double least = kNone, most = -kNone;
            for (int sample = 0; sample < 400; ++sample) {
                const double q = random_configuration(model, generator)[0];
                least = std::min(least, q);
                most = std::max(most, q);
            }
            EXPECT_GE(least, from);
            EXPECT_LE(most, to);
            // Four hundred samples leave a tenth empty at one end once in 1e18 times.
            EXPECT_LE(least, from + 0.1 * (to - from));
            EXPECT_GE(most, to - 0.1 * (to - from));
        }
    }
}

TEST(Configuration, ZeroQuaternionIsRefusedByName) {
    for (const char* name : {"spherical", "floating"}) {
        for (const JointCase& c : all_joint_cases()) {
            if (c.name != name) continue;
            const VectorX<double> q = VectorX<double>::Zero(c.model.nq());
            try {
                normalize_configuration(c.model, q);
                ADD_FAILURE() << name << " took a zero quaternion";
            } catch (const Error& error) {
                EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
            }
        }
    }
}

TEST(Configuration, WrongSizesAreRefused) {
    const JointCase c = all_joint_cases().back();
    const VectorX<double> right = VectorX<double>::Zero(1), wrong = VectorX<double>::Zero(2);
    EXPECT_THROW(integrate(c.model, wrong, right), Error);
    EXPECT_THROW(integrate(c.model, right, wrong), Error);
    EXPECT_THROW(difference(c.model, right, wrong), Error);
    EXPECT_THROW(difference(c.model, wrong, right), Error);
    EXPECT_THROW(normalize_configuration(c.model, wrong), Error);
}

}  // namespace
}  // namespace plucker::test
