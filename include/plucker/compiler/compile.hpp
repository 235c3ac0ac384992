// A robot's constants do not change from call to call. compile() makes machine code for one robot from the algorithms' own
// kernels, with its constants folded and its zeros left out, in milliseconds.
//
//     const Model robot = compile(load("arm.urdf"));
//     Workspace<double> ws(robot);
//     inverse_dynamics(ws, q, v, a, tau);            // as before, three to five times faster
//
// It returns a copy of the model: frames and forces of the one are valid for the other. The whole contract holds.
// Results equal those of the kernels up to rounding. The kernels still run for calls with external forces or of a subtree;
// for workspaces with changed constants, except parameters; for functions that read the kinematics of a workspace, or take a
// frame that was not named; for programs that are too long; and for all calls if the processor has no AVX2, if memory cannot be
// made executable, or with PLUCKER_COMPILE=off in the environment.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/model.hpp"

namespace plucker {

struct CompileOptions {
    // The algorithms to compile, by name; all that are worth it, if none is named.
    std::vector<std::string> functions = {};
    // Constants of the robot that a workspace may change and go on using the code, by name: "gravity", "mass:LINK",
    // "payload:FRAME" (compiler/parameters.hpp). All others are folded.
    std::vector<std::string> parameters = {};
    // Frames of which the functions that ask one are compiled, by name: a program for each, in each reference frame.
    std::vector<std::string> frames = {};
};

// What became of an algorithm.
struct CompiledFunction {
    std::string name;  // of one that takes a frame: "frame_jacobian(tool, world)"
    bool compiled = false;
    long asked = 0;           // operations of the kernel
    int operations = 0;       // after folding
    int steps = 0;            // after fusing
    int spills = 0;           // numbers that went to memory for want of a register
    std::size_t bytes = 0;    // of machine code
    double milliseconds = 0;  // for all of it
};

// Whether this machine can run code that is made for it.
bool can_compile();

// Throws Error where a name is unknown, or the robot lacks what the algorithm needs. Where nothing can be compiled, the model
// comes back as it is.
Model compile(const Model& model, const CompileOptions& options = {});
Model compile(const Model& model, const CompileOptions& options,
              std::vector<CompiledFunction>& report);

}  // namespace plucker
