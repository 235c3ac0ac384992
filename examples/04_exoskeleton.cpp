// The walking exoskeleton of Soliman and Ugurlu: feet, centre of mass, C and G, floating-base dynamics.
#include <cmath>
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

namespace {

void print(const char* what, const VectorX<double>& x) {
    std::printf("%-38s", what);
    for (const double entry : x) std::printf(" %6.2f", std::abs(entry) < 0.005 ? 0.0 : entry);
    std::printf("\n");
}

}  // namespace

int main() {
    const Model model = robots::exoskeleton();
    const int n = model.nv();
    // The pelvis is upright and at rest; the left leg is nearly straight, the right one swings forward.
    VectorX<double> q = neutral_configuration(model);
    VectorX<double> v = VectorX<double>::Zero(n);
    const auto set = [&](const char* joint, double position, double velocity) {
        const Body<double>& body = model.body(model.joint_index(joint));
        q[body.q_index] = position;
        v[body.v_index] = velocity;
    };
    set("left_hip_flexion", -0.1, 0.2);
    set("left_knee", 0.2, -0.1);
    set("right_hip_flexion", -0.4, -1.5);
    set("right_knee", 0.7, 0.8);

    // Jacobians and their rates: velocity is J v, acceleration J a + J_dot v. Rows: angular, linear.
    constexpr auto kAligned = ReferenceFrame::kWorldAligned;
    for (const char* foot : {"left_foot", "right_foot"}) {
        std::printf("%s\n", foot);
        print("  position [m]", to_eigen(frame_pose(model, q, foot).position));
        print("  J v [rad/s, m/s]", frame_jacobian(model, q, foot, kAligned) * v);
        print("  J_dot v [rad/s^2, m/s^2]", frame_jacobian_dot(model, q, v, foot, kAligned) * v);
    }
    std::printf("centre of mass of %.1f kg\n", model.total_mass());
    print("  position [m]", center_of_mass(model, q));
    print("  J v [m/s]", com_jacobian(model, q) * v);
    print("  J_dot v [m/s^2]", com_jacobian_dot(model, q, v) * v);

    // Modified Newton-Euler: the Coriolis matrix and the gravity torque, separately.
    const auto [C, G] = modified_newton_euler(model, q, v);
    std::printf("torques of the right leg [N m]: hip adduction, hip flexion, knee, ankle\n");
    print("  C v", (C * v).tail(4));
    print("  G", G.tail(4));

    // In the air nothing holds the base: given the joints' accelerations, it moves as it must.
    const auto flight = floating_base_inverse_dynamics(model, q, v, VectorX<double>::Zero(n));
    std::printf("in flight, joints at constant speed\n");
    print("  base acceleration (angular, linear)", flight.a.head(6));
    print("  torques of the right leg", flight.tau.tail(4));
}
