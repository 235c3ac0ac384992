// Calls every algorithm once, as users call it, for callgrind to count the instructions.
//
// Run by scripts/count_instructions under valgrind: each call becomes a dump named "robot call". Alone the program
// just makes the calls.
#include <valgrind/callgrind.h>

#include <random>
#include <string>

#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"

namespace plucker {
namespace {

class Counter {
public:
    explicit Counter(std::string robot) : robot_(std::move(robot)) {}

    template <class Call>
    void count(const std::string& name, const Call& call) const {
        call();  // not counted: the first call binds symbols
        const std::string title = robot_ + " " + name;
        CALLGRIND_ZERO_STATS;
        CALLGRIND_TOGGLE_COLLECT;
        call();
        CALLGRIND_TOGGLE_COLLECT;
        CALLGRIND_DUMP_STATS_AT(title.c_str());
    }

private:
    std::string robot_;
};

void count_dynamics(const Counter& counter, Workspace<double>& ws, const laws::State<double>& s) {
    const Model& model = ws.model();
    const int nv = model.nv();
    VectorX<double> x(nv), y = s.a;
    MatrixX<double> A(nv, nv);
    std::vector<Given> given(static_cast<std::size_t>(model.num_bodies()) + 1, Given::kTorque);
    for (std::size_t i = 1; i < given.size(); i += 2) given[i] = Given::kAcceleration;

    counter.count("inverse_dynamics", [&] { inverse_dynamics(ws, s.q, s.v, s.a, x); });
    counter.count("gravity_torque", [&] { gravity_torque(ws, s.q, x); });
    counter.count("forward_dynamics", [&] { forward_dynamics(ws, s.q, s.v, s.tau, nullptr, x); });
    counter.count("forward_dynamics_by_mass_matrix",
                  [&] { forward_dynamics_by_mass_matrix(ws, s.q, s.v, s.tau, nullptr, A, x); });
    counter.count("hybrid_dynamics", [&] { hybrid_dynamics(ws, s.q, s.v, given, nullptr, y, x); });
    if (model.has_floating_base()) {
        counter.count("floating_base_inverse_dynamics",
                      [&] { floating_base_inverse_dynamics(ws, s.q, s.v, nullptr, y, x); });
    }
    counter.count("mass_matrix", [&] { mass_matrix(ws, s.q, A); });
    counter.count("inverse_mass_matrix", [&] { inverse_mass_matrix(ws, s.q, A); });
    counter.count("inverse_mass_matrix_times", [&] {
        x = s.tau;
        inverse_mass_matrix_times(ws, s.q, x);
    });
    counter.count("coriolis_matrix", [&] { coriolis_matrix(ws, s.q, s.v, A); });
    counter.count("modified_newton_euler", [&] { modified_newton_euler(ws, s.q, s.v, A, x); });
    counter.count("coriolis_transpose_times_velocity",
                  [&] { coriolis_transpose_times_velocity(ws, s.q, s.v, x); });
}

void count_kinematics(const Counter& counter, Workspace<double>& ws, const laws::State<double>& s) {
    const Model& model = ws.model();
    Matrix6X<double> J(6, model.nv());
    Matrix3X<double> J_com(3, model.nv());
    VectorX<double> q(model.nq()), dv(model.nv());
    volatile double sink = 0;
    const FrameId frame = model.body_frame(model.num_bodies());

    counter.count("forward_kinematics(q)", [&] { forward_kinematics(ws, s.q); });
    counter.count("forward_kinematics(q,v)", [&] { forward_kinematics(ws, s.q, s.v); });
    counter.count("forward_kinematics(q,v,a)", [&] { forward_kinematics(ws, s.q, s.v, s.a); });
    // From here on with the kinematics above.
    counter.count("frame_pose", [&] { sink = frame_pose(ws, frame).position.x; });
    counter.count("frame_jacobian",
                  [&] { frame_jacobian(ws, frame, ReferenceFrame::kWorldAligned, J); });
    counter.count("frame_jacobian_rate",
                  [&] { frame_jacobian_rate(ws, frame, ReferenceFrame::kWorldAligned, J); });
    counter.count("com_jacobian", [&] { com_jacobian(ws, J_com); });
    counter.count("com_jacobian_rate", [&] { com_jacobian_rate(ws, J_com); });
    counter.count("centroidal_momentum_matrix", [&] { centroidal_momentum_matrix(ws, J); });
    counter.count("centroidal_momentum_matrix_rate",
                  [&] { centroidal_momentum_matrix_rate(ws, J); });
    counter.count("kinetic_energy", [&] { sink = kinetic_energy(ws, s.q, s.v); });
    counter.count("potential_energy", [&] { sink = potential_energy(ws); });
    counter.count("integrate", [&] { integrate(ws, s.q, s.v, q); });
    counter.count("difference", [&] { difference(ws, s.q, q, dv); });
}

}  // namespace
}  // namespace plucker

int main() {
    for (const char* robot : {"arm", "quadruped", "humanoid"}) {
        const plucker::Model model = plucker::robots::by_name(robot);
        std::mt19937 generator(1);
        const auto state = plucker::laws::random_state(model, generator);
        plucker::Workspace<double> ws(model);
        plucker::count_dynamics(plucker::Counter(robot), ws, state);
        plucker::count_kinematics(plucker::Counter(robot), ws, state);
    }
}
