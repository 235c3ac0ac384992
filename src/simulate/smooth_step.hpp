// The smooth part of a time step: all that needs no impulses. Of one robot, or of one a lane.
//
//     M̂ (v⁺ - v) = h (τ - c - D v - K_d (v - v_d) - K_p (q + h v - q_d)) + Jᵀ λ,    M̂ = M + h D + h K_d + h² K_p = Lᵀ L
//
// In the coordinates p = L v it changes p by `push`, and λ adds Wᵀ λ to that.
//
// Most of it can be done by a program made for the robot (step_code.hpp), which is then all that differs: springs are torques and
// resistance to it, and forces from outside are added to what it finds.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "momentum.hpp"
#include "plucker/algorithms/configuration.hpp"
#include "plucker/model/robot_code.hpp"

namespace plucker::simulate {

// Springs and dampers by velocity coordinate; null where nothing is held.
struct Gains {
    const double *kp = nullptr, *kd = nullptr;
};

// One robot's memory, for who steps several at once.
struct RobotInLane {
    double *q, *v;
    const double* tau;
    const double *aim_q, *aim_v;
    double* holding;
    TreeMomentum* momenta;
    bool momenta_known;
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
          error_(push),
          pulled_(2 * push.size(), S(0)) {
        for (std::size_t k = 0; k < push.size(); ++k) damping_[k] = S(damping[k]);
    }

    JointSpace<S> space;
    MomentumKeeper<S> momentum;
    std::vector<S> push;  // how p changes in a step without impulses

    // By this code from now on, made for the same model, step and damping.
    void use(RobotCode::Entry code) {
        code_ = code;
        std::size_t size = 0;
        std::vector<S> v(push);
        visit_rest(v.data(), [&](S&) { ++size; });
        rest_.resize(size);
        space.stand_still();
    }

    // At q and v, which is corrected to `momenta` where these are known. Returns a coordinate that nothing resists, or -1.
    template <class Mask>
    int begin(const S* q, S* v, const S* tau, const Gains& gains, const S* aim_q, const S* aim_v,
              const MomentumOfTree<S>* momenta, const Mask& known, MaybeForces<S> forces) {
        const Model& model = space.model();
        const std::size_t n = push.size();
        const S h(h_);
        // Springs hold no tree that floats: the velocities that they ask for are not among those that are corrected.
        S *torque = pulled_.data(), *resistance = torque + n;
        std::copy(tau, tau + n, torque);
        std::fill(resistance, resistance + n, S(0));
        if (gains.kp != nullptr) {
            kernel::difference(model, aim_q, q, error_.data());
            for (std::size_t k = 0; k < n; ++k) {
                torque[k] -=
                    S(gains.kp[k]) * (error_[k] + h * v[k]) + S(gains.kd[k]) * (v[k] - aim_v[k]);
                resistance[k] = h * (S(gains.kd[k]) + h * S(gains.kp[k]));
            }
        }
        if constexpr (!std::is_same_v<S, compiler::Trace>) {
            if (code_ != nullptr) {
                run_code(q, v, momenta, known);
                if (forces != nullptr && !forces->entries().empty()) {
                    space.generalize(*forces, torque);
                    for (std::size_t k = 0; k < n; ++k) torque[k] *= h;
                    space.to_push(torque);
                    for (std::size_t k = 0; k < n; ++k) push[k] += torque[k];
                }
                return space.first_lost();
            }
        }
        return begin(q, v, torque, resistance, momenta, known, forces);
    }
    // The same, where springs are among the torques, and in what resists a coordinate beside its inertia.
    template <class Mask>
    int begin(const S* q, S* v, const S* torque, const S* resistance,
              const MomentumOfTree<S>* momenta, const Mask& known, MaybeForces<S> forces) {
        const S h(h_);
        space.place(q);
        space.move(v);
        momentum.begin(momenta, known, space, v);
        if (!space.model().constraints().empty()) space.turn_axes(v);
        space.weigh(v, forces);
        for (std::size_t k = 0; k < push.size(); ++k) {
            push[k] = h * (torque[k] - space.c[k] - damping_[k] * v[k]);
        }
        const int lost = space.factor(
            [&](int k) { return resistance[k] + h * damping_[static_cast<std::size_t>(k)]; });
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

    // What a program leaves beside L, the bodies' places and the joints' axes, in this order: called with each number.
    template <class Visit>
    void visit_rest(S* v, const Visit& visit) {
        typename JointSpace<S>::Parts parts = space.parts();
        const std::size_t n = push.size();
        for (S* x : {parts.inverse_diagonal, push.data(), v}) {
            for (std::size_t k = 0; k < n; ++k) visit(x[k]);
        }
        const auto visit_vector = [&](Vec3<S>& x) {
            visit(x.x);
            visit(x.y);
            visit(x.z);
        };
        for (int i = 1; i <= space.model().num_bodies(); ++i) {
            visit_vector(parts.v[i].angular);
            visit_vector(parts.v[i].linear);
        }
        visit_vector(*parts.anchor);
        momentum.visit(visit, visit_vector);
    }

private:
    template <class Mask>
    void run_code(const S* q, S* v, const MomentumOfTree<S>* momenta, const Mask& known) {
        typename JointSpace<S>::Parts parts = space.parts();
        const S is_known = select(known, S(1), S(0));
        const void* const inputs[] = {q, v, pulled_.data(), momenta, &is_known};
        void* const outputs[] = {parts.L, parts.X + 1, parts.J, rest_.data()};
        code_(inputs, outputs);
        const S* from = rest_.data();
        visit_rest(v, [&](S& x) { x = *from++; });
    }

    double h_;
    std::vector<S> damping_;
    std::vector<S> error_;   // q ⊖ q_d
    std::vector<S> pulled_;  // torques, springs among them, and what these add to M
    RobotCode::Entry code_ = nullptr;
    std::vector<S> rest_;  // of what it has found
};

}  // namespace plucker::simulate
