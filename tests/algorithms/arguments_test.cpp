// Mistakes in arguments: each message names the argument, its size, and the size it should have.
#include <gtest/gtest.h>

#include "plucker/compiler/compile.hpp"
#include "plucker/plucker.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker {
namespace {

using test::message;

class Arguments : public testing::Test {
protected:
    Model model_ = robots::exoskeleton();  // nq 15, nv 14
    Workspace<double> ws_{model_};
    VectorX<double> q_ = neutral_configuration(model_);
    VectorX<double> v_ = VectorX<double>::Zero(14);
    VectorX<double> short_ = VectorX<double>::Zero(3);
    MatrixX<double> M_ = MatrixX<double>::Zero(14, 14);
};

TEST_F(Arguments, OfWrongSizeAreNamedWithTheRightSize) {
    EXPECT_EQ(message([&] { inverse_dynamics(ws_, short_, v_, v_, v_); }),
              "inverse_dynamics: q has size 3, expected 15 (nq)");
    EXPECT_EQ(message([&] { inverse_dynamics(ws_, q_, short_, v_, v_); }),
              "inverse_dynamics: v has size 3, expected 14 (nv)");
    EXPECT_EQ(message([&] { inverse_dynamics(ws_, q_, v_, short_, v_); }),
              "inverse_dynamics: a has size 3, expected 14 (nv)");
    EXPECT_EQ(message([&] { inverse_dynamics(ws_, q_, v_, v_, short_); }),
              "inverse_dynamics: tau has size 3, expected 14 (nv)");
    EXPECT_EQ(message([&] { (void)forward_dynamics(model_, q_, v_, short_); }),
              "forward_dynamics: tau has size 3, expected 14 (nv)");
    MatrixX<double> wrong(3, 14);
    EXPECT_EQ(message([&] { mass_matrix(ws_, q_, wrong); }),
              "mass_matrix: M is 3×14, expected 14×14");
    EXPECT_EQ(message([&] { coriolis_matrix(ws_, q_, v_, wrong); }),
              "coriolis_matrix: C is 3×14, expected 14×14");
    forward_kinematics(ws_, q_);
    EXPECT_EQ(message([&] {
                  frame_jacobian(ws_, model_.frame_id("left_foot"), ReferenceFrame::kBody, wrong);
              }),
              "frame_jacobian: J is 3×14, expected 6×14");
    EXPECT_EQ(message([&] { (void)integrate(model_, q_, short_); }),
              "integrate: dv has size 3, expected 14 (nv)");
    MatrixX<double> columns(3, 2);
    EXPECT_EQ(message([&] { inverse_mass_matrix_times(ws_, q_, columns); }),
              "inverse_mass_matrix_times: B has size 3, expected 14 (nv rows)");
}

TEST_F(Arguments, QueriesSayWhichCallIsMissing) {
    const FrameId foot = model_.frame_id("left_foot");
    EXPECT_NE(message([&] {
                  (void)frame_pose(ws_, foot);
              }).find("call forward_kinematics(workspace, q) first"),
              std::string::npos);
    forward_kinematics(ws_, q_);
    EXPECT_NE(message([&] {
                  (void)frame_velocity(ws_, foot);
              }).find("call forward_kinematics(workspace, q, v) first"),
              std::string::npos);
    forward_kinematics(ws_, q_, v_);
    EXPECT_NE(message([&] {
                  (void)frame_acceleration(ws_, foot);
              }).find("call forward_kinematics(workspace, q, v, a) first"),
              std::string::npos);
}

TEST_F(Arguments, FixedBaseHasNoFloatingBaseDynamics) {
    const Model arm = robots::arm();
    const VectorX<double> x = VectorX<double>::Zero(7);
    EXPECT_NE(message([&] { (void)floating_base_inverse_dynamics(arm, x, x, x); }), "no error");
    Workspace<double> ws(arm);
    VectorX<double> y = x, z = x;
    EXPECT_NE(message([&] {
                  floating_base_inverse_dynamics(ws, x, x, nullptr, y, z);
              }).find("has a fixed base"),
              std::string::npos);
}

TEST_F(Arguments, UnknownSubtreeIsRefused) {
    EXPECT_NE(message([&] { (void)center_of_mass(model_, q_, 99); }).find("there is no body 99"),
              std::string::npos);
}

Model massless_tip() {
    return Builder("massless")
        .link("ground")
        .body("ground", revolute("hinge", {0, 1, 0}), "rod",
              MassProperties::sphere(1, 0.1, {0, 0, 1}))
        .body("rod", revolute("tip", {0, 1, 0}), "needle")
        .build();
}

TEST(MasslessLeaf, HasKinematicsButNoForwardDynamics) {
    const Model model = massless_tip();
    const VectorX<double> x = VectorX<double>::Constant(2, 0.3);
    EXPECT_NO_THROW((void)frame_pose(model, x, "needle"));
    EXPECT_NO_THROW((void)inverse_dynamics(model, x, x, x));
    const std::string expected =
        ": the mass matrix is singular at joint 'tip': what it moves has no inertia "
        "about it; give link 'needle' mass, or the joint armature";
    EXPECT_EQ(message([&] { (void)forward_dynamics(model, x, x, x); }),
              "forward_dynamics" + expected);
    EXPECT_EQ(message([&] { (void)forward_dynamics_by_mass_matrix(model, x, x, x); }),
              "forward_dynamics_by_mass_matrix" + expected);
    EXPECT_EQ(message([&] { (void)inverse_mass_matrix(model, x); }),
              "inverse_mass_matrix" + expected);
    EXPECT_NE(
        message([&] { (void)center_of_mass(model, x, 2); }).find("subtree 'needle' has no mass"),
        std::string::npos);
}

TEST(MasslessLeaf, WithArmatureMoves) {
    Description d = massless_tip().description();
    d.joints[1].armature = 0.1;
    const VectorX<double> x = VectorX<double>::Constant(2, 0.3);
    EXPECT_TRUE(forward_dynamics(Model(d), x, x, x).allFinite());
}

TEST(NormalizeConfiguration, RefusesAZeroQuaternion) {
    const Model model = test::joint_model("spherical");
    VectorX<double> q = VectorX<double>::Zero(model.nq());
    EXPECT_NE(message([&] { (void)normalize_configuration(model, q); }).find("joint 'middle'"),
              std::string::npos);
    q[model.body(model.joint_index("middle")).q_index] = 2.0;
    EXPECT_NEAR(normalize_configuration(model, q)[model.body(model.joint_index("middle")).q_index],
                1.0, 1e-15);
}

TEST(HybridDynamics, TakesNoAccelerationOfAJointThatFollowsAnother) {
    const Model model = test::joint_model("mimic");
    int follower = 0;
    for (int i = 1; i <= model.num_bodies(); ++i) follower = model.body(i).mimic ? i : follower;
    const JointDescription& joint = model.joint(follower);
    const std::string expected = "joint '" + joint.name + "' mimics '" + joint.mimic->joint +
                                 "' and has no acceleration of its own; give that of '" +
                                 joint.mimic->joint + "'";
    EXPECT_EQ(message([&] { (void)given_accelerations(model, {joint.name}); }),
              "given_accelerations: " + expected);
    std::vector<Given> given(static_cast<std::size_t>(model.num_bodies()) + 1, Given::kTorque);
    given[static_cast<std::size_t>(follower)] = Given::kAcceleration;
    const VectorX<double> x = VectorX<double>::Zero(model.nv());
    EXPECT_EQ(message([&] {
                  (void)hybrid_dynamics(model, neutral_configuration(model), x, given, x, x);
              }),
              "hybrid_dynamics: " + expected);
}

// However many numbers there are, each of them is looked at, and none beside them.
template <class S>
class Finiteness : public testing::Test {};
using NumberTypes = testing::Types<float, double, long double, Dual<double>>;
class NumberTypeNames {
public:
    template <class S>
    static std::string GetName(int) {
        if (std::is_same_v<S, float>) return "Float";
        if (std::is_same_v<S, double>) return "Double";
        return std::is_same_v<S, long double> ? "LongDouble" : "Dual";
    }
};
TYPED_TEST_SUITE(Finiteness, NumberTypes, NumberTypeNames);

TYPED_TEST(Finiteness, IsAskedOfEveryNumber) {
    using S = TypeParam;
    for (const double bad : {double{NAN}, double{INFINITY}, -double{INFINITY}}) {
        for (long n = 0; n <= 40; ++n) {
            std::vector<S> numbers(static_cast<std::size_t>(n) + 2, S(1.5));
            numbers.front() = numbers.back() = S(bad);
            EXPECT_TRUE(detail::all_finite(numbers.data() + 1, n)) << n;
            for (long k = 0; k < n; ++k) {
                std::vector<S> spoilt = numbers;
                spoilt[static_cast<std::size_t>(k) + 1] = S(bad);
                EXPECT_FALSE(detail::all_finite(spoilt.data() + 1, n)) << k << " of " << n;
            }
        }
    }
}

// At the door of a function, of a robot that is given as it is and of one with code of its own.
TEST(NumbersOfArguments, AreEachLookedAt) {
    for (const Model& model : {robots::humanoid(), compile(robots::exoskeleton())}) {
        Workspace<double> ws(model, OnFailure::kReport);
        const VectorX<double> q = neutral_configuration(model);
        const VectorX<double> zero = VectorX<double>::Zero(model.nv());
        VectorX<double> tau(model.nv());
        for (int k = 0; k < model.nq(); ++k) {
            VectorX<double> spoilt = q;
            spoilt[k] = NAN;
            EXPECT_EQ(inverse_dynamics(ws, spoilt, zero, zero, tau), Status::kNonFiniteInput) << k;
        }
        for (int k = 0; k < model.nv(); ++k) {
            VectorX<double> spoilt = zero;
            spoilt[k] = INFINITY;
            EXPECT_EQ(inverse_dynamics(ws, q, spoilt, zero, tau), Status::kNonFiniteInput) << k;
            EXPECT_EQ(inverse_dynamics(ws, q, zero, spoilt, tau), Status::kNonFiniteInput) << k;
        }
    }
}

// Quaternions have a direction from where their squares can be divided by to where they can be added up.
TYPED_TEST(Finiteness, OfQuaternionsEndsWhereTheyLoseTheirDirection) {
    using S = TypeParam;
    using Limits = std::numeric_limits<ParameterOf<S>>;
    const ParameterOf<S> shortest = 2 * std::sqrt(Limits::min()),
                         longest = std::sqrt(Limits::max()) / 2;
    const ParameterOf<S> inside(1.001);
    for (std::size_t k = 0; k < 4; ++k) {
        const auto has_direction = [&](ParameterOf<S> length) {
            std::array<S, 4> q{S(0), S(0), S(0), S(0)};
            q[k] = S(length);
            return all(detail::has_direction(q.data()));
        };
        EXPECT_TRUE(has_direction(shortest * inside) && has_direction(longest / inside));
        EXPECT_FALSE(has_direction(shortest / inside) || has_direction(longest * inside));
    }
}

// Each of its six numbers.
TEST(ExternalForces, MustBeFinite) {
    const Model model = robots::arm();
    const VectorX<double> zero = VectorX<double>::Zero(model.nv());
    for (int k = 0; k < 6; ++k) {
        double x[6] = {1, 2, 3, 4, 5, 6};
        x[k] = k % 2 == 0 ? double{NAN} : double{INFINITY};
        ExternalForces<double> forces(model);
        forces.add("link3", {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}}, ReferenceFrame::kWorld);
        EXPECT_NE(test::message([&] {
                      inverse_dynamics(model, zero, zero, zero, &forces);
                  }).find("an external force holds "),
                  std::string::npos)
            << k;
    }
}

// What is found may hold anything before.
TEST(HybridDynamics, ReadsJustWhatIsGiven) {
    const Model model = robots::arm();
    const int n = model.nv();
    const VectorX<double> zero = VectorX<double>::Zero(n);
    const std::vector<Given> given = given_accelerations(model, {"joint1", "joint4"});
    VectorX<double> a = VectorX<double>::Constant(n, NAN), tau = VectorX<double>::Ones(n);
    for (const int k : {0, 3}) std::swap(a[k], tau[k]);
    Workspace<double> ws(model);
    EXPECT_EQ(hybrid_dynamics(ws, zero, zero, given, nullptr, a, tau), Status::kOk);
    EXPECT_TRUE(a.allFinite() && tau.allFinite());
    a[3] = NAN;
    EXPECT_NE(test::message([&] {
                  hybrid_dynamics(ws, zero, zero, given, nullptr, a, tau);
              }).find("a[3] (joint 'joint4') is nan"),
              std::string::npos);
}

// Columns of two blocks may lie between each other, as long as no number is in both; and all that is beside them stays.
TEST(Outputs, MayBeBlocksOfOneMatrix) {
    const Model model = robots::arm();
    const int n = model.nv();
    const VectorX<double> q = VectorX<double>::LinSpaced(n, -1, 1), v = 2 * q, a = -q;
    Workspace<double> ws(model), reporting(model, OnFailure::kReport);
    MatrixX<double> dq(n, n), dv(n, n), da(n, n);
    inverse_dynamics_derivatives(ws, q, v, a, dq, dv, da);
    MatrixX<double> big = MatrixX<double>::Constant(2 * n, 2 * n, 5);
    const auto block = [&](int row, int column) { return big.block(row, column, n, n); };
    inverse_dynamics_derivatives(ws, q, v, a, block(0, 0), block(n, 0), block(n, n));
    EXPECT_EQ(block(0, 0), dq);
    EXPECT_EQ(block(n, 0), dv);
    EXPECT_EQ(block(n, n), da);
    EXPECT_TRUE((block(0, n).array() == 5).all());
    EXPECT_THROW(
        inverse_dynamics_derivatives(ws, q, v, a, block(0, 0), block(n - 1, 0), block(n, n)),
        Error);
    // Of a call that fails just its outputs are erased.
    big.setConstant(5);
    const VectorX<double> bad = VectorX<double>::Constant(n, NAN);
    EXPECT_EQ(mass_matrix(reporting, bad, block(1, 2)), Status::kNonFiniteInput);
    EXPECT_TRUE(block(1, 2).array().isNaN().all());
    EXPECT_EQ(big.array().isNaN().count(), n * n);
}

}  // namespace
}  // namespace plucker
