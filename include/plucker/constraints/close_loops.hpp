// Closing loops: a configuration that satisfies all constraints, from a rough guess.
//
// The Levenberg–Marquardt method on the configuration's manifold: δ = -W Jᵀ (J W Jᵀ + μ)⁻¹ e, q ← integrate(q, δ), with μ
// smaller after a step that helps and larger after one that does not. W is one for each coordinate that may move and zero
// for each that is held. If it converges to a configuration that is not closed, it restarts near the guess, further away
// each time; the restarts are the same in every run.
//
// Source: Nocedal and Wright, Numerical Optimization, §10.3, in its dual form, whose matrix is as small as the constraints.
#pragma once

#include <string>
#include <vector>

#include "plucker/constraints/constrained_dynamics.hpp"

namespace plucker {

struct CloseLoopsOptions {
    std::vector<std::string> held =
        {};                    // joints that stay as guessed: those that drive the mechanism
    double tolerance = 1e-12;  // of the largest error, m or rad
    int iterations = 100;      // of each try
    int tries = 20;
};

struct ClosedLoops {
    ResultVector<double> q;  // the best that was found
    bool closed = false;
    double residual = 0;  // the largest error, m or rad
    int iterations = 0;   // of all tries
    // Where it is not closed: the constraint with the largest error, and what to look at, in a sentence.
    std::string constraint;
    std::string message;
};

// Joint limits have no part in it.
ClosedLoops close_loops(const Model& model, ConstVector<double> q_guess,
                        const CloseLoopsOptions& options = {});

}  // namespace plucker
