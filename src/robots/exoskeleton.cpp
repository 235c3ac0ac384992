// The exoskeleton Co-Ex, worn. The paper gives the joints but no masses or lengths, so these are our
// own: an adult of 75 kg and 1.75 m (segments in the usual anthropometric proportions) in a machine of
// 31 kg, each segment of the body rigidly joined to the machine's.
//
//     segment        wearer      machine
//     upper body     51.0 kg     10.0 kg    with pelvis, arms, head; the machine's back pack
//     hip                         2.5 kg    each side
//     thigh           7.5 kg      4.0 kg
//     shank           3.5 kg      2.5 kg
//     foot            1.0 kg      1.5 kg
#include "limb.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::robots {
namespace {

// Two joint axes meet in the hip's centre. At zero the leg is straight below it. Positive angles:
// adduction swings the leg to the left, on both sides; flexion swings the thigh back and bends the
// knee, and the ankle points the toes down.
void add_leg(Builder& builder, Side side, const std::string& prefix) {
    Limb(builder, side, prefix, "pelvis")
        .then("hip_adduction", kAboutX, {0, 0.09, 0}, {-0.3, 0.5, 4, 150}, "hip",
              MassProperties::box(2.5, {0.12, 0.08, 0.15}, {-0.03, 0.10, 0.02}))
        .drawn(capsule({-0.10, 0.02, 0.06}, {-0.06, 0.11, 0.05}, 0.030), kGraphite)
        .drawn(capsule({-0.06, 0.11, 0.05}, {0, 0.12, 0}, 0.030), kGraphite)
        .drawn(cylinder({0, 0.10, 0}, {0, 0.15, 0}, 0.055), kGraphite)
        .drawn(cylinder({0, 0.15, 0}, {0, 0.154, 0}, 0.036), kAccent)
        .then("hip_flexion", kAboutY, {0, 0, 0}, {-2.0, 0.6, 5, 150}, "thigh",
              MassProperties::box(11.5, {0.15, 0.17, 0.42}, {0, 0.02, -0.18}))
        .never_touches("pelvis")
        .solid(capsule({0, 0, -0.07}, {0, 0, -0.36}, 0.068), kCloth)
        .drawn(capsule({0, 0.115, -0.02}, {0, 0.105, -0.40}, 0.026), kShell)
        .drawn(cylinder({0, 0, -0.18}, {0, 0, -0.24}, 0.080), kGraphite)
        .drawn(cylinder({0, 0.080, -0.42}, {0, 0.135, -0.42}, 0.050), kGraphite)
        .drawn(cylinder({0, 0.135, -0.42}, {0, 0.139, -0.42}, 0.032), kAccent)
        .then("knee", kAboutY, {0, 0, -0.42}, {0, 2.1, 6, 150}, "shank",
              MassProperties::box(6.0, {0.11, 0.13, 0.43}, {0, 0.02, -0.19}))
        .solid(capsule({0, 0, -0.06}, {0, 0, -0.35}, 0.052), kCloth)
        .drawn(capsule({0, 0, -0.35}, {0, 0, -0.43}, 0.040), kCloth)
        .drawn(capsule({0, 0.105, -0.02}, {0, 0.085, -0.41}, 0.023), kShell)
        .drawn(cylinder({0, 0, -0.15}, {0, 0, -0.21}, 0.062), kGraphite)
        .drawn(cylinder({0, 0.060, -0.43}, {0, 0.105, -0.43}, 0.042), kGraphite)
        .then("ankle", kAboutY, {0, 0, -0.43}, {-0.5, 0.8, 5, 120}, "foot_link",
              MassProperties::box(2.5, {0.28, 0.12, 0.06}, {0.05, 0.01, -0.06}))
        .felt(box({0.05, 0, -0.08}, {0.28, 0.12, 0.04}))
        .drawn(box({0.05, 0, -0.090}, {0.28, 0.12, 0.020}), kGraphite)
        .drawn(capsule({-0.03, 0, -0.045}, {0.13, 0, -0.055}, 0.038), kRubber)
        .drawn(capsule({0, 0.072, 0}, {0, 0.058, -0.08}, 0.018), kShell)
        .frame("foot", {0.05, 0, -0.10});  // the sole's centre
}

}  // namespace

Model exoskeleton() {
    Builder builder("exoskeleton");
    builder.base(Base::kFloating)
        .link("pelvis", MassProperties::box(61.0, {0.25, 0.40, 0.85}, {-0.03, 0, 0.33}))
        .frame("torso", "pelvis", Pose<double>::translation(0, 0, 0.33));
    Limb wearer(builder, Side::kMiddle, "", "pelvis");
    wearer.solid(capsule({0, -0.07, 0.02}, {0, 0.07, 0.02}, 0.11), kCloth)
        .solid(capsule({0, -0.08, 0.40}, {0, 0.08, 0.40}, 0.12), kCloth)
        .drawn(capsule({0, 0, 0.10}, {0, 0, 0.34}, 0.125), kCloth)
        .drawn(cylinder({0, 0, 0.50}, {0, 0, 0.60}, 0.050), kSkin)
        .solid(capsule({0.01, 0, 0.66}, {0.01, 0, 0.72}, 0.085), kSkin)
        .solid(box({-0.17, 0, 0.26}, {0.13, 0.32, 0.42}), kShell)
        .drawn(box({-0.17, 0, 0.485}, {0.10, 0.22, 0.03}), kGraphite)
        .drawn(box({-0.237, 0, 0.28}, {0.006, 0.10, 0.20}), kAccent)
        .drawn(capsule({-0.11, -0.17, 0.06}, {-0.11, 0.17, 0.06}, 0.032), kGraphite);
    for (const double y : {-0.20, 0.20}) {
        wearer.drawn(capsule({0, y, 0.42}, {0.02, 1.2 * y, 0.16}, 0.046), kCloth)
            .drawn(capsule({0.02, 1.2 * y, 0.16}, {0.20, 1.15 * y, 0.06}, 0.038), kSkin);
    }
    add_leg(builder, Side::kLeft, "left_");
    add_leg(builder, Side::kRight, "right_");
    return builder.build();
}

}  // namespace plucker::robots
