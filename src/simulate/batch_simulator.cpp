#include "plucker/simulate/batch_simulator.hpp"

#include <atomic>
#include <cmath>
#include <string>

#include "../batch/thread_crew.hpp"
#include "engine.hpp"

namespace plucker::batch {
namespace {

// A thread takes so many robots at a time.
constexpr int kPortion = 8;

int number_of_threads(int wished, int robots) {
    if (wished < 0) {
        throw Error("batch::Simulator: " + std::to_string(wished) + " threads: 0 means all cores");
    }
    const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    const int portions = (robots + kPortion - 1) / kPortion;
    return std::max(1, std::min(wished == 0 ? cores : wished, portions));
}

}  // namespace

struct Simulator::Crew {
    // An engine for each thread, or, where each robot has a world of its own, for each robot.
    Crew(const Model& model, std::span<const World> worlds, int robots,
         const SimulatorOptions& options, int wished)
        : threads(number_of_threads(wished, robots)), own_worlds(worlds.size() > 1) {
        const std::size_t engines_needed =
            own_worlds ? worlds.size() : static_cast<std::size_t>(threads.size());
        for (std::size_t i = 0; i < engines_needed; ++i) {
            engines.push_back(
                std::make_unique<simulate::StepEngine>(model, worlds[own_worlds ? i : 0], options));
        }
        robots_.assign(static_cast<std::size_t>(robots), simulate::RobotState(model));
        reports.resize(robots_.size());
        q.resize(robots, model.nq());
        v.resize(robots, model.nv());
        no_torque = Rows::Zero(robots, model.nv());
        for (int i = 0; i < robots; ++i) gather(i);
    }

    ThreadCrew threads;
    bool own_worlds;
    std::vector<std::unique_ptr<simulate::StepEngine>> engines;
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
const Simulator::Rows& Simulator::q() const { return crew_->q; }
const Simulator::Rows& Simulator::v() const { return crew_->v; }
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
    std::vector<VectorX<double>> starts(mask.size());
    for (int i = 0; i < size(); ++i) {
        if (mask[static_cast<std::size_t>(i)] == 0) continue;
        VectorX<double>& start = starts[static_cast<std::size_t>(i)];
        start = q.row(i).transpose();
        try {
            c.engine(i, 0).check_start(start, v.row(i).transpose());
        } catch (const Error& error) {
            throw Error("robot " + std::to_string(i) + ": " + error.what());
        }
    }
    // What the first engine has found to overlap holds for all that share its world.
    for (std::size_t k = 1; !c.own_worlds && k < c.engines.size(); ++k) {
        c.engines[k]->set_overlaps(c.engines[0]->overlaps());
    }
    for (int i = 0; i < size(); ++i) {
        if (mask[static_cast<std::size_t>(i)] == 0) continue;
        c.robot(i).begin(starts[static_cast<std::size_t>(i)], v.row(i).transpose(), 0);
        c.reports[static_cast<std::size_t>(i)] = {};
        c.gather(i);
    }
}

void Simulator::hold(const VectorX<double>& kp, const VectorX<double>& kd) {
    Crew& c = *crew_;
    check_size("hold", "kp", kp.size(), model().nv(), "nv");
    check_size("hold", "kd", kd.size(), model().nv(), "nv");
    if (!kp.allFinite() || !kd.allFinite() || (kp.array() < 0).any() || (kd.array() < 0).any()) {
        throw Error("hold: gains must be zero or positive");
    }
    c.springs = {true, kp, kd};
    if (model().has_floating_base()) {
        c.springs.kp.head(6).setZero();
        c.springs.kd.head(6).setZero();
    }
    for (simulate::RobotState& robot : c.robots_) {
        robot.aim_q = robot.q;
        robot.aim_v.setZero();
    }
}
void Simulator::aim(const Rows& q, const Rows& v) {
    Crew& c = *crew_;
    c.check_rows("aim", "q", q, model().nq());
    c.check_rows("aim", "v", v, model().nv());
    if (!q.allFinite() || !v.allFinite()) throw Error("aim: a number is not finite");
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
    std::atomic<int> next{0}, failed{0};
    auto work = [&](int member) {
        while (true) {
            const int first = next.fetch_add(kPortion);
            if (first >= size()) return;
            for (int i = first; i < std::min(first + kPortion, size()); ++i) {
                StepReport& report = c.reports[static_cast<std::size_t>(i)];
                const bool known = tau.row(i).allFinite();
                if (!known) report.status = Status::kNonFiniteInput;
                for (int k = 0; known && k < steps; ++k) {
                    report = c.engine(i, member).step(c.robot(i), c.springs, tau.row(i).data());
                    if (report.status != Status::kOk) break;
                }
                if (report.status != Status::kOk) failed.fetch_add(1);
                c.gather(i);
            }
        }
    };
    c.threads.run(c.threads.size(), work);
    return failed.load();
}

}  // namespace plucker::batch
