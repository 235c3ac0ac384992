// The operators of formulas in laws: each gives a matrix, and is compiled once.
#pragma once

#include "plucker/scalar/plain_algebra.hpp"

namespace plucker::laws {

using namespace plain;
// By name, since operators for other types, declared nearer, would hide them.
using plain::operator+;
using plain::operator-;
using plain::operator*;
using plain::operator/;

}  // namespace plucker::laws
