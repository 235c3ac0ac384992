// Where a velocity leads within a time step.
#pragma once

#include <array>

#include "plucker/algorithms/configuration.hpp"
#include "plucker/joints/joint.hpp"
#include "plucker/model/model.hpp"

namespace plucker::simulate {

// What moves within a step in a way of its own: joints whose velocities are no rates of their coordinates.
template <class... Joints>
constexpr bool all_have_steps(ListOfJoints<Joints...>) {
    return ((Joints::kVelocityIsRate || Joints::kType == JointType::kSpherical ||
             Joints::kType == JointType::kPlanar || Joints::kType == JointType::kFloating) &&
            ...);
}
static_assert(all_have_steps(JointTypes{}),
              "how does it move within a step? Say so here, in JointSpace (is_straightened) and "
              "where FreeMotion turns momenta");

// q moved for the time h with the velocity v, as it is at the beginning: a floating or planar joint moves along a straight
// line while it turns, and all others as integrate() has it. `out` is not `q`.
template <class S>
void advance(const Model& model, const S* q, const S* v, double h, S* out) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const auto& body = model.body(i);
        if (body.mimic) continue;
        const S* q_i = q + body.q_index;
        const S* v_i = v + body.v_index;
        S* out_i = out + body.q_index;
        visit_joint(body.joint, [&]<class Joint>(Joint) {
            S step[Joint::kNv == 0 ? 1 : Joint::kNv];
            for (int k = 0; k < Joint::kNv; ++k) step[k] = S(h) * v_i[k];
            if constexpr (Joint::kType == JointType::kFloating) {
                const Vec3<S> moved =
                    transpose_times(coordinate_rotation(FloatingJoint::attitude(q_i)),
                                    Vec3<S>{step[3], step[4], step[5]});
                SphericalJoint::integrate(q_i + 3, step, out_i + 3);
                out_i[0] = q_i[0] + moved.x;
                out_i[1] = q_i[1] + moved.y;
                out_i[2] = q_i[2] + moved.z;
            } else if constexpr (Joint::kType == JointType::kPlanar) {
                const auto [s, c] = sin_cos(q_i[2]);
                out_i[0] = q_i[0] + c * step[1] - s * step[2];
                out_i[1] = q_i[1] + s * step[1] + c * step[2];
                out_i[2] = q_i[2] + step[0];
            } else if constexpr (Joint::kNv > 0) {
                Joint::integrate(q_i, step, out_i);
            }
        });
    }
}

// The linear velocities of such joints, from the axes that the body had at `from` to those that it has at `to`.
template <class S>
void turn_along(const Model& model, const S* from, const S* to, S* v) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const auto& body = model.body(i);
        const S *a = from + body.q_index, *b = to + body.q_index;
        S* v_i = v + body.v_index;
        if (body.joint == JointType::kFloating) {
            const Vec3<S> fixed = transpose_times(coordinate_rotation(FloatingJoint::attitude(a)),
                                                  Vec3<S>{v_i[3], v_i[4], v_i[5]});
            const Vec3<S> turned = coordinate_rotation(FloatingJoint::attitude(b)) * fixed;
            v_i[3] = turned.x;
            v_i[4] = turned.y;
            v_i[5] = turned.z;
        } else if (body.joint == JointType::kPlanar) {
            const auto [s, c] = sin_cos(b[2] - a[2]);
            const S x = v_i[1], y = v_i[2];
            v_i[1] = c * x + s * y;
            v_i[2] = c * y - s * x;
        }
    }
}

}  // namespace plucker::simulate
