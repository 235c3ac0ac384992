// Featherstone's "A Short Course on Spatial Vector Algebra", in numbers that a pencil can follow.
#include <cmath>
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

namespace {

// Motions and forces alike: angular part, then linear part. Rounding dust is shown as zero.
template <class SixVector>
void print(const char* what, const SixVector& s) {
    std::printf("%-28s", what);
    const Vector6<double> six = to_eigen(s);
    for (const double x : six) std::printf(" %6.2f", std::abs(x) < 1e-12 ? 0.0 : x);
    std::printf("\n");
}

}  // namespace

int main() {
    // Velocity: a body turns about the z axis through O with 2 rad/s and slides along it with 1 m/s.
    const Motion<double> v{{0, 0, 2}, {0, 0, 1}};
    // Force: 3 N along y, on a line through the point (0.5 0 0).
    const Force<double> f = force_at_point(Vec3<double>{0, 3, 0}, Vec3<double>{0.5, 0, 0});
    print("velocity (w; v_O)", v);
    print("force (n_O; f)", f);
    std::printf("power v.f = %.2f W\n", dot(v, f));  // dot(v, v) and v + f do not compile

    // Coordinate transform: frame B is turned from A by a quarter about z, its origin at (1 0 0) in A.
    const Transform<double> X_BA{rotation_z(SinCos<double>{1, 0}), {1, 0, 0}};
    print("velocity in B", X_BA * v);
    print("force in B", X_BA * f);
    std::printf("power in B = %.2f W\n", dot(X_BA * v, X_BA * f));

    // Inertia: two point masses of 2 kg, at (0.5 0 0) and (1.5 0 0), joined together.
    const Inertia<double> I =
        Inertia<double>::point_mass(2, {0.5, 0, 0}) + Inertia<double>::point_mass(2, {1.5, 0, 0});
    print("momentum I v", I * v);
    // Equation of motion f = I a + v x* I v: to turn steadily (a = 0) both must be pulled to the axis.
    print("force when a = 0", equation_of_motion(I, {}, v));

    // Constrained motion: a hinge allows S, turning about z. The body is at rest; f acts on it.
    const MotionSubspace<double> S{1, {Motion<double>{{0, 0, 1}, {}}}};
    const Motion<double> a = constrained_acceleration(S, I, f);
    print("acceleration on the hinge", a);
    // The hinge answers with what is missing. It lies in T, five forces that do no work: S.T = 0.
    const ForceSubspace<double> T = constraint_force_subspace(S);
    print("constraint force", I * a - f);
    for (int j = 0; j < T.dim; ++j) {
        print("  a column of T", T.column[j]);
        if (dot(S.column[0], T.column[j]) != 0) return 1;
    }
}
