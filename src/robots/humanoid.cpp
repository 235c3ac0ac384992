// A humanoid of 68 kg and 1.74 m with thirty joints: six a leg, six an arm, three in the waist, three in
// the neck. The numbers are our own, in the proportions of today's machines.
//
// At zero it stands straight with its arms down. Roll is about x, pitch about y, yaw about z.
#include "limb.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::robots {
namespace {

void add_humanoid_leg(Builder& builder, Side side, const std::string& prefix) {
    Limb(builder, side, prefix, "pelvis")
        .then("hip_yaw", kAboutZ, {0, 0.09, -0.05}, {-0.8, 0.8, 8, 100}, "hip_yaw_link",
              MassProperties::box(1.5, {0.10, 0.10, 0.10}, {-0.02, 0, 0.02}))
        .then("hip_roll", kAboutX, {0, 0, -0.04}, {-0.4, 0.7, 8, 150}, "hip_roll_link",
              MassProperties::box(1.5, {0.10, 0.08, 0.10}, {0.02, 0, 0}))
        .then("hip_pitch", kAboutY, {0, 0, 0}, {-2.0, 0.8, 10, 200}, "thigh",
              MassProperties::box(4.5, {0.12, 0.12, 0.36}, {0, 0.01, -0.16}))
        .then("knee", kAboutY, {0, 0, -0.38}, {0, 2.3, 12, 250}, "shank",
              MassProperties::box(3.0, {0.09, 0.09, 0.36}, {0, 0, -0.17}))
        .then("ankle_pitch", kAboutY, {0, 0, -0.38}, {-1.0, 0.7, 10, 120}, "ankle",
              MassProperties::box(0.8, {0.06, 0.06, 0.06}))
        .then("ankle_roll", kAboutX, {0, 0, 0}, {-0.4, 0.4, 10, 80}, "foot_link",
              MassProperties::box(1.2, {0.24, 0.10, 0.05}, {0.03, 0, -0.05}))
        .frame("foot", {0.03, 0, -0.08});  // the sole's centre
}

void add_arm(Builder& builder, Side side, const std::string& prefix) {
    Limb(builder, side, prefix, "chest")
        .then("shoulder_pitch", kAboutY, {0, 0.18, 0.30}, {-3.0, 1.0, 8, 80}, "shoulder_pitch_link",
              MassProperties::box(1.2, {0.09, 0.08, 0.09}, {0, 0.02, 0}))
        .then("shoulder_roll", kAboutX, {0, 0.05, 0}, {-0.2, 2.8, 8, 80}, "shoulder_roll_link",
              MassProperties::box(1.0, {0.08, 0.08, 0.10}, {0, 0, -0.03}))
        .then("shoulder_yaw", kAboutZ, {0, 0, -0.10}, {-1.5, 1.5, 10, 60}, "upper_arm",
              MassProperties::box(1.8, {0.08, 0.08, 0.22}, {0, 0, -0.08}))
        .then("elbow", kAboutY, {0, 0, -0.18}, {-2.4, 0, 10, 60}, "forearm",
              MassProperties::box(1.0, {0.07, 0.07, 0.14}, {0, 0, -0.06}))
        .then("wrist_yaw", kAboutZ, {0, 0, -0.14}, {-1.8, 1.8, 12, 25}, "wrist",
              MassProperties::box(0.8, {0.06, 0.06, 0.12}, {0, 0, -0.04}))
        .then("wrist_pitch", kAboutY, {0, 0, -0.10}, {-1.2, 1.2, 12, 25}, "hand_link",
              MassProperties::box(0.7, {0.04, 0.08, 0.16}, {0, 0, -0.08}))
        .frame("hand", {0, 0, -0.10});  // the palm's centre
}

}  // namespace

Model humanoid() {
    Builder builder("humanoid");
    builder.base(Base::kFloating).link("pelvis", MassProperties::box(8.0, {0.16, 0.24, 0.14}));
    add_humanoid_leg(builder, Side::kLeft, "left_");
    add_humanoid_leg(builder, Side::kRight, "right_");
    Limb(builder, Side::kMiddle, "", "pelvis")
        .then("waist_yaw", kAboutZ, {0, 0, 0.09}, {-1.2, 1.2, 6, 150}, "waist_yaw_link",
              MassProperties::box(1.0, {0.10, 0.10, 0.06}))
        .then("waist_roll", kAboutX, {0, 0, 0.04}, {-0.5, 0.5, 6, 150}, "waist_roll_link",
              MassProperties::box(1.0, {0.08, 0.12, 0.06}))
        .then("waist_pitch", kAboutY, {0, 0, 0}, {-0.4, 1.0, 6, 200}, "chest",
              MassProperties::box(16.0, {0.20, 0.30, 0.38}, {-0.01, 0, 0.18}));
    add_arm(builder, Side::kLeft, "left_");
    add_arm(builder, Side::kRight, "right_");
    Limb(builder, Side::kMiddle, "", "chest")
        .then("neck_yaw", kAboutZ, {0, 0, 0.40}, {-1.4, 1.4, 8, 20}, "neck_yaw_link",
              MassProperties::box(0.5, {0.06, 0.06, 0.06}))
        .then("neck_roll", kAboutX, {0, 0, 0.05}, {-0.5, 0.5, 8, 20}, "neck_roll_link",
              MassProperties::box(0.5, {0.06, 0.06, 0.06}))
        .then("neck_pitch", kAboutY, {0, 0, 0}, {-0.6, 0.9, 8, 20}, "head_link",
              MassProperties::box(3.0, {0.18, 0.15, 0.22}, {0.01, 0, 0.12}))
        .frame("head", {0, 0, 0.12});
    return builder.build();
}

}  // namespace plucker::robots
