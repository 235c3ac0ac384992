// The contact solver: the impulses λ of one time step, and the resulting velocities σ.
//
//     σ = G λ + g,    G = W Wᵀ
//
// g are the velocities without impulses. W is J L⁻¹, where M = Lᵀ L: in the coordinates p = L v, in which the kinetic energy
// is |p|²/2, a row of W is at once the direction in which its impulse pushes the robot and the direction along which its
// velocity is measured. A row is as long as the path from its bodies to the root.
//
// Rows come in blocks, and a block obeys one law:
//
//     kTied     σ = 0                                     a loop, a motion that is prescribed
//     kStop     0 ≤ λ ⟂ σ ≥ 0                             a joint limit
//     kDry      |λ| ≤ limit, and σ ≠ 0 only against it    dry friction in a joint
//     kContact  three rows, along the normal and two tangents:
//               0 ≤ λ_N ⟂ σ_N ≥ 0, |λ_T| ≤ μ λ_N, and σ_T ≠ 0 only against λ_T of that length
//     kSpin     the row after a contact: |λ| ≤ c λ_N, and σ ≠ 0 only against it
//
// The contact law is exactly Coulomb's: its cone is round, and a sliding contact does not lift off. It is not the optimum of a
// convex problem. De Saxcé's form, which adds μ |σ_T| to σ_N, would be one for a fixed shift; but the shift depends on σ.
//
// Sources: Alart and Curnier 1991; Acary and Cadoux, Stress Rate-Free Formulations …, 2013; Daviet, Bertails-Descoubes and
// Boissieux, A hybrid iterative solver for robustly capturing Coulomb friction, 2011; Carpentier, Le Lidec and Montaut,
// From Compliant to Rigid Contact Simulation: a Unified and Efficient Approach, 2024.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace plucker {

enum class Law : std::uint8_t { kTied, kStop, kDry, kContact, kSpin };
constexpr int rows_of(Law law) { return law == Law::kContact ? 3 : 1; }

struct ImpulseBlock {
    Law law = Law::kTied;
    double coefficient = 0;  // μ, the limit of λ, or c
    int row = 0;             // its first
    // Where its rows of W stand, one after the other, and the coordinates that they belong to.
    int first_entry = 0;
    int first_coordinate = 0;
    int length = 0;
};

// How far λ and σ are from what the laws ask for, in the units of σ: m/s and rad/s.
struct Certificate {
    double primal =
        0;  // the largest velocity that goes where it must not: into the ground, out of a loop
    double dual =
        0;  // the largest part of an impulse outside of its cone, as the velocity that it causes
    double complementarity = 0;  // the largest violation of what ties the two together
    double worst() const {
        const double a = primal > dual ? primal : dual;
        return a > complementarity ? a : complementarity;
    }
};

// What led to the impulses.
enum class SolvedBy : std::uint8_t {
    kNothing,        // there was nothing to solve
    kNewton,         // modes as in the last step, or found within a few steps of Newton's method
    kInteriorPoint,  // between the laws' edges, then Newton's method
    kAdmm,           // alternating directions, then Newton's method
    kGaussSeidel,    // contact by contact, exactly, over and over
};
const char* name_of(SolvedBy method);

struct SolverReport {
    Certificate certificate;
    SolvedBy by = SolvedBy::kNothing;
    int iterations = 0;
    bool converged = true;  // the certificate is within the tolerance
};

// What a block does.
enum class ContactMode : std::uint8_t { kOpen, kStick, kSlide };
constexpr const char* name_of(ContactMode mode) {
    return mode == ContactMode::kOpen ? "open" : (mode == ContactMode::kStick ? "stick" : "slide");
}

// The rows of one step; filled anew for each, and its memory kept.
class ImpulseProblem {
public:
    void clear(int coordinates);
    // A block whose rows of W belong to `coordinates`. Returns where to write them, one row after the other, zero so far.
    double* add(Law law, double coefficient, std::span<const int> coordinates);
    // σ that a row has without impulses, beyond W p: an offset of velocity.
    std::vector<double> offset;
    // Softness: σ of a row grows by this times its λ. Zero: rigid.
    std::vector<double> softness;

    std::span<const ImpulseBlock> blocks() const { return blocks_; }
    void set_coefficient(std::size_t block, double value) { blocks_[block].coefficient = value; }
    int num_rows() const { return static_cast<int>(offset.size()); }
    int num_coordinates() const { return num_coordinates_; }
    std::span<const int> coordinates_of(const ImpulseBlock& b) const {
        return {coordinates_.data() + b.first_coordinate, static_cast<std::size_t>(b.length)};
    }
    const double* entries(const ImpulseBlock& b, int row) const {
        return entries_.data() + b.first_entry + static_cast<std::ptrdiff_t>(row) * b.length;
    }
    double* entries(const ImpulseBlock& b, int row) {
        return entries_.data() + b.first_entry + static_cast<std::ptrdiff_t>(row) * b.length;
    }

    // σ of row `row` of a block, less its offset: W p.
    double velocity(const ImpulseBlock& b, int row, const double* p) const;
    // p += Wᵀ λ of one row.
    void push(const ImpulseBlock& b, int row, double impulse, double* p) const;

private:
    std::vector<ImpulseBlock> blocks_;
    std::vector<int> coordinates_;
    std::vector<double> entries_;
    int num_coordinates_ = 0;
};

struct SolverOptions {
    double target = 1e-8;     // of the certificate, m/s: what is tried for
    double tolerance = 1e-6;  // what counts as converged
    int newton_steps = 16;
    int interior_steps = 40;
    int admm_steps = 80;
    int sweeps = 400;  // of Gauss and Seidel
    int largest_matrix =
        360;  // islands with more rows are solved without forming G, by sweeps alone
};

class ImpulseSolver {
public:
    explicit ImpulseSolver(const SolverOptions& options = {});
    ~ImpulseSolver();
    ImpulseSolver(ImpulseSolver&&) noexcept;
    ImpulseSolver& operator=(ImpulseSolver&&) noexcept;

    // `p`: the velocity without impulses; on return, with them. `lambda`: a guess, and the result. A guess may be anything
    // finite: the impulses of the step before lead to the result soonest.
    SolverReport solve(const ImpulseProblem& problem, double* p, double* lambda);
    // The rows of the last call once more, with other offsets and coefficients, where a result is welcome but not needed:
    // what is not found quickly is not found, and what is off by no more than `enough` is not made better.
    SolverReport solve_again(const ImpulseProblem& problem, double* p, double* lambda,
                             double enough);

    // σ of the last solution, by row.
    const std::vector<double>& velocities() const;

private:
    struct Memory;
    SolverReport solve_islands(const ImpulseProblem& problem, double* p, double* lambda, bool again,
                               double target);
    std::unique_ptr<Memory> memory_;
};

}  // namespace plucker
