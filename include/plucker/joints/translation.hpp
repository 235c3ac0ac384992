// Free translation: q is the body's position in the parent, along the joint frame's axes.
#pragma once

#include <array>

#include "plucker/joints/axes.hpp"
#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"
#include "plucker/joints/words.hpp"

namespace plucker {

struct TranslationJoint : Euclidean<3>, NoAxis, ConstantSubspace {
    static constexpr JointType kType = JointType::kTranslation;
    static constexpr const char* kName = "translation";
    static constexpr FileWords kWords{};
    static constexpr Anchor kAnchor = Anchor::kAnywhere;
    static constexpr std::array kVelocitySuffixes{".linear.x", ".linear.y", ".linear.z"};
    static constexpr int kTurns = 0;
    static constexpr int kAngles = 0;

    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S* q, const SinCos<S>*) {
        return Transform<S>::translation({q[0], q[1], q[2]}) * cast<S>(body.X_tree);
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>*, Motion<S>* column) {
        column[0] = {{}, {S(1), S(0), S(0)}};
        column[1] = {{}, {S(0), S(1), S(0)}};
        column[2] = {{}, {S(0), S(0), S(1)}};
    }
};

}  // namespace plucker
