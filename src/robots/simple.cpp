// The robots of textbooks: few joints, point masses, closed forms. tests/robots states those forms.
#include "plucker/model/builder.hpp"
#include "plucker/robots/robots.hpp"
#include "shapes.hpp"

namespace plucker::robots {

Model particle() {
    return Builder("particle")
        .gravity({0, -9.81, 0})
        .link("ground")
        .body("ground", prismatic("x", {1, 0, 0}), "slide")
        .body("slide", prismatic("y", {0, 1, 0}), "particle", MassProperties::point(1))
        .shape("particle", sphere({}, 0.05).shape(kAccent))
        .build();
}

// 1 kg at 1 m. At zero it hangs straight down; a positive angle, about +y, swings it towards -x.
Model pendulum() {
    return Builder("pendulum")
        .link("ground")
        .body("ground", revolute("hinge", {0, 1, 0}), "rod", MassProperties::point(1, {0, 0, -1}))
        .visual("ground", box({0, 0, 0.03}, {0.20, 0.10, 0.02}).shape(kGraphite))
        .visual("rod", cylinder({0, -0.03, 0}, {0, 0.03, 0}, 0.02).shape(kGraphite))
        .visual("rod", capsule({0, 0, 0}, {0, 0, -1}, 0.008).shape(kSteel))
        .shape("rod", sphere({0, 0, -1}, 0.06).shape(kAccent))
        .frame("tip", "rod", Pose<double>::translation(0, 0, -1))
        .build();
}

// Two such pendulums, the second hung on the first one's mass; its angle is relative to the first.
Model double_pendulum() {
    const MassProperties mass = MassProperties::point(1, {0, 0, -1});
    return Builder("double_pendulum")
        .link("ground")
        .body("ground", revolute("shoulder", {0, 1, 0}), "upper", mass)
        .visual("ground", box({0, 0, 0.03}, {0.20, 0.10, 0.02}).shape(kGraphite))
        .visual("upper", capsule({0, 0, 0}, {0, 0, -1}, 0.008).shape(kSteel))
        .shape("upper", sphere({0, 0, -1}, 0.06).shape(kAccent))
        .body("upper", revolute("elbow", {0, 1, 0}).at(0, 0, -1), "lower", mass)
        .visual("lower", capsule({0, 0, 0}, {0, 0, -1}, 0.008).shape(kSteel))
        .shape("lower", sphere({0, 0, -1}, 0.06).shape(kGlass))
        .frame("tip", "lower", Pose<double>::translation(0, 0, -1))
        .build();
}

// Barto, Sutton and Anderson (1983): a cart of 1 kg and a pole of 0.1 kg with its centre at 0.5 m, but
// with the pole's mass in that point. At zero the pole stands upright, the state that controllers seek;
// a positive angle leans it towards +x.
Model cart_pole() {
    return Builder("cart_pole")
        .link("ground")
        .body("ground", prismatic("slide", {1, 0, 0}), "cart", MassProperties::point(1))
        .visual("ground", cylinder({-2, 0, 0}, {2, 0, 0}, 0.012).shape(kSteel))
        .visual("cart", box({0, 0, 0}, {0.24, 0.14, 0.10}).shape(kShell))
        .visual("cart", cylinder({0, -0.075, 0}, {0, 0.075, 0}, 0.03).shape(kGraphite))
        .body("cart", revolute("hinge", {0, 1, 0}), "pole", MassProperties::point(0.1, {0, 0, 0.5}))
        .shape("pole", capsule({0, 0, 0}, {0, 0, 0.5}, 0.010).shape(kSteel))
        .shape("pole", sphere({0, 0, 0.5}, 0.03).shape(kAccent))
        .frame("tip", "pole", Pose<double>::translation(0, 0, 0.5))
        .build();
}

// Coordinates as in eq. 4: x_base, y_base, theta_base, theta_1, theta_2. The handout gives no masses or
// lengths; these are a desk lamp's. At zero the arm stands upright on a round foot and the shade, which
// opens along its own x, looks forward.
Model lamp() {
    return Builder("lamp")
        .gravity({0, -9.81, 0})
        .link("ground")
        .body("ground", prismatic("x_base", {1, 0, 0}), "slide_x")
        .body("slide_x", prismatic("y_base", {0, 1, 0}), "slide_y")
        .body("slide_y", revolute("theta_base", {0, 0, 1}), "base",
              MassProperties::box(1.2, {0.18, 0.03, 0.18}, {0, 0.015, 0}))
        .collision("base", box({0, 0.015, 0}, {0.18, 0.03, 0.18}).shape())
        .visual("base", cylinder({0, 0, 0}, {0, 0.02, 0}, 0.09).shape(kGraphite))
        .visual("base", cylinder({0, 0.02, 0}, {0, 0.03, 0}, 0.04).shape(kAccent))
        .body("base", revolute("theta_1", {0, 0, 1}).at(0, 0.03, 0), "arm",
              MassProperties::box(0.3, {0.02, 0.36, 0.02}, {0, 0.18, 0}))
        .shape("arm", capsule({0, 0.01, 0}, {0, 0.35, 0}, 0.010).shape(kShell))
        .visual("arm", cylinder({0, 0.36, -0.02}, {0, 0.36, 0.02}, 0.016).shape(kGraphite))
        .body("arm", revolute("theta_2", {0, 0, 1}).at(0, 0.36, 0), "head",
              MassProperties::box(0.25, {0.14, 0.10, 0.10}, {0.05, 0.01, 0}))
        .visual("head", capsule({-0.01, 0.01, 0}, {0.02, 0.01, 0}, 0.030).shape(kShell))
        .shape("head", cylinder({0.03, 0.01, 0}, {0.11, 0.01, 0}, 0.050).shape(kShell))
        .visual("head", sphere({0.10, 0.01, 0}, 0.032).shape(kLight))
        .frame("bulb", "head", Pose<double>::translation(0.10, 0.01, 0))
        .build();
}

}  // namespace plucker::robots
