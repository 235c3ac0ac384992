// The world in a recording's first line: {"shapes": [{"box": […], "position": […], "rotation": […]}], "terrain": […]}.
#pragma once

#include <nlohmann/json.hpp>

#include "plucker/io/recording.hpp"

namespace plucker::io {

double recorded_number(const nlohmann::json& value, const std::string& key);
Vec3<double> recorded_vector(const nlohmann::json& value, const std::string& key);
std::string recorded_text(const nlohmann::json& value, const std::string& key);
// A member that must be there.
const nlohmann::json& needed(const nlohmann::json& object, const std::string& key,
                             const char* name);
// {"position", "rotation"}: three rows.
Pose<double> recorded_pose(const nlohmann::json& value, const std::string& key);

nlohmann::ordered_json array_of(const Vec3<double>& x);
void write_pose(const Pose<double>& pose, nlohmann::ordered_json& to);

// Empty where nothing but the ground is there.
nlohmann::ordered_json world_json(const RecordingHeader& header);
void read_world(const nlohmann::json& world, RecordingHeader& header);

}  // namespace plucker::io
