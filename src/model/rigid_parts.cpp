#include "rigid_parts.hpp"

#include <algorithm>

namespace plucker {

std::string rigid_part_of(const Description& d, const std::string& frame) {
    std::string at = frame;
    for (const FrameDescription& named : d.frames) {
        if (named.name == frame) at = named.link;
    }
    // Up along fixed joints, in no more steps than there are joints: a broken description may have cycles.
    for (std::size_t steps = 0; steps <= d.joints.size(); ++steps) {
        const auto to_parent =
            std::find_if(d.joints.begin(), d.joints.end(),
                         [&](const JointDescription& joint) { return joint.child == at; });
        if (to_parent == d.joints.end()) return d.base == Base::kFixed ? kWorldFrame : at;
        if (to_parent->type != JointType::kFixed) return at;
        at = to_parent->parent;
    }
    return at;
}

}  // namespace plucker
