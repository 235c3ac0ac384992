// Files in which links have no extent, or too little: what is found is still within its intervals.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "identify/measured.hpp"
#include "plucker/identify/base_parameters.hpp"
#include "plucker/identify/excite.hpp"
#include "plucker/identify/identify.hpp"
#include "plucker/plucker.hpp"

namespace plucker::test {
namespace {

// A wrist, an upper arm and a forearm with a tool fixed to it; the links have these inertias about their centres, for each
// kilogram.
Model arm_of(const SymMat3<double>& each, double tool = 0.3) {
    const auto link = [&](double mass, const Vec3<double>& center) {
        return MassProperties{mass, center, mass * each};
    };
    return Builder("arm")
        .link("ground")
        .body("ground", revolute("turn", {0, 0, 1}), "column", link(2, {0.02, 0, 0.1}))
        .body("column", revolute("shoulder", {0, 1, 0}).at(0.05, 0, 0.25), "upper",
              link(1.5, {0, 0.02, 0.25}))
        .body("upper", revolute("elbow", {0, 1, 0}).at(0, 0, 0.5), "fore", link(1, {0.05, 0, 0.2}))
        .body("fore", fixed("bolt").at(0, 0, 0.4), "tool", link(tool, {0, 0, 0}))
        .build();
}

// As a drawing is off: masses by 20 %, centres by a few centimetres; its inertia is that of ellipsoids of any shape, or what
// the file says.
Model drawn_robot(const Model& file, bool has_extent, std::mt19937& generator) {
    std::normal_distribution<double> any;
    Description d = file.description();
    for (LinkDescription& link : d.links) {
        const double m = link.mass.mass *= std::exp(0.2 * any(generator));
        link.mass.center += 0.02 * Vec3<double>{any(generator), any(generator), any(generator)};
        link.mass.about_center = m / 1.5 * link.mass.about_center;
        if (!has_extent || m == 0) continue;
        std::array<double, 3> square{};  // of the radii of gyration
        for (double& x : square) x = 0.003 * std::exp(0.7 * any(generator));
        const auto& [x, y, z] = square;
        link.mass.about_center = m * SymMat3<double>::diagonal(y + z, x + z, x + y);
    }
    return Model(d);
}

// How many of the numbers are within so many of their deviations.
struct Count {
    int all = 0, inside_one = 0, inside_three = 0;
    double worst = 0;

    void add(const std::vector<IdentifiedParameter>& found, const VectorX<double>& truth) {
        for (std::size_t k = 0; k < found.size(); ++k) {
            if (found[k].prior == 0) continue;
            const double off =
                std::abs(found[k].value - truth[static_cast<long>(k)]) / found[k].deviation;
            ++all;
            inside_one += off <= 1 ? 1 : 0;
            inside_three += off <= 3 ? 1 : 0;
            worst = std::max(worst, off);
        }
    }
    double part_within_one() const { return static_cast<double>(inside_one) / all; }
    double part_within_three() const { return static_cast<double>(inside_three) / all; }
};

struct FileInertia {
    const char* name;
    SymMat3<double> each_kilogram;
    double tool = 0.3;
};
// Turned, so that no axis is one of the link's.
SymMat3<double> turned(const SymMat3<double>& I) {
    return rotate_back(coordinate_rotation(Quaternion<double>{0.3, 0.5, -0.2, 0.7886}), I);
}
std::vector<FileInertia> inertias_of_files() {
    const auto diagonal = [](double x, double y, double z) {
        return SymMat3<double>::diagonal(x, y, z);
    };
    return {{"point", {}},
            {"rod", diagonal(0.01, 0.01, 0)},
            {"turned rod", turned(diagonal(0.01, 0.01, 0))},
            {"plate", diagonal(0.004, 0.006, 0.01)},
            {"turned plate", turned(diagonal(0.004, 0.006, 0.01))},
            {"dust", diagonal(1e-12, 1e-12, 1e-12)},
            {"placeholder", diagonal(1e-6, 1e-6, 1e-6)},
            {"wire", diagonal(1e-5, 1e-5, 1e-5)},
            {"thin", diagonal(1e-4, 1e-4, 1e-4)},
            {"point without a tool", {}, 0},
            {"body", diagonal(0.006, 0.006, 0.006)}};
}

class Extent : public testing::TestWithParam<FileInertia> {};

TEST_P(Extent, OfLinksDoesNotSpoilTheIntervals) {
    const Model file = arm_of(GetParam().each_kilogram, GetParam().tool);
    const MotionLog motion = excite(file, {.duration = 8, .rate = 50, .trials = 30}).log;
    const MatrixX<double> combination = base_parameters(file).combination;
    for (const double noise : {0.02, 1e-4}) {
        Count parameters, combinations;
        for (unsigned seed = 1; seed <= 8; ++seed) {
            std::mt19937 generator(seed);
            const Model real = drawn_robot(file, seed % 4 != 0, generator);
            const Identified found = identify(file, measured(real, motion, noise, generator));
            const VectorX<double> truth = dynamic_parameters(real);
            parameters.add(found.parameters, truth);
            combinations.add(found.combinations, combination * truth);
            for (const IdentifiedJoint& joint : found.joints)
                EXPECT_LE(joint.after, 1.1 * noise * joint.torque) << joint.name << seed;
            if (testing::Test::HasFailure()) break;
        }
        EXPECT_GE(parameters.part_within_three(), 0.95) << noise << " " << parameters.worst;
        EXPECT_GE(combinations.part_within_three(), 0.96) << noise << " " << combinations.worst;
        EXPECT_LE(combinations.worst, 6) << noise;
        EXPECT_LE(combinations.part_within_one(), 0.9) << noise;
    }
}

INSTANTIATE_TEST_SUITE_P(Files, Extent, testing::ValuesIn(inertias_of_files()),
                         [](const auto& info) {
                             std::string name = info.param.name;
                             std::replace(name.begin(), name.end(), ' ', '_');
                             return name;
                         });

// Without noise there is nothing to weigh against the file.
TEST(PointMasses, AreFoundWhereTheFilePutsThemElsewhere) {
    for (const Model& file : {robots::double_pendulum(), robots::pendulum()}) {
        const std::string link = file.description().links.back().name;
        for (const double I : {0.0, 0.02}) {
            const Model real =
                with_mass(file, link, {1.2, {0, 0, -0.9}, SymMat3<double>::diagonal(I, I, I / 10)});
            MotionLog log =
                excite(file, {.duration = 10, .trials = 20, .reach = 2, .velocity = 4}).log;
            log.tau = predict_torques(real, log);
            const Identified found = identify(file, log);
            const VectorX<double> truth =
                base_parameters(file).combination * dynamic_parameters(real);
            for (std::size_t k = 0; k < found.combinations.size(); ++k) {
                const IdentifiedParameter& x = found.combinations[k];
                EXPECT_NEAR(x.value, truth[static_cast<long>(k)], 1e-4) << x.name << " " << I;
            }
            for (const IdentifiedJoint& joint : found.joints)
                EXPECT_LE(joint.after, 1e-4 * joint.torque) << joint.name << " " << I;
        }
    }
}

TEST(PointMasses, AreRemarkedUpon) {
    const auto remarks = [](const SymMat3<double>& each) {
        const Model file = arm_of(each);
        const MotionLog motion = excite(file, {.duration = 4, .rate = 50, .trials = 2}).log;
        std::string out;
        for (const std::string& remark : identify(file, motion, {.links = {"fore"}}).remarks)
            out += remark + "\n";
        return out;
    };
    const auto said = [](const char* shape, const char* how) {
        return std::string("link 'fore' is ") + shape + " in the file; how far it extends" + how +
               " was left open, up to a radius of gyration of 0.12 m; its inertia in the file "
               "would say more\n";
    };
    EXPECT_EQ(remarks({}), said("a point mass", ""));
    EXPECT_EQ(remarks(SymMat3<double>::diagonal(0.01, 0.01, 0)),
              said("a rod without thickness", " across"));
    EXPECT_EQ(remarks(SymMat3<double>::diagonal(0.004, 0.006, 0.01)),
              said("a plate without thickness", " across"));
    EXPECT_EQ(remarks(SymMat3<double>::diagonal(1e-4, 1e-4, 1e-4)),
              said("nearly a point mass", ""));
    EXPECT_EQ(remarks(SymMat3<double>::diagonal(0.01, 0.01, 1e-4)),
              said("nearly a rod without thickness", " across"));
    EXPECT_EQ(remarks(SymMat3<double>::diagonal(0.006, 0.006, 0.006)), "");
}

// A point on its own axis has no length: it is as long as the others, or, where all are such points, as anything.
TEST(PointMasses, OnTheirAxesAreAsLongAsTheOthers) {
    const auto wheel = [](bool has_arm) {
        Builder b("r");
        b.link("ground");
        b.body("ground", revolute("axle", {0, 1, 0}), "wheel", MassProperties::point(2));
        if (has_arm)
            b.body("ground", revolute("hinge", {0, 1, 0}), "arm",
                   MassProperties::box(1, {0.1, 0.1, 1.2}, {0, 0, 0.6}));
        return b.build();
    };
    for (const bool has_arm : {false, true}) {
        const Model file = wheel(has_arm);
        const Model real =
            with_mass(file, "wheel", {2, {}, SymMat3<double>::diagonal(0.03, 0.05, 0.03)});
        MotionLog log = excite(file, {.duration = 5, .trials = 5}).log;
        log.tau = predict_torques(real, log);
        const Identified found = identify(file, log, {.friction = false});
        EXPECT_NE(found.remarks.at(0).find(has_arm ? "gyration of 0.35 m" : "gyration of 0.1 m"),
                  std::string::npos)
            << found.remarks.at(0);
        for (const IdentifiedParameter& x : found.combinations) {
            if (x.name.starts_with("wheel.Iyy")) EXPECT_NEAR(x.value, 0.05, 1e-4);
        }
    }
}

}  // namespace
}  // namespace plucker::test
