// What LanesCode points to. Included by a file for each instruction set; templates on its packs (../scalar/isa_code.hpp).
#pragma once

#include "../scalar/isa_code.hpp"
#include "free_lanes.hpp"
#include "steps.hpp"

namespace plucker::simulate {

template <class S>
class FreeLanesOf final : public FreeLanes {
public:
    FreeLanesOf(const Model& model, double h, const double* damping)
        : space_(model), momentum_(model), h_(h), wanted_(momentum_.num_trees()) {
        const auto nq = static_cast<std::size_t>(model.nq());
        const auto nv = static_cast<std::size_t>(model.nv());
        for (std::vector<S>* x : {&q_, &next_q_, &aim_q_}) x->resize(nq, S(0));
        for (std::vector<S>* x : {&v_, &tau_, &aim_v_, &push_, &change_, &error_, &damping_}) {
            x->resize(nv, S(0));
        }
        for (std::size_t k = 0; k < nv; ++k) damping_[k] = S(damping[k]);
    }
    int lanes() const override { return S::kLanes; }

    void step(std::span<const RobotInLane> robots, const LaneGains& gains, int steps,
              bool* failed) override {
        const bool held = gains.kp != nullptr;
        read(robots, held);
        for (int k = 0; k < steps; ++k) step_once(gains);
        auto fine = v_[0] == v_[0];
        for (const std::vector<S>* x : {&q_, &v_}) {
            for (const S& number : *x) fine = fine & isfinite(number);
        }
        for (int lane = 0; lane < static_cast<int>(robots.size()); ++lane) {
            failed[lane] = !fine[lane];
            if (fine[lane]) write(robots[static_cast<std::size_t>(lane)], lane, gains);
        }
    }

private:
    // Lanes without a robot compute what the first has.
    template <class Get>
    static void gather(std::span<const RobotInLane> robots, std::vector<S>& out, const Get& get) {
        for (std::size_t k = 0; k < out.size(); ++k) {
            for (int lane = 0; lane < S::kLanes; ++lane) {
                const auto robot = static_cast<std::size_t>(lane);
                out[k].set(lane, get(robots[robot < robots.size() ? robot : 0])[k]);
            }
        }
    }
    void read(std::span<const RobotInLane> robots, bool held) {
        gather(robots, q_, [](const RobotInLane& r) { return r.q; });
        gather(robots, v_, [](const RobotInLane& r) { return r.v; });
        gather(robots, tau_, [](const RobotInLane& r) { return r.tau; });
        if (held) {
            gather(robots, aim_q_, [](const RobotInLane& r) { return r.aim_q; });
            gather(robots, aim_v_, [](const RobotInLane& r) { return r.aim_v; });
        }
        S known(0);
        for (int lane = 0; lane < S::kLanes; ++lane) {
            const auto robot = static_cast<std::size_t>(lane);
            const RobotInLane& r = robots[robot < robots.size() ? robot : 0];
            known.set(lane, r.momenta_known ? 1 : 0);
            for (std::size_t t = 0; t < wanted_.size(); ++t) {
                const Vec3<double>&linear = r.momenta[t].linear, &angular = r.momenta[t].angular;
                wanted_[t].linear.x.set(lane, linear.x);
                wanted_[t].linear.y.set(lane, linear.y);
                wanted_[t].linear.z.set(lane, linear.z);
                wanted_[t].angular.x.set(lane, angular.x);
                wanted_[t].angular.y.set(lane, angular.y);
                wanted_[t].angular.z.set(lane, angular.z);
            }
        }
        known_ = known > S(0);
    }
    void write(const RobotInLane& robot, int lane, const LaneGains& gains) {
        for (std::size_t k = 0; k < q_.size(); ++k) robot.q[k] = q_[k][lane];
        for (std::size_t k = 0; k < v_.size(); ++k) robot.v[k] = v_[k][lane];
        for (std::size_t k = 0; gains.kp != nullptr && k < v_.size(); ++k) {
            robot.holding[k] = error_[k][lane];
        }
        for (std::size_t t = 0; t < wanted_.size(); ++t) {
            const MomentumOfTree<S>& m = wanted_[t];
            robot.momenta[t] = {{m.linear.x[lane], m.linear.y[lane], m.linear.z[lane]},
                                {m.angular.x[lane], m.angular.y[lane], m.angular.z[lane]}};
        }
    }

    // As StepEngine::step, with nothing that could push.
    void step_once(const LaneGains& gains) {
        const Model& model = space_.model();
        const std::size_t n = v_.size();
        const S h(h_);
        space_.place(q_.data());
        space_.move(v_.data());
        momentum_.begin(wanted_.data(), known_, space_, v_.data());
        space_.weigh(v_.data());
        for (std::size_t k = 0; k < n; ++k) {
            push_[k] = h * (tau_[k] - space_.c[k] - damping_[k] * v_[k]);
        }
        if (gains.kp == nullptr) {
            space_.factor([&](int k) { return h * damping_[static_cast<std::size_t>(k)]; });
        } else {
            kernel::difference(model, aim_q_.data(), q_.data(), error_.data());
            for (std::size_t k = 0; k < n; ++k) {
                push_[k] -= h * (S(gains.kp[k]) * (error_[k] + h * v_[k]) +
                                 S(gains.kd[k]) * (v_[k] - aim_v_[k]));
            }
            space_.factor([&](int k) {
                return h * (damping_[static_cast<std::size_t>(k)] + S(gains.kd[k]) +
                            h * S(gains.kp[k]));
            });
        }
        space_.to_push(push_.data());
        space_.to_velocity(push_.data(), change_.data());
        for (std::size_t k = 0; k < n; ++k) v_[k] += change_[k];
        momentum_.end(space_, h_, nullptr, tau_.data(), nullptr, wanted_.data());
        known_ = S(1) > S(0);
        for (std::size_t k = 0; gains.kp != nullptr && k < n; ++k) {  // what the springs did
            error_[k] =
                -S(gains.kp[k]) * (error_[k] + h * v_[k]) - S(gains.kd[k]) * (v_[k] - aim_v_[k]);
        }
        advance(model, q_.data(), v_.data(), h_, next_q_.data());
        turn_along(model, q_.data(), next_q_.data(), v_.data());
        q_.swap(next_q_);
    }

    JointSpace<S> space_;
    MomentumKeeper<S> momentum_;
    double h_;
    std::vector<MomentumOfTree<S>> wanted_;
    typename S::Mask known_;
    std::vector<S> q_, next_q_, aim_q_, v_, tau_, aim_v_, push_, change_, error_, damping_;
};

template <class ThisIsa>
FreeLanes* make_free_lanes(const Model& model, double h, const double* damping) {
    return new FreeLanesOf<plucker::detail::RegisterOf<double, ThisIsa>>(model, h, damping);
}

}  // namespace plucker::simulate
