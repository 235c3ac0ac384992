// A whole time step of a robot on which nothing acts but torques, gravity and dampers, as one program for this robot
// (docs/compiler.md): SmoothStep and what follows it, recorded.
//
// Inputs, a group each: q, v, τ, the momenta of flying trees, and one number that is not zero where these are known. Outputs:
// q⁺, v⁺ and the momenta after it. Where nothing resists a coordinate they are not finite.
#pragma once

#include <memory>

#include "plucker/compiler/machine_code.hpp"
#include "plucker/model/model.hpp"

namespace plucker::simulate {

// Null where there is no such code: mimic joints, constraints, no tree that flies, a program that is too long, a machine
// that cannot run it, PLUCKER_COMPILE=off.
std::shared_ptr<const compiler::MachineCode> free_step_code(const Model& model, double h,
                                                            const double* damping,
                                                            compiler::Lanes lanes);

}  // namespace plucker::simulate
