#include "oracles/agreement.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace plucker::test {
namespace {

// What the built-in robots lack: links that are merged, also into the world, links without mass, a joint
// that follows another, axes that are not of unit length, gravity that is not along an axis.
constexpr const char* kGripper = "gripper";
constexpr const char* kUnmerged = "unmerged_gripper";  // whose fixed joints are kept
Description gripper() {
    const auto at = [](double x, double y, double z) {
        return Pose<double>::roll_pitch_yaw({0.1 * x, 0.1 * y, 0.1 * z}, {x, y, z});
    };
    return Builder("gripper")
        .gravity({1, -2, -9})
        .link("ground", MassProperties::box(5, {1, 1, 1}))
        .body("ground", fixed("bolts").at(at(1, 2, 3)), "pedestal",
              MassProperties::box(3, {1, 2, 3}))
        .body("pedestal", revolute("turn", {0, 3, 4}).at(at(3, 1, -1)), "turntable")
        .body("turntable", fixed("flange").at(at(-1, 0.5, 2)), "plate",
              MassProperties::box(1, {0.3, 0.2, 0.1}, {0.1, 0.2, 0.3}))
        .body("plate", prismatic("lift", {1, -2, 2}).at(at(0.2, 0.4, 0.1)), "carriage")
        .body("carriage", universal("wrist", {2, 0, 0}, {0, 0, 0.5}).at(at(1, 1, 1)), "palm",
              MassProperties::sphere(0.5, 0.1, {0, 0.1, 0}))
        .body("palm", fixed("mount").at(at(0.3, 0.2, 1)), "camera", MassProperties::point(0.2))
        .body("palm", revolute("thumb", {0, 0, 2}).at(at(1, -1, 0)), "distal",
              MassProperties::box(0.1, {0.1, 0.02, 0.02}, {0.05, 0, 0}))
        .body("palm", revolute("finger", {0, 0, -3}).at(at(-1, 1, 0)).mimicking("thumb", -0.7, 0.3),
              "proximal", MassProperties::box(0.1, {0.1, 0.03, 0.02}, {0.04, 0, 0.01}))
        .description();
}

}  // namespace

std::vector<LinkAndJoint> links_of(const Model& model) {
    const Description& d = model.description();
    const auto find_link = [&](const std::string& name) {
        return *std::find_if(d.links.begin(), d.links.end(),
                             [&](const auto& link) { return link.name == name; });
    };
    LinkAndJoint root;
    if (model.has_floating_base()) {
        root.link = find_link(model.body_name(1));
        root.joint = floating("base");
        root.number = 1;
    } else {
        root.link = find_link(model.frame(model.body_frame(0)).name);
    }
    std::vector<LinkAndJoint> links;
    const auto add_with_children = [&](LinkAndJoint at, const auto& self) -> void {
        at.has_body = model.frame(model.frame_id(at.link.name)).body != 0;
        links.push_back(at);
        for (const JointDescription& joint : d.joints) {
            if (joint.parent != at.link.name) continue;
            const bool is_fixed = joint.type == JointType::kFixed;
            self({find_link(joint.child), joint, is_fixed ? 0 : model.joint_index(joint.name)},
                 self);
        }
    };
    add_with_children(root, add_with_children);
    return links;
}

Model with_constants(Description description, JointConstants constants) {
    const bool damping =
        constants == JointConstants::kDamping || constants == JointConstants::kDampingAndArmature;
    const bool armature =
        constants == JointConstants::kArmature || constants == JointConstants::kDampingAndArmature;
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> random(0.01, 0.1);
    for (JointDescription& joint : description.joints) {
        joint.damping = damping ? random(generator) : 0;
        // What a rotor is where the coordinates turn with the body differs between libraries.
        const bool turns = joint.type == JointType::kPlanar || joint.type == JointType::kFloating;
        joint.armature = armature && !turns ? random(generator) : 0;
        // Coulomb friction is a constraint to the others, where they have it at all.
        joint.friction = 0;
    }
    return Model(std::move(description));
}

std::vector<std::string> robot_names() {
    std::vector<std::string> names = robots::names();
    std::erase_if(names, [](const std::string& name) { return name.ends_with(')'); });
    // tree(8,4) has every joint but the helical one, which not every library has; tree(9,1) has all.
    names.insert(names.end(), {"chain(1)", "chain(12)", "tree(8,4)", "tree(9,1)", "tree(20,2)",
                               "tree(30,3)", kGripper, kUnmerged});
    return names;
}

Description robot(const std::string& name) {
    if (name != kGripper && name != kUnmerged) return robots::by_name(name).description();
    Description description = gripper();
    if (name == kUnmerged) description.fixed_joints = FixedJoints::kKeep;
    return description;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
    std::string name = info.param;
    std::erase(name, ')');
    for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    return name;
}

State random_state(const Model& model, std::mt19937& generator) {
    std::uniform_real_distribution<double> random(-1, 1);
    const auto vector = [&] {
        return VectorX<double>(
            VectorX<double>::NullaryExpr(model.nv(), [&] { return random(generator); }));
    };
    State state;
    state.q = random_configuration(model, generator);
    state.v = 2 * vector();
    state.a = 5 * vector();
    state.tau = 5 * vector();
    return state;
}

std::vector<LinkForce> random_forces(const Model& model, std::mt19937& generator) {
    std::uniform_real_distribution<double> random(-3, 3);
    std::vector<LinkForce> forces;
    for (const LinkAndJoint& at : links_of(model)) {
        if (!at.has_body) continue;
        Vector6<double> f;
        for (double& x : f) x = random(generator);
        forces.push_back({at.link.name, to_force(f)});
    }
    return forces;
}

ExternalForces<double> external_forces(Workspace<double>& ws,
                                       const std::vector<LinkForce>& forces) {
    ExternalForces<double> external(ws.model());
    for (const LinkForce& at : forces) {
        const FrameId frame = ws.model().frame_id(at.link);
        const auto [R, p] = frame_pose(ws, frame);
        const Force<double> f = (1.0 / 3) * at.force;
        external.add(frame, f, ReferenceFrame::kWorldAligned);
        external.add(frame, {f.angular + cross(p, f.linear), f.linear}, ReferenceFrame::kWorld);
        external.add(frame, {transpose_times(R, f.angular), transpose_times(R, f.linear)},
                     ReferenceFrame::kBody);
    }
    return external;
}

void VelocityMap::set_planar(int their_row, const Body<double>& ours, double angle, double omega) {
    const double s = std::sin(angle), c = std::cos(angle);
    auto block = T.block<3, 3>(their_row, ours.v_index);
    auto block_dot = T_dot.block<3, 3>(their_row, ours.v_index);
    block << 0, c, -s, 0, s, c, 1, 0, 0;
    block_dot << 0, -s, -c, 0, c, -s, 0, 0, 0;
    block_dot *= omega;
}

void expect_agree(const MatrixX<double>& ours, const MatrixX<double>& theirs, double tolerance,
                  const std::string& what) {
    ASSERT_EQ(ours.rows(), theirs.rows()) << what;
    ASSERT_EQ(ours.cols(), theirs.cols()) << what;
    EXPECT_TRUE(ours.allFinite()) << what;
    EXPECT_TRUE(theirs.allFinite()) << what;
    const double scale = std::max(theirs.cwiseAbs().maxCoeff(), 1.0);
    EXPECT_LE((ours - theirs).cwiseAbs().maxCoeff() / scale, tolerance) << what;
}

void expect_mass_matrices_agree(const MatrixX<double>& ours, const MatrixX<double>& theirs,
                                double tolerance) {
    const VectorX<double> scale = theirs.diagonal().cwiseSqrt().cwiseInverse();
    expect_agree(scale.asDiagonal() * ours * scale.asDiagonal(),
                 scale.asDiagonal() * theirs * scale.asDiagonal(), tolerance, "mass matrix");
}

}  // namespace plucker::test
