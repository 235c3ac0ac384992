// What the file tells of a link before anything is measured, as its part of the objective: D(P + S ‖ P₀ + S).
//
// P₀ is the file's link. Where that has no extent, as a point mass has none at all, D(P ‖ P₀) would take it for sure: the
// centre of mass could not move by more than a part of no extent, whatever was measured. How far a link extends there is not
// known, but it is no more than its size, which S adds on both sides: the file's link remains the likeliest, and links as
// thick as their size are as near to it as masses that differ by half.
#pragma once

#include <string>
#include <vector>

#include "pseudo_inertia.hpp"

namespace plucker {

struct LinkPrior {
    Matrix4 P0;           // the file's link, thick enough to be a body
    Matrix4 S;            // what is left open, in the link's frame as P0
    double size = 0;      // the radius of gyration of a rod as long as the link, m
    double thickest = 0;  // the largest radius of gyration in directions without extent, m
    int flat = 0;         // in how many of its three directions it has no extent
};

// Of each link that moves, in their order; those of links without mass are empty.
std::vector<LinkPrior> link_priors(const Model& model);

// "link 'bob' is a point mass in the file: …"; for a link with extent nothing.
std::string remark_on_extent(const std::string& link, const LinkPrior& prior);

}  // namespace plucker
