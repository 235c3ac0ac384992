#include "support/joint_models.hpp"

#include <cmath>

#include "plucker/model/builder.hpp"

namespace plucker::test {
namespace {

const Vec3<double> kAxis{0.36, -0.48, 0.8};
const Vec3<double> kAcross{0.8, 0.6, 0.0};  // perpendicular to kAxis

JointDescription joint_named(const std::string& name) {
    if (name == "kept_fixed") return fixed("middle");
    if (name == "revolute") return revolute("middle", kAxis);
    if (name == "prismatic") return prismatic("middle", kAxis);
    if (name == "helical") return helical("middle", kAxis, 0.15);
    if (name == "cylindrical") return cylindrical("middle", kAxis);
    if (name == "universal") return universal("middle", kAxis, kAcross);
    if (name == "spherical") return spherical("middle");
    if (name == "planar") return planar("middle", kAxis);
    if (name == "translation") return translation("middle");
    if (name == "floating_joint") return floating("middle");
    if (name == "mimic") return helical("middle", kAxis, 0.1).mimicking("tip_a", -1.5, 0.2);
    if (name == "dissipative") {
        return universal("middle", kAxis, kAcross)
            .with_armature(0.4)
            .with_damping(0.3)
            .with_friction(0.2);
    }
    throw Error("no joint model " + name);
}

}  // namespace

MassProperties odd_mass(int number) {
    const double k = number;
    MassProperties mass = MassProperties::box(
        1.0 + 0.3 * k, {0.2 + 0.05 * std::sin(k), 0.3, 0.25 + 0.05 * std::cos(k)},
        {0.1 * std::sin(2 * k), 0.05 * std::cos(3 * k), 0.1});
    const Mat3<double> R =
        Pose<double>::roll_pitch_yaw({}, {std::sin(k), std::cos(k), std::sin(3 * k)}).rotation;
    mass.about_center = rotate_back(R, mass.about_center);
    return mass;
}

Pose<double> odd_placement(int number) {
    const double k = number;
    return Pose<double>::roll_pitch_yaw({0.2 * std::cos(k), 0.3 * std::sin(k), 0.25},
                                        {std::sin(2 * k), std::cos(2 * k), std::sin(k)});
}

std::vector<std::string> joint_model_names() {
    std::vector<std::string> names;
    for (const char* name :
         {"kept_fixed", "revolute", "prismatic", "helical", "cylindrical", "universal", "spherical",
          "planar", "translation", "floating_joint", "mimic", "dissipative"}) {
        names.emplace_back(name);
        names.push_back(std::string("floating_") + name);
    }
    return names;
}

// ground - root - middle - tip_a
//             \         \- tip_b
//              \- arm
Model joint_model(const std::string& name) {
    const bool floats = name.starts_with("floating_") && name != "floating_joint";
    const std::string type = floats ? name.substr(9) : name;
    Builder builder(name);
    builder.gravity({1.0, -2.0, -9.0})
        .base(floats ? Base::kFloating : Base::kFixed)
        .fixed_joints(type == "kept_fixed" ? FixedJoints::kKeep : FixedJoints::kMerge)
        .link("ground", odd_mass(0))
        .body("ground", revolute("root", {0.6, 0.0, 0.8}).at(odd_placement(1)), "root_link",
              odd_mass(1))
        .body("root_link", joint_named(type).at(odd_placement(2)), "middle_link", odd_mass(2))
        .body("middle_link", revolute("tip_a", {0.0, 1.0, 0.0}).at(odd_placement(3)), "tip_a_link",
              odd_mass(3))
        .body("middle_link", prismatic("tip_b", {0.0, -0.6, 0.8}).at(odd_placement(4)),
              "tip_b_link", odd_mass(4))
        .body("root_link", revolute("arm", {1.0, 0.0, 0.0}).at(odd_placement(5)), "arm_link",
              odd_mass(5))
        .frame("tool", "tip_a_link", odd_placement(6));
    return builder.build();
}

}  // namespace plucker::test
