// A robot's state as it was read: in the model's own coordinates, whatever the order it came in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plucker/model/conventions.hpp"
#include "plucker/model/external_forces.hpp"
#include "plucker/scalar/eigen.hpp"

namespace plucker::io {

// What of a state a quantity needs, and what was given.
enum Needs : unsigned { kQ = 1, kV = 2, kA = 4, kTau = 8 };

struct AppliedForce {
    FrameId frame;
    ReferenceFrame expressed_in;
    Force<double> force;
};

struct State {
    VectorX<double> q, v, a, tau;
    unsigned given = 0;  // of Needs
    std::optional<double> time;
    std::vector<AppliedForce> external;
    std::vector<std::optional<double>> beside;  // what a table's reader was asked to keep

    bool has(unsigned needs) const { return (given & needs) == needs; }
    // "\"v\" and \"tau\"": those that are needed and not given.
    std::string missing(unsigned needs) const;
    // For the library's functions, in any number type.
    template <class S>
    ExternalForces<S> forces(const Model& model) const {
        ExternalForces<S> out(model);
        for (const AppliedForce& at : external)
            out.add(at.frame, cast<S>(at.force), at.expressed_in);
        return out;
    }
};

// The names of reference frames in files.
const std::vector<std::string>& reference_names();
// Throws, with the closest names, where there is none.
ReferenceFrame reference_named(const std::string& name);

// The key of a floating base in states by name: that of its joint, unless it is called as the list of the other joints is.
std::string base_key(const Model& model);

// Of something that is in one order, and read in another.
Error another_order(const std::string& what, Convention its, Convention asked);

// Refuses quaternions that are far from unit length and normalises the others: printed ones are rounded.
void check_and_normalize(const Model& model, VectorX<double>& q);

}  // namespace plucker::io
