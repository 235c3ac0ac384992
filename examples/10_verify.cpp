// Every law of mechanics that the library's own tests check, on your robot.
#include <cstdio>
#include <plucker/laws/laws.hpp>
#include <plucker/plucker.hpp>

using namespace plucker;

int main() {
    // A flying base with a ball joint, a screw and rotors: what textbooks leave out.
    const Model model =
        Builder("drone")
            .base(Base::kFloating)
            .link("hull", MassProperties::box(3, {0.4, 0.4, 0.1}))
            .body("hull", spherical("gimbal").at(0, 0, -0.1), "camera",
                  MassProperties::sphere(0.4, 0.05, {0.02, 0, -0.03}))
            .body("hull", helical("winch", {0, 0, 1}, 0.01).with_armature(0.02), "drum",
                  MassProperties::cylinder(0.6, 0.04, 0.1))
            .body("drum", universal("sling", {1, 0, 0}, {0, 1, 0}).with_damping(0.1), "load",
                  MassProperties::point(1.5, {0, 0, -0.8}))
            .build();

    constexpr int kStates = 20;
    constexpr unsigned kSeed = 1;
    const auto residuals = laws::verify(model, kStates, kSeed);
    std::size_t held = 0;
    for (const laws::Residual& residual : residuals) {
        if (residual.holds()) ++held;
        if (residual.fails()) {
            std::printf("fails: %s, residual %.1e, tolerance %.1e\n", residual.law.c_str(),
                        residual.value, residual.tolerance);
        }
    }
    std::printf("%s: %zu of %zu laws hold at %d random states\n", model.name().c_str(), held,
                residuals.size(), kStates);
    return held == residuals.size() ? 0 : 1;
}
