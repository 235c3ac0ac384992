// A fixed joint: no degrees of freedom. Models merge these away unless asked to keep them.
#pragma once

#include <array>

#include "plucker/joints/axes.hpp"
#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"
#include "plucker/joints/words.hpp"

namespace plucker {

struct FixedJoint : Euclidean<0>, NoAxis, ConstantSubspace {
    static constexpr JointType kType = JointType::kFixed;
    static constexpr const char* kName = "fixed";
    static constexpr FileWords kWords{.urdf = "fixed", .sdf = "fixed"};
    static constexpr Anchor kAnchor = Anchor::kAnywhere;
    static constexpr std::array<const char*, 0> kVelocitySuffixes{};
    static constexpr int kTurns = 0;
    static constexpr int kAngles = 0;

    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S*, const SinCos<S>*) {
        return cast<S>(body.X_tree);
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>*, Motion<S>*) {}
};

}  // namespace plucker
