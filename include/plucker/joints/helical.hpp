// A helical (screw) joint about z: q is the angle, and one radian advances `pitch` metres.
#pragma once

#include <array>

#include "plucker/joints/axes.hpp"
#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"
#include "plucker/joints/words.hpp"

namespace plucker {

struct HelicalJoint : Euclidean<1>, AxisAlongZ, ConstantSubspace {
    static constexpr JointType kType = JointType::kHelical;
    static constexpr const char* kName = "helical";
    static constexpr FileWords kWords{.sdf = "screw"};
    static constexpr CoordinateForms kForms{.mujoco = CoordinateForm::kNone};
    static constexpr Anchor kAnchor = Anchor::kOnAxis;
    static constexpr std::array kVelocitySuffixes{""};
    static constexpr int kTurns = 1;
    static constexpr int kAngles = 1;
    static constexpr int kFirstAngle = 0;  // where the angles start in q

    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S* q,
                                            const SinCos<S>* angle) {
        const Transform<S> X_joint{rotation_z(*angle), {S(0), S(0), S(body.pitch) * q[0]}};
        return X_joint * cast<S>(body.X_tree);
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>& body, const SinCos<S>*, Motion<S>* column) {
        column[0] = {{S(0), S(0), S(1)}, {S(0), S(0), S(body.pitch)}};
    }
};

}  // namespace plucker
