// Coordinates on the tangent at a configuration: q = q₀ ⊕ ξ.
#pragma once

#include "plucker/algorithms/configuration.hpp"
#include "plucker/scalar/dual.hpp"

namespace plucker::simulate {

// ξ̇, where q = q₀ ⊕ ξ moves with v. By a dual number through the joints' own logarithms, but for joints whose velocity is a
// rate already.
inline void tangent_rate(const Model& model, const double* q0, const double* q, const double* v,
                         double* rate) {
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic) continue;
        const double *from = q0 + body.q_index, *at = q + body.q_index, *v_i = v + body.v_index;
        double* out = rate + body.v_index;
        visit_joint(body.joint, [&]<class Joint>(Joint) {
            if constexpr (Joint::kNv == 0) {
                return;
            } else if constexpr (Joint::kVelocityIsRate) {
                for (int k = 0; k < Joint::kNv; ++k) out[k] = v_i[k];
            } else {
                using D = Dual<double>;
                std::array<D, Joint::kNq> start, here, moved;
                std::array<D, Joint::kNv> step, apart;
                for (std::size_t k = 0; k < start.size(); ++k)
                    start[k] = D(from[k]), here[k] = D(at[k]);
                for (std::size_t k = 0; k < step.size(); ++k) step[k] = D(0.0, v_i[k]);
                Joint::integrate(here.data(), step.data(), moved.data());
                Joint::difference(start.data(), moved.data(), apart.data());
                for (std::size_t k = 0; k < apart.size(); ++k) out[k] = apart[k].derivative;
            }
        });
    }
}

}  // namespace plucker::simulate
