#include "carried_frames.hpp"

namespace plucker::compiler {

CarriedFrames::CarriedFrames(const Model& model)
    : num_links_(static_cast<int>(model.description().links.size())),
      on_(model.frames().size(), -1),
      joint_of_link_(model.description().links.size(), -1) {
    const Description& d = model.description();
    const auto frames = model.frames();
    std::unordered_map<std::string, int> link;
    for (int k = 0; k < num_links_; ++k) link[d.links[static_cast<std::size_t>(k)].name] = k;
    for (const JointDescription& joint : d.joints) {
        const int parent = link.at(joint.parent), child = link.at(joint.child);
        joint_of_link_[static_cast<std::size_t>(child)] = static_cast<int>(parent_of_joint_.size());
        parent_of_joint_.push_back(parent);
        child_of_joint_.push_back(child);
        // A fixed joint that is kept has a body of its own.
        const bool one_body = frames[static_cast<std::size_t>(parent)].body ==
                              frames[static_cast<std::size_t>(child)].body;
        if (joint.type == JointType::kFixed && one_body)
            on_[static_cast<std::size_t>(child)] = parent;
    }
    for (std::size_t k = 0; k < d.frames.size(); ++k)
        on_[d.links.size() + k] = link.at(d.frames[k].link);
}

bool CarriedFrames::is_on(int frame, int other) const {
    while (frame >= 0 && frame != other) frame = on(frame);
    return frame == other;
}

Pose<double>& CarriedFrames::placement(Description& d, int frame) const {
    if (frame >= num_links_)
        return d.frames[static_cast<std::size_t>(frame - num_links_)].placement;
    const int joint = joint_of_link_[static_cast<std::size_t>(frame)];
    return d.joints[static_cast<std::size_t>(joint)].placement;
}

int CarriedFrames::moving_joint_on(int frame) const {
    for (std::size_t j = 0; j < parent_of_joint_.size(); ++j) {
        if (on(child_of_joint_[j]) < 0 && is_on(parent_of_joint_[j], frame))
            return static_cast<int>(j);
    }
    return -1;
}

}  // namespace plucker::compiler
