// Newton's method on the laws of impulses (newton.cpp), for the islands of several robots at once: one a lane.
//
// Here the unknown is how p changes, not the impulses: a row with σ = w · p + g that asks for σ = 0 is given
// Δλ = -(σ + w · Δp)/ε, ε a small multiple of what the row moves by itself, and
//
//     (1 + Wᵀ K W) Δp = Wᵀ u,    Δλ = u - K W Δp
//
// with K and u of each block by its modes. The matrix has as many rows as the robots have freedoms, whatever acts on them, and an
// entry where two coordinates are moved by the same block. A body's rows lie along its path to the root, so that
// eliminated from the leaves, as M is, they leave nothing where nothing was; what limbs that touch each other add is found by
// looking at which coordinates meet.
//
// All robots of a pack have the same blocks; one that lacks a block has zeros in its rows and a velocity that opens it, so
// that it stays open. Lanes differ in the modes of their blocks. Nothing that a lane computes depends on the others: what other
// lanes add to the order of elimination are zeros here, and a lane that is done keeps what it has. What needs more than whole
// steps is not solved here.
//
// Equations are eliminated without looking for pivots. Where that is not good enough the certificate says so.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "laws_of_impulses.hpp"
#include "path_matrix.hpp"

namespace plucker::impulses {

template <class S>
class LaneNewton {
public:
    using Mask = MaskOf<S>;

    void clear(int coordinates) {
        matrix_.clear(coordinates);
        blocks_.clear();
        rows_ = entries_ = 0;
    }
    // Its coordinates must stay.
    void add(Law law, const S& coefficient, double softness, std::span<const int> coordinates) {
        blocks_.push_back({law, rows_, entries_, coordinates, coefficient, S(softness)});
        rows_ += rows_of(law);
        entries_ += static_cast<std::ptrdiff_t>(coordinates.size()) * rows_of(law);
    }
    void set_coefficient(int block, const S& value) {
        blocks_[static_cast<std::size_t>(block)].coefficient = value;
    }
    // Once all blocks are there. Then W is to be written, and scale_blocks to be called.
    void allocate() {
        const auto n = static_cast<std::size_t>(rows_);
        if (W_.size() < static_cast<std::size_t>(entries_))
            W_.resize(static_cast<std::size_t>(entries_));
        for (std::vector<S>* x : {&offset, &lambda, &sigma, &best_, &best_sigma_, &toward_})
            x->resize(n);
        for (std::vector<S>* x : {&p_, &change_})
            x->resize(static_cast<std::size_t>(matrix_.size()));
        for (const Block& b : blocks_) matrix_.couple(b.coordinates);
        matrix_.begin();
    }
    // Of a block: for each of its coordinates, what its rows have there, one after the other.
    S* entries(int block) { return W_.data() + blocks_[static_cast<std::size_t>(block)].first; }
    int num_rows() const { return rows_; }
    void scale_blocks() {
        for (Block& b : blocks_) {
            S own = b.softness, tangents(0);
            const S* w = W_.data() + b.first;
            for (std::size_t k = 0; k < b.coordinates.size(); ++k, w += rows_of(b.law)) {
                own += w[0] * w[0];
                if (b.law == Law::kContact) tangents += w[1] * w[1] + w[2] * w[2];
            }
            const auto inverse_of = [](const S& x) {
                return select(x > S(0), S(1) / select(x > S(0), x, S(1)), S(0));
            };
            b.inverse[0] = inverse_of(own);
            b.inverse[1] = inverse_of(S(0.5) * tangents);
            const S mean = (own + tangents) * S(1.0 / rows_of(b.law));
            b.rho = select(mean > S(0), mean, S(1));  // nothing that the impulse could move
            b.inverse_rho = S(1) / b.rho;
            b.stiff[0] = S(1) / (S(kProximal) * b.rho + b.softness);
            b.stiff[1] = S(1 / kProximal) * b.inverse_rho;
        }
    }

    std::vector<S> offset, lambda, sigma;  // σ = W p + offset
    CertificateOf<S> reached;
    S iterations{};

    // The largest velocity that p leaves.
    S largest_velocity(const S* p) {
        S largest(0);
        for (const Block& b : blocks_) {
            S velocity[3];
            measure(b, p, velocity);
            for (int r = 0; r < rows_of(b.law); ++r) {
                const S size = abs(velocity[r] + offset[b.row + r]);
                largest = select(size > largest, size, largest);
            }
        }
        return largest;
    }

    // From lambda, in the lanes that are wanted, and from p without impulses: after so many sweeps over the blocks whole steps, as
    // long as each is better than the last; as DenseIsland::newton has it, but with more patience.
    void solve(const Mask& wanted, int sweeps, int steps, const S& target, const S& tolerance,
               const S* p) {
        free_ = p;
        if (sweeps > 0) sweep(wanted, sweeps);
        reached = update_velocities();
        keep(S(1) > S(0));
        iterations = S(0);
        Mask going = wanted & !(reached.worst() <= tolerance);
        for (int k = 0; k < steps && any(going); ++k) {
            iterations += select(going, S(1), S(0));
            newton_step(going);
            const CertificateOf<S> now = update_velocities();
            const S gain = select(reached.worst() <= target, S(0.5), S(kGain));
            const Mask goes_on = now.worst() < gain * reached.worst();
            const Mask better = going & (now.worst() < reached.worst());
            improve(better, now);
            keep(better);
            going = going & goes_on & !(reached.worst() <= tolerance);
        }
        lambda = best_;
        sigma = best_sigma_;
    }
    // Wᵀ λ.
    void push(S* out) const {
        for (int k = 0; k < matrix_.size(); ++k) out[k] = S(0);
        for (const Block& b : blocks_) push(b, lambda.data() + b.row, out);
    }

private:
    static constexpr double kProximal = 1e-6;  // as in newton.cpp
    // A step that leaves more than this part of what was off is the last.
    static constexpr double kGain = 0.6;
    // Of a block's three rows, normal and tangents, by the first two of (n, x, y): those of K that are not zero. All other laws
    // have the first.
    struct Stiffness {
        S nn{}, xn{}, yn{}, xx{}, xy{}, yy{};
    };
    struct Block {
        Law law;
        int row;
        std::ptrdiff_t first;  // in W
        std::span<const int> coordinates;
        S coefficient, softness;
        S rho{}, inverse_rho{};
        S stiff[2]{};    // where they are closed, and the same
        S inverse[2]{};  // of what the first row moves by itself, and of what the tangents do
        Stiffness K{};   // as it is in the matrix
        bool is_closed = false;  // in some lane, it may be
    };

    // w · p, of a block's rows.
    void measure(const Block& b, const S* p, S* out) const {
        const S* w = W_.data() + b.first;
        if (b.law != Law::kContact) {
            S sum(0);
            for (const int k : b.coordinates) sum += *w++ * p[k];
            out[0] = sum;
            return;
        }
        S n(0), x(0), y(0);
        for (const int k : b.coordinates) {
            n += w[0] * p[k];
            x += w[1] * p[k];
            y += w[2] * p[k];
            w += 3;
        }
        out[0] = n;
        out[1] = x;
        out[2] = y;
    }
    // out += Wᵀ λ.
    void push(const Block& b, const S* impulse, S* out) const {
        const S* w = W_.data() + b.first;
        const S zero(0);
        if (b.law != Law::kContact) {
            if (!any(impulse[0] != zero)) return;
            for (const int k : b.coordinates) out[k] += *w++ * impulse[0];
            return;
        }
        const S n = impulse[0], x = impulse[1], y = impulse[2];
        if (!any((n != zero) | (x != zero) | (y != zero))) return;
        for (const int k : b.coordinates) {
            S sum = out[k];
            sum += w[0] * n;
            sum += w[1] * x;
            sum += w[2] * y;
            out[k] = sum;
            w += 3;
        }
    }
    // As DenseIsland::sweep, projected. p follows λ.
    void sweep(const Mask& wanted, int sweeps) {
        for (int k = 0; k < matrix_.size(); ++k) p_[k] = free_[k];
        for (const Block& b : blocks_) push(b, lambda.data() + b.row, p_.data());
        for (; sweeps > 0; --sweeps) {
            for (const Block& b : blocks_) sweep(wanted, b);
        }
    }
    void sweep(const Mask& wanted, const Block& b) {
        const S zero(0);
        S moved[3];
        S more[3]{zero, zero, zero};
        S* l = lambda.data() + b.row;
        const auto set = [&](int r, const S& value) {
            const S now = select(wanted, value, l[r]);
            more[r] = now - l[r];
            l[r] = now;
        };
        measure(b, p_.data(), moved);
        const S y = l[0] - (moved[0] + offset[b.row] + b.softness * l[0]) * b.inverse[0];
        switch (b.law) {
            case Law::kTied:
                set(0, y);
                break;
            case Law::kDry:
                set(0, projected_dry(y, b.coefficient));
                break;
            default:
                set(0, select(y > zero, y, zero));
        }
        push(b, more, p_.data());
        if (b.law != Law::kContact) return;
        more[0] = zero;
        if (!any((l[0] != zero) | (l[1] != zero) | (l[2] != zero))) return;
        measure(b, p_.data(), moved);
        const S x_T = l[1] - (moved[1] + offset[b.row + 1]) * b.inverse[1];
        const S y_T = l[2] - (moved[2] + offset[b.row + 2]) * b.inverse[1];
        const S length = sqrt(x_T * x_T + y_T * y_T), radius = b.coefficient * l[0];
        const S scale = select(length <= radius, S(1), radius / length);
        set(1, scale * x_T);
        set(2, scale * y_T);
        push(b, more, p_.data());
    }
    // σ of λ, and what it is worth.
    CertificateOf<S> update_velocities() {
        for (int k = 0; k < matrix_.size(); ++k) p_[k] = free_[k];
        for (const Block& b : blocks_) push(b, lambda.data() + b.row, p_.data());
        CertificateOf<S> c;
        for (const Block& b : blocks_) {
            S* s = sigma.data() + b.row;
            measure(b, p_.data(), s);
            for (int r = 0; r < rows_of(b.law); ++r) s[r] += offset[b.row + r];
            s[0] += b.softness * lambda[b.row];
            certify(b.law, b.coefficient, b.rho, lambda.data() + b.row, s, c);
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

    // What a block's modes make of it: K, and u.
    Stiffness aim(const Block& b, S* u) const {
        const S zero(0);
        const S &first = b.stiff[0], &stiff = b.stiff[1];
        const S *l = lambda.data() + b.row, *s = sigma.data() + b.row;
        const S y = l[0] - s[0] * b.inverse_rho;
        Stiffness K;
        const auto one = [&](const Mask& closed, const S& given) {
            K.nn = select(closed, first, zero);
            u[0] = select(closed, -(first * s[0]), given - l[0]);
        };
        if (b.law == Law::kTied) {
            one(S(1) > zero, zero);
            return K;
        }
        if (b.law == Law::kDry) {
            one(abs(y) <= b.coefficient, select(y < zero, -b.coefficient, b.coefficient));
            return K;
        }
        one(y > zero, zero);
        if (b.law != Law::kContact) return K;
        const Mask closed = y > zero, rough = closed & (b.coefficient > zero);
        const S mu = b.coefficient;
        K.xx = K.yy = select(rough, stiff, zero);
        u[1] = select(rough, -(stiff * s[1]), -l[1]);
        u[2] = select(rough, -(stiff * s[2]), -l[2]);
        const S y_x = l[1] - s[1] * b.inverse_rho, y_y = l[2] - s[2] * b.inverse_rho;
        const S radius = mu * y, length = sqrt(y_x * y_x + y_y * y_y);
        const Mask slides = rough & !(length <= radius);
        if (!any(slides)) return K;
        // Along y_T: Δλ_T = μ (λ_N + Δλ_N) - λ_T. Across: (1 - a) Δλ_T + a Δσ_T/ρ = -λ_T, with a = μ y_N/|y_T|.
        const S inverse = S(1) / length, n_x = y_x * inverse, n_y = y_y * inverse;
        const S a = radius * inverse, left = S(1) - a;
        const S give = S(1) / select(left > S(kProximal), left, S(kProximal));
        const S across = a * give * b.inverse_rho;
        const S along = mu * (l[0] + u[0]) - (n_x * l[1] + n_y * l[2]);
        const S aside = -(give * (n_x * l[2] - n_y * l[1]));
        u[1] = select(slides, n_x * along - n_y * aside, u[1]);
        u[2] = select(slides, n_y * along + n_x * aside, u[2]);
        K.xn = select(slides, n_x * mu * K.nn, zero);
        K.yn = select(slides, n_y * mu * K.nn, zero);
        K.xx = select(slides, across * n_y * n_y, K.xx);
        K.xy = select(slides, -(across * n_x * n_y), zero);
        K.yy = select(slides, across * n_x * n_x, K.yy);
        return K;
    }

    // One step from λ and σ.
    void newton_step(const Mask& going) {
        for (int k = 0; k < matrix_.size(); ++k) change_[k] = S(0);
        for (Block& b : blocks_) {
            S* u = toward_.data() + b.row;
            change_matrix(b, going, aim(b, u));
            push(b, u, change_.data());
        }
        if (matrix_.has_changed()) factor();
        matrix_.solve(change_.data());
        for (const Block& b : blocks_) {
            const S* u = toward_.data() + b.row;
            S* l = lambda.data() + b.row;
            if (!b.is_closed) {
                for (int r = 0; r < rows_of(b.law); ++r) l[r] += u[r];
                continue;
            }
            S moved[3];
            measure(b, change_.data(), moved);
            l[0] += u[0] - b.K.nn * moved[0];
            if (b.law != Law::kContact) continue;
            l[1] += u[1] - (b.K.xn * moved[0] + b.K.xx * moved[1] + b.K.xy * moved[2]);
            l[2] += u[2] - (b.K.yn * moved[0] + b.K.xy * moved[1] + b.K.yy * moved[2]);
        }
    }

    void factor() {
        matrix_.begin_factors();
        for (const Block& b : blocks_) {
            if (b.law == Law::kContact && any((b.K.xn != S(0)) | (b.K.yn != S(0))))
                matrix_.add_slide(b.coordinates, W_.data() + b.first, b.K.xn, b.K.yn);
        }
        matrix_.eliminate();
    }
    // K of lanes that go on becomes this.
    void change_matrix(Block& b, const Mask& going, const Stiffness& K) {
        const S zero(0);
        Mask changed = S(1) < zero;
        const auto difference = [&](S Stiffness::*which, Mask& where) {
            const S now = select(going, K.*which, b.K.*which), more = now - b.K.*which;
            b.K.*which = now;
            where = where | (more != zero);
            return more;
        };
        Stiffness more;
        more.nn = difference(&Stiffness::nn, changed);
        b.is_closed = b.is_closed || any(changed);
        if (b.law == Law::kContact) {
            more.xx = difference(&Stiffness::xx, changed);
            more.xy = difference(&Stiffness::xy, changed);
            more.yy = difference(&Stiffness::yy, changed);
            difference(&Stiffness::xn, changed);
            difference(&Stiffness::yn, changed);
        }
        const S* w = W_.data() + b.first;
        if (b.law != Law::kContact) {
            if (any(changed)) matrix_.add(b.coordinates, w, more.nn);
            return;
        }
        if (any(changed)) matrix_.add(b.coordinates, w, more.nn, more.xx, more.xy, more.yy);
    }

    int rows_ = 0;
    std::ptrdiff_t entries_ = 0;
    std::vector<Block> blocks_;
    std::vector<S> W_, best_, best_sigma_, toward_, p_, change_;
    const S* free_ = nullptr;
    PathMatrix<S> matrix_;
};

}  // namespace plucker::impulses
