// Mimic joints: q = multiplier · (another joint's q) + offset, through any number of levels.
#include "joints/joint_cases.hpp"

namespace plucker::test {
namespace {

// A gripper: the finger follows the driver, the tip follows the finger, and a rack slides with it. The
// followers stand before the driver in the description as well as after it.
Description gripper() {
    return Builder("gripper")
        .link("palm")
        .body("palm", revolute("tip", {0, 1, 0}).at(0, 0, 0.3).mimicking("finger", 2, 0.1),
              "tip_link", MassProperties::point(0.1, {0.1, 0, 0}))
        .body("tip_link", prismatic("driver", {1, 2, 0}).at(kPlacement), "driver_link",
              MassProperties::point(0.2, {0, 0.1, 0}))
        .body("driver_link",
              revolute("finger", {1, 1, 1}).at(0.2, 0, 0).mimicking("driver", -3, 0.5),
              "finger_link", MassProperties::point(0.3, {0, 0, 0.1}))
        .body("finger_link", helical("rack", {0, 0, 1}, 0.4).mimicking("tip", 0.5, -0.2),
              "rack_link", MassProperties::point(0.4, {0.1, 0.1, 0.1}))
        .body("rack_link", spherical("ball").at(0, 0.1, 0), "ball_link", MassProperties::point(0.5))
        .description();
}
Model free_gripper() {
    Description description = gripper();
    for (JointDescription& joint : description.joints) joint.mimic.reset();
    return Model(description);
}

template <class S>
class MimicJoint : public testing::Test {
protected:
    const Model coupled_{gripper()}, free_ = free_gripper();

    // The free robot's coordinates when the driver is at q: finger = -3 q + 0.5, tip = 2 finger + 0.1,
    // rack = 0.5 tip - 0.2, and so for rates, without the offsets.
    VectorX<S> spread(const VectorX<S>& coupled, bool configuration) const {
        const S offset = configuration ? S(1) : S(0);
        VectorX<S> out = VectorX<S>::Zero(configuration ? free_.nq() : free_.nv());
        const auto at = [&](const Model& model, const char* name) {
            const Body<double>& body = model.body(model.joint_index(name));
            return configuration ? body.q_index : body.v_index;
        };
        const S driver = coupled[at(coupled_, "driver")];
        const S finger = S(-3) * driver + S(0.5) * offset;
        const S tip = S(2) * finger + S(0.1) * offset;
        const S rack = S(0.5) * tip - S(0.2) * offset;
        out[at(free_, "driver")] = driver;
        out[at(free_, "finger")] = finger;
        out[at(free_, "tip")] = tip;
        out[at(free_, "rack")] = rack;
        const int ball = configuration ? 4 : 3;
        out.segment(at(free_, "ball"), ball) = coupled.segment(at(coupled_, "ball"), ball);
        return out;
    }
    template <class Law>
    void for_states(Law&& law) {
        for_samples<Sampler<S>>([&](auto& random) {
            const VectorX<S> q = random_q(coupled_, random);
            law(q, VectorX<S>(random.vector(coupled_.nv())),
                VectorX<S>(random.vector(coupled_.nv())));
        });
    }
    const std::vector<std::string> links_ = {"tip_link", "driver_link", "finger_link", "rack_link",
                                             "ball_link"};
};
TYPED_TEST_SUITE(MimicJoint, Scalars, ScalarNames);

TYPED_TEST(MimicJoint, HasNoCoordinatesOfItsOwn) {
    EXPECT_EQ(this->coupled_.nq(), 1 + 4);
    EXPECT_EQ(this->coupled_.nv(), 1 + 3);
    EXPECT_EQ(this->coupled_.num_dofs(), 4 + 3);
    EXPECT_TRUE(this->coupled_.has_mimic_joints());
    EXPECT_EQ(this->free_.nv(), 4 + 3);
    EXPECT_FALSE(this->free_.has_mimic_joints());
}

// Levels of mimicry multiply and add up; their products are rounded in double.
TYPED_TEST(MimicJoint, ResolvesToTheJointThatMoves) {
    const Model& model = this->coupled_;
    const auto expect = [&](const char* name, double multiplier, double offset) {
        const Body<double>& body = model.body(model.joint_index(name));
        EXPECT_TRUE(body.mimic) << name;
        EXPECT_EQ(body.q_index, model.body(model.joint_index("driver")).q_index) << name;
        EXPECT_EQ(body.v_index, model.body(model.joint_index("driver")).v_index) << name;
        EXPECT_NEAR(body.multiplier, multiplier, 4 * kEpsilon<double>) << name;
        EXPECT_NEAR(body.offset, offset, 4 * kEpsilon<double>) << name;
    };
    expect("finger", -3, 0.5);
    expect("tip", -6, 1.1);
    expect("rack", -3, 0.35);
    EXPECT_FALSE(model.body(model.joint_index("driver")).mimic);
}

TYPED_TEST(MimicJoint, StandsWhereTheFollowedJointPutsIt) {
    using S = TypeParam;
    this->for_states([&](const VectorX<S>& q, const VectorX<S>&, const VectorX<S>&) {
        const VectorX<S> q_free = this->spread(q, true);
        for (const std::string& link : this->links_) {
            const Pose<S> coupled = frame_pose(this->coupled_, q, link);
            const Pose<S> free = frame_pose(this->free_, q_free, link);
            EXPECT_TRUE(close(coupled.rotation, free.rotation, model_roundings<S>())) << link;
            EXPECT_TRUE(close(coupled.position, free.position, model_roundings<S>())) << link;
        }
    });
}

TYPED_TEST(MimicJoint, MovesAndAcceleratesWithTheFollowedJoint) {
    using S = TypeParam;
    this->for_states([&](const VectorX<S>& q, const VectorX<S>& v, const VectorX<S>& a) {
        const VectorX<S> q_free = this->spread(q, true);
        const VectorX<S> v_free = this->spread(v, false), a_free = this->spread(a, false);
        for (const std::string& link : this->links_) {
            EXPECT_TRUE(close(frame_velocity(this->coupled_, q, v, link),
                              frame_velocity(this->free_, q_free, v_free, link),
                              model_roundings<S>()))
                << link;
            EXPECT_TRUE(close(frame_acceleration(this->coupled_, q, v, a, link),
                              frame_acceleration(this->free_, q_free, v_free, a_free, link),
                              model_roundings<S>()))
                << link;
        }
    });
}

// A rack and pinion: a radius of 5 cm turns a radian into 5 cm, and rests at 1 cm.
TEST(MimicExample, RackFollowsItsPinion) {
    const Model model =
        Builder("rack_and_pinion")
            .link("ground")
            .body("ground", revolute("pinion", {0, 1, 0}), "wheel")
            .body("ground", prismatic("rack", {1, 0, 0}).mimicking("pinion", 0.05, 0.01), "bar")
            .build();
    VectorX<double> q(1), v(1);
    q << 2;
    v << 3;
    EXPECT_TRUE(close(frame_pose(model, q, "bar").position, Vec3<double>{0.11, 0, 0}, 2));
    EXPECT_TRUE(close(frame_velocity(model, q, v, "bar"), Motion<double>{{}, {0.15, 0, 0}}, 2));
    EXPECT_TRUE(close(frame_velocity(model, q, v, "wheel"), Motion<double>{{0, 3, 0}, {}}, 2));
    // At neutral only the offset is left.
    const VectorX<double> zero = neutral_configuration(model);
    EXPECT_TRUE(close(frame_pose(model, zero, "bar").position, Vec3<double>{0.01, 0, 0}, 2));
}

}  // namespace
}  // namespace plucker::test
