// Motions along one coordinate: what a revolute or prismatic joint about its own z axis produces.
//
// They exist so that formulas written for a general motion cost, for these joints, only what the one
// coordinate costs.
#pragma once

#include "plucker/spatial/force.hpp"

namespace plucker {

// (0 0 w; 0 0 0)
template <class S>
struct AngularZ {
    S w;

    friend constexpr Motion<S> operator+(Motion<S> m, const AngularZ& z) {
        m.angular.z += z.w;
        return m;
    }
    friend constexpr Motion<S> cross(const Motion<S>& v, const AngularZ& z) {
        return {{v.angular.y * z.w, -v.angular.x * z.w, S(0)},
                {v.linear.y * z.w, -v.linear.x * z.w, S(0)}};
    }
};

// (0 0 0; 0 0 d)
template <class S>
struct LinearZ {
    S d;

    friend constexpr Motion<S> operator+(Motion<S> m, const LinearZ& z) {
        m.linear.z += z.d;
        return m;
    }
    friend constexpr Motion<S> cross(const Motion<S>& v, const LinearZ& z) {
        return {{}, {v.angular.y * z.d, -v.angular.x * z.d, S(0)}};
    }
};

}  // namespace plucker
