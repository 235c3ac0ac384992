// No in-place call allocates: counted at malloc, in the build that users run.
#include <gtest/gtest.h>

#include "plucker/laws/laws.hpp"
#include "plucker/robots/robots.hpp"
#include "support/count_allocations.hpp"
#include "support/joint_models.hpp"

namespace plucker {
namespace {

class InPlace : public testing::TestWithParam<std::string> {
protected:
    template <class F>
    static void expect_no_allocation(const char* what, F&& f) {
        const long before = allocations;
        f();
        EXPECT_EQ(allocations - before, 0) << what;
    }
};

Model model_named(const std::string& name) {
    return name.starts_with("joint_") ? test::joint_model(name.substr(6)) : robots::by_name(name);
}

TEST_P(InPlace, AllocatesNothing) {
#if PLUCKER_CAN_COUNT
    {
        const long before = allocations;
        const std::vector<double> seen(100);
        ASSERT_GT(allocations - before, 0) << "the counter does not count; size " << seen.size();
    }
#endif
    const Model model = model_named(GetParam());
    const int n = model.nv();
    std::mt19937 generator(1);
    const auto s = laws::random_state(model, generator);
    Workspace<double> ws(model);
    ExternalForces<double> external(model);
    external.add(model.frame_id(0), {{1, 2, 3}, {4, 5, 6}}, ReferenceFrame::kWorld);
    external.add(model.body_frame(1), {{1, 2, 3}, {4, 5, 6}}, ReferenceFrame::kWorldAligned);
    std::vector<Given> given(static_cast<std::size_t>(model.num_bodies()) + 1, Given::kTorque);
    std::vector<Force<double>> forces(static_cast<std::size_t>(model.num_bodies()) + 1);
    MatrixX<double> A(n, n);
    MatrixX<double> B(n, n);
    MatrixX<double> symbols(n, n * n);
    Matrix6X<double> J(6, n);
    Matrix3X<double> J_com(3, n);
    VectorX<double> x(n);
    VectorX<double> y = s.a;
    VectorX<double> q(model.nq());
    const FrameId frame = model.body_frame(model.num_bodies());
    double sink = 0;

    expect_no_allocation("inverse_dynamics", [&] { inverse_dynamics(ws, s.q, s.v, s.a, x); });
    expect_no_allocation("inverse_dynamics",
                         [&] { inverse_dynamics(ws, s.q, s.v, s.a, &external, x); });
    expect_no_allocation("bias_torque", [&] { bias_torque(ws, s.q, s.v, x); });
    expect_no_allocation("gravity_torque", [&] { gravity_torque(ws, s.q, x); });
    expect_no_allocation("reaction_forces",
                         [&] { reaction_forces(ws, s.q, s.v, s.a, &external, forces); });
    expect_no_allocation("mass_matrix", [&] { mass_matrix(ws, s.q, A); });
    expect_no_allocation("factor_mass_matrix", [&] { factor_mass_matrix(ws, A); });
    expect_no_allocation("solve_with_factor", [&] { solve_with_factor(ws, A, x); });
    expect_no_allocation("mass_matrix_by_inverse_dynamics",
                         [&] { mass_matrix_by_inverse_dynamics(ws, s.q, s.v, x, A); });
    expect_no_allocation("forward_dynamics",
                         [&] { forward_dynamics(ws, s.q, s.v, s.tau, &external, x); });
    expect_no_allocation("forward_dynamics_by_mass_matrix", [&] {
        forward_dynamics_by_mass_matrix(ws, s.q, s.v, s.tau, nullptr, A, x);
    });
    expect_no_allocation("hybrid_dynamics",
                         [&] { hybrid_dynamics(ws, s.q, s.v, given, &external, y, x); });
    if (model.has_floating_base()) {
        expect_no_allocation("floating_base_inverse_dynamics",
                             [&] { floating_base_inverse_dynamics(ws, s.q, s.v, nullptr, y, x); });
    }
    expect_no_allocation("inverse_mass_matrix", [&] { inverse_mass_matrix(ws, s.q, A); });
    expect_no_allocation("inverse_mass_matrix_by_articulated_bodies",
                         [&] { inverse_mass_matrix_by_articulated_bodies(ws, s.q, A); });
    expect_no_allocation("inverse_mass_matrix_times",
                         [&] { inverse_mass_matrix_times(ws, s.q, B); });
    expect_no_allocation("coriolis_matrix", [&] { coriolis_matrix(ws, s.q, s.v, A); });
    expect_no_allocation("modified_newton_euler",
                         [&] { modified_newton_euler(ws, s.q, s.v, A, x); });
    expect_no_allocation("christoffel_symbols", [&] { christoffel_symbols(ws, s.q, symbols); });
    expect_no_allocation("coriolis_transpose_times_velocity",
                         [&] { coriolis_transpose_times_velocity(ws, s.q, s.v, x); });
    expect_no_allocation("forward_kinematics", [&] { forward_kinematics(ws, s.q, s.v, s.a); });
    expect_no_allocation("frame_pose", [&] { sink += frame_pose(ws, frame).position.x; });
    expect_no_allocation("frame_velocity", [&] { sink += frame_velocity(ws, frame).linear.x; });
    expect_no_allocation("frame_acceleration",
                         [&] { sink += frame_acceleration(ws, frame).linear.x; });
    expect_no_allocation("frame_classical_acceleration",
                         [&] { sink += frame_classical_acceleration(ws, frame).linear.x; });
    expect_no_allocation("frame_jacobian",
                         [&] { frame_jacobian(ws, frame, ReferenceFrame::kBody, J); });
    expect_no_allocation("frame_jacobian_rate",
                         [&] { frame_jacobian_rate(ws, frame, ReferenceFrame::kWorldAligned, J); });
    expect_no_allocation("center_of_mass", [&] { sink += center_of_mass(ws).x; });
    expect_no_allocation("com_jacobian", [&] { com_jacobian(ws, J_com); });
    expect_no_allocation("com_jacobian_rate", [&] { com_jacobian_rate(ws, J_com); });
    expect_no_allocation("centroidal_momentum", [&] { sink += centroidal_momentum(ws).linear.x; });
    expect_no_allocation("centroidal_momentum_rate",
                         [&] { sink += centroidal_momentum_rate(ws).linear.x; });
    expect_no_allocation("centroidal_momentum_matrix", [&] { centroidal_momentum_matrix(ws, J); });
    expect_no_allocation("centroidal_momentum_matrix_rate",
                         [&] { centroidal_momentum_matrix_rate(ws, J); });
    expect_no_allocation("kinetic_energy", [&] { sink += kinetic_energy(ws, s.q, s.v); });
    expect_no_allocation("potential_energy", [&] { sink += potential_energy(ws); });
    expect_no_allocation("mechanical_power",
                         [&] { sink += mechanical_power(ws, s.q, s.v, s.tau, &external); });
    expect_no_allocation("integrate", [&] { integrate(ws, s.q, s.v, q); });
    expect_no_allocation("difference", [&] { difference(ws, s.q, q, x); });
    expect_no_allocation("normalize_configuration", [&] { normalize_configuration(ws, q); });
    EXPECT_TRUE(std::isfinite(sink));
}

INSTANTIATE_TEST_SUITE_P(Robots, InPlace,
                         testing::Values("arm", "exoskeleton", "humanoid", "tree(20,1)",
                                         "joint_mimic", "joint_floating_dissipative"),
                         [](const auto& test) {
                             std::string name = test.param;
                             for (char& c : name)
                                 c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
                             return name;
                         });

}  // namespace
}  // namespace plucker
