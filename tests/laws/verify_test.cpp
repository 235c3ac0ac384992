// Certificates of robots that lack something, of many states, and under gravity from any side.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "plucker/laws/laws.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/robots/robots.hpp"
#include "support/joint_models.hpp"

namespace plucker::test {
namespace {

using laws::Residual;

void expect_no_failure(const std::vector<Residual>& residuals) {
    for (const Residual& r : residuals) {
        EXPECT_FALSE(r.fails()) << r.law << ": residual " << r.value << ", tolerance "
                                << r.tolerance;
    }
}

// The reasons why laws were not checked.
std::set<std::string> reasons(const std::vector<Residual>& residuals) {
    std::set<std::string> out;
    for (const Residual& r : residuals) {
        if (!r.checked()) out.insert(r.not_checked);
    }
    return out;
}

std::set<std::string> names(const std::vector<Residual>& residuals) {
    std::set<std::string> out;
    for (const Residual& r : residuals) out.insert(r.law);
    EXPECT_EQ(out.size(), residuals.size()) << "a law is listed twice";
    return out;
}

// An arm whose last joint carries a link with the given mass.
Model arm_with_gripper(const MassProperties& fingers, Base base) {
    return Builder("arm")
        .base(base)
        .link("ground", odd_mass(0))
        .body("ground", revolute("shoulder", {0, 1, 0}).at(odd_placement(1)), "upper", odd_mass(1))
        .body("upper", revolute("elbow", {0, 1, 1}).at(odd_placement(2)), "lower", odd_mass(2))
        .body("lower", prismatic("gripper", {1, 0, 0}).at(odd_placement(3)), "fingers", fingers)
        .build();
}

TEST(Verify, NamesTheLawsThatARobotWithAMasslessTipDoesNotHave) {
    for (const Base base : {Base::kFixed, Base::kFloating}) {
        const auto whole = laws::verify(arm_with_gripper(odd_mass(3), base), 3, 1);
        const auto without = laws::verify(arm_with_gripper({}, base), 3, 1);
        expect_no_failure(whole);
        expect_no_failure(without);
        EXPECT_TRUE(reasons(whole).empty());
        EXPECT_EQ(reasons(without),
                  std::set<std::string>{"M is singular, joint 'gripper' moves no inertia"});
        // The same laws, of which the second robot has fewer.
        EXPECT_EQ(names(whole), names(without));
        for (const Residual& r : without) {
            const bool of_inverse = r.law.find("forward dynamics") != std::string::npos ||
                                    r.law.find("M⁻¹") != std::string::npos;
            EXPECT_FALSE(of_inverse && r.checked()) << r.law;
            const bool of_motion = r.law.find("J̇") != std::string::npos ||
                                   r.law.find("Ṁ") != std::string::npos ||
                                   r.law.find("hybrid") != std::string::npos ||
                                   r.law.find("floating-base") != std::string::npos;
            EXPECT_TRUE(!of_motion || r.holds()) << r.law;
        }
    }
}

TEST(Verify, NamesJointsThatTogetherMoveNoInertia) {
    const Model model = Builder("telescope")
                            .link("ground")
                            .body("ground", prismatic("outer", {0.6, 0, 0.8}), "tube")
                            .body("tube", prismatic("inner", {0.6, 0, 0.8}), "rod", odd_mass(1))
                            .build();
    const auto residuals = laws::verify(model, 3, 1);
    expect_no_failure(residuals);
    EXPECT_EQ(
        reasons(residuals),
        std::set<std::string>{"M is singular, joints 'outer', 'inner' together move no inertia"});
    // And no others, however nearly these move together.
    const MassProperties small = MassProperties::sphere(0.1, 0.05);
    const Model crane = Builder("crane")
                            .link("ground")
                            .body("ground", revolute("first", {0, 1, 0}), "a", small)
                            .body("a", revolute("second", {0, 1, 0}).at(0.05, 0, 0), "b", small)
                            .body("b", revolute("third", {0, 1, 0}).at(0.05, 0, 0), "lamp",
                                  MassProperties::sphere(1, 0.1, {0, 0, -1}))
                            .body("ground", prismatic("outer", {0.6, 0, 0.8}), "tube")
                            .body("tube", prismatic("inner", {0.6, 0, 0.8}), "rod", odd_mass(1))
                            .build();
    EXPECT_EQ(
        reasons(laws::verify(crane, 3, 1)),
        std::set<std::string>{"M is singular, joints 'outer', 'inner' together move no inertia"});
}

TEST(Verify, KnowsAPointMassOnAnObliqueHinge) {
    const Vec3<double> axis{0.36, -0.48, 0.8};
    const Model model = Builder("hinge")
                            .link("ground")
                            .body("ground", revolute("shoulder", {0, 1, 0}), "arm", odd_mass(1))
                            .body("arm", revolute("spin", axis).at(odd_placement(2)), "bead",
                                  MassProperties::point(2, 0.7 * axis))
                            .build();
    const auto residuals = laws::verify(model, 3, 1);
    expect_no_failure(residuals);
    EXPECT_EQ(reasons(residuals),
              std::set<std::string>{"M is singular, joint 'spin' moves no inertia"});
}

// Far from the world's origin numbers are large and their differences are not: that is rounding, and no law fails.
TEST(Verify, HoldsFarFromTheOrigin) {
    for (const char* name :
         {"arm", "quadruped", "exoskeleton", "cart_pole", "tree(12,1)", "tree(12,2)"}) {
        for (const double distance : {1e2, 1e5}) {
            SCOPED_TRACE(std::string(name) + " at " + std::to_string(distance));
            Description description = robots::by_name(name).description();
            const Vec3<double> away{0.36 * distance, -0.48 * distance, 0.8 * distance};
            for (JointDescription& joint : description.joints) {
                if (joint.parent == description.links.front().name)
                    joint.placement.position += away;
            }
            const Model model(description);
            std::mt19937 generator(13);
            std::vector<laws::State<double>> states;
            for (int k = 0; k < 3; ++k) {
                laws::State<double> s = laws::random_state(model, generator);
                if (model.has_floating_base()) {
                    const int at = model.body(1).q_index;
                    s.q[at] += away.x;
                    s.q[at + 1] += away.y;
                    s.q[at + 2] += away.z;
                }
                states.push_back(s);
            }
            expect_no_failure(laws::verify(model, states));
        }
    }
}

// Links from grams to tons beside each other, lengths from millimetres to hundreds of metres, joints that creep beside joints that race: whatever
// is large, some term of a law's sums is larger than all others, and must be among those that rounding is relative to.
TEST(Verify, HoldsWhereAnyTermMayBeTheLargest) {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 generator(seed);
        const auto factor = [&](double decades) {
            return std::pow(10,
                            std::uniform_real_distribution<double>(-decades, decades)(generator));
        };
        Description description =
            robots::by_name("tree(8," + std::to_string(seed) + ")").description();
        description.gravity = factor(2) * description.gravity;
        for (LinkDescription& link : description.links) {
            const double mass = factor(2), length = factor(1.5);
            link.mass.mass *= mass;
            link.mass.center = length * link.mass.center;
            link.mass.about_center = mass * length * length * link.mass.about_center;
        }
        for (JointDescription& joint : description.joints)
            joint.placement.position = factor(2) * joint.placement.position;
        const Model model(description);
        std::vector<laws::State<double>> states;
        for (int k = 0; k < 2; ++k) {
            laws::State<double> s = laws::random_state(model, generator);
            for (auto* x : {&s.v, &s.a, &s.tau}) {
                for (double& number : *x) number *= factor(2);
            }
            states.push_back(s);
        }
        expect_no_failure(laws::verify(model, states));
    }
}

// An inertia that no body has, let pass, makes M indefinite: on its diagonal, or in between.
TEST(Verify, TellsOfAMassMatrixThatIsNotPositive) {
    const SymMat3<double> of_a_body = SymMat3<double>::diagonal(0.3, 0.3, 0.3),
                          on_the_diagonal = SymMat3<double>::diagonal(0.3, 0.3, -3),
                          in_between{0.3, 3, 0, 0.3, 0, 0.3};
    for (const auto& [inertia, holds] :
         {std::pair(of_a_body, true), {on_the_diagonal, false}, {in_between, false}}) {
        for (const JointDescription& joint : {spherical("neck"), floating("neck")}) {
            const Model model =
                Builder("odd")
                    .physics(Physics::kLenient)
                    .link("ground")
                    .body("ground", revolute("shoulder", {0, 1, 0}), "arm", odd_mass(1))
                    .body("arm", joint.at(odd_placement(2)), "head", {1, {}, inertia})
                    .build();
            const auto residuals = laws::verify(model, 3, 1);
            const auto positive =
                std::find_if(residuals.begin(), residuals.end(),
                             [](const Residual& r) { return r.law == "M is positive definite"; });
            ASSERT_NE(positive, residuals.end());
            EXPECT_EQ(positive->holds(), holds) << name_of(joint.type);
            EXPECT_EQ(positive->fails(), !holds) << name_of(joint.type);
        }
    }
}

// Friction is as large as it likes: what cancels it leaves its rounding.
TEST(Verify, KnowsHowLargeFrictionIs) {
    for (const double friction : {1e3, 1e9}) {
        for (const char* name : {"arm", "cart_pole"}) {
            Description rubs = robots::by_name(name).description(), drags = rubs;
            for (JointDescription& joint : rubs.joints) joint.friction = friction;
            for (JointDescription& joint : drags.joints) joint.damping = friction;
            expect_no_failure(laws::verify(Model(rubs), 5, 1));
            expect_no_failure(laws::verify(Model(drags), 5, 1));
        }
    }
}

// Two ways to one number differ by a rounding somewhere: a law that compares a thing with itself would hold whatever is computed.
TEST(Verify, ComparesWhatWasComputedInTwoWays) {
    std::map<std::string, double> worst;
    for (const Model& model :
         {robots::exoskeleton(), robots::by_name("tree(12,1)"), joint_model("floating_dissipative"),
          joint_model("floating_mimic")}) {
        for (const Residual& r : laws::verify(model, 4, 2)) {
            if (r.checked()) worst[r.law] = std::max(worst[r.law], r.value);
        }
    }
    // What holds to the last bit: a yes or no, and two ways through the same function of a joint.
    const std::set<std::string> exact{"M is positive definite", "q̇ is the rate of q"};
    EXPECT_GT(worst.size(), 60U);
    for (const auto& [law, value] : worst) EXPECT_EQ(value == 0, exact.contains(law)) << law;
}

// Laws that were tried nowhere would all hold.
TEST(Verify, NeedsAState) {
    for (const int samples : {0, -1}) EXPECT_THROW(laws::verify(robots::arm(), samples, 1), Error);
}

TEST(Verify, WorksOnRobotsThatHardlyAreOne) {
    // Nothing moves; nothing that moves has mass; a mass without extent; a floating block.
    const Model statue =
        Builder("statue")
            .link("ground", odd_mass(0))
            .body("ground", fixed("weld").at(odd_placement(1)), "head", odd_mass(1))
            .build();
    const Model kept = Builder("statue")
                           .fixed_joints(FixedJoints::kKeep)
                           .link("ground", odd_mass(0))
                           .body("ground", fixed("weld").at(odd_placement(1)), "head", odd_mass(1))
                           .build();
    const Model ghost = Builder("ghost")
                            .link("ground")
                            .body("ground", revolute("hinge", {0, 1, 0}), "sheet")
                            .build();
    const Model bead =
        Builder("bead").base(Base::kFloating).link("bead", MassProperties::point(1)).build();
    const Model block = Builder("block").base(Base::kFloating).link("block", odd_mass(2)).build();
    for (const Model& model : {statue, kept, ghost, bead, block}) {
        SCOPED_TRACE(model.name());
        const auto residuals = laws::verify(model, 3, 1);
        EXPECT_GE(residuals.size(), 45U);
        expect_no_failure(residuals);
    }
    EXPECT_EQ(reasons(laws::verify(statue, 1, 1)),
              std::set<std::string>{"nothing that moves has mass"});
    EXPECT_TRUE(reasons(laws::verify(kept, 1, 1)).empty());
    EXPECT_EQ(reasons(laws::verify(ghost, 1, 1)).size(), 2U);
    EXPECT_EQ(reasons(laws::verify(bead, 1, 1)),
              std::set<std::string>{"M is singular, joint 'base' moves no inertia"});
    EXPECT_TRUE(reasons(laws::verify(block, 1, 1)).empty());
}

// Each of three states in turn is one that cannot be computed with.
TEST(Verify, LooksAtEveryState) {
    const Model model = robots::by_name("double_pendulum");
    std::mt19937 generator(5);
    std::vector<laws::State<double>> good;
    for (int k = 0; k < 3; ++k) good.push_back(laws::random_state(model, generator));
    expect_no_failure(laws::verify(model, good));
    for (std::size_t bad = 0; bad < 3; ++bad) {
        auto states = good;
        states[bad].v.setConstant(std::numeric_limits<double>::quiet_NaN());
        EXPECT_THROW((void)laws::verify(model, states), Error) << "state " << bad;
        EXPECT_THROW((void)laws::verify(model, states, [](int) {}), Error) << "state " << bad;
    }
    // Those at random are what they are said to be: torques are as large as the motion asks for.
    std::mt19937 same(9);
    auto random = std::vector{laws::random_state(model, same), laws::random_state(model, same)};
    for (laws::State<double>& s : random) {
        s.tau.array() *=
            laws::Sizes(model, s.q).torques(laws::magnitudes(s.v), laws::magnitudes(s.a)).array();
    }
    const auto expected = laws::verify(model, random), found = laws::verify(model, 2, 9);
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_EQ(found[k].value, expected[k].value) << found[k].law;
    // And at as many as were asked for.
    int calls = 0;
    laws::verify(model, 7, 1, [&](int done) { EXPECT_EQ(done, ++calls); });
    EXPECT_EQ(calls, 7);
}

// Frames and subtrees that laws look at are spread over the robot, from its first to its last.
TEST(Laws, LookAtAllPartsOfARobot) {
    for (const char* name : {"particle", "double_pendulum", "arm", "humanoid"}) {
        const Model model = robots::by_name(name);
        const int n = static_cast<int>(model.frames().size());
        std::set<int> frames;
        for (const FrameId frame : laws::some_frames(model)) frames.insert(frame.index());
        EXPECT_EQ(static_cast<int>(frames.size()), std::min(n, 6)) << name;
        EXPECT_EQ(*frames.rbegin(), n - 1) << name;
        EXPECT_LE(*frames.begin(), n / 6) << name;
        const std::vector<int> found = laws::some_subtrees(model);
        const std::set<int> subtrees(found.begin(), found.end());
        EXPECT_TRUE(subtrees.contains(0)) << "the whole robot";
        for (const int body : {1, (model.num_bodies() + 1) / 2, model.num_bodies()})
            EXPECT_EQ(subtrees.contains(body), model.body(body).subtree_mass > 0) << name;
    }
}

// What is as small as rounding of its terms is nothing, and what is larger is something, in whatever units.
TEST(Regularity, IsDecidedByTheTermsOfEachEntry) {
    const Model model = robots::by_name("double_pendulum");
    const double rounding = 1e-14;
    for (const double unit : {1e-20, 1.0, 1e20}) {
        const MatrixX<double> size = unit * MatrixX<double>::Ones(2, 2);
        const auto judged = [&](double a, double b, double c) {
            MatrixX<double> M(2, 2);
            M << a, b, b, c;
            return laws::regularity_of(model, unit * M, size, rounding);
        };
        EXPECT_TRUE(judged(1, 0.5, 1).regular());
        EXPECT_TRUE(judged(1, 0, 1e-12).regular());
        EXPECT_TRUE(judged(1, 1 - 1e-12, 1).regular());
        for (const double little : {0.0, 1e-15, -1e-15}) {
            EXPECT_FALSE(judged(1, 0, little).regular()) << little;
            EXPECT_TRUE(judged(1, 0, little).positive) << little;
            EXPECT_FALSE(judged(1, 1 - little, 1).regular()) << little;
            EXPECT_TRUE(judged(1, 1 - little, 1).positive) << little;
        }
        EXPECT_FALSE(judged(1, 0, -1e-12).positive);
        EXPECT_FALSE(judged(1, 1 + 1e-12, 1).positive);
    }
}

// Each law's tolerance is that of its own terms: of velocities where it has velocities, of accelerations where it has these.
// A mix-up would leave nothing for rounding where one of them is zero, or small beside the other.
TEST(Verify, HoldsHoweverFastARobotMoves) {
    std::mt19937 generator(11);
    for (const char* name : {"arm", "quadruped", "tree(20,1)", "chain(70)"}) {
        const Model model = with_gravity(robots::by_name(name), {0.1, -0.2, 0.3});
        // All laws of the longest take minutes: those of sums over all freedoms are enough.
        const bool is_long = model.nv() > 40;
        // Not much faster than one: velocities are steps of `integrate` too, which no turn may exceed.
        for (const auto& [fast, hard] : std::initializer_list<std::pair<double, double>>{
                 {0, 0}, {1, 0}, {0, 1e4}, {1, 1e-6}, {1e-6, 1}, {1e-6, 1e4}}) {
            if (is_long && fast != 0) continue;
            laws::State<double> s = laws::random_state(model, generator);
            s.v *= fast;
            s.a *= hard;
            s.tau *= hard;
            SCOPED_TRACE(std::string(name) + ", v times " + std::to_string(fast) +
                         ", a and τ times " + std::to_string(hard));
            laws::Report<double> report(model.nv());
            if (is_long) {
                laws::check_mass_matrix(model, s, report);
                laws::check_dynamics_derivatives(model, s, report);
            } else {
                laws::check_all(model, s, report);
            }
            expect_no_failure(std::move(report).take());
        }
    }
}

TEST(Verify, HoldsWhereverGravityPulls) {
    for (const char* name : {"arm", "quadruped", "tree(20,1)"}) {
        const Model model = robots::by_name(name);
        for (const Vec3<double> g : {Vec3<double>{}, {9, 0, 0}, {0, -9, 0}, {1, 5, 7}}) {
            SCOPED_TRACE(name);
            expect_no_failure(laws::verify(with_gravity(model, g), 2, 1));
        }
    }
}

}  // namespace
}  // namespace plucker::test
