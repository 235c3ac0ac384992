// Poses of a robot's bodies, as CollisionShapes wants them.
#pragma once

#include <vector>

#include "plucker/algorithms/table.hpp"

namespace plucker::test {

inline std::vector<Pose<double>> body_poses(const Model& model, const VectorX<double>& q) {
    std::vector<Pose<double>> out{{}};
    for (int b = 1; b <= model.num_bodies(); ++b) {
        const FrameId link = model.body_frame(b);
        out.push_back(frame_pose(model, q, link) *
                      inverse(to_pose(model.frame(link).X_frame_body)));
    }
    return out;
}

}  // namespace plucker::test
