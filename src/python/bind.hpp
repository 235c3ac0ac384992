// What the module is made of, a file each.
#pragma once

#include <memory>

#include "robot.hpp"

namespace plucker::python {

using RobotClass = py::class_<Robot, std::shared_ptr<Robot>>;

void bind_parts(py::module_& module);                        // masses, joints, findings, residuals
void bind_builder(py::module_& module);                      // Builder
void bind_properties(RobotClass& robot);                     // what a robot is
void bind_edits(RobotClass& robot);                          // new robots from old ones
void bind_compile(py::module_& module, RobotClass& robot);   // machine code of its own
void bind_files(py::module_& module, RobotClass& robot);     // readers, writers, JSON, pickle
void bind_states(RobotClass& robot);                         // configurations, laws
void bind_forces(py::module_& module);                       // ExternalForces
void bind_identify(py::module_& module, RobotClass& robot);  // parameters from measurements
void bind_constraints(py::module_& module, RobotClass& robot);      // closed loops
void bind_world(py::module_& module);                               // what a robot stands on
void bind_recording(py::module_& module);                           // what a simulation wrote down
void bind_simulator(py::module_& module, RobotClass& robot);        // a robot that touches
void bind_batch_simulator(py::module_& module, RobotClass& robot);  // many of them
void bind_free_motion(py::module_& module, RobotClass& robot);      // motion without contact
void bind_gpu(py::module_& module, RobotClass& robot);              // a robot on a GPU
void bind_view(py::module_& module, RobotClass& robot);             // pages that show it
void bind_coordinates(py::module_& module, RobotClass& robot);      // other libraries' conventions

// No misuse of the classes ends the interpreter: before any is made, and after all are.
void guard_base();
void guard_classes(const py::module_& module);

// A robot of Python's from one of the library's, with what looks odd about it.
std::shared_ptr<Robot> new_robot(const Model& model);

}  // namespace plucker::python
