#include "plucker/model/model.hpp"

#include <algorithm>

namespace plucker {

Model::Model(const Model&) noexcept = default;
Model& Model::operator=(const Model&) noexcept = default;
Model::~Model() = default;

Model Model::with_code(std::shared_ptr<const RobotCode> code) const {
    Model out = *this;
    out.code_ = std::move(code);
    return out;
}

void Model::refuse_body(int i) const {
    throw Error::because("robot '", name(), "' has no body ", i,
                         "; its bodies are 0 (the world) to ", num_bodies());
}

void Model::refuse(FrameId id) const {
    if (id.model_ == 0) {
        throw Error::because("robot '", name(),
                             "': this FrameId names no frame; ask frame_id(name)");
    }
    throw Error::because("robot '", name(), "': this FrameId (number ", id.index_,
                         ") belongs to another model; ask this one's frame_id(name)");
}

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
    if (has_floating_base() && joint == kBaseJoint) return 1;
    throw unknown_name("joint", joint, names);
}

int Model::constraint_index(const std::string& name) const {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < data_->constraints.size(); ++k) {
        if (data_->constraints[k].name == name) return static_cast<int>(k);
        names.push_back(data_->constraints[k].name);
    }
    throw unknown_name("constraint", name, names);
}

FrameId Model::frame_id(const std::string& name) const {
    const auto& frames = data_->frames;
    const auto found = std::find_if(frames.begin(), frames.end(),
                                    [&](const Frame& frame) { return frame.name == name; });
    if (found != frames.end()) return {static_cast<int>(found - frames.begin()), data_->id};
    std::vector<std::string> names;
    for (const Frame& frame : frames) names.push_back(frame.name);
    throw unknown_name("frame", name, names);
}

FrameId Model::frame_id(int k) const {
    const auto count = static_cast<int>(data_->frames.size());
    if (k < 0 || k >= count) {
        throw Error::because("robot '", name(), "' has no frame ", k, "; its frames are 0 to ",
                             count - 1);
    }
    return {k, data_->id};
}

}  // namespace plucker
