// Constants of a robot that a program takes as inputs, so that you can change them without a new program. By name:
//
//     gravity          x, y, z, in the world
//     mass:LINK        the ten numbers of MassProperties: mass, centre x, y, z, inertia about it xx, xy, xz, yy, yz, zz
//     payload:FRAME    the same for a load carried at a frame, in its coordinates; zero unless given
//     frame:FRAME      the pose of the frame on the link that carries it, as in URDF: x, y, z, roll, pitch, yaw
//
// Frames fixed on a frame, and links with their masses, move with it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "plucker/compiler/trace.hpp"
#include "plucker/model/constants.hpp"

namespace plucker::compiler {

enum class ParameterKind : std::uint8_t { kGravity, kMass, kPayload, kFrame };

struct ProgramParameter {
    std::string name;
    ParameterKind kind = ParameterKind::kGravity;
    int frame = -1;                // the number of the link or frame
    std::vector<double> defaults;  // as the model has it

    int size() const { return static_cast<int>(defaults.size()); }
};

// All that the robot has.
std::vector<std::string> parameter_names(const Model& model);

// Those with these names. Throws Error, with the closest ones, where there is none; where one is named twice; and where it
// cannot be one: a mass that does not move, a frame that joints hang on.
std::vector<ProgramParameter> parameters_named(const Model& model,
                                               const std::vector<std::string>& names);

// The numbers of each parameter, entry by entry, in what is computed with.
template <class T>
using ParameterNumbers = std::vector<std::vector<T>>;

// The robot's constants, to record with: those that are parameters are these inputs.
RobotConstants<Trace> constants_with(const Model& model,
                                     const std::vector<ProgramParameter>& parameters,
                                     const ParameterNumbers<Trace>& inputs);

// The robot with other numbers for its parameters, as a new model.
Model with_parameters(const Model& model, const std::vector<ProgramParameter>& parameters,
                      const ParameterNumbers<double>& numbers);

// Numbers that differ from the defaults, and that a robot can have: for tests.
ParameterNumbers<double> other_numbers(const std::vector<ProgramParameter>& parameters);

}  // namespace plucker::compiler
