// A state that was logged with Pinocchio or MuJoCo, taken over; and results given back in their coordinates.
#include <cmath>
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

namespace {

void print(const char* what, const VectorX<double>& x) {
    std::printf("%-30s", what);
    for (const double number : x) std::printf(" %6.2f", std::abs(number) < 0.005 ? 0 : number);
    std::printf("\n");
}

// A cart that floats, with a wheel that turns without limits and a mast; the wheel is declared first.
Model rover() {
    return Builder("rover")
        .base(Base::kFloating)
        .link("cart", MassProperties::box(8, {0.6, 0.4, 0.2}))
        .body("cart", revolute("wheel", {0, 1, 0}).at(0.2, 0, -0.1), "rim",
              MassProperties::cylinder(1, 0.1, 0.05))
        .body("cart", revolute("mast", {1, 0, 0}).at(0, 0, 0.1).with_limits({-1, 1}), "pole",
              MassProperties::box(1, {0.1, 0.1, 1}, {0, 0, 0.5}))
        .build();
}

}  // namespace

int main() {
    const Model robot = rover();
    const Coordinates pinocchio(robot, Convention::kPinocchio);
    const Coordinates mujoco(robot, Convention::kMujoco);
    // Siblings stand in the order of their names in Pinocchio, and a wheel is (cos, sin) there.
    for (const std::string& name : pinocchio.q_names()) std::printf("%s,", name.c_str());
    std::printf(" in Pinocchio\n");

    // The cart, turned by a quarter about z, drives along its own x at 2 m/s and turns at 1 rad/s.
    VectorX<double> qpos(9), qvel(8);
    qpos << 0, 0, 1, std::sqrt(0.5), 0, 0, std::sqrt(0.5), 0.3, 0.1;  // wxyz; then wheel, mast
    qvel << 0, 2, 0, 0, 0, 1, 20, 0;  // along the world's axes; then about its own
    const VectorX<double> q = mujoco.import_q(qpos);
    const VectorX<double> v = mujoco.import_v(q, qvel);
    print("v here: angular, linear", v);
    print("v in Pinocchio", pinocchio.export_v(q, v));
    print("q in Pinocchio", pinocchio.export_q(q));

    // No torque at all: what would mj_forward say?
    const VectorX<double> a = forward_dynamics(robot, q, v, VectorX<double>::Zero(robot.nv()));
    print("acceleration here", a);
    print("qacc in MuJoCo", mujoco.export_a(q, v, a));
    const MatrixX<double> M = mujoco.export_matrix(q, mass_matrix(robot, q));
    print("diagonal of MuJoCo's M", M.diagonal());
}
