// The impulses of one island, whose matrix G is formed.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "laws_of_impulses.hpp"
#include "numbers.hpp"

namespace plucker::impulses {

// Vectors keep their memory when they get shorter.
struct DenseIsland {
    int rows = 0;
    int pitch = 0;  // from one row of G to the next, see dense_code.hpp
    std::vector<Block> blocks;
    Numbers G;  // rows × rows
    Numbers g;
    Numbers weight;  // by row: its block's rho. Rows may differ by many orders in what they move
    Numbers lambda, sigma;

    DenseIsland();
    ~DenseIsland();

    void clear();
    int add(Law law, double coefficient);  // returns its first row
    // Once all blocks are there. What only hard steps need is allocated too, so that none of them has to.
    void allocate();
    // Each block's rho, from G, and the same by row.
    void scale_blocks();

    const double* row(int r) const { return G.data() + static_cast<std::ptrdiff_t>(r) * pitch; }
    double* row(int r) { return G.data() + static_cast<std::ptrdiff_t>(r) * pitch; }

    void update_velocities();  // σ = G λ + g
    Certificate certificate() const;

    // The ways to a solution. Each leaves λ and σ, and `reached` says how good they are. Returns its iterations.
    //
    // Newton's method with whole steps from λ, as long as each is much better than the last; the best is what is left. It
    // ends at the tolerance, or at the target where a step gains nothing.
    int newton(int steps, double target, double tolerance);
    // From what it has left: steps are made shorter until they are better, and are the more cautious the further there is
    // to go.
    int guarded_newton(int steps, double target);
    // From what is nearly there: a few steps whose equations are eliminated as they are.
    int polish(int steps, double tolerance);
    // From the middle of the cones. None, where rows have other laws than these. `middle`: how far from the edges it keeps
    // while the equation does not hold.
    int interior_point(int steps, double target, double rounding, double middle);
    // From λ; these leave `reached` to a newton() that follows.
    int alternate_directions(int steps, double tolerance);
    enum class Sweep : std::uint8_t { kProjected, kExact };
    int sweep(int sweeps, double tolerance, Sweep how);
    Certificate reached;

    struct Given {
        int row;
        double value;
    };
    bool newton_step();
    bool exact_step();
    void find_modes();
    void set_given();
    void choose_base(std::span<const int> rows_of_base);
    bool invert_equations();
    void keep();
    void return_to_best();

    // What they keep.
    const DenseCode& code = dense_code();
    Numbers matrix, factor, inverses, right, best, best_sigma, z, gamma, step, change, zeros;
    bool holds_inverse = false;  // `matrix`, of the equations of `base`
    std::vector<int> base, place, every;
    std::vector<int> closed;  // rows whose impulses are to be found
    std::vector<Given> given;
    std::vector<Departure> departures, departing;
    Numbers system;
    // For vectors: laws of rows.
    Numbers one_sided, tied, friction, contact_rho;
    std::vector<int> first_row;
    std::vector<OneContact> alone;
    struct Cone;
    struct InteriorPoint;
    std::unique_ptr<InteriorPoint> interior;
    void reserve_for_hard_steps();
};

}  // namespace plucker::impulses
