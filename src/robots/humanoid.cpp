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
        .drawn(cylinder({0, 0, -0.03}, {0, 0, 0.05}, 0.048), kGraphite)
        .then("hip_roll", kAboutX, {0, 0, -0.04}, {-0.4, 0.7, 8, 150}, "hip_roll_link",
              MassProperties::box(1.5, {0.10, 0.08, 0.10}, {0.02, 0, 0}))
        .drawn(cylinder({-0.065, 0, 0}, {0.065, 0, 0}, 0.045), kSteel)
        .then("hip_pitch", kAboutY, {0, 0, 0}, {-2.0, 0.8, 10, 200}, "thigh",
              MassProperties::box(4.5, {0.12, 0.12, 0.36}, {0, 0.01, -0.16}))
        .never_touches("pelvis")
        .drawn(cylinder({0, -0.05, 0}, {0, 0.065, 0}, 0.055), kGraphite)
        .solid(capsule({0, 0.01, -0.06}, {0, 0, -0.31}, 0.062), kShell)
        .drawn(cylinder({0, -0.055, -0.38}, {0, 0.055, -0.38}, 0.046), kGraphite)
        .drawn(cylinder({0, 0.055, -0.38}, {0, 0.058, -0.38}, 0.030), kAccent)
        .then("knee", kAboutY, {0, 0, -0.38}, {0, 2.3, 12, 250}, "shank",
              MassProperties::box(3.0, {0.09, 0.09, 0.36}, {0, 0, -0.17}))
        .solid(capsule({0, 0, -0.05}, {0, 0, -0.30}, 0.048), kShell)
        .drawn(box({0.04, 0, -0.17}, {0.02, 0.04, 0.20}), kGraphite)
        .then("ankle_pitch", kAboutY, {0, 0, -0.38}, {-1.0, 0.7, 10, 120}, "ankle",
              MassProperties::box(0.8, {0.06, 0.06, 0.06}))
        .drawn(cylinder({0, -0.042, 0}, {0, 0.042, 0}, 0.034), kGraphite)
        .then("ankle_roll", kAboutX, {0, 0, 0}, {-0.4, 0.4, 10, 80}, "foot_link",
              MassProperties::box(1.2, {0.24, 0.10, 0.05}, {0.03, 0, -0.05}))
        .felt(box({0.03, 0, -0.06}, {0.24, 0.10, 0.04}))
        .drawn(box({0.03, 0, -0.072}, {0.24, 0.10, 0.016}), kRubber)
        .drawn(box({0.02, 0, -0.050}, {0.21, 0.088, 0.028}), kShell)
        .drawn(capsule({-0.02, 0, -0.035}, {0.05, 0, -0.040}, 0.024), kShell)
        .frame("foot", {0.03, 0, -0.08});  // the sole's centre
}

void add_arm(Builder& builder, Side side, const std::string& prefix) {
    Limb(builder, side, prefix, "chest")
        .then("shoulder_pitch", kAboutY, {0, 0.18, 0.30}, {-3.0, 1.0, 8, 80}, "shoulder_pitch_link",
              MassProperties::box(1.2, {0.09, 0.08, 0.09}, {0, 0.02, 0}))
        .drawn(cylinder({0, -0.04, 0}, {0, 0.02, 0}, 0.045), kGraphite)
        .then("shoulder_roll", kAboutX, {0, 0.05, 0}, {-0.2, 2.8, 8, 80}, "shoulder_roll_link",
              MassProperties::box(1.0, {0.08, 0.08, 0.10}, {0, 0, -0.03}))
        .solid(sphere({0, 0, 0}, 0.058), kShell)
        .then("shoulder_yaw", kAboutZ, {0, 0, -0.10}, {-1.5, 1.5, 10, 60}, "upper_arm",
              MassProperties::box(1.8, {0.08, 0.08, 0.22}, {0, 0, -0.08}))
        .never_touches("chest")
        .solid(capsule({0, 0, 0.02}, {0, 0, -0.13}, 0.042), kShell)
        .drawn(cylinder({0, -0.044, -0.18}, {0, 0.044, -0.18}, 0.036), kGraphite)
        .drawn(cylinder({0, 0.044, -0.18}, {0, 0.047, -0.18}, 0.024), kAccent)
        .then("elbow", kAboutY, {0, 0, -0.18}, {-2.4, 0, 10, 60}, "forearm",
              MassProperties::box(1.0, {0.07, 0.07, 0.14}, {0, 0, -0.06}))
        .solid(capsule({0, 0, -0.04}, {0, 0, -0.12}, 0.037), kShell)
        .then("wrist_yaw", kAboutZ, {0, 0, -0.14}, {-1.8, 1.8, 12, 25}, "wrist",
              MassProperties::box(0.8, {0.06, 0.06, 0.12}, {0, 0, -0.04}))
        .drawn(cylinder({0, 0, -0.02}, {0, 0, -0.08}, 0.030), kGraphite)
        .drawn(sphere({0, 0, -0.10}, 0.030), kSteel)
        .then("wrist_pitch", kAboutY, {0, 0, -0.10}, {-1.2, 1.2, 12, 25}, "hand_link",
              MassProperties::box(0.7, {0.04, 0.08, 0.16}, {0, 0, -0.08}))
        .felt(box({0, 0, -0.095}, {0.04, 0.08, 0.13}))
        .drawn(box({0, 0, -0.07}, {0.036, 0.08, 0.08}), kShell)
        .drawn(capsule({0, 0.028, -0.11}, {0, 0.028, -0.15}, 0.011), kGraphite)
        .drawn(capsule({0, 0, -0.11}, {0, 0, -0.155}, 0.011), kGraphite)
        .drawn(capsule({0, -0.028, -0.11}, {0, -0.028, -0.15}, 0.011), kGraphite)
        .drawn(capsule({0.025, -0.03, -0.06}, {0.035, -0.02, -0.10}, 0.010), kGraphite)
        .frame("hand", {0, 0, -0.10});  // the palm's centre
}

}  // namespace

Model humanoid() {
    Builder builder("humanoid");
    builder.base(Base::kFloating).link("pelvis", MassProperties::box(8.0, {0.16, 0.24, 0.14}));
    Limb(builder, Side::kMiddle, "", "pelvis")
        .felt(box({0, 0, 0}, {0.16, 0.24, 0.12}))
        .drawn(capsule({0, -0.07, 0}, {0, 0.07, 0}, 0.066), kShell)
        .drawn(box({-0.01, 0, 0.01}, {0.13, 0.20, 0.10}), kGraphite);
    add_humanoid_leg(builder, Side::kLeft, "left_");
    add_humanoid_leg(builder, Side::kRight, "right_");
    Limb(builder, Side::kMiddle, "", "pelvis")
        .then("waist_yaw", kAboutZ, {0, 0, 0.09}, {-1.2, 1.2, 6, 150}, "waist_yaw_link",
              MassProperties::box(1.0, {0.10, 0.10, 0.06}))
        .drawn(cylinder({0, 0, -0.03}, {0, 0, 0.03}, 0.062), kSteel)
        .then("waist_roll", kAboutX, {0, 0, 0.04}, {-0.5, 0.5, 6, 150}, "waist_roll_link",
              MassProperties::box(1.0, {0.08, 0.12, 0.06}))
        .drawn(cylinder({0, -0.07, 0}, {0, 0.07, 0}, 0.042), kGraphite)
        .then("waist_pitch", kAboutY, {0, 0, 0}, {-0.4, 1.0, 6, 200}, "chest",
              MassProperties::box(16.0, {0.20, 0.30, 0.38}, {-0.01, 0, 0.18}))
        .felt(box({-0.01, 0, 0.19}, {0.20, 0.28, 0.34}))
        .drawn(capsule({0, -0.07, 0.27}, {0, 0.07, 0.27}, 0.098), kShell)
        .drawn(capsule({-0.01, -0.05, 0.14}, {-0.01, 0.05, 0.14}, 0.085), kShell)
        .drawn(cylinder({0, 0, 0.03}, {0, 0, 0.10}, 0.072), kGraphite)
        .drawn(box({-0.085, 0, 0.21}, {0.07, 0.20, 0.24}), kGraphite)
        .drawn(cylinder({0.08, 0, 0.26}, {0.102, 0, 0.26}, 0.028), kAccent);
    add_arm(builder, Side::kLeft, "left_");
    add_arm(builder, Side::kRight, "right_");
    Limb(builder, Side::kMiddle, "", "chest")
        .then("neck_yaw", kAboutZ, {0, 0, 0.40}, {-1.4, 1.4, 8, 20}, "neck_yaw_link",
              MassProperties::box(0.5, {0.06, 0.06, 0.06}))
        .drawn(cylinder({0, 0, -0.05}, {0, 0, 0.03}, 0.036), kGraphite)
        .then("neck_roll", kAboutX, {0, 0, 0.05}, {-0.5, 0.5, 8, 20}, "neck_roll_link",
              MassProperties::box(0.5, {0.06, 0.06, 0.06}))
        .drawn(sphere({0, 0, 0}, 0.036), kSteel)
        .then("neck_pitch", kAboutY, {0, 0, 0}, {-0.6, 0.9, 8, 20}, "head_link",
              MassProperties::box(3.0, {0.18, 0.15, 0.22}, {0.01, 0, 0.12}))
        .solid(capsule({0, 0, 0.09}, {0, 0, 0.15}, 0.088), kShell)
        .drawn(capsule({0.052, -0.032, 0.135}, {0.052, 0.032, 0.135}, 0.042), kGlass)
        .drawn(cylinder({0, -0.096, 0.12}, {0, 0.096, 0.12}, 0.030), kGraphite)
        .frame("head", {0, 0, 0.12});
    return builder.build();
}

}  // namespace plucker::robots
