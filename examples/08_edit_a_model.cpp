// New robots from old ones: attach a gripper to an arm, lock joints, put it all on a floating base.
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

namespace {

void print(const char* what, const Model& model) {
    std::printf("%-26s nq %2d, nv %2d, %5.2f kg moving\n", what, model.nq(), model.nv(),
                model.total_mass());
}

// Two fingers that open together: the right one follows the left.
Model gripper() {
    return Builder("gripper")
        .link("palm", MassProperties::box(0.5, {0.06, 0.16, 0.06}, {0, 0, 0.03}))
        .body("palm", prismatic("left", {0, 1, 0}).at(0, 0, 0.06).with_limits({0, 0.04}),
              "left_finger", MassProperties::box(0.05, {0.02, 0.01, 0.06}, {0, 0, 0.03}))
        .body("palm", prismatic("right", {0, -1, 0}).at(0, 0, 0.06).mimicking("left"),
              "right_finger", MassProperties::box(0.05, {0.02, 0.01, 0.06}, {0, 0, 0.03}))
        .frame("grasp", "palm", Pose<double>::translation(0, 0, 0.11))
        .build();
}

}  // namespace

int main() {
    const Model arm = robots::arm();
    print("arm", arm);
    // The palm is fixed to the frame "tool"; the gripper's names get a prefix.
    const Model equipped = attach(arm, "tool", gripper(), {}, "gripper_");
    print("arm with gripper", equipped);
    // A locked joint is a fixed one: its links merge, and every link remains as a frame.
    const Model locked =
        lock_joints(equipped, {{"joint1", {0}}, {"joint3", {0}}, {"joint5", {0}}, {"joint7", {0}}});
    print("four joints locked", locked);
    // The pedestal stood on the ground and was part of the world; now it moves too.
    const Model adrift = with_gravity(with_base(locked, Base::kFloating), {0, 0, 0});
    print("adrift in space", adrift);

    // The models are independent, and agree where they should: the same posture, the same grasp.
    VectorX<double> q = neutral_configuration(equipped);
    VectorX<double> q_locked = neutral_configuration(locked);
    const std::pair<const char*, double> bends[] = {
        {"joint2", 0.6}, {"joint4", -0.9}, {"joint6", 1.2}};
    for (const auto& [joint, angle] : bends) {
        q[equipped.body(equipped.joint_index(joint)).q_index] = angle;
        q_locked[locked.body(locked.joint_index(joint)).q_index] = angle;
    }
    const Vec3<double> p = frame_pose(equipped, q, "gripper_grasp").position;
    const Vec3<double> p_locked = frame_pose(locked, q_locked, "gripper_grasp").position;
    std::printf("grasp at x = %.3f m, z = %.3f m; with locked joints x = %.3f m, z = %.3f m\n", p.x,
                p.z, p_locked.x, p_locked.z);
}
