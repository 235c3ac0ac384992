#include "dense_island.hpp"

#include <algorithm>

namespace plucker::impulses {

void DenseIsland::clear() {
    rows = 0;
    blocks.clear();
}

int DenseIsland::add(Law law, double coefficient) {
    blocks.push_back({law, rows, coefficient, 1, 1});
    rows += rows_of(law);
    return blocks.back().row;
}

void DenseIsland::allocate() {
    pitch = pitch_of(rows);
    const auto n = static_cast<std::size_t>(pitch);
    G.resize(static_cast<std::size_t>(rows) * n);
    for (Numbers* x : {&right, &best, &best_sigma, &z, &gamma, &step, &inverses, &change}) {
        x->resize(n);
    }
    // What stands beyond the rows is zero.
    for (Numbers* x : {&g, &lambda, &sigma, &weight, &one_sided, &tied, &zeros}) x->assign(n, 0.0);
    reserve_for_hard_steps();
    holds_inverse = false;
    alone.clear();
    place.resize(n);
}

void DenseIsland::scale_blocks() {
    first_row.clear();
    friction.clear();
    contact_rho.clear();
    for (Block& b : blocks) {
        double sum = 0;
        for (int r = b.row; r < b.row + rows_of(b.law); ++r) sum += row(r)[r];
        b.rho = sum / rows_of(b.law);
        if (!(b.rho > 0)) b.rho = 1;  // nothing that the impulse could move
        b.inverse_rho = 1 / b.rho;
        for (int r = b.row; r < b.row + rows_of(b.law); ++r) weight[r] = b.rho;
        if (b.law == Law::kStop || b.law == Law::kContact) one_sided[b.row] = 1;
        if (b.law == Law::kTied) tied[b.row] = 1;
        if (b.law != Law::kContact) continue;
        first_row.push_back(b.row);
        friction.push_back(b.coefficient);
        contact_rho.push_back(b.rho);
    }
    while (first_row.size() % 8 != 0) {
        first_row.push_back(first_row.back());
        friction.push_back(friction.back());
        contact_rho.push_back(contact_rho.back());
    }
}

void DenseIsland::update_velocities() {
    code.multiply(rows, pitch, G.data(), lambda.data(), g.data(), sigma.data());
}

Certificate DenseIsland::certificate() const {
    double worst[3];
    code.certify(
        {pitch, weight.data(), one_sided.data(), tied.data(), static_cast<int>(first_row.size()),
         first_row.data(), friction.data(), contact_rho.data()},
        lambda.data(), sigma.data(), worst);
    Certificate c{worst[0], worst[1], worst[2]};
    for (const Block& b : blocks) {
        if (b.law == Law::kDry || b.law == Law::kSpin)
            certify(b, lambda.data() + b.row, sigma.data() + b.row, c);
    }
    return c;
}

// Block by block: each is given the impulse that it would have if the others kept theirs, or a step towards it, which costs a tenth.
int DenseIsland::sweep(int sweeps, double tolerance, Sweep how) {
    update_velocities();
    const auto set = [&](int r, double value) {
        const double more = value - lambda[r];
        if (more == 0) return;
        lambda[r] = value;
        code.add(pitch, more, row(r), sigma.data());  // its column, too
    };
    const bool is_known = how == Sweep::kProjected || alone.size() == blocks.size();
    if (!is_known) alone.resize(blocks.size());
    for (std::size_t i = 0; i < blocks.size() && !is_known; ++i) {
        const int r = blocks[i].row;
        if (blocks[i].law != Law::kContact) continue;
        const double *n = row(r), *x = row(r + 1), *y = row(r + 2);
        alone[i] = {n[r], n[r + 1], n[r + 2], x[r + 1], x[r + 2], y[r + 2]};
    }
    for (int k = 1; k <= sweeps; ++k) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const Block& b = blocks[i];
            const int r = b.row;
            const double diagonal = row(r)[r];
            if (b.law == Law::kContact && how == Sweep::kProjected) {
                if (!(diagonal > 0)) continue;
                set(r, std::max(0.0, lambda[r] - sigma[r] / diagonal));
                const double weight_T = 0.5 * (row(r + 1)[r + 1] + row(r + 2)[r + 2]);
                if (!(weight_T > 0)) continue;
                const Tangent t = projected_disk({lambda[r + 1] - sigma[r + 1] / weight_T,
                                                  lambda[r + 2] - sigma[r + 2] / weight_T},
                                                 b.coefficient * lambda[r]);
                set(r + 1, t.x);
                set(r + 2, t.y);
                continue;
            }
            if (b.law == Law::kContact) {
                double own[3], others[3], wanted[3];
                alone[i].apply(lambda.data() + r, own);
                for (int t = 0; t < 3; ++t) others[t] = sigma[r + t] - own[t];
                alone[i].solve(others, b.coefficient, wanted);
                for (int t = 0; t < 3; ++t) set(r + t, wanted[t]);
                continue;
            }
            if (!(diagonal > 0)) continue;
            const double y = lambda[r] - sigma[r] / diagonal;
            switch (b.law) {
                case Law::kStop:
                    set(r, std::max(0.0, y));
                    break;
                case Law::kDry:
                    set(r, projected_dry(y, b.coefficient));
                    break;
                case Law::kSpin:
                    set(r, projected_dry(y, b.coefficient * lambda[r - 3]));
                    break;
                default:
                    set(r, y);
            }
        }
        if (k % 4 == 0 || k == sweeps) {
            update_velocities();  // without the rounding of the updates
            if (certificate().worst() <= tolerance) return k;
        }
    }
    return sweeps;
}

}  // namespace plucker::impulses
