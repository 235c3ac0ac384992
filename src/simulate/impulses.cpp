#include "plucker/simulate/impulses.hpp"

#include <numeric>

#include "dense_island.hpp"

namespace plucker {

const char* name_of(SolvedBy method) {
    switch (method) {
        case SolvedBy::kNothing:
            return "nothing";
        case SolvedBy::kNewton:
            return "newton";
        case SolvedBy::kInteriorPoint:
            return "interior-point";
        case SolvedBy::kAdmm:
            return "admm";
        case SolvedBy::kGaussSeidel:
            return "gauss-seidel";
    }
    return "?";
}

void ImpulseProblem::clear(int coordinates) {
    num_coordinates_ = coordinates;
    blocks_.clear();
    coordinates_.clear();
    entries_.clear();
    offset.clear();
    softness.clear();
}

double* ImpulseProblem::add(Law law, double coefficient, std::span<const int> coordinates) {
    const int rows = rows_of(law);
    const auto length = static_cast<int>(coordinates.size());
    blocks_.push_back({law, coefficient, num_rows(), static_cast<int>(entries_.size()),
                       static_cast<int>(coordinates_.size()), length});
    coordinates_.insert(coordinates_.end(), coordinates.begin(), coordinates.end());
    entries_.resize(entries_.size() + static_cast<std::size_t>(rows) * coordinates.size(), 0.0);
    offset.resize(offset.size() + static_cast<std::size_t>(rows), 0.0);
    softness.resize(offset.size(), 0.0);
    return entries_.data() + blocks_.back().first_entry;
}

double ImpulseProblem::velocity(const ImpulseBlock& b, int row, const double* p) const {
    const int* at = coordinates_.data() + b.first_coordinate;
    const double* w = entries(b, row);
    double sum = 0;
    for (int k = 0; k < b.length; ++k) sum += w[k] * p[at[k]];
    return sum;
}

void ImpulseProblem::push(const ImpulseBlock& b, int row, double impulse, double* p) const {
    if (impulse == 0) return;
    const int* at = coordinates_.data() + b.first_coordinate;
    const double* w = entries(b, row);
    for (int k = 0; k < b.length; ++k) p[at[k]] += impulse * w[k];
}

using impulses::Block;
using impulses::DenseIsland;

struct ImpulseSolver::Memory {
    struct Island {
        std::vector<int> blocks;  // of the problem
        int rows = 0;
    };
    SolverOptions options;
    std::vector<double> sigma;
    std::vector<int> leader;     // by coordinate: one of its island's
    std::vector<int> island_of;  // by leader
    std::vector<Island> islands;
    int num_islands = 0;
    DenseIsland dense;
    impulses::Numbers scattered;        // W, coordinate by coordinate
    std::vector<std::uint8_t> touched;  // coordinates; none, outside of form_matrix
    std::vector<int> moved;             // those that rows of `scattered` are of
    impulses::Numbers momenta;          // p of these
    std::vector<impulses::OneContact> alone;
    std::vector<Block> laws;  // of a large island

    int leader_of(int k) {
        while (leader[k] != k) k = leader[k] = leader[leader[k]];
        return k;
    }
    void find_islands(const ImpulseProblem& problem);
    void form_matrix(const ImpulseProblem& problem, const Island& island);
    SolverReport solve_dense(const ImpulseProblem& problem, const Island& island, double* p,
                             double* lambda, bool again, double target);
    SolverReport solve_large(const ImpulseProblem& problem, const Island& island, double* p,
                             double* lambda);
};

ImpulseSolver::ImpulseSolver(const SolverOptions& options) : memory_(std::make_unique<Memory>()) {
    memory_->options = options;
}
ImpulseSolver::~ImpulseSolver() = default;
ImpulseSolver::ImpulseSolver(ImpulseSolver&&) noexcept = default;
ImpulseSolver& ImpulseSolver::operator=(ImpulseSolver&&) noexcept = default;

const std::vector<double>& ImpulseSolver::velocities() const { return memory_->sigma; }

// Whether all blocks move the same first coordinate: that of a robot's base.
static bool share_a_root(const ImpulseProblem& problem) {
    const auto blocks = problem.blocks();
    if (blocks.empty()) return false;
    const auto root = [&](const ImpulseBlock& b) {
        const auto at = problem.coordinates_of(b);
        return at.empty() ? -1 : at[0];
    };
    const int first = root(blocks[0]);
    return first >= 0 && std::all_of(blocks.begin(), blocks.end(),
                                     [&](const ImpulseBlock& b) { return root(b) == first; });
}

// Coordinates that a row has in common belong together, and blocks with them.
void ImpulseSolver::Memory::find_islands(const ImpulseProblem& problem) {
    const auto blocks = problem.blocks();
    for (int i = 0; i < num_islands; ++i) {
        islands[i].blocks.clear();
        islands[i].rows = 0;
    }
    num_islands = 0;
    if (share_a_root(problem)) {
        if (islands.empty()) islands.emplace_back();
        num_islands = 1;
        for (int i = 0; i < static_cast<int>(blocks.size()); ++i) {
            islands[0].blocks.push_back(i);
            islands[0].rows += rows_of(blocks[i].law);
        }
        return;
    }
    leader.resize(static_cast<std::size_t>(problem.num_coordinates()));
    std::iota(leader.begin(), leader.end(), 0);
    for (const ImpulseBlock& b : blocks) {
        const auto at = problem.coordinates_of(b);
        for (std::size_t k = 1; k < at.size(); ++k) {
            const int first = leader_of(at[0]), other = leader_of(at[k]);
            leader[std::max(first, other)] = std::min(first, other);
        }
    }
    island_of.assign(leader.size(), -1);
    for (int i = 0; i < static_cast<int>(blocks.size()); ++i) {
        const auto at = problem.coordinates_of(blocks[i]);
        if (at.empty()) continue;  // nothing that could move
        int& island = island_of[leader_of(at[0])];
        if (island < 0) {
            island = num_islands++;
            if (num_islands > static_cast<int>(islands.size())) islands.emplace_back();
        }
        islands[island].blocks.push_back(i);
        islands[island].rows += rows_of(blocks[i].law);
    }
}

void ImpulseSolver::Memory::form_matrix(const ImpulseProblem& problem, const Island& island) {
    const auto blocks = problem.blocks();
    dense.clear();
    for (const int i : island.blocks) dense.add(blocks[i].law, blocks[i].coefficient);
    dense.allocate();
    // W by coordinates: where a coordinate moves no row, zero. A row of G is then a sum of these.
    touched.resize(static_cast<std::size_t>(problem.num_coordinates()), 0);
    const int n = dense.pitch;
    const auto entries = static_cast<std::size_t>(problem.num_coordinates()) * n;
    if (scattered.size() < entries) scattered.resize(entries);
    for (const int i : island.blocks) {
        for (const int k : problem.coordinates_of(blocks[i])) touched[k] = 1;
    }
    moved.clear();
    for (int k = 0; k < problem.num_coordinates(); ++k) {
        if (touched[k] == 0) continue;
        touched[k] = 0;
        moved.push_back(k);
        std::fill_n(scattered.begin() + static_cast<std::ptrdiff_t>(k) * n, n, 0.0);
    }
    for (std::size_t a = 0; a < island.blocks.size(); ++a) {
        const ImpulseBlock& A = blocks[island.blocks[a]];
        const auto at = problem.coordinates_of(A);
        for (int r = 0; r < rows_of(A.law); ++r) {
            const double* w = problem.entries(A, r);
            const int row = dense.blocks[a].row + r;
            for (int k = 0; k < A.length; ++k)
                scattered[static_cast<std::size_t>(at[k]) * n + row] = w[k];
        }
    }
    for (std::size_t a = 0; a < island.blocks.size(); ++a) {
        const ImpulseBlock& A = blocks[island.blocks[a]];
        const int row = dense.blocks[a].row;
        dense.code.combine(rows_of(A.law), A.length, n, problem.entries(A, 0),
                           problem.coordinates_of(A).data(), scattered.data(), dense.row(row));
        for (int r = 0; r < rows_of(A.law); ++r)
            dense.row(row + r)[row + r] += problem.softness[A.row + r];
    }
    dense.scale_blocks();
}

SolverReport ImpulseSolver::Memory::solve_dense(const ImpulseProblem& problem, const Island& island,
                                                double* p, double* lambda, bool again,
                                                double target) {
    constexpr int kSweepsBetween = 20;
    const auto blocks = problem.blocks();
    if (again && num_islands == 1) {
        for (std::size_t i = 0; i < island.blocks.size(); ++i)
            dense.blocks[i].coefficient = blocks[island.blocks[i]].coefficient;
        dense.scale_blocks();
    } else {
        form_matrix(problem, island);
    }
    const auto num_moved = static_cast<int>(moved.size());
    momenta.resize(moved.size());
    for (std::size_t j = 0; j < moved.size(); ++j) momenta[j] = p[moved[j]];
    dense.code.combine(1, num_moved, dense.pitch, momenta.data(), moved.data(), scattered.data(),
                       dense.g.data());
    double largest = 0;
    for (std::size_t i = 0; i < island.blocks.size(); ++i) {
        const ImpulseBlock& b = blocks[island.blocks[i]];
        for (int r = 0; r < rows_of(b.law); ++r) {
            const int at = dense.blocks[i].row + r;
            dense.g[at] += problem.offset[b.row + r];
            dense.lambda[at] = lambda[b.row + r];
            largest = std::max(largest, std::abs(dense.g[at]));
        }
    }
    const double rounding = impulses::rounding_of(largest);
    SolverReport report;
    const auto within = [&](double tolerance) {
        return report.certificate.worst() <= tolerance + 10 * rounding;
    };
    const auto finish_by_newton = [&](SolvedBy by) {
        report.by = by;
        report.iterations += dense.newton(options.newton_steps, target,
                                          again ? std::max(1e-3 * target, rounding) : rounding);
        report.iterations += dense.guarded_newton(options.newton_steps, target);
        const bool is_near = dense.reached.worst() <= 1e3 * target;
        const double enough = again ? 0.03 * target : 10 * rounding;
        if (is_near && options.newton_steps > 0 && !(dense.reached.worst() <= enough))
            report.iterations += dense.polish(3, again ? enough : rounding);
        report.certificate = dense.reached;
    };
    const auto go_inside = [&](double middle) {
        report.by = SolvedBy::kInteriorPoint;
        report.iterations += dense.interior_point(options.interior_steps, target, rounding, middle);
        report.certificate = dense.reached;
    };
    if (again) dense.sweep(impulses::kFirstSweeps, target, DenseIsland::Sweep::kProjected);
    finish_by_newton(SolvedBy::kNewton);
    // Modes that go round in circles: from elsewhere they may not.
    for (int k = 0; k < 2 && options.newton_steps > 0 && !within(target); ++k) {
        report.iterations += dense.sweep(kSweepsBetween, target, DenseIsland::Sweep::kProjected);
        finish_by_newton(SolvedBy::kNewton);
    }
    if (!within(target)) go_inside(0.1);
    const bool goes_on = !again;
    if (goes_on && !within(options.tolerance)) go_inside(0.5);
    if (goes_on && !within(options.tolerance)) {
        report.iterations += dense.alternate_directions(options.admm_steps, target);
        finish_by_newton(SolvedBy::kAdmm);
    }
    if (goes_on && !within(options.tolerance)) {  // once more, with patience
        report.iterations += dense.alternate_directions(10 * options.admm_steps, target);
        finish_by_newton(SolvedBy::kAdmm);
    }
    constexpr int kRounds = 8;
    for (int round = 0; goes_on && round < kRounds && !within(options.tolerance); ++round) {
        report.iterations +=
            dense.sweep(options.sweeps / kRounds, target, DenseIsland::Sweep::kExact);
        finish_by_newton(SolvedBy::kGaussSeidel);
    }
    report.converged = within(options.tolerance);
    for (std::size_t i = 0; i < island.blocks.size(); ++i) {
        const ImpulseBlock& b = blocks[island.blocks[i]];
        for (int r = 0; r < rows_of(b.law); ++r) {
            const int at = dense.blocks[i].row + r;
            lambda[b.row + r] = dense.lambda[at];
            sigma[b.row + r] = dense.sigma[at];
        }
    }
    dense.code.read(num_moved, dense.pitch, moved.data(), scattered.data(), dense.lambda.data(), p);
    return report;
}

static impulses::OneContact contact_alone(const ImpulseProblem& problem, const ImpulseBlock& b) {
    const double *n = problem.entries(b, 0), *x = problem.entries(b, 1), *y = problem.entries(b, 2);
    const double* soft = problem.softness.data() + b.row;
    double nn = soft[0], nx = 0, ny = 0, xx = soft[1], xy = 0, yy = soft[2];
    for (int k = 0; k < b.length; ++k) {
        nn += n[k] * n[k];
        nx += n[k] * x[k];
        ny += n[k] * y[k];
        xx += x[k] * x[k];
        xy += x[k] * y[k];
        yy += y[k] * y[k];
    }
    return {nn, nx, ny, xx, xy, yy};
}

// Without G: velocities are kept as p, which each block reads and pushes along its own rows.
SolverReport ImpulseSolver::Memory::solve_large(const ImpulseProblem& problem, const Island& island,
                                                double* p, double* lambda) {
    const auto blocks = problem.blocks();
    laws.clear();
    alone.clear();
    double largest = 0;
    for (const int i : island.blocks) {
        const ImpulseBlock& b = blocks[i];
        double trace = 0;
        for (int r = 0; r < rows_of(b.law); ++r) {
            const double* w = problem.entries(b, r);
            trace += problem.softness[b.row + r];
            for (int k = 0; k < b.length; ++k) trace += w[k] * w[k];
            largest =
                std::max(largest, std::abs(problem.velocity(b, r, p) + problem.offset[b.row + r]));
            // A guess that the law does not allow would stay in rows that nothing touches.
            problem.push(b, r, lambda[b.row + r], p);
        }
        const double rho = trace > 0 ? trace / rows_of(b.law) : 1;
        laws.push_back({b.law, b.row, b.coefficient, rho, 1 / rho});
        alone.push_back(b.law == Law::kContact ? contact_alone(problem, b)
                                               : impulses::OneContact{});
    }
    const double tolerance = options.tolerance + 1e-13 * largest;
    const auto velocity = [&](const ImpulseBlock& b, int r) {
        return problem.velocity(b, r, p) + problem.offset[b.row + r] +
               problem.softness[b.row + r] * lambda[b.row + r];
    };
    const auto set = [&](const ImpulseBlock& b, int r, double value) {
        problem.push(b, r, value - lambda[b.row + r], p);
        lambda[b.row + r] = value;
    };
    SolverReport report;
    report.by = SolvedBy::kGaussSeidel;
    for (int k = 1; k <= options.sweeps; ++k) {
        ++report.iterations;
        for (std::size_t i = 0; i < island.blocks.size(); ++i) {
            const ImpulseBlock& b = blocks[island.blocks[i]];
            if (b.law == Law::kContact) {
                double own[3], others[3], wanted[3];
                alone[i].apply(lambda + b.row, own);
                for (int r = 0; r < 3; ++r) others[r] = velocity(b, r) - own[r];
                alone[i].solve(others, b.coefficient, wanted);
                for (int r = 0; r < 3; ++r) set(b, r, wanted[r]);
                continue;
            }
            const double y = lambda[b.row] - velocity(b, 0) / laws[i].rho;
            switch (b.law) {
                case Law::kStop:
                    set(b, 0, std::max(0.0, y));
                    break;
                case Law::kDry:
                    set(b, 0, impulses::projected_dry(y, b.coefficient));
                    break;
                case Law::kSpin:
                    set(b, 0, impulses::projected_dry(y, b.coefficient * lambda[b.row - 3]));
                    break;
                default:
                    set(b, 0, y);
            }
        }
        if (k % 8 != 0 && k != options.sweeps) continue;
        report.certificate = {};
        for (std::size_t i = 0; i < island.blocks.size(); ++i) {
            const ImpulseBlock& b = blocks[island.blocks[i]];
            for (int r = 0; r < rows_of(b.law); ++r) sigma[b.row + r] = velocity(b, r);
            impulses::certify(laws[i], lambda + b.row, sigma.data() + b.row, report.certificate);
        }
        if (report.certificate.worst() <= tolerance) break;
    }
    report.converged = report.certificate.worst() <= tolerance;
    return report;
}

SolverReport ImpulseSolver::solve(const ImpulseProblem& problem, double* p, double* lambda) {
    memory_->sigma.assign(static_cast<std::size_t>(problem.num_rows()), 0.0);
    memory_->find_islands(problem);
    return solve_islands(problem, p, lambda, false, memory_->options.target);
}
SolverReport ImpulseSolver::solve_again(const ImpulseProblem& problem, double* p, double* lambda,
                                        double enough) {
    return solve_islands(problem, p, lambda, true, std::max(enough, memory_->options.target));
}

SolverReport ImpulseSolver::solve_islands(const ImpulseProblem& problem, double* p, double* lambda,
                                          bool again, double target) {
    Memory& m = *memory_;
    SolverReport all;
    for (int i = 0; i < m.num_islands; ++i) {
        const Memory::Island& island = m.islands[i];
        const SolverReport one = island.rows > m.options.largest_matrix
                                     ? m.solve_large(problem, island, p, lambda)
                                     : m.solve_dense(problem, island, p, lambda, again, target);
        Certificate& c = all.certificate;
        c.primal = std::max(c.primal, one.certificate.primal);
        c.dual = std::max(c.dual, one.certificate.dual);
        c.complementarity = std::max(c.complementarity, one.certificate.complementarity);
        all.by = std::max(all.by, one.by);
        all.iterations += one.iterations;
        all.converged = all.converged && one.converged;
    }
    return all;
}

}  // namespace plucker
