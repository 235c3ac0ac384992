// The calls that docs/coming_from.md sets beside those of other libraries.
#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

#include "plucker/io/load.hpp"
#include "plucker/model/conventions.hpp"
#include "plucker/plucker.hpp"

namespace plucker {
namespace {

std::string text_of(const std::string& path) {
    std::ifstream in(path);
    EXPECT_TRUE(in) << path;
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

// Only compiled: that each gives what it should is the other tests' affair.
[[maybe_unused]] void calls() {
    const Model robot = load("arm.urdf");
    (void)load("dog.urdf", {.base = Base::kFloating});
    std::mt19937 generator(1);
    const double dt = 0.1;
    VectorX<double> q = neutral_configuration(robot);
    const VectorX<double> q0 = q, q1 = random_configuration(robot, generator);
    VectorX<double> v, a, tau;
    (void)integrate(robot, q, dt * v);
    (void)difference(robot, q0, q1);
    (void)inverse_dynamics(robot, q, v, a);
    (void)bias_torque(robot, q, v);
    (void)gravity_torque(robot, q);
    (void)mass_matrix(robot, q);
    (void)inverse_mass_matrix(robot, q);
    (void)coriolis_matrix(robot, q, v);
    (void)forward_dynamics(robot, q, v, tau);
    (void)friction_torque(robot, v);
    Workspace<double> ws(robot);
    const FrameId foot = robot.frame_id("foot");
    MatrixX<double> J(6, robot.nv());
    inverse_dynamics(ws, q, v, a, tau);
    forward_kinematics(ws, q, v);
    (void)frame_pose(ws, foot);
    (void)frame_velocity(ws, foot, ReferenceFrame::kBody);
    frame_jacobian(ws, foot, ReferenceFrame::kWorldAligned, J);
    frame_jacobian_dot(ws, foot, ReferenceFrame::kWorldAligned, J);
    (void)center_of_mass(robot, q);
    (void)com_jacobian(robot, q);
    (void)centroidal_momentum_matrix(robot, q);
    (void)kinetic_energy(robot, q, v);
    (void)potential_energy(robot, q);
    (void)inverse_dynamics_derivatives(robot, q, v, a);
    (void)forward_dynamics_derivatives(robot, q, v, tau);
    ExternalForces<double> forces(robot);
    const Force<double> force{};
    forces.add("foot", force, ReferenceFrame::kWorldAligned);
    (void)lock_joints(robot, {{"knee", {0.4}}});
    const Coordinates pinocchio(robot, Convention::kPinocchio);
    q = pinocchio.import_q(q0);
    v = pinocchio.import_v(q, v);
    (void)pinocchio.export_tau(q, tau);
    (void)pinocchio.export_matrix(q, mass_matrix(robot, q));
}

TEST(ComingFrom, ItsCallsAreCompiled) {
    const std::string root = std::string(PLUCKER_TEST_DATA_DIR) + "/../..";
    const std::string compiled = text_of(root + "/tests/io/coming_from_test.cpp");
    std::istringstream page(text_of(root + "/docs/coming_from.md"));
    int calls_found = 0;
    for (std::string line; std::getline(page, line);) {
        if (line == "## Python") break;  // these are run by tests/python
        // The first column of the table of calls.
        if (!line.starts_with("| `")) continue;
        const std::string call = line.substr(3, line.find('`', 3) - 3);
        EXPECT_NE(compiled.find(call), std::string::npos) << call;
        ++calls_found;
    }
    EXPECT_GE(calls_found, 25);
}

}  // namespace
}  // namespace plucker
