// Base parameters: the identifiable combinations of the dynamic parameters (model/dynamic_parameters.hpp).
// Torques do not depend on the others, whatever the robot does: no joint measurement can determine them.
#pragma once

#include <string>
#include <vector>

#include "plucker/model/dynamic_parameters.hpp"

namespace plucker {

// A basis of the changes of π that no torque shows, one per column (parameters × their number), from the robot's structure.
//
// Source: Wensing, Niemeyer and Slotine, A Geometric Characterization of Observability in Inertial Parameter Identification
// (the recursive parameter nullspace algorithm, RPNA), with their idea and conditions of our own for any joint: a change of a
// body's inertia is not seen if its joint does not feel it, and its parent can take it back whatever the joint's position.
// What there is to feel are the velocities that the parent can have, and the directions in which gravity can pull on it.
// Each body needs the ranks of small matrices only. Where joints mimic others, bodies do not move independently, and the basis
// comes from regressors at random states instead.
ResultMatrix<double> unobservable_parameters(const Model& model);

// How many combinations regressors at random states tell apart: their numerical rank.
int numerical_rank_of_regressor(const Model& model, unsigned seed = 1);

struct BaseParameters {
    // A regressor's columns that are independent of each other, one a combination: Y π = Y(:, columns) β.
    std::vector<int> columns;
    ResultMatrix<double>
        combination;  // β = combination π: the parameter of that column, and what joins it
    std::vector<std::string> names;  // "forearm.mx + 0.3 hand.m": with what joins it

    int size() const { return static_cast<int>(columns.size()); }
};
BaseParameters base_parameters(const Model& model);

}  // namespace plucker
