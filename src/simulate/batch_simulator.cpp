#include "plucker/simulate/batch_simulator.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <exception>
#include <string>

#include "../threads/thread_crew.hpp"
#include "plucker/algorithms/door.hpp"
#include "robots_in_lanes.hpp"

namespace plucker::batch {
namespace {

// A thread takes so many robots at a time: as many as the widest registers have lanes.
constexpr int kPortion = 8;

// No more than there are portions.
int threads_for(int robots, int wished) {
    const int portions = (robots + kPortion - 1) / kPortion;
    return std::max(1, std::min(number_of_threads("batch::Simulator", wished), portions));
}

bool are_finite(const plucker::ExternalForces<double>& forces) {
    for (const auto& entry : forces.entries()) {
        const auto& [n, f] = entry.force;
        for (const double x : {n.x, n.y, n.z, f.x, f.y, f.z}) {
            if (!std::isfinite(x)) return false;
        }
    }
    return true;
}

}  // namespace

struct Simulator::Crew {
    // An engine for each thread, or, where each robot has a world of its own, for each robot.
    Crew(const Model& model, std::span<const World> worlds, int robots,
         const SimulatorOptions& options, int wished)
        : threads(threads_for(robots, wished)), own_worlds(worlds.size() > 1) {
        const std::size_t engines_needed =
            own_worlds ? worlds.size() : static_cast<std::size_t>(threads.size());
        for (std::size_t i = 0; i < engines_needed; ++i) {
            engines.push_back(
                std::make_unique<simulate::StepEngine>(model, worlds[own_worlds ? i : 0], options));
        }
        const simulate::StepEngine& first = *engines.front();
        const bool in_lanes = simulate::can_be_in_lanes(model) && !first.has_weightless_joint();
        simulate::StepCode code;
        if (in_lanes)
            code = simulate::step_code(model, options.step, first.damping().data(),
                                       compiler::Lanes::kManyF64,
                                       own_worlds || !first.finder().finds_nothing());
        for (int i = 0; in_lanes && i < threads.size(); ++i) {
            lanes.push_back(std::make_unique<simulate::RobotsInLanes>(first, !own_worlds, code));
        }
        robots_.assign(static_cast<std::size_t>(robots), simulate::RobotState(model, options));
        reports.resize(robots_.size());
        q.resize(robots, model.nq());
        v.resize(robots, model.nv());
        no_torque = Rows::Zero(robots, model.nv());
        for (int i = 0; i < robots; ++i) gather(i);
    }

    ThreadCrew threads;
    bool own_worlds;
    std::vector<std::unique_ptr<simulate::StepEngine>> engines;
    // For each thread, where lanes can serve such robots; else empty.
    std::vector<std::unique_ptr<simulate::RobotsInLanes>> lanes;
    std::vector<simulate::RobotState> robots_;
    std::vector<StepReport> reports;
    simulate::Springs springs;
    Rows q, v, no_torque;

    const Model& model() const { return engines.front()->model(); }
    simulate::StepEngine& engine(int robot, int member) {
        return *engines[static_cast<std::size_t>(own_worlds ? robot : member)];
    }
    simulate::RobotState& robot(int i) { return robots_[static_cast<std::size_t>(i)]; }
    void gather(int i) {
        q.row(i) = robot(i).q.transpose();
        v.row(i) = robot(i).v.transpose();
    }
    // Those of the mask begin there, all or none.
    void begin(std::span<const std::uint8_t> mask, const Rows& at_q, const Rows& at_v) {
        std::vector<simulate::Start> starts(mask.size());
        const auto each = [&](auto&& act) {
            for (std::size_t i = 0; i < mask.size(); ++i) {
                if (mask[i] != 0) act(static_cast<int>(i), starts[i]);
            }
        };
        each([&](int i, simulate::Start& start) {
            try {
                start = engine(i, 0).check_start(at_q.row(i).transpose(), at_v.row(i).transpose());
            } catch (const Error& error) {
                throw Error("robot " + std::to_string(i) + ": " + error.what());
            }
        });
        each([&](int i, const simulate::Start& start) {
            robot(i).begin(start, at_v.row(i).transpose(), 0);
            reports[static_cast<std::size_t>(i)] = {};
            gather(i);
        });
    }
    void begin_where_they_are() {
        if (std::all_of(robots_.begin(), robots_.end(),
                        [](const simulate::RobotState& robot) { return robot.has_begun; }))
            return;
        std::vector<std::uint8_t> waiting;
        for (const simulate::RobotState& robot : robots_)
            waiting.push_back(robot.has_begun ? 0 : 1);
        begin(waiting, Rows(q), Rows(v));
    }
    // One robot after the other, each so many steps.
    void step_alone(int i, int member, const double* tau, int steps) {
        StepReport& report = reports[static_cast<std::size_t>(i)];
        for (int k = 0; k < steps; ++k) {
            report = engine(i, member).step(robot(i), springs, tau);
            if (report.status != Status::kOk) return;
        }
    }
    void step_in_lanes(std::span<const int> numbers, int member, const Rows& tau, int steps) {
        simulate::RobotsInLanes& all = *lanes[static_cast<std::size_t>(member)];
        const auto width = static_cast<std::size_t>(all.lanes());
        std::array<simulate::RobotsInLanes::Member, kPortion> in{};
        for (std::size_t first = 0; first < numbers.size(); first += width) {
            const std::size_t count = std::min(width, numbers.size() - first);
            for (std::size_t k = 0; k < count; ++k) {
                const int i = numbers[first + k];
                in[k] = {&robot(i), &engine(i, member), tau.row(i).data(),
                         &reports[static_cast<std::size_t>(i)]};
            }
            all.step({in.data(), count}, springs, steps);
        }
    }
    void check_robot(int i) const {
        if (i >= 0 && i < static_cast<int>(robots_.size())) return;
        throw Error("there is no robot " + std::to_string(i) + ": they are numbered from 0 to " +
                    std::to_string(robots_.size() - 1));
    }
    void check_rows(const char* function, const char* name, const Rows& rows, int columns) const {
        check_shape(function, name, rows.rows(), rows.cols(), static_cast<long>(robots_.size()),
                    columns);
    }
};

Simulator::Simulator(const Model& model, const World& world, int robots,
                     const SimulatorOptions& options, int threads) {
    if (robots < 1) {
        throw Error("batch::Simulator: " + std::to_string(robots) + " robots: there must be one");
    }
    crew_ = std::make_unique<Crew>(model, std::span(&world, 1), robots, options, threads);
}
Simulator::Simulator(const Model& model, std::span<const World> worlds,
                     const SimulatorOptions& options, int threads) {
    if (worlds.empty()) throw Error("batch::Simulator: no worlds, and so no robots");
    crew_ =
        std::make_unique<Crew>(model, worlds, static_cast<int>(worlds.size()), options, threads);
}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const Model& Simulator::model() const { return crew_->model(); }
int Simulator::size() const { return static_cast<int>(crew_->robots_.size()); }
int Simulator::threads() const { return crew_->threads.size(); }
Eigen::Map<const Simulator::Rows> Simulator::q() const {
    return {crew_->q.data(), crew_->q.rows(), crew_->q.cols()};
}
Eigen::Map<const Simulator::Rows> Simulator::v() const {
    return {crew_->v.data(), crew_->v.rows(), crew_->v.cols()};
}
std::span<const StepReport> Simulator::reports() const { return crew_->reports; }
double Simulator::time(int robot) const {
    crew_->check_robot(robot);
    return crew_->robot(robot).time;
}
std::span<const Contact> Simulator::contacts(int robot) const {
    crew_->check_robot(robot);
    return crew_->robot(robot).contacts;
}
plucker::ExternalForces<double>& Simulator::forces(int robot) {
    crew_->check_robot(robot);
    return crew_->robot(robot).forces;
}

void Simulator::set_states(const Rows& q, const Rows& v) {
    const std::vector<std::uint8_t> all(static_cast<std::size_t>(size()), 1);
    reset(all, q, v);
}

void Simulator::reset(std::span<const std::uint8_t> mask, const Rows& q, const Rows& v) {
    Crew& c = *crew_;
    check_size("reset", "mask", static_cast<long>(mask.size()), size(), "robots");
    c.check_rows("reset", "q", q, model().nq());
    c.check_rows("reset", "v", v, model().nv());
    c.begin(mask, q, v);
}

void Simulator::hold(const VectorX<double>& kp, const VectorX<double>& kd) {
    Crew& c = *crew_;
    c.springs = simulate::Springs(model(), kp, kd);
    for (simulate::RobotState& robot : c.robots_) {
        robot.aim_q = robot.q;
        robot.aim_v.setZero();
    }
}
void Simulator::aim(const Rows& q, const Rows& v) {
    Crew& c = *crew_;
    c.check_rows("aim", "q", q, model().nq());
    c.check_rows("aim", "v", v, model().nv());
    for (int i = 0; i < size(); ++i) {
        try {
            c.engine(i, 0).check_aim(q.row(i).data(), q.cols(), v.row(i).data(), v.cols());
        } catch (const Error& error) {
            throw Error("robot " + std::to_string(i) + ": " + error.what());
        }
    }
    for (int i = 0; i < size(); ++i) {
        c.robot(i).aim_q = q.row(i).transpose();
        c.robot(i).aim_v = v.row(i).transpose();
    }
}
void Simulator::release() { crew_->springs.on = false; }

int Simulator::step(int steps) { return step(crew_->no_torque, steps); }

int Simulator::step(const Rows& tau, int steps) {
    Crew& c = *crew_;
    c.check_rows("step", "tau", tau, model().nv());
    if (steps < 0) throw Error("step: " + std::to_string(steps) + " steps: time goes on");
    for (int i = 0; i < size(); ++i) {
        const Model& made_for = c.robot(i).forces.model();
        if (!made_for.is_copy_of(model()))
            throw plucker::detail::foreign_forces("step", model(), made_for);
    }
    c.begin_where_they_are();
    const bool are_given = &tau != &c.no_torque;
    std::atomic<int> next{0}, failed{0};
    // Of the first thread that runs out of memory: on a thread of ours an exception would end the program.
    std::exception_ptr failure;
    std::atomic<bool> has_failure{false};
    const auto step_portion = [&](int first, int member) {
        std::array<int, kPortion> sound{};
        std::size_t num_sound = 0;
        const int end = std::min(first + kPortion, size());
        for (int i = first; i < end; ++i) {
            if ((are_given && !tau.row(i).allFinite()) || !are_finite(c.robot(i).forces)) {
                c.reports[static_cast<std::size_t>(i)].status = Status::kNonFiniteInput;
            } else {
                sound[num_sound++] = i;
            }
        }
        if (c.lanes.empty()) {
            for (std::size_t k = 0; k < num_sound; ++k)
                c.step_alone(sound[k], member, tau.row(sound[k]).data(), steps);
        } else if (num_sound > 0) {
            c.step_in_lanes({sound.data(), num_sound}, member, tau, steps);
        }
        for (int i = first; i < end; ++i) {
            if (c.reports[static_cast<std::size_t>(i)].status != Status::kOk) ++failed;
            c.gather(i);
        }
    };
    auto work = [&](int member) noexcept {
        for (int first = next.fetch_add(kPortion); first < size() && !has_failure;
             first = next.fetch_add(kPortion)) {
            try {
                step_portion(first, member);
            } catch (...) {
                if (!has_failure.exchange(true)) failure = std::current_exception();
            }
        }
    };
    c.threads.run(c.threads.size(), work);
    if (failure) std::rethrow_exception(failure);
    return failed.load();
}

}  // namespace plucker::batch
