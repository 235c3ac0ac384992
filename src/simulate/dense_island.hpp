// The impulses of one island, whose matrix G is formed.
#pragma once

#include <vector>

#include "laws_of_impulses.hpp"

namespace plucker::impulses {

// Vectors keep their memory when they get shorter.
struct DenseIsland {
    int rows = 0;
    std::vector<Block> blocks;
    std::vector<double> G;  // rows × rows
    std::vector<double> g;
    std::vector<double> lambda, sigma;

    void clear();
    int add(Law law, double coefficient);  // returns its first row
    void allocate();                       // once all blocks are there
    // Each block's rho, from G.
    void scale_blocks();

    const double* row(int r) const { return G.data() + static_cast<std::ptrdiff_t>(r) * rows; }
    double* row(int r) { return G.data() + static_cast<std::ptrdiff_t>(r) * rows; }

    void update_velocities();  // σ = G λ + g
    Certificate certificate() const;

    // The three ways to a solution. Each starts from λ and leaves λ and σ. Returns its iterations.
    int newton(const SolverOptions& options, double tolerance);
    int alternate_directions(const SolverOptions& options, double tolerance);
    int sweep(int sweeps, double tolerance);

    bool newton_step(double proximal);

    // What they keep.
    std::vector<double> matrix, factor, right, best, z, gamma, step;
    std::vector<int> unknown, place, pivots;
    std::vector<double> direction_x, direction_y, share;
    std::vector<OneContact> alone;
};

}  // namespace plucker::impulses
