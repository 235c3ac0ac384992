// The convex hull of points: its corners and its faces, flat ones whole.
#pragma once

#include <memory>
#include <vector>

#include "convex.hpp"

namespace plucker::collide {

struct HullFace {
    Vec normal;                // outwards
    std::vector<int> corners;  // in their order around the normal
};

struct Hull {
    std::vector<Vec> corners;
    std::vector<HullFace> faces;  // none if all corners lie on a line
    Vec center{};                 // of the points' extent; the corners are relative to it
    Vec half{};                   // of the extent
    double bound = 0;             // the farthest corner's distance from the centre
};

// Points that lie behind the surface, or less than 1e-7 of the extent before it, are left out; of more than 600, all but the
// farthest along some 500 directions. They must be finite, and
// at least one.
std::shared_ptr<const Hull> convex_hull(std::vector<Vec> points);

}  // namespace plucker::collide
