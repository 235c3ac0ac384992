// Writes down a small crane: a turning post, a boom that tilts, and a jib that slides out of the boom.
#include <cstdio>
#include <plucker/plucker.hpp>

using namespace plucker;

namespace {

// Each body() is a link and the joint that carries it: parent, joint, name, mass. The joint's place is
// given in the parent link; the link's own frame sits at the joint.
Builder crane() {
    Builder builder("crane");
    builder.link("ground")
        .body("ground", revolute("slew", {0, 0, 1}), "post",
              MassProperties::cylinder(400, 0.2, 3, {0, 0, 1.5}))
        .body("post", revolute("luff", {0, -1, 0}).at(0, 0, 3).with_damping(50), "boom",
              MassProperties::box(150, {5, 0.3, 0.3}, {2.5, 0, 0}))
        .body("boom", prismatic("reach", {1, 0, 0}).at(5, 0, 0).with_limits({0, 4}), "jib",
              MassProperties::box(60, {4, 0.2, 0.2}, {-2, 0, 0}))
        .frame("hook", "jib", Pose<double>::translation(0, 0, -0.3));
    return builder;
}

}  // namespace

int main() {
    const Model model = crane().build();
    std::printf("%s: %.0f kg\n", model.name().c_str(), model.total_mass());
    for (int i = 1; i <= model.num_bodies(); ++i) {
        std::printf("  joint %d, %-5s %-9s carries %s\n", i, model.joint(i).name.c_str(),
                    name_of(model.body(i).joint), model.body_name(i).c_str());
    }

    // Coordinates are looked up by the joint's name, not counted by hand.
    const Body<double>& luff = model.body(model.joint_index("luff"));
    const Body<double>& reach = model.body(model.joint_index("reach"));
    VectorX<double> q = neutral_configuration(model);
    q[luff.q_index] = 0.5;
    q[reach.q_index] = 2.0;
    const Vec3<double> hook = frame_pose(model, q, "hook").position;
    const VectorX<double> tau = gravity_torque(model, q);
    std::printf("hook at x = %.3f m, z = %.3f m\n", hook.x, hook.z);
    std::printf("to hold it still: luff %.1f N m, reach %.1f N\n", tau[luff.v_index],
                tau[reach.v_index]);

    // Mistakes are refused, with the value, the place, and what would be right.
    const auto attempt = [](const char* parent, double mass) {
        try {
            crane().body(parent, fixed("bolt"), "load", MassProperties::point(mass)).build();
        } catch (const Error& error) {
            std::printf("refused: %s\n", error.what());
        }
    };
    attempt("jibb", 20);
    attempt("jib", -20);
}
