// A prismatic joint along z: q is the displacement.
#pragma once

#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"

namespace plucker {

struct PrismaticJoint : Euclidean<1>, ConstantSubspace {
    static constexpr const char* kName = "prismatic";
    static constexpr int kAngles = 0;

    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S* q, const SinCos<S>*) {
        const Transform<S> X_tree = cast<S>(body.X_tree);
        return {X_tree.E, X_tree.r + q[0] * X_tree.E.z};
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>*, Motion<S>* column) {
        column[0] = {{}, {S(0), S(0), S(1)}};
    }
};

}  // namespace plucker
