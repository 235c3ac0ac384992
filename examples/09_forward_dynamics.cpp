// "Forward Dynamics with Spatial Vectors": the jumping lamp of Fig. 1, in three ways that must agree.
#include <Eigen/Dense>
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

namespace {

void print(const char* what, const VectorX<double>& x) {
    std::printf("%-24s", what);
    for (const double entry : x) std::printf(" %10.3f", entry);
    std::printf("\n");
}

}  // namespace

int main() {
    const Model lamp = robots::lamp();
    const int n = lamp.nv();
    // Eq. 4: the base's x, y and angle, and the two joint angles. The lamp has just left the ground.
    VectorX<double> q(n), v(n), Q(n);
    q << 0.0, 0.1, 0.2, -0.6, 0.9;
    v << 0.5, 2.0, -0.4, 1.0, -2.0;
    // Eq. 5: motors turn the joints; nothing drives the base.
    Q << 0.0, 0.0, 0.0, 0.10, -0.05;

    // Section 2, step 1, eq. 9: C is the force of a motion without acceleration.
    const VectorX<double> zero = VectorX<double>::Zero(n);
    const VectorX<double> C = inverse_dynamics(lamp, q, v, zero);
    // Step 2, eq. 11: column i of H is what a unit acceleration of coordinate i adds.
    MatrixX<double> H(n, n);
    for (int i = 0; i < n; ++i) {
        H.col(i) = inverse_dynamics(lamp, q, v, VectorX<double>::Unit(n, i)) - C;
    }
    // Step 3, eq. 6: solve H a = Q - C.
    const VectorX<double> a = H.ldlt().solve(Q - C);

    // The same two steps in one call, with H from composite bodies; and without any matrix.
    const VectorX<double> by_mass_matrix = forward_dynamics_by_mass_matrix(lamp, q, v, Q);
    const VectorX<double> by_articulated_bodies = forward_dynamics(lamp, q, v, Q);

    std::printf("%-24s", "");
    for (const std::string& name : lamp.velocity_names()) std::printf(" %10s", name.c_str());
    std::printf("\n");
    print("C", C);
    print("H column by column", a);
    print("H by composite bodies", by_mass_matrix);
    print("articulated bodies", by_articulated_bodies);
    const double apart = std::max((a - by_mass_matrix).norm(), (a - by_articulated_bodies).norm());
    std::printf("they agree to 1e-10: %s\n", apart < 1e-10 ? "yes" : "no");

    // In flight the centre of mass only falls, whatever the joints do.
    const Vector3<double> com = com_acceleration(lamp, q, v, a);
    std::printf("centre of mass accelerates with %.2f m/s^2 along y\n", com.y());
}
