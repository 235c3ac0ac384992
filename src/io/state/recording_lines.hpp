// The lines of a recording: what tells the first one from the states after it, and what stands beside a state.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace plucker::io {

// What the first line of a recording in CSV begins with: a comment, with the header after it.
inline constexpr std::string_view kRecordingMark = "# plucker recording ";

inline bool begins_recording(const nlohmann::json& line) {
    return line.is_object() && line.contains("plucker") && line.at("plucker") == "recording";
}

inline const std::vector<std::string>& recording_keys() {
    static const std::vector<std::string> kKeys{"energy", "frames", "contacts", "pushes",
                                                "residual"};
    return kKeys;
}

}  // namespace plucker::io
