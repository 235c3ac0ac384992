// Which frame is fixed on which: the links and frames of each body are a tree of constant places.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "plucker/model/model.hpp"

namespace plucker::compiler {

// Frames by their numbers in the model; links are the first of them.
class CarriedFrames {
public:
    explicit CarriedFrames(const Model& model);

    // The one that it is fixed on; -1: none.
    int on(int frame) const { return on_[static_cast<std::size_t>(frame)]; }
    // Whether it is the other, or fixed on it, or on what is fixed on it.
    bool is_on(int frame, int other) const;
    // The link itself, or the one that carries the frame.
    int link_under(int frame) const { return frame < num_links_ ? frame : on(frame); }

    // Where it is on the one that it is fixed on, in the model's description or a copy of it.
    Pose<double>& placement(Description& d, int frame) const;

    // The first joint that moves and hangs on the frame, or on what is fixed on it; -1: none.
    int moving_joint_on(int frame) const;

private:
    int num_links_;
    std::vector<int> on_;
    std::vector<int> joint_of_link_;                     // that carries it; -1: none
    std::vector<int> parent_of_joint_, child_of_joint_;  // links
};

}  // namespace plucker::compiler
