// A planar joint in the plane normal to z: q = (x, y, angle), the body's position in the parent's plane
// and its heading; v = (ω_z, v_x, v_y) in the body's own frame, angular first as for a floating base.
#pragma once

#include <array>

#include "plucker/joints/axes.hpp"
#include "plucker/joints/body.hpp"
#include "plucker/joints/euclidean.hpp"
#include "plucker/joints/words.hpp"
#include "plucker/spatial/quaternion.hpp"

namespace plucker {

struct PlanarJoint : AxisAlongZ, ConstantSubspace {
    static constexpr JointType kType = JointType::kPlanar;
    static constexpr const char* kName = "planar";
    static constexpr FileWords kWords{.urdf = "planar"};
    static constexpr CoordinateForms kForms{.pinocchio = CoordinateForm::kPlanarCosSin,
                                            .mujoco = CoordinateForm::kPlanarRates};
    static constexpr Anchor kAnchor = Anchor::kAtPoint;
    static constexpr int kNq = 3;
    static constexpr int kNv = 3;
    static constexpr bool kVelocityIsRate = false;
    static constexpr bool kHasQuaternion = false;
    static constexpr std::array kPositionSuffixes{".linear.x", ".linear.y", ".angular.z"};
    static constexpr std::array kVelocitySuffixes{".angular.z", ".linear.x", ".linear.y"};
    static constexpr int kTurns = 1;
    static constexpr int kAngles = 1;
    static constexpr int kFirstAngle = 2;  // where the angles start in q

    template <class S, class T>
    static constexpr Transform<S> transform(const Body<T>& body, const S* q,
                                            const SinCos<S>* angle) {
        const Transform<S> X_joint{rotation_z(*angle), {q[0], q[1], S(0)}};
        return X_joint * cast<S>(body.X_tree);
    }
    template <class S, class T>
    static constexpr void subspace(const Body<T>&, const SinCos<S>*, Motion<S>* column) {
        column[0] = {{S(0), S(0), S(1)}, {}};
        column[1] = {{}, {S(1), S(0), S(0)}};
        column[2] = {{}, {S(0), S(1), S(0)}};
    }

    template <class S>
    static constexpr void neutral(S* q) {
        q[0] = q[1] = q[2] = S(0);
    }
    // A constant body velocity moves the body along an arc.
    template <class S>
    static void integrate(const S* q, const S* dv, S* out) {
        const Vec3<S> step =
            integrate_turning(Vec3<S>{S(0), S(0), dv[0]}, Vec3<S>{dv[1], dv[2], S(0)});
        const auto [s, c] = sin_cos(q[2]);
        out[0] = q[0] + c * step.x - s * step.y;
        out[1] = q[1] + s * step.x + c * step.y;
        out[2] = q[2] + dv[0];
    }
    // Headings a whole turn apart are the same: no arc that turns by 2π leads anywhere.
    template <class S>
    static void difference(const S* q0, const S* q1, S* out) {
        using std::abs;
        using std::atan2;
        const auto [s, c] = sin_cos(q0[2]);
        const S dx = q1[0] - q0[0];
        const S dy = q1[1] - q0[1];
        const S heading = q1[2] - q0[2];
        const auto [sin_heading, cos_heading] = sin_cos(heading);
        const S wrapped = atan2(sin_heading, cos_heading);
        const Vec3<S> turn{S(0), S(0), select(abs(heading) < S(3), heading, wrapped)};
        const Vec3<S> u =
            differentiate_turning(turn, Vec3<S>{c * dx + s * dy, c * dy - s * dx, S(0)});
        out[0] = turn.z;
        out[1] = u.x;
        out[2] = u.y;
    }
    template <class S>
    static constexpr void normalize(S*) {}
};

}  // namespace plucker
