// A revolute joint about z: q is the angle. A continuous joint is the same without limits.
#pragma once

#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"

namespace plucker {

struct RevoluteJoint : Euclidean<1>, ConstantSubspace {
    static constexpr const char* kName = "revolute";
    static constexpr int kAngles = 1;
    static constexpr int kFirstAngle = 0;  // where the angles start in q

    // rotation_z(q) X_tree, of which only two rows of E are new.
    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S*, const SinCos<S>* angle) {
        const Mat3<S> E = cast<S>(body.X_tree.E);
        return {{angle->cos * E.x + angle->sin * E.y, angle->cos * E.y - angle->sin * E.x, E.z},
                cast<S>(body.X_tree.r)};
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>*, Motion<S>* column) {
        column[0] = {{S(0), S(0), S(1)}, {}};
    }
};

}  // namespace plucker
