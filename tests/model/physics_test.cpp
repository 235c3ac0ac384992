// Inertias that no body has: where the line is, on both its sides, and what is said beyond it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "plucker/model/builder.hpp"
#include "plucker/spatial/eigen.hpp"
#include "plucker/spatial/quaternion.hpp"
#include "support/error_message.hpp"

namespace plucker {
namespace {

// What a description's check says about a link with that mass.
std::vector<Diagnostic> findings(const MassProperties& mass, Physics physics = Physics::kStrict) {
    return find_errors(Builder("r").physics(physics).link("body", mass).description());
}
std::string complaint(const MassProperties& mass) {
    const auto found = findings(mass);
    return found.empty() ? "" : to_string(found.front());
}
void expect_complaint(const MassProperties& mass, const std::vector<std::string>& words) {
    for (const std::string& word : words)
        EXPECT_NE(complaint(mass).find(word), std::string::npos)
            << word << " in " << complaint(mass);
}

// Those principal moments, along axes turned at random; as small as of a watch, as large as of a ship.
template <class F>
void for_all_turns_and_sizes(double x, double y, double z, F&& f) {
    std::mt19937 generator(7);
    std::normal_distribution<double> normal;
    for (const double size : {1e-12, 1e-5, 1.0, 1e6}) {
        for (int turn = 0; turn < 20; ++turn) {
            Quaternion<double> q{normal(generator), normal(generator), normal(generator),
                                 normal(generator)};
            if (turn == 0) q = {0, 0, 0, 1};
            f(MassProperties{
                size,
                {},
                size * rotate_back(coordinate_rotation(q), SymMat3<double>::diagonal(x, y, z))});
        }
    }
}

// Six digits are what files have: less than half a unit of the last, in each of three entries, is rounding.
TEST(Physics, TheTriangleInequalityHoldsUpToSixDigits) {
    for (const auto& [x, y] : {std::pair{0.5, 0.5}, {0.25, 0.75}, {0.0, 1.0}}) {
        for_all_turns_and_sizes(x, y, x + y,
                                [](const MassProperties& m) { EXPECT_EQ(complaint(m), ""); });
        for_all_turns_and_sizes(x, y, x + y + 0.9e-6,
                                [](const MassProperties& m) { EXPECT_EQ(complaint(m), ""); });
        for_all_turns_and_sizes(x, y, x + y + 1.1e-6, [](const MassProperties& m) {
            expect_complaint(m, {"link 'body'", "violates the triangle inequality"});
        });
        // Whichever axis is the one that is too long.
        for_all_turns_and_sizes(x + y + 1.1e-6, y, x, [](const MassProperties& m) {
            expect_complaint(m, {"link 'body'", "violates the triangle inequality"});
        });
    }
}

TEST(Physics, NoMomentIsNegativeUpToSixDigits) {
    for_all_turns_and_sizes(-0.9e-6, 1, 1,
                            [](const MassProperties& m) { EXPECT_EQ(complaint(m), ""); });
    for_all_turns_and_sizes(-1.1e-6, 1, 1, [](const MassProperties& m) {
        expect_complaint(m, {"link 'body'", "not positive semidefinite"});
    });
    for_all_turns_and_sizes(-1, -1, -1, [](const MassProperties& m) {
        expect_complaint(m, {"not positive semidefinite", "check the order and signs"});
    });
}

// Sizes may be zero, as of plates and rods; what is less, or no number, is a mistake.
TEST(Physics, SizesOfShapesAreNotNegative) {
    const auto said = [](const char* what, double size) {
        return Error::because("MassProperties: ", what, " is ", size,
                              " m; it must not be negative");
    };
    const auto expect = [](const Error& why, auto&& make) {
        EXPECT_EQ(test::message(make), std::string(why.what()));
    };
    for (const double bad : {-1.0, -1e-300, double{NAN}, double{INFINITY}}) {
        expect(said("sphere: radius", bad), [&] { MassProperties::sphere(1, bad); });
        expect(said("cylinder: radius", bad), [&] { MassProperties::cylinder(1, bad, 2); });
        expect(said("cylinder: length", bad), [&] { MassProperties::cylinder(1, 2, bad); });
        expect(said("box: size", bad), [&] { MassProperties::box(1, {bad, 2, 3}); });
        expect(said("box: size", bad), [&] { MassProperties::box(1, {1, bad, 3}); });
        expect(said("box: size", bad), [&] { MassProperties::box(1, {1, 2, bad}); });
    }
    EXPECT_EQ(MassProperties::sphere(1, 0), MassProperties::point(1));
    EXPECT_EQ(MassProperties::cylinder(12, 0, 1).about_center, SymMat3<double>::diagonal(1, 1, 0));
    EXPECT_EQ(MassProperties::box(12, {0, 1, 2}).about_center, SymMat3<double>::diagonal(5, 4, 1));
}

TEST(Physics, MassWithoutInertiaIsAPointAndInertiaWithoutMassIsNothing) {
    EXPECT_EQ(complaint(MassProperties::point(1, {1, 2, 3})), "");
    EXPECT_EQ(complaint({}), "");
    for (const double size : {1e-20, 1.0}) {
        expect_complaint({0, {}, SymMat3<double>::diagonal(size, size, size)},
                         {"mass is zero but its rotational inertia is not"});
    }
    // In a file a point is a placeholder.
    Description d = Builder("r").link("body", MassProperties::point(2)).description();
    d.links[0].source = {"r.urdf", 3};
    ASSERT_EQ(find_errors(d).size(), 1U);
    EXPECT_EQ(
        to_string(find_errors(d)[0]),
        "r.urdf:3: error: link 'body': mass is 2 kg but its rotational inertia is zero, as of a "
        "point; give it its inertia");
}

TEST(Physics, SaysWhatItMayBe) {
    const auto six = [](double x) { return SymMat3<double>{x, x, x, x, x, x}; };
    for (const double x : {1e-9, 0.001, 1.0}) {
        expect_complaint({1, {}, six(x)}, {"all six entries are", "placeholder of a CAD export"});
    }
    // Five of six are not a placeholder.
    for (int k = 0; k < 6; ++k) {
        double e[6] = {1, 1, 1, 1, 1, 1};
        e[k] = 0.5;
        EXPECT_EQ(complaint({1, {}, {e[0], e[1], e[2], e[3], e[4], e[5]}}).find("placeholder"),
                  std::string::npos);
    }
    expect_complaint({1, {}, SymMat3<double>::diagonal(0, 0, 1e-20)},
                     {"next to nothing for its mass", "rounding"});
    expect_complaint({1, {}, SymMat3<double>::diagonal(0.1, 0.2, 0.301)},
                     {"as if rounded to too few digits"});
    // A hundredth of the size is more than rounding does.
    expect_complaint({1, {}, SymMat3<double>::diagonal(0.1, 0.2, 0.3029)}, {"too few digits"});
    expect_complaint({1, {}, SymMat3<double>::diagonal(0.1, 0.2, 0.3031)}, {"no body has it"});
    // Far from the centre, and its parallel-axis term subtracted once too often.
    const MassProperties box = MassProperties::box(2, {0.1, 0.2, 0.3}, {0.5, 0, 0});
    MassProperties twice = box;
    twice.about_center -= 2.0 * point_inertia(box.center);
    expect_complaint(twice,
                     {"not positive semidefinite", "parallel-axis term", "subtracted twice"});
    // The same inertia at the link's own frame has no such excuse.
    twice.center = {};
    EXPECT_EQ(complaint(twice).find("parallel-axis"), std::string::npos);
    expect_complaint({1, {}, SymMat3<double>::diagonal(1, 1, 5)},
                     {"eigenvalues 1 + 1 < 5", "no body has it"});
}

TEST(Physics, AreStrictInABuilderUnlessItIsToldOtherwise) {
    const MassProperties bad{1, {}, SymMat3<double>::diagonal(1, 1, 5)};
    Builder builder("r");
    builder.link("ground").body("ground", revolute("j", {0, 0, 1}), "body", bad);
    EXPECT_THROW(builder.build(), Error);
    EXPECT_NO_THROW(builder.physics(Physics::kLenient).build());
    EXPECT_THROW(builder.physics(Physics::kStrict).build(), Error);
    ASSERT_EQ(findings(bad, Physics::kLenient).size(), 1U);
    EXPECT_EQ(findings(bad, Physics::kLenient)[0].severity, Severity::kWarning);
    EXPECT_EQ(findings(bad, Physics::kLenient)[0].message, findings(bad)[0].message);
}

// What has no meaning is refused in any case.
TEST(Physics, LeniencyHasLimits) {
    const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
    for (const MassProperties& mass :
         {MassProperties::point(-1), MassProperties::point(nan), MassProperties::point(inf),
          MassProperties::point(1, {nan, 0, 0}), MassProperties::point(1e31),
          MassProperties::point(1e-31), MassProperties{1, {}, SymMat3<double>::diagonal(nan, 1, 1)},
          MassProperties{1, {}, SymMat3<double>::diagonal(1, inf, 1)}}) {
        EXPECT_TRUE(has_errors(findings(mass, Physics::kLenient)));
    }
}

}  // namespace
}  // namespace plucker
