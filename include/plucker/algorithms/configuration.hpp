// Configurations: how coordinates start, integrate, differ and stay normal.
//
// A configuration lives on a manifold (quaternions are not a vector space), so a step is not q + dq.
// integrate(q, dv) follows the velocity dv for one unit of time; difference(q0, q1) is the dv that leads
// from q0 to q1; each undoes the other.
#pragma once

#include <random>

#include "plucker/algorithms/arguments.hpp"

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

// q_out = q ⊕ dv; q_out may be q.
template <class S>
void integrate(const Workspace<S>& ws, ConstVector<S> q, ConstVector<S> dv,
               MutableVector<S> q_out) {
    detail::check_q("integrate", ws, q);
    detail::check_velocity_like("integrate", "dv", ws, dv.size());
    check_size("integrate", "q_out", q_out.size(), ws.model().nq(), "nq");
    kernel::integrate(ws.model(), q.data(), dv.data(), q_out.data());
}
template <class Q, class V>
auto integrate(const Model& model, const Eigen::MatrixBase<Q>& q, const Eigen::MatrixBase<V>& dv) {
    using S = detail::ScalarOf<Q>;
    check_size("integrate", "q", q.size(), model.nq(), "nq");
    check_size("integrate", "dv", dv.size(), model.nv(), "nv");
    VectorX<S> out = q;
    const VectorX<S> step = dv;
    kernel::integrate(model, out.data(), step.data(), out.data());
    return out;
}

// dv = q1 ⊖ q0.
template <class S>
void difference(const Workspace<S>& ws, ConstVector<S> q0, ConstVector<S> q1, MutableVector<S> dv) {
    check_size("difference", "q0", q0.size(), ws.model().nq(), "nq");
    check_size("difference", "q1", q1.size(), ws.model().nq(), "nq");
    detail::check_velocity_like("difference", "dv", ws, dv.size());
    kernel::difference(ws.model(), q0.data(), q1.data(), dv.data());
}
template <class Q0, class Q1>
auto difference(const Model& model, const Eigen::MatrixBase<Q0>& q0,
                const Eigen::MatrixBase<Q1>& q1) {
    using S = detail::ScalarOf<Q0>;
    check_size("difference", "q0", q0.size(), model.nq(), "nq");
    check_size("difference", "q1", q1.size(), model.nq(), "nq");
    const VectorX<S> from = q0;
    const VectorX<S> to = q1;
    VectorX<S> out(model.nv());
    kernel::difference(model, from.data(), to.data(), out.data());
    return out;
}

namespace detail {

template <class S>
void check_quaternions(const Model& model, const S* q) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (!has_quaternion(body.joint)) continue;
        const S* at = q + body.q_index + body.nq - 4;
        if (!(squared_norm(Quaternion<S>{at[0], at[1], at[2], at[3]}) > S(0))) {
            throw Error::because("normalize_configuration: joint '", model.joint(i).name,
                                 "' has the quaternion 0 0 0 0; no turn is 0 0 0 1");
        }
    }
}

}  // namespace detail

// Scales quaternions back to unit length. A zero quaternion has no direction and is refused.
template <class S>
void normalize_configuration(const Workspace<S>& ws, MutableVector<S> q) {
    check_size("normalize_configuration", "q", q.size(), ws.model().nq(), "nq");
    detail::check_quaternions<S>(ws.model(), q.data());
    kernel::normalize_configuration(ws.model(), q.data());
}
template <class Q>
auto normalized_configuration(const Model& model, const Eigen::MatrixBase<Q>& q) {
    using S = detail::ScalarOf<Q>;
    check_size("normalized_configuration", "q", q.size(), model.nq(), "nq");
    VectorX<S> out = q;
    detail::check_quaternions<S>(model, out.data());
    kernel::normalize_configuration(model, out.data());
    return out;
}

// A configuration at random: attitudes uniform, angles in ±π and displacements in ±1, or within the
// joint's limits where it has them.
template <class Generator>
VectorX<double> random_configuration(const Model& model, Generator& generator) {
    VectorX<double> q(model.nq());
    std::normal_distribution<double> normal;
    constexpr double kPi = 3.14159265358979323846;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic) continue;
        visit_joint(body.joint, [&](auto joint) {
            const JointLimits& limits = model.joint(i).limits;
            for (int k = 0; k < body.nq; ++k) {
                bool is_angle = false;
                if constexpr (joint.kAngles > 0) {
                    is_angle = k >= joint.kFirstAngle && k < joint.kFirstAngle + joint.kAngles;
                }
                const double range = is_angle ? kPi : 1.0;
                const double lower = body.nq == 1 ? std::max(limits.lower, -range) : -range;
                const double upper = body.nq == 1 ? std::min(limits.upper, range) : range;
                // Limits that lie wholly outside the range: take the end nearest to it.
                q[body.q_index + k] =
                    lower < upper ? std::uniform_real_distribution<double>(lower, upper)(generator)
                                  : (limits.lower > range ? limits.lower : limits.upper);
            }
            if constexpr (joint.kNq == joint.kNv + 1) {  // the last four are a quaternion
                for (int k = joint.kNq - 4; k < joint.kNq; ++k)
                    q[body.q_index + k] = normal(generator);
                joint.normalize(q.data() + body.q_index);
            }
        });
    }
    return q;
}

}  // namespace plucker
