#include "robot_state.hpp"

#include <cmath>

#include "plucker/algorithms/table.hpp"

namespace plucker::simulate {

RobotState::RobotState(const Model& model)
    : q(neutral_configuration(model)),
      v(VectorX<double>::Zero(model.nv())),
      aim_q(q),
      aim_v(v),
      holding(v),
      forces(model),
      momenta(flying_trees(model).size()) {}

void RobotState::begin(const VectorX<double>& at_q, const VectorX<double>& at_v, double at_time) {
    q = at_q;
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
        throw Error("hold: the gains of '" + model.velocity_names()[static_cast<std::size_t>(k)] +
                    "' are " + std::to_string(kp[k]) + " and " + std::to_string(kd[k]) +
                    "; they must be zero or positive");
    }
    if (!model.has_floating_base()) return;
    kp.head(6).setZero();
    kd.head(6).setZero();
}

}  // namespace plucker::simulate
