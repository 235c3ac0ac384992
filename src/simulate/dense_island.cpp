#include "dense_island.hpp"

namespace plucker::impulses {

void DenseIsland::clear() {
    rows = 0;
    blocks.clear();
}

int DenseIsland::add(Law law, double coefficient) {
    blocks.push_back({law, rows, coefficient, 1});
    rows += rows_of(law);
    return blocks.back().row;
}

void DenseIsland::allocate() {
    pitch = pitch_of(rows);
    const auto n = static_cast<std::size_t>(pitch);
    G.resize(static_cast<std::size_t>(rows) * n);
    for (std::vector<double>* x :
         {&g, &weight, &lambda, &sigma, &right, &best, &best_sigma, &z, &gamma, &step, &inverses}) {
        x->resize(n);
    }
    reserve_for_hard_steps();
    factored.clear();
    unknown.resize(n);
    place.resize(n);
    for (std::vector<double>* x : {&direction_x, &direction_y, &share}) x->resize(blocks.size());
}

void DenseIsland::scale_blocks() {
    for (Block& b : blocks) {
        double sum = 0;
        for (int r = b.row; r < b.row + rows_of(b.law); ++r) sum += row(r)[r];
        b.rho = sum / rows_of(b.law);
        if (!(b.rho > 0)) b.rho = 1;  // nothing that the impulse could move
        for (int r = b.row; r < b.row + rows_of(b.law); ++r) weight[r] = b.rho;
    }
}

void DenseIsland::update_velocities() {
    code.multiply(rows, pitch, G.data(), lambda.data(), g.data(), sigma.data());
}

Certificate DenseIsland::certificate() const {
    Certificate c;
    for (const Block& b : blocks) certify(b, lambda.data() + b.row, sigma.data() + b.row, c);
    return c;
}

// Block by block: each is given the impulse that it would have if the others kept theirs.
int DenseIsland::sweep(int sweeps, double tolerance) {
    update_velocities();
    const auto set = [&](int r, double value) {
        const double change = value - lambda[r];
        if (change == 0) return;
        lambda[r] = value;
        code.add(pitch, change, row(r), sigma.data());  // its column, too
    };
    alone.resize(blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
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
