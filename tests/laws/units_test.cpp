// Laws do not know in which units a robot is described: a robot of grams and millimetres is checked as sharply as one
// of tons and metres.
#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "plucker/laws/laws.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::test {
namespace {

// Units of mass and length. Powers of two, so that changing them rounds nothing.
struct Units {
    double mass, length;
};

Model in_units(const Model& model, const Units& u) {
    Description d = model.description();
    const double inertia = u.mass * u.length * u.length;
    d.gravity = u.length * d.gravity;
    for (LinkDescription& link : d.links) {
        link.mass.mass *= u.mass;
        link.mass.center = u.length * link.mass.center;
        link.mass.about_center = inertia * link.mass.about_center;
    }
    for (JointDescription& joint : d.joints) {
        joint.placement.position = u.length * joint.placement.position;
        joint.pitch *= u.length;
        const bool angular = number_of_turns(joint.type) > 0;
        joint.armature *= angular ? inertia : u.mass;
        joint.damping *= angular ? inertia : u.mass;
        joint.friction *= angular ? inertia : u.mass * u.length;
        if (joint.mimic) throw Error("a multiplier may be a length over an angle");
    }
    for (FrameDescription& frame : d.frames) {
        frame.placement.position = u.length * frame.placement.position;
    }
    return Model(std::move(d));
}

laws::State<double> in_units(const Model& model, laws::State<double> s, const Units& u) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        for (int k = 0; k < body.nv; ++k) {
            const bool angular = k < number_of_turns(body.joint);
            const int c = body.v_index + k;
            s.v[c] *= angular ? 1 : u.length;
            s.a[c] *= angular ? 1 : u.length;
            s.tau[c] *= u.mass * u.length * (angular ? u.length : 1);
            // Where velocities are no rates of coordinates, positions come first in q.
            if (has_coordinate_velocity(body.joint) && !angular) s.q[body.q_index + k] *= u.length;
        }
        if (has_coordinate_velocity(body.joint)) continue;
        const int positions = body.nv - number_of_turns(body.joint);
        s.q.segment(body.q_index, positions) *= u.length;
    }
    return s;
}

// Its matrices have coordinates of different units, and it measures every entry by the largest.
constexpr const char* kOneSize = "Σ λ_k ∂²τ_k = λᵀ ∂²τ";

class UnitsTest : public testing::TestWithParam<const char*> {};

TEST_P(UnitsTest, DoNotChangeAnyResidual) {
    const Model model = robots::by_name(GetParam());
    std::mt19937 generator(11);
    std::vector<laws::State<double>> states;
    for (int k = 0; k < 3; ++k) states.push_back(laws::random_state(model, generator));
    const auto expected = laws::verify(model, states);
    for (const Units& u :
         {Units{0x1p-20, 1}, {0x1p20, 1}, {1, 0x1p-10}, {1, 0x1p10}, {0x1p-20, 0x1p-10}}) {
        std::vector<laws::State<double>> scaled;
        for (const auto& s : states) scaled.push_back(in_units(model, s, u));
        const auto residuals = laws::verify(in_units(model, u), scaled);
        ASSERT_EQ(residuals.size(), expected.size());
        for (std::size_t k = 0; k < residuals.size(); ++k) {
            // Its unit accelerations are other motions in other units of length.
            if (residuals[k].law.ends_with("unit accelerations, in motion")) continue;
            if (residuals[k].law == kOneSize) continue;
            EXPECT_EQ(residuals[k].value, expected[k].value)
                << residuals[k].law << ", mass " << u.mass << ", length " << u.length;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Robots, UnitsTest,
                         testing::Values("arm", "quadruped", "humanoid", "chain(12)", "cart_pole",
                                         "tree(20,1)", "tree(20,2)"));

// An error of a billionth, planted into a result, must be seen, on light robots too: in each entry of a vector, and
// of a matrix's diagonal, that is not itself a small rest of large terms.
class Sharpness : public testing::TestWithParam<const char*> {};

template <class Left, class Size>
void expect_noticed(const char* what, const Left& exact, const Size& size, int nv) {
    for (long k = 0; k < exact.size(); ++k) {
        if (std::abs(exact[k]) < 1e-2 * size[k]) continue;
        laws::Report<double> report(nv);
        VectorX<double> wrong = exact;
        wrong[k] *= 1 + 1e-9;
        report.equal(what, wrong, exact, size);
        EXPECT_TRUE(std::move(report).take().front().fails()) << what << ", entry " << k;
    }
}

// A sum is no larger than what it is summed from.
void expect_covered(const char* what, const MatrixX<double>& x, const MatrixX<double>& size) {
    for (long k = 0; k < x.size(); ++k) {
        EXPECT_LE(std::abs(x.data()[k]), (1 + 1e-12) * size.data()[k])
            << what << ", row " << k % x.rows() << ", column " << k / x.rows();
    }
}

TEST_P(Sharpness, SuffersNoErrorOfABillionth) {
    for (const Units& u : {Units{1, 1}, {0x1p-20, 0x1p-10}}) {
        const Model model = in_units(robots::by_name(GetParam()), u);
        std::mt19937 generator(3);
        const laws::State<double> s = laws::random_state(model, generator);
        const laws::Sizes sizes(model, s.q);
        const VectorX<double> v = laws::magnitudes(s.v), a = laws::magnitudes(s.a);
        const int n = model.nv();
        expect_noticed("torque", inverse_dynamics(model, s.q, s.v, s.a), sizes.torques(v, a), n);
        expect_noticed("weight", gravity_torque(model, s.q), sizes.gravity_torques(), n);
        const MatrixX<double> M = mass_matrix(model, s.q);
        const MatrixX<double> size = sizes.mass_matrix();
        expect_noticed("M", VectorX<double>(M.diagonal()), VectorX<double>(size.diagonal()), n);
        // Of the whole matrix, an error is seen in any case.
        laws::Report<double> report(n);
        report.equal("M", M, (M * (1 + 1e-9)).eval(), size);
        const MatrixX<double> C = coriolis_matrix(model, s.q, s.v);
        if (n > 1) report.equal("C", C, (C * (1 + 1e-9)).eval(), sizes.coriolis_matrix(v));
        const auto add = [&](const char* what, const MatrixX<double>& x, const MatrixX<double>& of,
                             double error = 1e-9) {
            if (n > 1) report.equal(what, x, (x * (1 + error)).eval(), of);
            expect_covered(what, x, of);
        };
        expect_covered("torque", inverse_dynamics(model, s.q, s.v, s.a), sizes.torques(v, a));
        expect_covered("weight", gravity_torque(model, s.q), sizes.gravity_torques());
        expect_covered("M", M, size);
        expect_covered("the other half of M", size.transpose(), size);
        expect_covered("C", C, sizes.coriolis_matrix(v));
        const double mass = sizes.mass(0);
        add("J of the centre of mass", com_jacobian(model, s.q),
            sizes.momentum_matrix().bottomRows(3) / mass);
        add("rate of the J of the centre of mass", com_jacobian_dot(model, s.q, s.v),
            sizes.momentum_matrix_rate(v).bottomRows(3) / mass);
        const FrameId last = model.body_frame(model.num_bodies());
        const std::string& name = model.frame(last).name;
        const ReferenceFrame in = ReferenceFrame::kWorldAligned;
        add("J of a frame", frame_jacobian(model, s.q, name, in), sizes.jacobian(last, in));
        add("rate of the J of a frame", frame_jacobian_dot(model, s.q, s.v, name, in),
            sizes.jacobian_rate(last, in, v));
        const auto slopes = inverse_dynamics_derivatives(model, s.q, s.v, s.a);
        // Steps along q add up more terms, of which many cancel.
        add("slopes by q", slopes.dtau_dq, sizes.torque_slopes(v, a).dq, 1e-8);
        const VectorX<double> still = VectorX<double>::Zero(n);
        expect_covered("slopes by q at rest",
                       inverse_dynamics_derivatives(model, s.q, still, still).dtau_dq,
                       sizes.torque_slopes(still, still).dq);
        add("slopes by v", slopes.dtau_dv, sizes.torque_slopes(v, a).dv);
        for (const laws::Residual& r : std::move(report).take()) EXPECT_TRUE(r.fails()) << r.law;
    }
}

INSTANTIATE_TEST_SUITE_P(Robots, Sharpness,
                         testing::Values("arm", "quadruped", "humanoid", "chain(12)", "pendulum",
                                         "tree(20,1)"));

// Stretched out, with all joints accelerated alike or all turning alike, nothing cancels: the sizes are then what there is, but for
// the way from the hinges to the anchor and back.
TEST(SizesOfAStretchedChain, AreItsTorques) {
    constexpr int kLinks = 12;
    Builder builder("chain");
    builder.link("ground").gravity({0, 0, 0});
    for (int k = 0; k < kLinks; ++k) {
        builder.body(k == 0 ? "ground" : "link" + std::to_string(k - 1),
                     revolute("hinge" + std::to_string(k), {0, 1, 0}).at(k == 0 ? 0 : 1, 0, 0),
                     "link" + std::to_string(k), MassProperties::point(1, {1, 0, 0}));
    }
    const Model model = builder.physics(Physics::kLenient).build();
    const VectorX<double> still = VectorX<double>::Zero(kLinks),
                          one = VectorX<double>::Ones(kLinks);
    const laws::Sizes sizes(model, still);
    // By hand: the mass at distance r from the base is accelerated by the sum of the distances to all hinges before it.
    double by_hand = 0;
    for (int r = 1; r <= kLinks; ++r) by_hand += r * (r * (r + 1) / 2);
    const VectorX<double> torque = inverse_dynamics(model, still, still, one);
    EXPECT_NEAR(torque[0], by_hand, 1e-9 * by_hand);
    expect_covered("torque", torque, sizes.torques(still, one));
    EXPECT_LE(sizes.torques(still, one)[0], 4 * torque[0]);
    // Bent at a right angle in the middle, the far half pulls outward as it turns: it has the square of the whole speed.
    VectorX<double> bent = still;
    bent[kLinks / 2] = -std::numbers::pi / 2;
    const VectorX<double> bias = bias_torque(model, bent, one);
    const VectorX<double> size = laws::Sizes(model, bent).torques(one, still);
    expect_covered("bias", bias, size);
    EXPECT_LE(size[0], 30 * std::abs(bias[0]));
}

}  // namespace
}  // namespace plucker::test
