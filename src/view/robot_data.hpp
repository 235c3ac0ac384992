// A robot as the page knows it: bodies with their joints and masses, links with their shapes.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "buffers.hpp"
#include "plucker/io/recording.hpp"
#include "plucker/model/model.hpp"

namespace plucker::view {

// Position and quaternion x y z w: seven numbers.
nlohmann::ordered_json pose_data(const Pose<double>& pose);

// {"name", "bodies", "links", "frames", "meshes", …}. Bodies are in the frames of their links, as users know them.
nlohmann::ordered_json robot_data(const Model& model, Buffers& buffers,
                                  std::vector<Diagnostic>* diagnostics);

// What a recorded robot could run into, besides the ground: {"shapes", "meshes", "terrain"}; null where there is nothing.
nlohmann::ordered_json world_data(const RecordingHeader& header, Buffers& buffers,
                                  std::vector<Diagnostic>* diagnostics);

}  // namespace plucker::view
