#include "robot_state.hpp"

#include <cmath>

#include "plucker/algorithms/table.hpp"
#include "plucker/simulate/start.hpp"

namespace plucker::simulate {

RobotState::RobotState(const Model& model, const SimulatorOptions& options)
    : q(neutral_configuration(model)),
      v(VectorX<double>::Zero(model.nv())),
      aim_q(q),
      aim_v(v),
      holding(v),
      forces(model),
      momenta(flying_trees(model).size()) {
    if (options.joint_limits) q = aim_q = within_limits(model, q);
}

RobotInLane RobotState::in_lane(const double* tau) {
    return {q.data(),       v.data(),       tau,          aim_q.data(), aim_v.data(),
            holding.data(), momenta.data(), momenta_known};
}

void RobotState::begin(const Start& at, const VectorX<double>& at_v, double at_time) {
    has_begun = true;
    q = at.q;
    overlaps = at.overlaps;
    v = at_v;
    start = time = at_time;
    steps = 0;
    contacts.clear();
    remembered.clear();
    remembered_rows.clear();
    momenta_known = false;
    wedged_for = 0;
}

Springs::Springs(const Model& model, const VectorX<double>& stiffness,
                 const VectorX<double>& damping)
    : on(true), kp(stiffness), kd(damping) {
    check_size("hold", "kp", kp.size(), model.nv(), "nv");
    check_size("hold", "kd", kd.size(), model.nv(), "nv");
    for (Eigen::Index k = 0; k < kp.size(); ++k) {
        if (kp[k] >= 0 && kd[k] >= 0 && std::isfinite(kp[k]) && std::isfinite(kd[k])) continue;
        throw Error::because("hold: the gains of '",
                             model.velocity_names()[static_cast<std::size_t>(k)], "' are ", kp[k],
                             " and ", kd[k], "; they must be zero or positive");
    }
    const HoldingGains gains = with_bodies_free(model, {kp, kd});
    kp = gains.kp;
    kd = gains.kd;
}

}  // namespace plucker::simulate
