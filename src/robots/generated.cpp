// Robots of any size, for tests and measurements.
#include <array>
#include <random>
#include <string>

#include "plucker/model/builder.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/spatial/quaternion.hpp"
#include "shapes.hpp"

namespace plucker::robots {
namespace {

void check_count(const char* robot, int n) {
    if (n >= 1) return;
    throw Error::because(robot, ": n is ", n, "; there must be at least 1 body");
}

// Numbers at random. The standard fixes the output of std::mt19937 but not that of its distributions,
// nor the last digit of sin and cos: with these the same seed gives the same robot on every platform.
class Dice {
public:
    explicit Dice(unsigned seed) : generator_(seed) {}

    // One of 0 … n - 1.
    unsigned below(unsigned n) { return static_cast<unsigned>(generator_() % n); }
    double between(double lower, double upper) {
        constexpr double kStep = 1.0 / 4294967296.0;  // 2⁻³²
        return lower + (upper - lower) * (kStep * static_cast<double>(generator_()));
    }
    // Within a cube. Braces, unlike parentheses, are evaluated from left to right.
    Vec3<double> vector(double lower, double upper) {
        return {between(lower, upper), between(lower, upper), between(lower, upper)};
    }
    Mat3<double> rotation() {
        Quaternion<double> q;
        do {
            q = {between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
        } while (squared_norm(q) < 0.01);
        return coordinate_rotation(q);
    }

private:
    std::mt19937 generator_;
};

// A box of some size, set somewhere and turned: any mass distribution that exists will do.
struct RandomBox {
    MassProperties mass;
    Shape shape;
};
RandomBox random_box(Dice& dice) {
    const double mass = dice.between(0.5, 2.5);
    const Vec3<double> size = dice.vector(0.05, 0.3);
    MassProperties box = MassProperties::box(mass, size, dice.vector(-0.1, 0.1));
    const Mat3<double> E = dice.rotation();
    box.about_center = rotate_back(E, box.about_center);
    Shape shape = Form{Box{size}, box.center}.shape(kShell);
    shape.placement.rotation = transpose(E);
    return {box, shape};
}

JointDescription random_joint(JointType type, const std::string& name, Dice& dice) {
    const Mat3<double> axes = dice.rotation();
    JointDescription joint = joint_of_type(type, name, axes.x);
    joint.second_axis = axes.y;
    if (type == JointType::kHelical) joint.pitch = dice.between(0.05, 0.15);
    joint.placement.rotation = dice.rotation();
    joint.placement.position = dice.vector(-0.3, 0.3);
    return joint;
}

}  // namespace

// Links of 0.1 kg and 0.1 m along x, stretched out at zero.
Model chain(int n) {
    check_count("chain", n);
    const MassProperties mass = MassProperties::box(0.1, {0.1, 0.02, 0.02}, {0.05, 0, 0});
    Builder builder("chain(" + std::to_string(n) + ")");
    std::string end = "ground";
    builder.link(end);
    for (int i = 1; i <= n; ++i) {
        const std::string number = std::to_string(i);
        const Vec3<double> axis = i % 2 == 1 ? Vec3<double>{0, 1, 0} : Vec3<double>{0, 0, 1};
        builder.body(end, revolute("joint" + number, axis).at(i == 1 ? 0 : 0.1, 0, 0),
                     "link" + number, mass);
        builder.shape("link" + number,
                      box({0.05, 0, 0}, {0.096, 0.02, 0.02}).shape(i % 2 == 1 ? kShell : kAccent));
        end = "link" + number;
    }
    return builder.frame("tip", end, Pose<double>::translation(0.1, 0, 0)).build();
}

// The joint types follow one another in a circle, so that nine bodies have one of each; the seed also
// decides which comes first. Each body hangs on one of those before it, or on the ground.
Model tree(int n, unsigned seed) {
    check_count("tree", n);
    constexpr std::array kTypes = {
        JointType::kRevolute, JointType::kPrismatic,   JointType::kUniversal,
        JointType::kHelical,  JointType::kSpherical,   JointType::kCylindrical,
        JointType::kPlanar,   JointType::kTranslation, JointType::kFloating};
    Dice dice(seed);
    const auto name_of_link = [](unsigned i) {
        return i == 0 ? std::string("ground") : "link" + std::to_string(i);
    };
    Builder builder("tree(" + std::to_string(n) + "," + std::to_string(seed) + ")");
    builder.link(name_of_link(0));
    for (unsigned i = 1; i <= static_cast<unsigned>(n); ++i) {
        const JointType type = kTypes[(seed % kTypes.size() + i - 1) % kTypes.size()];
        const std::string parent = name_of_link(dice.below(i));
        const JointDescription joint = random_joint(type, "joint" + std::to_string(i), dice);
        const RandomBox box = random_box(dice);
        builder.body(parent, joint, name_of_link(i), box.mass);
        builder.visual(name_of_link(i), box.shape);
    }
    return builder.build();
}

}  // namespace plucker::robots
