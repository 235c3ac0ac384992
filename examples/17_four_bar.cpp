// A closed loop: a four-bar linkage, cut open into a tree and tied together again by a constraint.
#include <cstdio>
#include <plucker/constraints/close_loops.hpp>
#include <plucker/plucker.hpp>

using namespace plucker;

int main() {
    const auto bar = [](double length) {
        return MassProperties::box(2 * length, {length, 0.04, 0.04}, {length / 2, 0, 0});
    };
    const auto along_x = [](double x) { return Pose<double>::translation(x, 0, 0); };
    // The tree: crank and coupler on one side, the rocker on the other.
    ConstraintDescription pin = weld("pin", "coupler", "rocker");
    pin.placement_a = along_x(0.9);
    pin.placement_b = along_x(0.6);
    // A hinge about y: turning about y stays free. In the plane two of the five others would do;
    // redundant ones do no harm.
    pin.axes = {true, false, true, true, true, true};
    const Model model = Builder("four_bar")
                            .link("ground")
                            .body("ground", revolute("crank_joint", {0, 1, 0}), "crank", bar(0.3))
                            .body("crank", revolute("coupler_joint", {0, 1, 0}).at(along_x(0.3)),
                                  "coupler", bar(0.9))
                            .body("ground", revolute("rocker_joint", {0, 1, 0}).at(along_x(0.8)),
                                  "rocker", bar(0.6))
                            .constraint(pin)
                            .build();
    std::printf("%d joints, %d equations\n", model.nv(), model.num_constraint_rows());

    // From a rough guess, with the crank where it is to be: upright.
    const Eigen::Vector3d guess(-1.57, 1.3, -1.0);
    const ClosedLoops start = close_loops(model, guess, {.held = {"crank_joint"}});
    if (!start.closed) {
        std::printf("%s\n", start.message.c_str());
        return 1;
    }
    std::printf("closed at %.3f %.3f %.3f\n", start.q[0], start.q[1], start.q[2]);

    // The crank turns at 2 rad/s; the others follow.
    Workspace<double> ws(model);
    VectorX<double> v = Eigen::Vector3d(2, 0, 0), a(3), lambda(model.num_constraint_rows());
    project_velocity(ws, start.q, v);
    v *= 2 / v[0];
    std::printf("velocities %.3f %.3f %.3f\n", v[0], v[1], v[2]);

    // A torque at the crank: what moves, and what the pin has to hold.
    const Eigen::Vector3d tau(3, 0, 0);
    constrained_forward_dynamics(ws, start.q, v, tau, nullptr, a, lambda);
    std::printf("accelerations %.2f %.2f %.2f\n", a[0], a[1], a[2]);
    const Force<double> f = constraint_force(ws, start.q, 0, lambda, ReferenceFrame::kWorldAligned);
    std::printf("the pin pushes the coupler with %.2f N along x, %.2f N along z\n", f.linear.x,
                f.linear.z);
    const double work = lambda.dot(constraint_jacobian(model, start.q) * v);
    std::printf("and does work at %.1f W\n", std::abs(work));
    return 0;
}
