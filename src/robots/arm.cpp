// A seven-joint arm with the proportions of today's collaborative arms; the round numbers are our own.
#include "limb.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::robots {

// At zero the arm stands upright and its hand, which hangs beside the forearm, points down. Joints 4 and
// 6 turn about -y, so that their useful angles are negative and positive as on the machines we know.
Model arm() {
    constexpr Vec3<double> kAboutMinusY{0, -1, 0};
    constexpr Vec3<double> kAboutMinusZ{0, 0, -1};
    constexpr double kStrong = 90, kWeak = 12;  // N m
    constexpr double kSlow = 2.2, kFast = 2.6;  // rad/s
    Builder builder("arm");
    builder.link("pedestal", MassProperties::cylinder(3.0, 0.07, 0.14, {0, 0, 0.07}));
    Limb(builder, Side::kMiddle, "", "pedestal")
        .drawn(cylinder({0, 0, 0}, {0, 0, 0.02}, 0.095), kGraphite)
        .solid(cylinder({0, 0, 0.02}, {0, 0, 0.14}, 0.075), kShell)
        .then("joint1", kAboutZ, {0, 0, 0.34}, {-2.8, 2.8, kSlow, kStrong}, "link1",
              MassProperties::cylinder(3.5, 0.06, 0.20, {0, 0, -0.06}))
        .drawn(cylinder({0, 0, -0.20}, {0, 0, -0.18}, 0.066), kAccent)
        .solid(cylinder({0, 0, -0.18}, {0, 0, -0.05}, 0.062), kShell)
        .solid(sphere({0, 0, 0}, 0.062), kShell)
        .drawn(cylinder({0, -0.075, 0}, {0, 0.075, 0}, 0.05), kGraphite)
        .then("joint2", kAboutY, {0, 0, 0}, {-1.7, 1.7, kSlow, kStrong}, "link2",
              MassProperties::cylinder(3.5, 0.06, 0.20, {0, 0, 0.08}))
        .solid(capsule({0, 0, 0.05}, {0, 0, 0.20}, 0.058), kShell)
        .drawn(cylinder({0, 0, 0.245}, {0, 0, 0.262}, 0.06), kAccent)
        .then("joint3", kAboutZ, {0, 0, 0.32}, {-2.8, 2.8, kSlow, kStrong}, "link3",
              MassProperties::cylinder(3.0, 0.06, 0.16, {0.04, 0, -0.05}))
        .solid(capsule({0.01, 0, -0.05}, {0.08, 0, 0}, 0.054), kShell)
        .drawn(cylinder({0.08, -0.066, 0}, {0.08, 0.066, 0}, 0.046), kGraphite)
        .then("joint4", kAboutMinusY, {0.08, 0, 0}, {-3.0, 0, kSlow, kStrong}, "link4",
              MassProperties::cylinder(3.0, 0.06, 0.16, {-0.04, 0, 0.05}))
        .solid(capsule({0, 0, 0}, {-0.07, 0, 0.06}, 0.052), kShell)
        .drawn(cylinder({-0.08, 0, 0.105}, {-0.08, 0, 0.122}, 0.052), kAccent)
        .then("joint5", kAboutZ, {-0.08, 0, 0.38}, {-2.8, 2.8, kFast, kWeak}, "link5",
              MassProperties::cylinder(2.5, 0.05, 0.26, {0, 0, -0.12}))
        .solid(capsule({0, 0, -0.21}, {0, 0, -0.15}, 0.048), kShell)
        .solid(capsule({0, 0, -0.15}, {0, 0, 0}, 0.036), kShell)
        .drawn(cylinder({0, -0.048, 0}, {0, 0.048, 0}, 0.034), kGraphite)
        .then("joint6", kAboutMinusY, {0, 0, 0}, {0, 3.7, kFast, kWeak}, "link6",
              MassProperties::cylinder(1.5, 0.05, 0.10, {0.04, 0, 0}))
        .solid(capsule({0.01, 0, 0}, {0.085, 0, 0}, 0.040), kShell)
        .then("joint7", kAboutMinusZ, {0.09, 0, 0}, {-2.8, 2.8, kFast, kWeak}, "link7",
              MassProperties::cylinder(1.0, 0.04, 0.08, {0, 0, -0.07}))
        .drawn(cylinder({0, 0, -0.050}, {0, 0, -0.040}, 0.038), kAccent)
        .solid(cylinder({0, 0, -0.095}, {0, 0, -0.050}, 0.036), kGraphite)
        .drawn(cylinder({0, 0, -0.110}, {0, 0, -0.095}, 0.028), kSteel);
    // The tool looks along its own z, away from the hand.
    const Mat3<double> half_turn_about_x{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    return builder.frame("tool", "link7", {half_turn_about_x, {0, 0, -0.11}}).build();
}

}  // namespace plucker::robots
