// Mistakes of writers and readers that fuzzing and a second reading brought to light, as tests of their kind.
#include <gtest/gtest.h>

#include <numbers>

#include "plucker/io/load.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker {
namespace {

// Written as three angles, a rotation near a quarter turn of pitch lost half of its digits.
TEST(FuzzRegression, RotationsNearAQuarterTurnOfPitchAreWrittenToTheLastDigits) {
    for (const double off : {0.0, 1e-16, 1e-12, 1e-9, 1.1e-9, 1e-8, 1e-6, 1e-3}) {
        for (const double sign : {-1.0, 1.0}) {
            for (const double roll : {-3.0, -0.4, 0.0, 1.9}) {
                for (const double yaw : {-2.5, 0.0, 0.7, 3.1}) {
                    const double pitch = sign * (std::numbers::pi / 2 - off);
                    const Pose<double> pose =
                        Pose<double>::roll_pitch_yaw({1, 2, 3}, {roll, pitch, yaw});
                    const Description robot = Builder("robot")
                                                  .link("a")
                                                  .body("a", fixed("weld").at(pose), "b")
                                                  .description();
                    const ReadResult again = read_robot_text(write_urdf(robot), "again.urdf");
                    ASSERT_EQ(again.description.joints.size(), 1U);
                    const Mat3<double> R = again.description.joints[0].placement.rotation;
                    EXPECT_LT((to_eigen(R) - to_eigen(pose.rotation)).norm(), 1e-14)
                        << roll << " " << pitch << " " << yaw;
                }
            }
        }
    }
}

// A carriage return by reference came back as a line feed when the robot was written and read again.
TEST(FuzzRegression, ControlCharactersAreRefused) {
    for (const int code : {1, 8, 11, 13, 27, 31}) {
        const std::string text =
            "<robot name='a'><link name='b&#" + std::to_string(code) + ";c'/></robot>";
        const ReadResult result = read_robot_text(text, "file.urdf");
        ASSERT_EQ(result.diagnostics.size(), 1U) << code;
        EXPECT_EQ(to_string(result.diagnostics[0]),
                  "file.urdf:1: error: <link>: the attribute 'name' has the control character " +
                      std::to_string(code) + "; remove it");
    }
    // Those that robot files have between numbers.
    const std::string spaces =
        "<robot name='a'><link name='b'/><link name='c'/><joint name='d' type='fixed'>"
        "<origin xyz='1&#10;2&#9;3'/><parent link='b'/><child link='c'/></joint></robot>";
    EXPECT_TRUE(read_robot_text(spaces, "file.urdf").diagnostics.empty());
}

// MJCF may give a mesh by its vertices; written as <mesh filename="">, the robot could not be read again.
TEST(FuzzRegression, AMeshThatIsInNoFileIsLostNotWrittenWithoutAName) {
    Description robot = Builder("robot").link("a").description();
    Shape shape;
    shape.geometry = Mesh{};
    robot.links[0].visuals = {shape};
    std::vector<Diagnostic> lost;
    const ReadResult again = read_robot_text(write_urdf(robot, &lost), "again.urdf");
    EXPECT_TRUE(again.diagnostics.empty());
    EXPECT_TRUE(again.description.links[0].visuals.empty());
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_EQ(to_string(lost[0]),
              "link 'a': URDF cannot say its mesh, which is in no file; it is lost");
}

}  // namespace
}  // namespace plucker
