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
        .then("joint1", kAboutZ, {0, 0, 0.34}, {-2.8, 2.8, kSlow, kStrong}, "link1",
              MassProperties::cylinder(3.5, 0.06, 0.20, {0, 0, -0.06}))
        .then("joint2", kAboutY, {0, 0, 0}, {-1.7, 1.7, kSlow, kStrong}, "link2",
              MassProperties::cylinder(3.5, 0.06, 0.20, {0, 0, 0.08}))
        .then("joint3", kAboutZ, {0, 0, 0.32}, {-2.8, 2.8, kSlow, kStrong}, "link3",
              MassProperties::cylinder(3.0, 0.06, 0.16, {0.04, 0, -0.05}))
        .then("joint4", kAboutMinusY, {0.08, 0, 0}, {-3.0, 0, kSlow, kStrong}, "link4",
              MassProperties::cylinder(3.0, 0.06, 0.16, {-0.04, 0, 0.05}))
        .then("joint5", kAboutZ, {-0.08, 0, 0.38}, {-2.8, 2.8, kFast, kWeak}, "link5",
              MassProperties::cylinder(2.5, 0.05, 0.26, {0, 0, -0.12}))
        .then("joint6", kAboutMinusY, {0, 0, 0}, {0, 3.7, kFast, kWeak}, "link6",
              MassProperties::cylinder(1.5, 0.05, 0.10, {0.04, 0, 0}))
        .then("joint7", kAboutMinusZ, {0.09, 0, 0}, {-2.8, 2.8, kFast, kWeak}, "link7",
              MassProperties::cylinder(1.0, 0.04, 0.08, {0, 0, -0.07}));
    // The tool looks along its own z, away from the hand.
    const Mat3<double> half_turn_about_x{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    return builder.frame("tool", "link7", {half_turn_about_x, {0, 0, -0.11}}).build();
}

}  // namespace plucker::robots
