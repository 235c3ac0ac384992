// A dog-sized quadruped of 14 kg; the numbers are our own, in the proportions of today's machines.
#include "limb.hpp"
#include "plucker/robots/robots.hpp"

namespace plucker::robots {
namespace {

// At zero the leg is straight below the hip. A standing dog has its thighs turned back (about +0.8) and
// its knees bent forward again (about -1.6).
void add_leg(Builder& builder, Side side, const std::string& prefix, double hip_x) {
    Limb(builder, side, prefix, "trunk")
        .then("hip_abduction", kAboutX, {hip_x, 0.05, 0}, {-0.8, 0.8, 20, 25}, "hip",
              MassProperties::box(0.6, {0.09, 0.08, 0.09}, {0, 0.01, 0}))
        .drawn(cylinder({-0.045, 0, 0}, {0.045, 0, 0}, 0.04), kGraphite)
        .drawn(cylinder({0, 0, 0}, {0, 0.055, 0}, 0.045), kShell)
        .drawn(cylinder({0, 0.055, 0}, {0, 0.058, 0}, 0.030), kAccent)
        .felt(sphere({0, 0.02, 0}, 0.045))
        .then("hip_flexion", kAboutY, {0, 0.08, 0}, {-1.0, 3.5, 20, 25}, "thigh",
              MassProperties::box(1.0, {0.05, 0.04, 0.22}, {0, -0.02, -0.04}))
        .drawn(cylinder({0, -0.022, 0}, {0, 0.022, 0}, 0.042), kGraphite)
        .solid(capsule({0, 0, 0}, {0, 0, -0.20}, 0.022), kShell)
        .drawn(cylinder({0, -0.024, -0.20}, {0, 0.024, -0.20}, 0.024), kGraphite)
        .then("knee", kAboutY, {0, 0, -0.20}, {-2.7, 0, 18, 35}, "shank",
              MassProperties::box(0.2, {0.03, 0.02, 0.22}, {0, 0, -0.11}))
        .solid(capsule({0, 0, -0.02}, {0, 0, -0.20}, 0.011), kSteel)
        .solid(sphere({0, 0, -0.21}, 0.02), kRubber)
        .frame("foot", {0, 0, -0.21});
}

}  // namespace

Model quadruped() {
    Builder builder("quadruped");
    builder.base(Base::kFloating)
        .link("trunk", MassProperties::box(6.8, {0.40, 0.20, 0.12}, {0, 0, 0.01}));
    Limb(builder, Side::kMiddle, "", "trunk")
        .solid(box({0, 0, 0.01}, {0.30, 0.16, 0.11}), kShell)
        .drawn(box({0, 0, 0.068}, {0.22, 0.10, 0.010}), kGraphite)
        .drawn(box({-0.02, 0, 0.075}, {0.10, 0.06, 0.006}), kAccent)
        .solid(capsule({0.16, 0, 0.01}, {0.22, 0, 0.015}, 0.048), kShell)
        .drawn(cylinder({0.245, 0, 0.02}, {0.272, 0, 0.022}, 0.032), kGlass)
        .drawn(capsule({-0.16, 0, 0.01}, {-0.21, 0, 0.01}, 0.045), kGraphite);
    add_leg(builder, Side::kLeft, "front_left_", 0.19);
    add_leg(builder, Side::kRight, "front_right_", 0.19);
    add_leg(builder, Side::kLeft, "hind_left_", -0.19);
    add_leg(builder, Side::kRight, "hind_right_", -0.19);
    return builder.build();
}

}  // namespace plucker::robots
