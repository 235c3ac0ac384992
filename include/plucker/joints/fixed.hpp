// A fixed joint: no freedom. Models merge these away unless asked to keep them.
#pragma once

#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"

namespace plucker {

struct FixedJoint : Euclidean<0>, ConstantSubspace {
    static constexpr const char* kName = "fixed";
    static constexpr int kAngles = 0;

    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S*, const SinCos<S>*) {
        return cast<S>(body.X_tree);
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>*, Motion<S>*) {}
};

}  // namespace plucker
