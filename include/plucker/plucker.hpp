// Plucker: rigid-body dynamics in spatial vectors. This header provides models, built-in robots, and every algorithm for single
// states, batches and compiled robots. The README lists the other headers: robots from files, simulation, constraints,
// identification, laws, GPUs, pages.
#pragma once

#include "plucker/algorithms/differentiate.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/batch/batch.hpp"
#include "plucker/compiler/compile.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/model/conventions.hpp"
#include "plucker/model/dynamic_parameters.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/model/fixed_mass.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/scalar/complex_step.hpp"
#include "plucker/scalar/dual.hpp"
#include "plucker/spatial/eigen.hpp"
#include "plucker/spatial/handout.hpp"
#include "plucker/version.hpp"
