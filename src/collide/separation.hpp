// How far two convex cores are apart, and along which direction.
//
// The separation along a unit vector n is the width of the gap between them along n: min n·a - max n·b. Its largest value
// over all n is their distance and, where they overlap, minus the least movement that parts them.
//
// Apart: the algorithm of Gilbert, Johnson and Keerthi (1988), on A - B. Its direction v/|v| is worth nothing when |v| is
// near rounding, and that is where things that rest on each other are. So cores that overlap or nearly touch are moved apart
// first: by t along a first guess n, so that δ remains between them. The direction n' found there is better for the cores
// as they are: its separation is d' - t n·n' ≥ δ - t, because d' ≥ δ and t > 0. Repeated, it climbs to a maximum. The first
// guess for cores that overlap is from the expanding polytope (van den Bergen 2001).
#pragma once

#include "convex.hpp"

namespace plucker::collide {

struct Separation {
    Vec normal;           // unit, from b towards a
    double distance = 0;  // along it; negative: they overlap
    Vec on_a, on_b;       // the nearest points, of the overlapping ones those that touch last
};

// Of the cores. Beyond `limit` it may be any lower bound of the distance that is beyond `limit` too. `guess` is a
// direction to try, where one is known; zero otherwise.
Separation separation(const Placed& a, const Placed& b, double limit, const Vec& guess = {});

}  // namespace plucker::collide
