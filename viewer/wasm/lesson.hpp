// The recursion of Newton and Euler, step by step, for the page that teaches it.
#pragma once

#include "loaded.hpp"

namespace plucker::page {

// {"along", "v", "a", "gravity"}: the posture, as slides of the joints; velocities; accelerations; whether there is gravity.
// The answer has, for each body, its frame in the world, and in its own coordinates ⁱX_λ(i), S, I and the terms of
// v = X v_λ + S q̇, a = X a_λ + S q̈ + v × S q̇, net = I a + v ×* I v and f = net + Σ Xᵀ f of its children; and τ, H, and the
// bias C of the equation of motion H q̈ + C = τ.
nlohmann::ordered_json lesson(Loaded& robot, const nlohmann::json& request);

}  // namespace plucker::page
