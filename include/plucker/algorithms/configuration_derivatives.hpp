// Derivatives of steps between configurations, joint by joint.
//
// integrate: how q ⊕ dv moves when q or dv do; difference: how q1 ⊖ q0 does. By q along the tangent, of a configuration
// along the tangent at it: for a joint of a vector space they are ±1, for the others what the exponential map and its
// inverse give. They are taken by dual numbers in as many directions as the joint has freedoms, from the joints' own
// functions, so that no type of joint needs a second text.
//
// configuration_rate: the rates of the numbers in q themselves, for those who integrate them as numbers.
//
// Cost: O(n).
#pragma once

#include "plucker/algorithms/configuration.hpp"
#include "plucker/scalar/dual.hpp"

namespace plucker {
namespace kernel {

// A joint's coordinates, and how they move with N directions.
template <class S, int N, std::size_t Size>
std::array<Dual<S, N>, Size> as_constants(const S* x) {
    std::array<Dual<S, N>, Size> out;
    for (std::size_t k = 0; k < Size; ++k) out[k] = Dual<S, N>(x[k]);
    return out;
}

// q ⊕ ε: the directions of the tangent at q.
template <class Joint, class S, int N = Joint::kNv>
std::array<Dual<S, N>, Joint::kNq> moved_along_tangent(const S* q) {
    std::array<Dual<S, N>, Joint::kNv> step;
    for (int k = 0; k < N; ++k) step[static_cast<std::size_t>(k)] = Dual<S, N>::variable(S(0), k);
    const auto at = as_constants<S, N, Joint::kNq>(q);
    std::array<Dual<S, N>, Joint::kNq> out;
    Joint::integrate(at.data(), step.data(), out.data());
    return out;
}

// The joint's block of a matrix, from the dual numbers of its rows.
template <class Rows, class S>
void set_block(const Rows& rows, int first, detail::MatrixView<S> out) {
    const int n = static_cast<int>(rows.size());
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c)
            out(first + r, first + c) = rows[static_cast<std::size_t>(r)].along(c);
    }
}

// Calls f with the type of each joint that has coordinates of its own, and its body.
template <class S, class F>
void for_each_own_joint(const Workspace<S>& ws, const F& f) {
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        if (body.mimic) continue;
        visit_joint(body.joint, [&](auto joint) {
            if constexpr (decltype(joint)::kNv > 0) f(joint, body);
        });
    }
}

template <class S>
void integrate_derivatives(Workspace<S>& ws, const S* q, const S* dv, detail::MatrixView<S> by_q,
                           detail::MatrixView<S> by_dv) {
    by_q.set_zero(ws.model().nv(), ws.model().nv());
    by_dv.set_zero(ws.model().nv(), ws.model().nv());
    for_each_own_joint(ws, [&]<class Joint>(Joint, const auto& body) {
        constexpr int kN = Joint::kNv;
        using D = Dual<S, kN>;
        const S* q_i = q + body.q_index;
        const S* dv_i = dv + body.v_index;
        std::array<S, Joint::kNq> there;
        Joint::integrate(q_i, dv_i, there.data());
        const auto from = as_constants<S, kN, Joint::kNq>(there.data());
        // Where the moved one comes to, seen from where the other does.
        const auto block = [&](const auto& at, const auto& step, detail::MatrixView<S> out) {
            std::array<D, Joint::kNq> to;
            std::array<D, kN> apart;
            Joint::integrate(at.data(), step.data(), to.data());
            Joint::difference(from.data(), to.data(), apart.data());
            set_block(apart, body.v_index, out);
        };
        auto step = as_constants<S, kN, kN>(dv_i);
        block(moved_along_tangent<Joint>(q_i), step, by_q);
        for (int k = 0; k < kN; ++k) step[static_cast<std::size_t>(k)].along(k) = S(1);
        block(as_constants<S, kN, Joint::kNq>(q_i), step, by_dv);
    });
}

template <class S>
void difference_derivatives(Workspace<S>& ws, const S* q0, const S* q1, detail::MatrixView<S> by_q0,
                            detail::MatrixView<S> by_q1) {
    by_q0.set_zero(ws.model().nv(), ws.model().nv());
    by_q1.set_zero(ws.model().nv(), ws.model().nv());
    for_each_own_joint(ws, [&]<class Joint>(Joint, const auto& body) {
        constexpr int kN = Joint::kNv;
        const S* from = q0 + body.q_index;
        const S* to = q1 + body.q_index;
        std::array<Dual<S, kN>, kN> step;
        Joint::difference(moved_along_tangent<Joint>(from).data(),
                          as_constants<S, kN, Joint::kNq>(to).data(), step.data());
        set_block(step, body.v_index, by_q0);
        Joint::difference(as_constants<S, kN, Joint::kNq>(from).data(),
                          moved_along_tangent<Joint>(to).data(), step.data());
        set_block(step, body.v_index, by_q1);
    });
}

// q̇ = ∂(q ⊕ v)/∂v v at v = 0.
template <class S>
void configuration_rate(Workspace<S>& ws, const S* q, const S* v, S* q_dot) {
    for_each_own_joint(ws, [&]<class Joint>(Joint, const auto& body) {
        std::array<Dual<S>, Joint::kNv> step;
        for (int k = 0; k < Joint::kNv; ++k)
            step[static_cast<std::size_t>(k)] = Dual<S>(S(0), v[body.v_index + k]);
        std::array<Dual<S>, Joint::kNq> there;
        Joint::integrate(as_constants<S, 1, Joint::kNq>(q + body.q_index).data(), step.data(),
                         there.data());
        for (int k = 0; k < Joint::kNq; ++k)
            q_dot[body.q_index + k] = there[static_cast<std::size_t>(k)].derivative;
    });
}

}  // namespace kernel
}  // namespace plucker
