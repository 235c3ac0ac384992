#include "plucker/model/model.hpp"

#include <algorithm>

namespace plucker {

Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;
Model::~Model() = default;

int Model::body_index(const std::string& link) const {
    const auto& names = data_->body_names;
    const auto found = std::find(names.begin(), names.end(), link);
    if (found == names.end()) throw unknown_name("body", link, names);
    return static_cast<int>(found - names.begin());
}

int Model::joint_index(const std::string& joint) const {
    std::vector<std::string> names;
    for (std::size_t i = 1; i < data_->joints.size(); ++i) {
        if (data_->joints[i].name == joint) return static_cast<int>(i);
        names.push_back(data_->joints[i].name);
    }
    throw unknown_name("joint", joint, names);
}

FrameId Model::frame_id(const std::string& name) const {
    const auto& frames = data_->frames;
    const auto found = std::find_if(frames.begin(), frames.end(),
                                    [&](const Frame& frame) { return frame.name == name; });
    if (found != frames.end()) return static_cast<FrameId>(found - frames.begin());
    std::vector<std::string> names;
    for (const Frame& frame : frames) names.push_back(frame.name);
    throw unknown_name("frame", name, names);
}

}  // namespace plucker
