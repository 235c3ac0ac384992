// A robot's constants changed in a workspace, or in a new model: the two agree, and both do what they say.
#include <gtest/gtest.h>

#include "plucker/plucker.hpp"
#include "support/error_message.hpp"
#include "support/joint_models.hpp"

namespace plucker {
namespace {

using test::message;
using test::odd_mass;

class ChangedConstants : public testing::TestWithParam<std::string> {
protected:
    Model model_ = test::joint_model(GetParam());
    std::mt19937 generator_{5};
    VectorX<double> q_ = random_configuration(model_, generator_);
    VectorX<double> v_ = VectorX<double>::LinSpaced(model_.nv(), -1.0, 1.5);
    VectorX<double> a_ = VectorX<double>::LinSpaced(model_.nv(), 2.0, -1.0);

    // Everything that depends on masses, gravity and friction. The links' masses are summed in the same order, so that
    // only a few roundings differ.
    void expect_same(Workspace<double>& changed, const Model& edited) {
        Workspace<double> ws(edited);
        const int n = model_.nv();
        VectorX<double> ours(n), theirs(n);
        const auto compare = [&](const auto& x, const auto& y, const char* what) {
            EXPECT_LE((x - y).cwiseAbs().maxCoeff(), 1e-13 * (1 + y.cwiseAbs().maxCoeff())) << what;
        };
        inverse_dynamics(changed, q_, v_, a_, ours);
        inverse_dynamics(ws, q_, v_, a_, theirs);
        compare(ours, theirs, "inverse dynamics");
        gravity_torque(changed, q_, ours);
        gravity_torque(ws, q_, theirs);
        compare(ours, theirs, "gravity torque");
        friction_torque(changed, v_, ours);
        friction_torque(ws, v_, theirs);
        compare(ours, theirs, "friction torque");
        forward_dynamics(changed, q_, v_, a_, ours);
        forward_dynamics(ws, q_, v_, a_, theirs);
        EXPECT_LE((ours - theirs).cwiseAbs().maxCoeff(),
                  1e-11 * (1 + theirs.cwiseAbs().maxCoeff()));
        MatrixX<double> M(n, n), N(n, n);
        mass_matrix(changed, q_, M);
        mass_matrix(ws, q_, N);
        compare(M, N, "mass matrix");
        coriolis_matrix(changed, q_, v_, M);
        coriolis_matrix(ws, q_, v_, N);
        compare(M, N, "Coriolis matrix");
        MatrixX<double> M_q(n, n), N_q(n, n), M_v(n, n), N_v(n, n);
        inverse_dynamics_derivatives(changed, q_, v_, a_, M_q, M_v, M);
        inverse_dynamics_derivatives(ws, q_, v_, a_, N_q, N_v, N);
        compare(M_q, N_q, "derivatives by q");
        compare(M_v, N_v, "derivatives by v");
        compare(M, N, "derivatives by a");
        forward_kinematics(changed, q_, v_);
        forward_kinematics(ws, q_, v_);
        compare(to_eigen(center_of_mass(changed)), to_eigen(center_of_mass(ws)), "centre of mass");
        EXPECT_NEAR(potential_energy(changed), potential_energy(ws),
                    1e-12 * (1 + std::abs(potential_energy(ws))));
        EXPECT_NEAR(kinetic_energy(changed, q_, v_), kinetic_energy(ws, q_, v_),
                    1e-12 * kinetic_energy(ws, q_, v_));
    }
};

TEST_P(ChangedConstants, AgreeWithANewModel) {
    Workspace<double> ws(model_);
    expect_same(ws, model_);
    ws.set_gravity({1, 2, 3});
    Model edited = with_gravity(model_, {1, 2, 3});
    expect_same(ws, edited);
    const std::string link = model_.body_name(model_.num_bodies());
    ws.set_mass(model_.frame_id(link), odd_mass(9));
    edited = with_mass(edited, link, odd_mass(9));
    expect_same(ws, edited);
    const FrameId at = model_.body_frame(1);
    ws.set_payload(at, odd_mass(11));
    expect_same(ws, with_payload(edited, model_.frame(at).name, odd_mass(11), "crate"));
    ws.set_payload(at, odd_mass(12));  // in place of the other
    expect_same(ws, with_payload(edited, model_.frame(at).name, odd_mass(12), "crate"));
    ws.set_payload(at, {});
    expect_same(ws, edited);
    ws.set_friction(false);
    expect_same(ws, with_friction(edited, false));
    EXPECT_EQ(friction_torque(with_friction(edited, false), v_).norm(), 0);
    ws.set_friction(true);
    expect_same(ws, edited);
}

INSTANTIATE_TEST_SUITE_P(Robots, ChangedConstants,
                         testing::Values("dissipative", "floating_dissipative", "mimic",
                                         "floating_revolute"));

TEST(ChangedMass, IsCheckedAndNamed) {
    const Model arm = robots::arm();
    Workspace<double> ws(arm);
    const std::string tip = arm.body_name(7);
    EXPECT_EQ(message([&] { ws.set_mass(arm.frame_id(tip), MassProperties::point(-1)); }),
              "set_mass: '" + tip + "': mass is -1 kg; it must not be negative");
    EXPECT_NE(message([&] { (void)with_mass(arm, "tipp", {}); }).find("unknown link 'tipp'"),
              std::string::npos);
    EXPECT_EQ(message([&] { (void)with_mass(arm, tip, MassProperties::point(-1)); }),
              "with_mass: '" + tip + "': mass is -1 kg; it must not be negative");
    EXPECT_EQ(message([&] { (void)with_payload(arm, tip, MassProperties::point(-1), "load"); }),
              "with_payload: 'load': mass is -1 kg; it must not be negative");
    EXPECT_EQ(message([&] { (void)with_payload(arm, tip, MassProperties::point(NAN), "load"); }),
              "with_payload: 'load': mass is nan kg; it must not be negative");
    // Each of its ten numbers.
    for (int k = 1; k < MassProperties::kNumbers; ++k) {
        auto numbers = MassProperties::sphere(1, 0.1, {0.1, 0.2, 0.3}).numbers();
        numbers[static_cast<std::size_t>(k)] = NAN;
        const MassProperties spoilt = MassProperties::from_numbers(numbers);
        const std::string why = ": its centre or its inertia holds nan; they must be finite";
        EXPECT_EQ(message([&] { (void)with_mass(arm, tip, spoilt); }),
                  "with_mass: '" + tip + "'" + why)
            << k;
        EXPECT_EQ(message([&] { (void)with_payload(arm, tip, spoilt, "load"); }),
                  "with_payload: 'load'" + why)
            << k;
        EXPECT_EQ(message([&] { ws.set_mass(arm.frame_id(tip), spoilt); }),
                  "set_mass: '" + tip + "'" + why)
            << k;
    }
    // No body has these inertias: a strict robot refuses them whichever way they come, and keeps what it had.
    for (const auto& each :
         {std::pair(MassProperties{1, {}, SymMat3<double>::diagonal(-50, -50, -50)},
                    "rotational inertia is not positive semidefinite"),
          {{1, {}, SymMat3<double>::diagonal(1, 1, 3)}, "violates the triangle inequality"},
          {{0, {}, SymMat3<double>::diagonal(1, 1, 1)}, "mass is zero but its rotational"}}) {
        const MassProperties& impossible = each.first;
        const std::string why = each.second;
        const auto refuses = [&](const std::string& who, auto&& change) {
            const std::string said = message(change);
            EXPECT_EQ(said.find(who + "': "), 0U) << said;
            EXPECT_NE(said.find(why), std::string::npos) << said;
        };
        refuses("with_mass: '" + tip, [&] { (void)with_mass(arm, tip, impossible); });
        refuses("with_payload: 'load", [&] { (void)with_payload(arm, tip, impossible, "load"); });
        refuses("set_mass: '" + tip, [&] { ws.set_mass(arm.frame_id(tip), impossible); });
        refuses("set_payload: 'tool", [&] { ws.set_payload(arm.frame_id("tool"), impossible); });
        EXPECT_EQ(ws.body(7).inertia, arm.body(7).inertia);
        refuses("with_dynamic_parameters: '" + tip, [&] {
            VectorX<double> numbers = dynamic_parameters(arm);
            const auto own = link_parameters(impossible.inertia());
            std::copy(own.begin(), own.end(), numbers.data() + 6 * kLinkParameters);
            (void)with_dynamic_parameters(arm, numbers);
        });
        // A lenient one takes them, and its check says so, of no line of a file.
        Description lenient = arm.description();
        lenient.physics = Physics::kLenient;
        for (LinkDescription& link : lenient.links) link.source = {"arm.urdf", 3};
        const Model odd = with_mass(Model(lenient), tip, impossible);
        const std::vector<Diagnostic> found = find_errors(odd.description());
        ASSERT_EQ(found.size(), 1U);
        EXPECT_EQ(to_string(found[0]).find("link '" + tip + "': "), 0U) << to_string(found[0]);
        EXPECT_NE(found[0].message.find(why), std::string::npos) << found[0].message;
        EXPECT_EQ(found[0].severity, Severity::kWarning);
        Workspace<double>(odd).set_mass(odd.frame_id(tip), impossible);
    }
    // In code a point is meant, whatever the robot comes from.
    Description from_file = arm.description();
    for (LinkDescription& link : from_file.links) link.source = {"arm.urdf", 3};
    EXPECT_EQ(message([&] { (void)with_mass(Model(from_file), tip, MassProperties::point(1)); }),
              "no error");
    for (const Frame& frame : arm.frames()) {
        const bool is_link =
            std::any_of(arm.description().links.begin(), arm.description().links.end(),
                        [&](const LinkDescription& link) { return link.name == frame.name; });
        if (!is_link) {
            EXPECT_NE(message([&] {
                          ws.set_mass(arm.frame_id(frame.name), {});
                      }).find("is a frame, not a link"),
                      std::string::npos);
        }
    }
}

// M x and M⁻¹ x undo each other, and M x is the matrix times x: for a vector and for columns.
TEST(MassMatrixTimes, IsTheMatrixTimesAVector) {
    for (const std::string& name : test::joint_model_names()) {
        SCOPED_TRACE(name);
        const Model model = test::joint_model(name);
        std::mt19937 generator(3);
        const VectorX<double> q = random_configuration(model, generator);
        const MatrixX<double> M = mass_matrix(model, q);
        const MatrixX<double> B = MatrixX<double>::NullaryExpr(model.nv(), 3, [](auto r, auto c) {
            return 0.3 * static_cast<double>(r) - static_cast<double>(c);
        });
        const MatrixX<double> product = mass_matrix_times(model, q, B);
        EXPECT_LE((product - M * B).cwiseAbs().maxCoeff(), 1e-13 * M.cwiseAbs().sum());
        const VectorX<double> column = mass_matrix_times(model, q, B.col(1));
        EXPECT_EQ(column, product.col(1));
    }
}

}  // namespace
}  // namespace plucker
