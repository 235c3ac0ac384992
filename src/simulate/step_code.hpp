// Time steps as programs for one robot (docs/compiler.md): SmoothStep and what follows it, recorded.
#pragma once

#include <memory>

#include "plucker/compiler/machine_code.hpp"
#include "plucker/model/model.hpp"

namespace plucker::simulate {

struct StepCode {
    // A whole step of a robot on which nothing acts but torques, gravity and dampers. Inputs, a group each: q, v, τ, the momenta of
    // flying trees, and one number that is not zero where these are known. Outputs: q⁺, v⁺ and the momenta after it. Where nothing
    // resists a coordinate they are not finite.
    std::shared_ptr<const compiler::MachineCode> free;
    // The smooth part of a step, without forces from outside: what SmoothStep::begin does with torques and resistance. Inputs: q,
    // v, these two as one group, the momenta, and whether they are known. Outputs: L, where bodies are, axes, and the rest
    // (SmoothStep::visit_rest).
    std::shared_ptr<const compiler::MachineCode> smooth;
};
// The one where nothing `can_act`, the other where something can. None where there is no such code: mimic joints, constraints, for
// whole steps no tree that flies, a program that is too long, a machine that cannot run it, PLUCKER_COMPILE=off.
StepCode step_code(const Model& model, double h, const double* damping, compiler::Lanes lanes,
                   bool can_act);

}  // namespace plucker::simulate
