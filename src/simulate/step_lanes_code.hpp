// What LanesCode points to. Included by a file for each instruction set; templates on its packs (../scalar/isa_code.hpp).
#pragma once

#include <array>

#include "../batch/transpose.hpp"
#include "../scalar/isa_code.hpp"
#include "lane_newton.hpp"
#include "lane_rows.hpp"
#include "step_lanes.hpp"
#include "steps.hpp"

namespace plucker::simulate {

template <class S>
class StepLanesOf final : public StepLanes {
    using Mask = MaskOf<S>;

public:
    StepLanesOf(const Model& model, double h, const double* damping,
                const collide::Outlines& outlines)
        : smooth_(model, h, damping),
          near_(outlines),
          rows_(smooth_.space),
          h_(h),
          forces_(model),
          momenta_(smooth_.momentum.num_trees()),
          next_momenta_(momenta_) {
        const auto nq = static_cast<std::size_t>(model.nq());
        const auto nv = static_cast<std::size_t>(model.nv());
        for (std::vector<S>* x : {&q_, &next_q_, &aim_q_}) x->resize(nq, S(0));
        for (std::vector<S>* x : {&v_, &tau_, &aim_v_, &holding_, &now_v_, &next_v_, &next_holding_,
                                  &impulse_, &change_, &moved_}) {
            x->resize(nv, S(0));
        }
        bodies_.resize(kNumbersOfBody * (static_cast<std::size_t>(model.num_bodies()) + 1) + 3);
    }
    int lanes() const override { return S::kLanes; }
    void use(RobotCode::Entry smooth_step) override { smooth_.use(smooth_step); }
    void hold(const Gains& gains) override {
        gains_ = gains;
        is_held_ = gains.kp != nullptr;
    }

    void read(std::span<const RobotInLane> robots) override {
        const auto get = [&](std::vector<S>& out, auto member) {
            const double* from[S::kLanes];
            for (int i = 0; i < S::kLanes; ++i) from[i] = robots[robot_of(i, robots)].*member;
            blocks_of(out, [&](std::size_t k, std::array<S, S::kLanes>& rows) {
                for (int i = 0; i < S::kLanes; ++i) rows[i] = S::load(from[i] + k);
                batch::transpose(rows);
                for (int i = 0; i < S::kLanes; ++i) out[k + i] = rows[i];
            });
            for (std::size_t k = 0; k < out.size() && out.size() < S::kLanes; ++k) {
                for (int i = 0; i < S::kLanes; ++i) out[k].set(i, from[i][k]);
            }
        };
        get(q_, &RobotInLane::q);
        get(v_, &RobotInLane::v);
        get(tau_, &RobotInLane::tau);
        if (is_held_) {
            get(aim_q_, &RobotInLane::aim_q);
            get(aim_v_, &RobotInLane::aim_v);
            get(holding_, &RobotInLane::holding);
        }
        for (int i = 0; i < S::kLanes; ++i) read_momenta(i, robots[robot_of(i, robots)]);
    }
    void write(std::span<const RobotInLane> robots) const override {
        const auto put = [&](const std::vector<S>& from, auto member) {
            blocks_of(from, [&](std::size_t k, std::array<S, S::kLanes>& rows) {
                for (int i = 0; i < S::kLanes; ++i) rows[i] = from[k + i];
                batch::transpose(rows);
                for (std::size_t i = 0; i < robots.size(); ++i)
                    rows[i].store(robots[i].*member + k);
            });
            for (std::size_t k = 0; k < from.size() && from.size() < S::kLanes; ++k) {
                for (std::size_t i = 0; i < robots.size(); ++i) {
                    (robots[i].*member)[k] = from[k][static_cast<int>(i)];
                }
            }
        };
        put(q_, &RobotInLane::q);
        put(v_, &RobotInLane::v);
        if (is_held_) put(holding_, &RobotInLane::holding);
        for (std::size_t i = 0; i < robots.size(); ++i) {
            write_momenta(static_cast<int>(i), robots[i]);
        }
    }
    void read(int lane, const RobotInLane& r) override {
        for (std::size_t k = 0; k < q_.size(); ++k) q_[k].set(lane, r.q[k]);
        for (std::size_t k = 0; k < v_.size(); ++k) v_[k].set(lane, r.v[k]);
        for (std::size_t k = 0; k < v_.size(); ++k) holding_[k].set(lane, r.holding[k]);
        read_momenta(lane, r);
    }
    void write(int lane, const RobotInLane& r) const override {
        for (std::size_t k = 0; k < q_.size(); ++k) r.q[k] = q_[k][lane];
        for (std::size_t k = 0; k < v_.size(); ++k) r.v[k] = v_[k][lane];
        for (std::size_t k = 0; is_held_ && k < v_.size(); ++k) r.holding[k] = holding_[k][lane];
        write_momenta(lane, r);
    }

    void begin(std::span<const LaneForce> forces) override {
        forces_.clear();
        for (const LaneForce& f : forces) {
            const auto vector = [&](int first) {
                return Vec3<S>{S::load(f.force[first]), S::load(f.force[first + 1]),
                               S::load(f.force[first + 2])};
            };
            forces_.add(f.frame, {vector(0), vector(3)}, f.expressed_in);
        }
        now_v_ = v_;
        smooth_.begin(q_.data(), now_v_.data(), tau_.data(), gains_, aim_q_.data(), aim_v_.data(),
                      momenta_.data(), known_ > S(0), external());
        is_pushed_ = is_moved_ = false;
    }
    const double* positions() const override { return numbers(q_); }
    const double* velocities() const override { return numbers(now_v_); }

    const double* bodies() override {
        const WorldKinematics<S>& kin = smooth_.space.kinematics();
        S* out = bodies_.data();
        for (int i = 0; i <= smooth_.space.model().num_bodies(); ++i) {
            const Pose<S> pose = i == 0 ? Pose<S>{} : smooth_.space.pose(i);
            const Mat3<S>& R = pose.rotation;
            for (const Vec3<S>& x :
                 {R.x, R.y, R.z, pose.position, kin.v[i].angular, kin.v[i].linear}) {
                *out++ = x.x;
                *out++ = x.y;
                *out++ = x.z;
            }
        }
        for (const S& x : {kin.anchor.x, kin.anchor.y, kin.anchor.z}) *out++ = x;
        return numbers(bodies_);
    }
    void fastest(std::span<const double> reach, LaneNumbers& out) const override {
        const JointSpace<S>& space = smooth_.space;
        S most(0);
        for (int i = 1; i <= space.model().num_bodies(); ++i) {
            const Motion<S>& v = space.kinematics().v[i];
            const S speed = norm(point_velocity(v, space.kinematics().X[i].r)) +
                            S(reach[static_cast<std::size_t>(i)]) * norm(v.angular);
            most = select(speed > most, speed, most);
        }
        most.store(out);
    }

    int find_near(const LaneNumbers& margin, NearInLanes* out) override {
        int count = 0;
        near_.find([&](int body) { return smooth_.space.pose(body); }, S::load(margin),
                   [&](int pair, const Mask& where) {
                       unsigned lanes = 0;
                       for (int i = 0; i < S::kLanes; ++i) lanes |= where[i] ? 1U << i : 0U;
                       out[count++] = {pair, lanes};
                   });
        return count;
    }

    void solve(const LaneProblem& problem, const SolverOptions& options, const bool* wanted,
               LaneSolution& solution) override {
        start(is_pushed_, impulse_);
        rows_.write(problem, newton_);
        smooth_.space.to_momentum(now_v_.data(), change_.data());
        for (std::size_t k = 0; k < change_.size(); ++k) change_[k] += smooth_.push[k];
        ask(problem);
        const S largest = newton_.largest_velocity(change_.data());
        largest.store(solution.largest);
        run_newton(wanted, 0, options.newton_steps, S(options.target),
                   impulses::rounding_of(largest), solution);
        commit(mask_of(wanted), change_, impulse_);
    }

    void correct(const LaneProblem& problem, const SolverOptions& options, const bool* wanted,
                 const LaneNumbers& target, LaneSolution& solution) override {
        start(is_moved_, moved_);
        ask(problem);
        for (std::size_t i = 0; i < problem.blocks.size(); ++i) {
            if (problem.blocks[i].law == Law::kDry)
                newton_.set_coefficient(static_cast<int>(i), S(0));
        }
        for (S& p : change_) p = S(0);
        run_newton(wanted, impulses::kFirstSweeps, options.newton_steps, S::load(target),
                   S(1e-3) * S::load(target), solution);
        smooth_.space.to_velocity(change_.data(), next_v_.data());
        commit(mask_of(wanted), next_v_, moved_);
    }

    void read_smooth(int lane, const SmoothPart& out) const override {
        const JointSpace<S>& space = smooth_.space;
        for (std::size_t k = 0; k < space.L.size(); ++k) out.space.L[k] = space.L[k][lane];
        for (std::size_t k = 0; k < v_.size(); ++k) {
            out.space.inverse_diagonal[k] = space.inverse_diagonal()[k][lane];
            const Motion<S>& J = space.kinematics().J[k];
            out.space.J[k].angular = vector_of(lane, J.angular);
            out.space.J[k].linear = vector_of(lane, J.linear);
            out.push[k] = smooth_.push[k][lane];
            out.v[k] = now_v_[k][lane];
        }
        *out.space.anchor = vector_of(lane, space.kinematics().anchor);
    }
    void push(int lane, const double* impulse, const double* moved) override {
        start(is_pushed_, impulse_);
        start(is_moved_, moved_);
        for (std::size_t k = 0; k < v_.size(); ++k) {
            impulse_[k].set(lane, impulse[k]);
            moved_[k].set(lane, moved[k]);
        }
    }

    void end(const bool* wanted, bool* done) override {
        const Model& model = smooth_.space.model();
        const std::size_t n = v_.size();
        for (std::size_t k = 0; k < n; ++k) {
            change_[k] = is_pushed_ ? smooth_.push[k] + impulse_[k] : smooth_.push[k];
        }
        smooth_.space.to_velocity(change_.data(), next_v_.data());
        for (std::size_t k = 0; k < n; ++k) next_v_[k] += now_v_[k];
        smooth_.momentum.end(smooth_.space, h_, external(), tau_.data(),
                             is_pushed_ ? impulse_.data() : nullptr, next_momenta_.data());
        for (std::size_t k = 0; k < n; ++k) {
            change_[k] = is_moved_ ? next_v_[k] + moved_[k] : next_v_[k];
        }
        advance(model, q_.data(), change_.data(), h_, next_q_.data());
        turn_along(model, q_.data(), next_q_.data(), next_v_.data());
        if (is_held_) {
            smooth_.read_springs(gains_, next_v_.data(), aim_v_.data(), next_holding_.data());
        }
        finish(wanted, done);
    }

    void step_free(RobotCode::Entry code, const bool* wanted, bool* done) override {
        const void* const inputs[] = {q_.data(), v_.data(), tau_.data(), momenta_.data(), &known_};
        void* const outputs[] = {next_q_.data(), next_v_.data(), next_momenta_.data()};
        code(inputs, outputs);
        finish(wanted, done);
    }

private:
    // What a step has led to, of lanes that are wanted and finite.
    void finish(const bool* wanted, bool* done) {
        Mask fine = mask_of(wanted);
        for (const std::vector<S>* x : {&next_q_, &next_v_}) {
            for (const S& number : *x) fine = fine & isfinite(number);
        }
        commit(fine, next_q_, q_);
        commit(fine, next_v_, v_);
        if (is_held_) commit(fine, next_holding_, holding_);
        for (std::size_t t = 0; t < momenta_.size(); ++t) {
            momenta_[t] = {select_vector(fine, next_momenta_[t].linear, momenta_[t].linear),
                           select_vector(fine, next_momenta_[t].angular, momenta_[t].angular)};
        }
        known_ = select(fine, S(1), known_);
        for (int lane = 0; lane < S::kLanes; ++lane) done[lane] = fine[lane];
    }

    // Lanes without a robot compute what the first has.
    static std::size_t robot_of(int lane, std::span<const RobotInLane> robots) {
        const auto i = static_cast<std::size_t>(lane);
        return i < robots.size() ? i : 0;
    }
    // Calls f with the first of as many numbers as there are lanes, over and over; the last ones may overlap those before.
    template <class F>
    static void blocks_of(const std::vector<S>& x, const F& f) {
        constexpr std::size_t kWidth = S::kLanes;
        if (x.size() < kWidth) return;
        std::array<S, kWidth> rows;
        for (std::size_t k = 0; k + kWidth <= x.size(); k += kWidth) f(k, rows);
        if (x.size() % kWidth != 0) f(x.size() - kWidth, rows);
    }
    void read_momenta(int lane, const RobotInLane& r) {
        known_.set(lane, r.momenta_known ? 1 : 0);
        for (std::size_t t = 0; t < momenta_.size(); ++t) {
            set(lane, r.momenta[t].linear, momenta_[t].linear);
            set(lane, r.momenta[t].angular, momenta_[t].angular);
        }
    }
    void write_momenta(int lane, const RobotInLane& r) const {
        for (std::size_t t = 0; t < momenta_.size(); ++t) {
            const MomentumOfTree<S>& m = momenta_[t];
            r.momenta[t] = {{m.linear.x[lane], m.linear.y[lane], m.linear.z[lane]},
                            {m.angular.x[lane], m.angular.y[lane], m.angular.z[lane]}};
        }
    }
    static Vec3<double> vector_of(int lane, const Vec3<S>& x) {
        Vec3<double> out;
        out.x = x.x[lane];
        out.y = x.y[lane];
        out.z = x.z[lane];
        return out;
    }
    static void set(int lane, const Vec3<double>& from, Vec3<S>& to) {
        to.x.set(lane, from.x);
        to.y.set(lane, from.y);
        to.z.set(lane, from.z);
    }
    static Mask mask_of(const bool* lanes) {
        S out(0);
        for (int lane = 0; lane < S::kLanes; ++lane) out.set(lane, lanes[lane] ? 1 : 0);
        return out > S(0);
    }
    static Vec3<S> select_vector(const Mask& mask, const Vec3<S>& a, const Vec3<S>& b) {
        return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
    }
    static void commit(const Mask& where, std::vector<S>& next, std::vector<S>& now) {
        if (all(where)) return now.swap(next);
        for (std::size_t k = 0; k < now.size(); ++k) now[k] = select(where, next[k], now[k]);
    }
    // The first of a step's calls that change x.
    static void start(bool& has_begun, std::vector<S>& x) {
        if (has_begun) return;
        has_begun = true;
        for (S& entry : x) entry = S(0);
    }
    static const double* numbers(const std::vector<S>& x) {
        return reinterpret_cast<const double*>(x.data());
    }
    MaybeForces<S> external() const { return forces_.entries().empty() ? nullptr : &forces_; }

    void ask(const LaneProblem& problem) {
        for (S& x : newton_.offset) x = S(0);
        for (const LaneBlock& b : problem.blocks) newton_.offset[b.row] = S::load(b.offset);
    }
    // From p in change_, which becomes what impulses change of it.
    void run_newton(const bool* wanted, int sweeps, int steps, const S& target, const S& goal,
                    LaneSolution& solution) {
        for (int r = 0; r < newton_.num_rows(); ++r) {
            newton_.lambda[r] = S::load(solution.lambda + r * kMostLanes);
        }
        newton_.solve(mask_of(wanted), sweeps, steps, target, goal, change_.data());
        newton_.push(change_.data());
        for (int r = 0; r < newton_.num_rows(); ++r) {
            newton_.lambda[r].store(solution.lambda + r * kMostLanes);
            newton_.sigma[r].store(solution.sigma + r * kMostLanes);
        }
        newton_.reached.primal.store(solution.primal);
        newton_.reached.dual.store(solution.dual);
        newton_.reached.complementarity.store(solution.complementarity);
        newton_.iterations.store(solution.iterations);
    }

    SmoothStep<S> smooth_;
    collide::NearPairs<S> near_;
    LaneRows<S> rows_;
    impulses::LaneNewton<S> newton_;
    double h_;
    ExternalForces<S> forces_;
    std::vector<MomentumOfTree<S>> momenta_, next_momenta_;
    S known_{};  // one where the momenta are known
    Gains gains_;
    bool is_held_ = false, is_pushed_ = false, is_moved_ = false;
    std::vector<S> q_, next_q_, aim_q_;
    std::vector<S> v_, now_v_, next_v_;  // before the step, with its momenta corrected, after it
    std::vector<S> tau_, aim_v_, holding_, next_holding_;
    std::vector<S> impulse_;  // Wᵀ λ
    std::vector<S> change_;   // of p
    std::vector<S> moved_;    // a velocity beside v⁺, for this step alone
    std::vector<S> bodies_;
};

template <class ThisIsa>
StepLanes* make_step_lanes(const Model& model, double h, const double* damping,
                           const collide::Outlines& outlines) {
    using S = plucker::detail::RegisterOf<double, ThisIsa>;
    return new StepLanesOf<S>(model, h, damping, outlines);
}

}  // namespace plucker::simulate
