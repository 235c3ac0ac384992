#include "plucker/simulate/simulator.hpp"

#include <algorithm>
#include <cmath>

#include "engine.hpp"
#include "plucker/algorithms/door.hpp"
#include "plucker/algorithms/table.hpp"

namespace plucker {

struct Simulator::State {
    State(const Model& model, const World& world, const SimulatorOptions& options)
        : engine(model, world, options),
          robot(model, options),
          no_torque(VectorX<double>::Zero(model.nv())) {
        engine.make_code();
    }

    simulate::StepEngine engine;
    simulate::RobotState robot;
    simulate::Springs springs;
    VectorX<double> no_torque;

    // Before the first step: what the springs do where the robot begins.
    void begin_holding() {
        if (robot.steps > 0) return;
        robot.holding.setZero();
        if (!springs.on) return;
        kernel::difference(engine.model(), robot.aim_q.data(), robot.q.data(),
                           robot.holding.data());
        robot.holding = -springs.kp.cwiseProduct(robot.holding) -
                        springs.kd.cwiseProduct(robot.v - robot.aim_v);
    }
    const std::string& name_of_coordinate(Eigen::Index k) const {
        return engine.model().velocity_names()[static_cast<std::size_t>(k)];
    }
};

Simulator::Simulator(const Model& model, const World& world, const SimulatorOptions& options)
    : state_(std::make_unique<State>(model, world, options)) {}
Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;
Simulator& Simulator::operator=(Simulator&&) noexcept = default;

const Model& Simulator::model() const { return state_->engine.model(); }
double Simulator::step_length() const { return state_->engine.options().step; }
double Simulator::time() const { return state_->robot.time; }
VectorView<double> Simulator::q() const { return view_of(state_->robot.q); }
VectorView<double> Simulator::v() const { return view_of(state_->robot.v); }
ExternalForces<double>& Simulator::forces() { return state_->robot.forces; }
std::span<const Contact> Simulator::contacts() const { return state_->robot.contacts; }
std::span<const CollisionShape> Simulator::shapes() const {
    return state_->engine.finder().collisions().shapes();
}
std::vector<std::pair<std::string, std::string>> Simulator::overlaps() const {
    std::vector<std::pair<std::string, std::string>> out;
    for (const auto& [a, b] : state_->robot.overlaps) {
        out.emplace_back(shapes()[static_cast<std::size_t>(a)].link,
                         shapes()[static_cast<std::size_t>(b)].link);
    }
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}
VectorView<double> Simulator::holding_torque() const { return view_of(state_->robot.holding); }

double Simulator::kinetic_energy() {
    return plucker::kinetic_energy(state_->engine.workspace(), q(), v());
}
double Simulator::potential_energy() {
    Workspace<double>& ws = state_->engine.workspace();
    forward_kinematics(ws, q());
    return plucker::potential_energy(ws);
}

void Simulator::set_state(const VectorX<double>& q, const VectorX<double>& v, double time) {
    State& s = *state_;
    if (!std::isfinite(time)) throw Error::because("set_state: the time is ", time);
    s.robot.begin(s.engine.check_start(q, v), v, time);
    s.begin_holding();
}

void Simulator::hold(const VectorX<double>& q, const VectorX<double>& kp,
                     const VectorX<double>& kd) {
    State& s = *state_;
    check_size("hold", "q", q.size(), model().nq(), "nq");
    simulate::Springs springs(model(), kp, kd);
    aim(q, VectorX<double>::Zero(model().nv()));
    s.springs = std::move(springs);
    s.begin_holding();
}
void Simulator::hold(const VectorX<double>& q, double kp, double kd) {
    const int n = model().nv();
    hold(q, VectorX<double>::Constant(n, kp), VectorX<double>::Constant(n, kd));
}
void Simulator::aim(const VectorX<double>& q, const VectorX<double>& v) {
    state_->engine.check_aim(q.data(), q.size(), v.data(), v.size());
    state_->robot.aim_q = q;
    state_->robot.aim_v = v;
    state_->begin_holding();
}
void Simulator::release() {
    state_->springs.on = false;
    state_->robot.holding.setZero();
}

void Simulator::prescribe(const std::string& joint, const VectorX<double>& velocity) {
    const int i = model().joint_index(joint);
    const Body<double>& body = model().body(i);
    if (body.mimic) {
        const std::string& leader = model().joint(i).mimic->joint;
        throw Error("prescribe: joint '" + joint + "' mimics '" + leader +
                    "' and has no velocity of its own; give that of '" + leader + "'");
    }
    check_size("prescribe", "velocity", velocity.size(), body.nv, "coordinates of the joint");
    if (!velocity.allFinite()) {
        throw Error("prescribe: the velocity of '" + joint + "' is not finite");
    }
    free(joint);
    for (int k = 0; k < body.nv; ++k) {
        state_->robot.prescribed.push_back({body.v_index + k, velocity[k]});
    }
}
void Simulator::free(const std::string& joint) {
    const Body<double>& body = model().body(model().joint_index(joint));
    std::erase_if(state_->robot.prescribed, [&](const simulate::PrescribedCoordinate& x) {
        return x.coordinate >= body.v_index && x.coordinate < body.v_index + body.nv;
    });
}

StepReport Simulator::step() { return step(state_->no_torque); }

StepReport Simulator::step(const VectorX<double>& tau) {
    State& s = *state_;
    check_size("step", "tau", tau.size(), model().nv(), "nv");
    if (!s.robot.has_begun) set_state(VectorX<double>(q()), VectorX<double>(v()), time());
    for (Eigen::Index k = 0; k < tau.size(); ++k) {
        if (std::isfinite(tau[k])) continue;
        throw Error::because("step: the torque of '", s.name_of_coordinate(k), "' is ", tau[k],
                             " at ", time(), " s");
    }
    detail::Door<double>("step", s.engine.workspace()).forces(&s.robot.forces);
    const StepReport report = s.engine.step(s.robot, s.springs, tau.data());
    if (report.status == Status::kOk) return report;
    const std::string culprit = s.name_of_coordinate(s.engine.culprit());
    if (report.status == Status::kSingularMassMatrix) {
        throw Error::because(
            "step: nothing resists a motion of '", culprit, "' at ", time(),
            " s: what hangs on it needs a mass or an inertia, or the joint an armature");
    }
    throw Error::because("step: the motion left the range of numbers at the velocity of '", culprit,
                         "' at ", time(), " s; a smaller step may help");
}

}  // namespace plucker
