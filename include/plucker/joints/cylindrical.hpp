// A cylindrical joint about z: q = (angle, displacement), which are independent.
#pragma once

#include <array>

#include "plucker/joints/axes.hpp"
#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"
#include "plucker/joints/words.hpp"

namespace plucker {

struct CylindricalJoint : Euclidean<2>, AxisAlongZ, ConstantSubspace {
    static constexpr JointType kType = JointType::kCylindrical;
    static constexpr const char* kName = "cylindrical";
    static constexpr FileWords kWords{};
    static constexpr Anchor kAnchor = Anchor::kOnAxis;
    static constexpr std::array kVelocitySuffixes{".angular", ".linear"};
    static constexpr int kTurns = 1;
    static constexpr int kAngles = 1;
    static constexpr int kFirstAngle = 0;  // where the angles start in q

    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S* q,
                                            const SinCos<S>* angle) {
        const Transform<S> X_joint{rotation_z(*angle), {S(0), S(0), q[1]}};
        return X_joint * cast<S>(body.X_tree);
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>*, Motion<S>* column) {
        column[0] = {{S(0), S(0), S(1)}, {}};
        column[1] = {{}, {S(0), S(0), S(1)}};
    }
};

}  // namespace plucker
