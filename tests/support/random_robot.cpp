#include "support/random_robot.hpp"

#include <array>
#include <random>

#include "plucker/joints/joint.hpp"
#include "plucker/spatial/quaternion.hpp"

namespace plucker::test {
namespace {

constexpr std::array kUrdfTypes = {JointType::kFixed, JointType::kRevolute, JointType::kPrismatic,
                                   JointType::kPlanar, JointType::kFloating};
constexpr std::array kAllTypes = {
    JointType::kFixed,     JointType::kRevolute,    JointType::kPrismatic, JointType::kPlanar,
    JointType::kFloating,  JointType::kHelical,     JointType::kUniversal, JointType::kCylindrical,
    JointType::kSpherical, JointType::kTranslation, JointType::kRevolute,  JointType::kPrismatic};

class RandomRobot {
public:
    RandomRobot(unsigned seed, const RandomRobotOptions& options)
        : generator_(seed), options_(options) {
        out_.name = "random(" + std::to_string(seed) + ")";
    }

    Description make() && {
        if (one_in(3)) out_.base = Base::kFloating;
        if (one_in(4)) out_.fixed_joints = FixedJoints::kKeep;
        if (one_in(2)) out_.gravity = vector(10);
        const auto most = static_cast<unsigned>(options_.most_links);
        const unsigned links = 2 + below(most - 1);
        add_link(out_.base == Base::kFixed);
        for (unsigned k = 1; k < links; ++k) add_body();
        return std::move(out_);
    }

private:
    unsigned below(unsigned n) { return static_cast<unsigned>(generator_()) % n; }
    bool one_in(unsigned n) { return below(n) == 0; }
    double between(double lower, double upper) {
        return std::uniform_real_distribution<double>(lower, upper)(generator_);
    }
    Vec3<double> vector(double size) {
        return {between(-size, size), between(-size, size), between(-size, size)};
    }
    Mat3<double> rotation() {
        Quaternion<double> q;
        do {
            q = {between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
        } while (squared_norm(q) < 0.01);
        return coordinate_rotation(q);
    }
    Pose<double> pose() {
        Pose<double> out;
        if (!one_in(4)) out.rotation = rotation();
        if (!one_in(4)) out.position = vector(0.5);
        return out;
    }

    // A turned box of some size: from a finger to a trunk.
    MassProperties mass() {
        const double length = between(0.05, 0.5);
        const Vec3<double> size{length, between(0.3, 1) * length, between(0.3, 1) * length};
        MassProperties box =
            MassProperties::box(between(500, 2000) * size.x * size.y * size.z, size, vector(0.2));
        box.about_center = rotate_back(rotation(), box.about_center);
        return box;
    }

    const LinkDescription& add_link(bool may_lack_mass) {
        LinkDescription link;
        link.name = "link" + std::to_string(out_.links.size());
        if (!may_lack_mass || !one_in(4)) link.mass = mass();
        return out_.links.emplace_back(std::move(link));
    }

    JointType joint_type() {
        return options_.only_urdf_joints ? kUrdfTypes[below(kUrdfTypes.size())]
                                         : kAllTypes[below(kAllTypes.size())];
    }

    void add_body() {
        const Mat3<double> axes = rotation();
        JointDescription joint = joint_of_type(
            joint_type(), "joint" + std::to_string(out_.joints.size()),
            one_in(4) ? Vec3<double>{0, 0, one_in(2) ? 1.0 : -1.0} : between(0.5, 2) * axes.x);
        joint.second_axis = one_in(4) ? axes.y : between(0.5, 2) * axes.y;
        if (joint.axis.x == 0 && joint.axis.y == 0) joint.second_axis = {0, 1, 0};
        joint.pitch = joint.type == JointType::kHelical ? between(-0.2, 0.2) : 0;
        joint.parent = out_.links[below(static_cast<unsigned>(out_.links.size()))].name;
        joint.placement = pose();
        if (!options_.only_urdf_joints && one_in(2)) joint.armature = between(0.01, 0.1);
        if (one_in(2)) joint.damping = between(0, 0.5);
        if (one_in(3)) joint.friction = between(0, 0.5);
        if (one_in(3)) joint.limits = {-between(0, 3), between(0, 3), 2, 100};
        if (has_one_freedom(joint.type) && one_in(4)) joint.mimic = mimic();
        const bool has_rotor = joint.armature > 0 && (joint.type == JointType::kRevolute ||
                                                      joint.type == JointType::kPrismatic);
        joint.child = add_link(joint.type == JointType::kFixed || has_rotor).name;
        out_.joints.push_back(std::move(joint));
    }
    // Of a joint that is there already: one that is a mimic itself makes a chain of them.
    std::optional<Mimic> mimic() {
        std::vector<std::string> candidates;
        for (const JointDescription& joint : out_.joints) {
            if (has_one_freedom(joint.type)) candidates.push_back(joint.name);
        }
        if (candidates.empty()) return std::nullopt;
        return Mimic{candidates[below(static_cast<unsigned>(candidates.size()))], between(-2, 2),
                     between(-1, 1)};
    }

    std::mt19937 generator_;
    RandomRobotOptions options_;
    Description out_;
};

}  // namespace

Description random_robot(unsigned seed, const RandomRobotOptions& options) {
    return RandomRobot(seed, options).make();
}

}  // namespace plucker::test
