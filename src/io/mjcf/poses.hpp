// Where an MJCF element stands: its attributes as numbers, and numbers as attributes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plucker/spatial/quaternion.hpp"
#include "xml.hpp"

namespace plucker::io {

// How a document writes angles.
struct MjcfAngles {
    double unit = 0;               // radians
    std::string sequence = "xyz";  // of Euler angles
};
MjcfAngles angles_of(const tinyxml2::XMLElement& root);

// The last of the <compiler> elements that has the attribute says what it is.
std::string compiler_setting(const tinyxml2::XMLElement& root, const char* attribute);

struct MjcfPose {
    Vec3<double> position{};
    Quaternion<double> rotation{};

    Vec3<double> operator*(const Vec3<double>& point) const;
    Vec3<double> turn(const Vec3<double>& direction) const;
    MjcfPose operator*(const MjcfPose& inner) const;
};

Quaternion<double> from_euler(const std::vector<double>& euler, const MjcfAngles& angles);

// An element's pos and orientation. Nothing, with what is wrong in `why`, if they are not what they must be.
std::optional<MjcfPose> pose_of(const tinyxml2::XMLElement& e, const MjcfAngles& angles,
                                std::string& why);
// The element gets that pos and quat, and no other orientation.
void set_pose(tinyxml2::XMLElement& e, const MjcfPose& pose);

// With all digits.
std::string to_text(const std::vector<double>& numbers);

}  // namespace plucker::io
