// Tables of heights: what is read, and what is refused.
#include <gtest/gtest.h>

#include "plucker/io/read_height_field.hpp"
#include "scratch_folder.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

TEST(HeightFields, HaveALineForEachY) {
    const ScratchFolder folder("heights");
    const HeightField field =
        read_height_field(folder.write("heights.csv", "# metres\n0, 1, 2\n\n3; 4\t5.5\n"), 0.5);
    ASSERT_EQ(field.points_x, 3);
    ASSERT_EQ(field.points_y, 2);
    EXPECT_EQ(field.point(0, 0), (Vec3<double>{-0.5, -0.25, 0}));
    EXPECT_EQ(field.point(2, 1), (Vec3<double>{0.5, 0.25, 5.5}));
}

TEST(HeightFields, SayWhatIsWrongAndWhere) {
    const auto complaint = [](const std::string& text, double spacing = 1) {
        const ScratchFolder folder("heights");
        const std::string path = folder.write("heights.csv", text);
        const std::string out = message([&] { read_height_field(path, spacing); });
        return out.substr(out.rfind('/') + 1);
    };
    EXPECT_EQ(complaint("1 2\n1 x\n"), "heights.csv:2: 'x' is not a height in metres");
    EXPECT_EQ(complaint("1 2\n1 nan\n"), "heights.csv:2: 'nan' is not a height in metres");
    EXPECT_EQ(complaint("1 2\n\n1 2 3\n"),
              "heights.csv:3: the line has 3 heights, and those before it 2");
    EXPECT_EQ(complaint("1 2\n1\n"), "heights.csv:2: the line has 1 height, and those before it 2");
    EXPECT_EQ(complaint("1 2\n"),
              "heights.csv: has 2 x 1 heights; terrain needs two each way at least");
    EXPECT_EQ(complaint("1 2\n3 4\n", 0),
              "heights.csv: heights 0 m apart: the spacing must be positive, such as 0.1");
}

}  // namespace
}  // namespace plucker::test
