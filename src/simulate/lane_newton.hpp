// Newton's method on the laws of impulses (newton.cpp), for the islands of several robots at once: one a lane.
//
// All robots of a pack have the same blocks; one that lacks a block has zeros in its rows and a velocity that opens it, so
// that it stays open. Lanes differ in the modes of their blocks: where an impulse is given, its equation is Δλ = 0. Nothing
// that a lane computes depends on the others: rows that are given in all lanes are left out, which changes no number, and a
// lane that is done keeps what it has. What needs more than whole steps is not solved here.
//
// Equations are eliminated without looking for pivots: those of sticking are symmetric and positive, and sliding adds ρ to
// the diagonal. Where that is not good enough the certificate says so.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "laws_of_impulses.hpp"

namespace plucker::impulses {

template <class S>
class LaneNewton {
public:
    using Mask = MaskOf<S>;
    struct Block {
        Law law;
        int row;
        S coefficient;
        S rho, inverse_rho;
    };

    void clear() {
        rows_ = 0;
        blocks_.clear();
    }
    void add(Law law, const S& coefficient) {
        blocks_.push_back({law, rows_, coefficient, S(1), S(1)});
        rows_ += rows_of(law);
    }
    void set_coefficient(int block, const S& value) {
        blocks_[static_cast<std::size_t>(block)].coefficient = value;
    }
    // Once all blocks are there. Then G is to be written, row by row, and scale_blocks to be called.
    void allocate() {
        const auto n = static_cast<std::size_t>(rows_);
        if (G_.size() < n * n) {
            G_.resize(n * n);
            A_.resize(n * n);
        }
        for (std::vector<S>* x : {&g, &lambda, &sigma, &best_, &best_sigma_, &right_, &inverse_})
            x->resize(n);
        unknown_.resize(n);
        place_.resize(n);
        slides_.resize(blocks_.size());
    }
    S* row(int r) { return G_.data() + static_cast<std::ptrdiff_t>(r) * rows_; }
    int num_rows() const { return rows_; }
    void scale_blocks() {
        for (Block& b : blocks_) {
            S sum(0);
            for (int r = b.row; r < b.row + rows_of(b.law); ++r) sum += row(r)[r];
            const S mean = sum * S(1.0 / rows_of(b.law));
            b.rho = select(mean > S(0), mean, S(1));  // nothing that the impulse could move
            b.inverse_rho = S(1) / b.rho;
        }
    }

    std::vector<S> g, lambda, sigma;
    CertificateOf<S> reached;
    S iterations{};

    // From lambda, in the lanes that are wanted: as DenseIsland::newton.
    void solve(const Mask& wanted, int steps, const S& target, const S& tolerance) {
        update_velocities();
        reached = certificate();
        keep(S(1) > S(0));
        iterations = S(0);
        is_fresh_ = true;
        Mask going = wanted & !(reached.worst() <= tolerance);
        for (int k = 0; k < steps && any(going); ++k) {
            iterations += select(going, S(1), S(0));
            newton_step(going);
            const CertificateOf<S> now = certificate();
            const S gain = select(reached.worst() <= target, S(0.5), S(0.3));
            const Mask goes_on = now.worst() < gain * reached.worst();
            const Mask better = going & (now.worst() < reached.worst());
            improve(better, now);
            keep(better);
            going = going & goes_on & !(reached.worst() <= tolerance);
        }
        lambda = best_;
        sigma = best_sigma_;
    }

private:
    void update_velocities() {
        for (int r = 0; r < rows_; ++r) {
            const S* G = row(r);
            S sum = g[r];
            for (int c = 0; c < rows_; ++c) sum += G[c] * lambda[c];
            sigma[r] = sum;
        }
    }
    CertificateOf<S> certificate() const {
        CertificateOf<S> c;
        for (const Block& b : blocks_) {
            certify(b.law, b.coefficient, b.rho, lambda.data() + b.row, sigma.data() + b.row, c);
        }
        return c;
    }
    void improve(const Mask& where, const CertificateOf<S>& now) {
        reached.primal = select(where, now.primal, reached.primal);
        reached.dual = select(where, now.dual, reached.dual);
        reached.complementarity = select(where, now.complementarity, reached.complementarity);
    }
    void keep(const Mask& where) {
        for (int r = 0; r < rows_; ++r) {
            best_[r] = select(where, lambda[r], best_[r]);
            best_sigma_[r] = select(where, sigma[r], best_sigma_[r]);
        }
    }

    // A contact that slides: where, in which direction, and the part of its tangents that turns with it.
    struct Slide {
        Mask slides;
        S x, y, part;
    };

    // Which impulses are unknown; the others are set to what they are given.
    void find_modes() {
        const S zero(0);
        const auto set = [&](int r, const Mask& unknown, const S& given) {
            lambda[r] = select(unknown, lambda[r], given);
            changed_ = changed_ | (unknown_[r] & !unknown) | (unknown & !unknown_[r]);
            unknown_[r] = unknown;
        };
        slides_now_ = false;
        changed_ = S(0) > S(1);
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            const Block& b = blocks_[i];
            const int r = b.row;
            const S y = lambda[r] - sigma[r] * b.inverse_rho;
            if (b.law == Law::kTied) {
                set(r, S(1) > zero, zero);
            } else if (b.law == Law::kStop) {
                set(r, y > zero, zero);
            } else if (b.law == Law::kDry) {
                set(r, abs(y) <= b.coefficient, select(y < zero, -b.coefficient, b.coefficient));
            } else {
                const Mask closed = y > zero, rough = closed & (b.coefficient > zero);
                const S y_x = lambda[r + 1] - sigma[r + 1] * b.inverse_rho;
                const S y_y = lambda[r + 2] - sigma[r + 2] * b.inverse_rho;
                const S radius = b.coefficient * y, length = sqrt(y_x * y_x + y_y * y_y);
                const Mask slides = rough & !(length <= radius);
                set(r, closed, zero);
                set(r + 1, rough, zero);
                set(r + 2, rough, zero);
                slides_[i].slides = slides;
                if (!any(slides)) continue;
                slides_now_ = true;
                const S inverse = S(1) / length;
                slides_[i].x = y_x * inverse;
                slides_[i].y = y_y * inverse;
                slides_[i].part = radius * inverse;
            }
        }
    }

    // One step from λ and σ, and σ after it.
    void newton_step(const Mask& going) {
        find_modes();
        update_velocities();
        // The same unknowns as in the step before: its factors serve again, and what they left is taken away.
        if (is_fresh_ || slides_now_ || slid_ || any(changed_ & going)) factor(going);
        for (std::size_t i = 0; i < used_.size(); ++i) {
            const int r = used_[i].row;
            right_[i] = select(unknown_[r], -sigma[r], S(0));
        }
        for (std::size_t i = 0; i < blocks_.size() && slides_now_; ++i) {
            const Block& b = blocks_[i];
            if (b.law != Law::kContact || !any(slides_[i].slides)) continue;
            const Slide& slide = slides_[i];
            const int at = place_[b.row + 1].row;
            if (at < 0) continue;
            const S most = b.coefficient * lambda[b.row];
            right_[at] =
                select(slide.slides, b.rho * (most * slide.x - lambda[b.row + 1]), right_[at]);
            right_[at + 1] =
                select(slide.slides, b.rho * (most * slide.y - lambda[b.row + 2]), right_[at + 1]);
        }
        solve_factored();
        for (std::size_t i = 0; i < used_.size(); ++i) lambda[used_[i].row] += right_[i];
        update_velocities();
    }

    // The equations of newton.cpp, of the rows that a lane which goes on has not given: A = L U.
    void factor(const Mask& going) {
        constexpr double kProximal = 1e-9;  // relative to what a row moves by itself
        is_fresh_ = false;
        slid_ = slides_now_;
        used_.clear();
        for (int r = 0; r < rows_; ++r) {
            place_[r].row = -1;
            if (!any(unknown_[r] & going)) continue;
            place_[r].row = static_cast<int>(used_.size());
            used_.push_back({r});
        }
        for (const Block& b : blocks_) {
            for (int r = b.row; r < b.row + rows_of(b.law); ++r) {
                if (place_[r].row >= 0) write_equation(r, S(kProximal) * b.rho);
            }
        }
        for (std::size_t i = 0; i < blocks_.size() && slides_now_; ++i) {
            const Block& b = blocks_[i];
            if (b.law == Law::kContact && any(slides_[i].slides & going))
                write_slide(b, slides_[i]);
        }
        eliminate();
    }
    void write_equation(int r, const S& proximal) {
        const S* from = row(r);
        S* to = equation(place_[r].row);
        for (std::size_t j = 0; j < used_.size(); ++j) {
            to[j] = select(unknown_[r], from[used_[j].row], S(0));
        }
        S& diagonal = to[place_[r].row];
        diagonal = select(unknown_[r], diagonal + proximal, S(1));
    }
    // ρ [Δλ_T - μ n Δλ_N - a P (Δλ_T - Δσ_T/ρ)] = -ρ [λ_T - μ λ_N n], with P = 1 - n nᵀ.
    void write_slide(const Block& b, const Slide& slide) {
        const int at = place_[b.row].row, x = place_[b.row + 1].row, y = x + 1;
        S *X = equation(x), *Y = equation(y);
        const Mask& here = slide.slides;
        const S n_x = slide.x, n_y = slide.y;
        const S a = select(slide.part < S(1), slide.part, S(1));
        for (std::size_t j = 0; j < used_.size(); ++j) {
            const S along = n_x * X[j] + n_y * Y[j];
            X[j] = select(here, a * (X[j] - along * n_x), X[j]);
            Y[j] = select(here, a * (Y[j] - along * n_y), Y[j]);
        }
        const auto add = [&](S& entry, const S& more) {
            entry = select(here, entry + more, entry);
        };
        const S most = b.rho * b.coefficient, turn = b.rho * a * n_x * n_y;
        add(X[at], -(most * n_x));
        add(Y[at], -(most * n_y));
        add(X[x], b.rho * (S(1) - a * (S(1) - n_x * n_x)));
        add(X[y], turn);
        add(Y[x], turn);
        add(Y[y], b.rho * (S(1) - a * (S(1) - n_y * n_y)));
    }
    void eliminate() {
        const int n = static_cast<int>(used_.size());
        for (int k = 0; k < n; ++k) {
            const S* pivot = equation(k);
            const S inverse = inverse_[k] = S(1) / pivot[k];
            for (int r = k + 1; r < n; ++r) {
                S* own = equation(r);
                const S share = own[k] = own[k] * inverse;
                for (int c = k + 1; c < n; ++c) own[c] -= share * pivot[c];
            }
        }
    }
    void solve_factored() {
        const int n = static_cast<int>(used_.size());
        for (int r = 0; r < n; ++r) {
            const S* own = equation(r);
            S sum = right_[r];
            for (int c = 0; c < r; ++c) sum -= own[c] * right_[c];
            right_[r] = sum;
        }
        for (int r = n - 1; r >= 0; --r) {
            const S* own = equation(r);
            S sum = right_[r];
            for (int c = r + 1; c < n; ++c) sum -= own[c] * right_[c];
            right_[r] = sum * inverse_[r];
        }
    }
    S* equation(int i) { return A_.data() + static_cast<std::size_t>(i) * used_.size(); }

    struct Row {
        int row;
    };
    int rows_ = 0;
    std::vector<Block> blocks_;
    std::vector<S> G_, A_, right_, inverse_, best_, best_sigma_;
    std::vector<Mask> unknown_;
    std::vector<Slide> slides_;  // by block
    std::vector<Row> used_;      // rows that are unknown in a lane
    std::vector<Row> place_;     // of a row among these, or -1
    bool is_fresh_ = true;       // nothing is in factors
    bool slid_ = false;          // what is in factors slides in some lane
    bool slides_now_ = false;    // in any lane
    Mask changed_{};             // lanes whose modes are not those of the last step
};

}  // namespace plucker::impulses
