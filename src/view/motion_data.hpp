// What a robot did, as the page knows it: poses at each instant, forces, and curves.
#pragma once

#include <nlohmann/json.hpp>

#include "buffers.hpp"
#include "plucker/io/recording.hpp"

namespace plucker::view {

// {"name", "times", "poses", "center", "series", "contacts", "pushes", …}. Energies and momenta that the recording does not
// have are computed.
nlohmann::ordered_json motion_data(const Model& model, const std::string& name,
                                   const Recording& recording, Buffers& buffers);

// For a robot that did nothing: each of its joints moves through its limits, one after the other, and the torques are those
// that hold the robot against gravity.
Recording demonstration(const Model& model);

}  // namespace plucker::view
