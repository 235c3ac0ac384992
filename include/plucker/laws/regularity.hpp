// Whether there is an inverse of a robot's mass matrix, found without the library's own factorisations.
#pragma once

#include <string>

#include "plucker/laws/sizes.hpp"

namespace plucker::laws {

struct Regularity {
    bool positive = true;  // no direction has less than no inertia
    // Why M has no inverse, or none that rounding would leave anything of; empty: it has one.
    std::string obstacle = {};

    bool regular() const { return obstacle.empty(); }
};

// Of the leading coordinates of M; `size` as Sizes::mass_matrix gives it. What is smaller than `rounding` of the
// terms that it was added up from cannot be told from zero.
Regularity regularity_of(const Model& model, const MatrixX<double>& M, const MatrixX<double>& size,
                         double rounding);

}  // namespace plucker::laws
