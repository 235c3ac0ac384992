// Two arms side by side or in a row, for what is refused of joints that belong together.
#pragma once

#include "plucker/model/builder.hpp"

namespace plucker::test {

// With a second joint that is refined: by .at(…), .mimicking(…).
inline Builder pair_of(const std::string& name, const std::string& parent,
                       const JointDescription& second) {
    const MassProperties mass = MassProperties::box(1, {0.1, 0.2, 0.3});
    Builder out(name);
    out.link("ground")
        .body("ground", revolute("left", {0, 0, 1}), "left_arm", mass)
        .body(parent, second, "right_arm", mass);
    return out;
}
// The right one does what the left one does, twice as far.
inline Model twins(double offset = 0) {
    return pair_of("twins", "ground", revolute("right", {0, 0, 1}).mimicking("left", 2, offset))
        .build();
}

}  // namespace plucker::test
