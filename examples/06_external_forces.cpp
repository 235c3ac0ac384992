// Somebody pushes a foot of an exoskeleton that is held in the air by its pelvis, without moving it.
#include <cmath>
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

namespace {

void print(const char* what, const Vec3<double>& a, const char* unit) {
    const auto tidy = [](double x) { return std::abs(x) < 1e-9 ? 0.0 : x; };
    std::printf("%-36s %8.2f %8.2f %8.2f %s\n", what, tidy(a.x), tidy(a.y), tidy(a.z), unit);
}

}  // namespace

int main() {
    const Model model = robots::exoskeleton();
    VectorX<double> q = neutral_configuration(model);
    q[model.q_index("left_hip_flexion")] = -0.3;
    q[model.q_index("left_knee")] = 0.8;
    const VectorX<double> rest = VectorX<double>::Zero(model.nv());

    // 50 N backwards and 20 N up, at the centre of the sole, along the world's axes.
    const Vec3<double> push{-50, 0, 20};
    ExternalForces<double> pushed(model);
    pushed.add("left_foot", {{}, push}, ReferenceFrame::kWorldAligned);
    // The same force in world coordinates, where its moment is about the world's origin.
    const Vec3<double> sole = frame_pose(model, q, "left_foot").position;
    ExternalForces<double> pushed_in_world(model);
    pushed_in_world.add("left_foot", force_at_point(push, sole), ReferenceFrame::kWorld);

    const VectorX<double> alone = inverse_dynamics(model, q, rest, rest);
    const VectorX<double> tau = inverse_dynamics(model, q, rest, rest, &pushed);
    const VectorX<double> same = inverse_dynamics(model, q, rest, rest, &pushed_in_world);
    std::printf("both ways agree: %s\n", (tau - same).norm() < 1e-10 ? "yes" : "no");
    for (const char* joint : {"left_hip_flexion", "left_knee", "left_ankle"}) {
        const int k = model.v_index(joint);
        std::printf("%-17s %6.2f N m alone, %6.2f N m when pushed\n", joint, alone[k], tau[k]);
    }
    // The push takes its share Jᵀ f from the torques, and that is all it does.
    const auto J = frame_jacobian(model, q, "left_foot", ReferenceFrame::kWorldAligned);
    const VectorX<double> share = J.transpose() * to_eigen(Force<double>{{}, push});
    std::printf("alone - pushed = Jᵀ f: %s\n", (alone - tau - share).norm() < 1e-10 ? "yes" : "no");

    // What the joints transmit: forces[i] on body i, in its link's frame; forces[0] on the whole robot.
    const auto forces = reaction_forces(model, q, rest, rest, &pushed);
    const Force<double>& knee = forces[model.body_index("left_shank")];
    print("the knee's bearing: force", knee.linear, "N");
    print("the knee: moment (y is its torque)", knee.angular, "N m");
    print("who holds the robot: force", forces[0].linear, "N");
    print("its weight and the push", model.total_mass() * model.gravity() + push, "N");
}
