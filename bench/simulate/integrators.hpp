// How exactly each integrator follows a robot that swings: error against step, and energy over a long time.
#pragma once

#include <nlohmann/json.hpp>

namespace plucker::bench {

nlohmann::json show_integrators();

}  // namespace plucker::bench
