// Configurations: how coordinates start, integrate, differ and stay normal.
//
// A configuration lives on a manifold (quaternions are not a vector space), so a step is not q + dq.
// integrate(q, dv) follows the velocity dv for one unit of time; difference(q0, q1) is the dv that leads
// from q0 to q1; each undoes the other.
#pragma once

#include <algorithm>
#include <random>
#include <utility>

#include "plucker/algorithms/operands.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker {
namespace detail {

// Calls f(joint class, first configuration coordinate, first velocity coordinate) for each joint that
// has coordinates of its own.
template <class F>
void for_each_joint(const Model& model, F&& f) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic) continue;
        visit_joint(body.joint, [&](auto joint) { f(joint, body.q_index, body.v_index); });
    }
}

}  // namespace detail

// Zero angles and displacements, no rotation.
template <class S = double>
VectorX<S> neutral_configuration(const Model& model) {
    VectorX<S> q(model.nq());
    detail::for_each_joint(model, [&](auto joint, int at, int) { joint.neutral(q.data() + at); });
    return q;
}

namespace kernel {

template <class S>
void integrate(const Model& model, const S* q, const S* dv, S* out) {
    detail::for_each_joint(
        model, [&](auto joint, int at, int v_at) { joint.integrate(q + at, dv + v_at, out + at); });
}

template <class S>
void difference(const Model& model, const S* q0, const S* q1, S* dv) {
    detail::for_each_joint(model, [&](auto joint, int at, int v_at) {
        joint.difference(q0 + at, q1 + at, dv + v_at);
    });
}

template <class S>
void normalize_configuration(const Model& model, S* q) {
    detail::for_each_joint(model, [&](auto joint, int at, int) { joint.normalize(q + at); });
}

}  // namespace kernel

namespace detail {

// Where a joint of one coordinate is drawn from: all between its limits, but of a hinge no more than one turn. What limits leave
// open is as long as without any; limits more than a kilometre apart stand in files for none.
inline std::pair<double, double> range_of(const JointLimits& limits, bool is_hinge, double reach) {
    const bool is_bounded = limits.upper - limits.lower <= 1000;
    if (is_bounded && !is_hinge) return {limits.lower, limits.upper};
    return {std::max(limits.lower, std::min(-reach, limits.upper - 2 * reach)),
            std::min(limits.upper, std::max(reach, limits.lower + 2 * reach))};
}

}  // namespace detail

// A configuration at random: attitudes uniform; angles in ±π and displacements in ±1, or within the limits of the joint, and of
// those that mimic it, where they have some, of which a hinge takes the turn nearest to zero.
template <class Generator>
VectorX<double> random_configuration(const Model& model, Generator& generator) {
    VectorX<double> q(model.nq());
    std::normal_distribution<double> normal;
    constexpr double kPi = 3.14159265358979323846;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic) continue;
        visit_joint(body.joint, [&](auto joint) {
            const JointLimits& limits = model.limits_with_followers(i);
            for (int k = 0; k < body.nq; ++k) {
                bool is_angle = false;
                if constexpr (joint.kAngles > 0) {
                    is_angle = k >= joint.kFirstAngle && k < joint.kFirstAngle + joint.kAngles;
                }
                const double reach = is_angle ? kPi : 1.0;
                const bool is_hinge = body.joint == JointType::kRevolute;
                const auto [lower, upper] = body.nq == 1 ? detail::range_of(limits, is_hinge, reach)
                                                         : std::pair(-reach, reach);
                q[body.q_index + k] =
                    lower < upper ? std::uniform_real_distribution<double>(lower, upper)(generator)
                                  : lower;
            }
            if constexpr (joint.kHasQuaternion) {
                for (int k = joint.kNq - 4; k < joint.kNq; ++k)
                    q[body.q_index + k] = normal(generator);
                joint.normalize(q.data() + body.q_index);
            }
        });
    }
    return q;
}

}  // namespace plucker
