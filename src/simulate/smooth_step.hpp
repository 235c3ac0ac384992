// The smooth part of a time step: all that needs no impulses. Of one robot, or of one a lane.
//
//     M̂ (v⁺ - v) = h (τ - c - D v - K_d (v - v_d) - K_p (q + h v - q_d)) + Jᵀ λ,    M̂ = M + h D + h K_d + h² K_p = Lᵀ L
//
// In the coordinates p = L v it changes p by `push`, and λ adds Wᵀ λ to that.
#pragma once

#include <vector>

#include "momentum.hpp"
#include "plucker/algorithms/configuration.hpp"

namespace plucker::simulate {

// Springs and dampers by velocity coordinate; null where nothing is held.
struct Gains {
    const double *kp = nullptr, *kd = nullptr;
};

template <class S>
class SmoothStep {
public:
    SmoothStep(const Model& model, double h, const double* damping)
        : space(model),
          momentum(model),
          push(static_cast<std::size_t>(model.nv()), S(0)),
          h_(h),
          damping_(push.size()),
          error_(push) {
        for (std::size_t k = 0; k < push.size(); ++k) damping_[k] = S(damping[k]);
    }

    JointSpace<S> space;
    MomentumKeeper<S> momentum;
    std::vector<S> push;  // how p changes in a step without impulses

    // At q and v, which is corrected to `momenta` where these are known. Returns a coordinate that nothing resists, or -1.
    template <class Mask>
    int begin(const S* q, S* v, const S* tau, const Gains& gains, const S* aim_q, const S* aim_v,
              const MomentumOfTree<S>* momenta, const Mask& known, MaybeForces<S> forces) {
        const Model& model = space.model();
        const S h(h_);
        space.place(q);
        space.move(v);
        momentum.begin(momenta, known, space, v);
        if (!model.constraints().empty()) space.turn_axes(v);
        space.weigh(v, forces);
        for (std::size_t k = 0; k < push.size(); ++k) {
            push[k] = h * (tau[k] - space.c[k] - damping_[k] * v[k]);
        }
        int lost = -1;
        if (gains.kp == nullptr) {
            lost = space.factor([&](int k) { return h * damping_[static_cast<std::size_t>(k)]; });
        } else {
            kernel::difference(model, aim_q, q, error_.data());
            for (std::size_t k = 0; k < push.size(); ++k) {
                push[k] -= h * (S(gains.kp[k]) * (error_[k] + h * v[k]) +
                                S(gains.kd[k]) * (v[k] - aim_v[k]));
            }
            lost = space.factor([&](int k) {
                return h * (damping_[static_cast<std::size_t>(k)] + S(gains.kd[k]) +
                            h * S(gains.kp[k]));
            });
        }
        if (lost < 0) space.to_push(push.data());
        return lost;
    }

    // The torque of springs and dampers in this step, at whose end the velocity is v.
    void read_springs(const Gains& gains, const S* v, const S* aim_v, S* torque) const {
        const S h(h_);
        for (std::size_t k = 0; k < push.size(); ++k) {
            torque[k] =
                -S(gains.kp[k]) * (error_[k] + h * v[k]) - S(gains.kd[k]) * (v[k] - aim_v[k]);
        }
    }

private:
    double h_;
    std::vector<S> damping_;
    std::vector<S> error_;  // q ⊖ q_d
};

}  // namespace plucker::simulate
