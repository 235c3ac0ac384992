#include "motors.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "input.hpp"
#include "named_numbers.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/simulate/start.hpp"

namespace plucker::cli {
namespace {

// Of "5Hz".
double frequency_of(const std::string& text) {
    const std::string number = text.substr(0, text.size() - 2);
    return NamedNumbers("--hold", "Hz=" + number, {"Hz"}).get("Hz", 0);
}

}  // namespace

void Motors::set(double time, VectorX<double>& tau) const {
    const auto after =
        std::upper_bound(torques.begin(), torques.end(), time,
                         [](double t, const GivenState& state) { return t < *state.time; });
    if (after == torques.begin()) {
        tau.setZero();
    } else {
        tau = std::prev(after)->tau;
    }
}

void Motors::set(const Model& model, double time, const VectorX<double>& at_q,
                 const VectorX<double>& at_v, VectorX<double>& tau) const {
    set(time, tau);
    if (!hold) return;
    VectorX<double> error(model.nv());
    kernel::difference(model, q.data(), at_q.data(), error.data());
    tau -= kp.cwiseProduct(error) + kd.cwiseProduct(at_v);
}

Motors motors_of(const Model& model, const SimulateOptions& o, const VectorX<double>& q) {
    Motors out;
    const int n = model.nv();
    if (o.has_hold) {
        const bool is_frequency = o.hold.ends_with("Hz");
        const NamedNumbers gains("--hold", is_frequency ? "" : o.hold, {"kp", "kd"});
        HoldingGains springs =
            gains.has("kp")
                ? critically_damped(model, q, VectorX<double>::Constant(n, gains.get("kp", 0)))
            : is_frequency ? holding_gains(model, q, frequency_of(o.hold))
                           : holding_gains(model, q);
        if (gains.has("kd")) {
            springs.kd.setConstant(gains.get("kd", 0));
            springs = with_bodies_free(model, springs);
        }
        out.hold = true;
        out.q = q;
        out.kp = springs.kp;
        out.kd = springs.kd;
    }
    if (!o.torque.empty()) {
        const std::string name = name_of_input(o.torque);
        out.torques = read_states(model, read_input(o.torque), name, text_format_of(o.torque));
        double last = -INFINITY;
        for (const GivenState& state : out.torques) {
            if (!state.time)
                throw Error(name + ": a torque needs its time, in a column or key \"time\"");
            if (state.tau.size() == 0) throw Error(name + ": has no torques, tau.NAME or \"tau\"");
            if (!(*state.time > last)) {
                throw Error(fmt::format("{}: time {} follows {}: times must grow", name,
                                        *state.time, last));
            }
            last = *state.time;
        }
    }
    return out;
}

}  // namespace plucker::cli
