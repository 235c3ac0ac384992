// The laws of impulses, on problems of all shapes: each solution is checked against the laws themselves.
#include <gtest/gtest.h>

#include <optional>

#include <array>
#include <cmath>
#include <numeric>
#include <random>

#include "plucker/simulate/impulses.hpp"

namespace plucker::test {
namespace {

struct Random {
    explicit Random(unsigned seed) : engine(seed) {}
    double normal() { return std::normal_distribution<double>()(engine); }
    double between(double a, double b) {
        return std::uniform_real_distribution<double>(a, b)(engine);
    }
    int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine); }
    std::mt19937 engine;
};

std::vector<int> all_of(int n) {
    std::vector<int> out(static_cast<std::size_t>(n));
    std::iota(out.begin(), out.end(), 0);
    return out;
}

void add(ImpulseProblem& problem, Law law, double coefficient, const std::vector<int>& at,
         Random& random) {
    double* w = problem.add(law, coefficient, at);
    for (std::size_t k = 0; k < at.size() * static_cast<std::size_t>(rows_of(law)); ++k) {
        w[k] = random.normal();
    }
}

// Velocities that leave v = 0 possible, as every robot at rest has it.
ImpulseProblem random_problem(int coordinates, int contacts, Random& random) {
    ImpulseProblem problem;
    problem.clear(coordinates);
    const std::vector<int> at = all_of(coordinates);
    if (random.below(3) == 0) add(problem, Law::kTied, 0, at, random);
    if (random.below(3) == 0) add(problem, Law::kStop, 0, at, random);
    if (random.below(3) == 0) add(problem, Law::kDry, random.between(0, 0.5), at, random);
    for (int k = 0; k < contacts; ++k) {
        add(problem, Law::kContact, random.between(0, 1.2), at, random);
        problem.offset[static_cast<std::size_t>(problem.num_rows()) - 3] =
            random.below(2) == 0 ? 0 : random.between(0, 1);
        if (random.below(4) == 0) add(problem, Law::kSpin, random.between(0, 0.2), at, random);
    }
    return problem;
}

// The laws, written down once more. Returns by how much they are broken.
double broken_by(const ImpulseProblem& problem, const std::vector<double>& p,
                 const std::vector<double>& lambda) {
    double worst = 0;
    const auto must_be_small = [&](double x) { worst = std::max(worst, std::abs(x)); };
    const auto must_not_be_negative = [&](double x) { worst = std::max(worst, -x); };
    double normal = 0;
    for (const ImpulseBlock& b : problem.blocks()) {
        const double* l = lambda.data() + b.row;
        double s[3];
        for (int r = 0; r < rows_of(b.law); ++r) {
            s[r] = problem.velocity(b, r, p.data()) + problem.offset[b.row + r] +
                   problem.softness[b.row + r] * l[r];
        }
        switch (b.law) {
            case Law::kTied:
                must_be_small(s[0]);
                break;
            case Law::kStop:
                must_not_be_negative(s[0]);
                must_not_be_negative(l[0]);
                must_be_small(l[0] * s[0]);
                break;
            case Law::kDry:
            case Law::kSpin: {
                const double limit = b.coefficient * (b.law == Law::kDry ? 1 : normal);
                must_not_be_negative(limit - std::abs(l[0]));
                // Friction takes as much power as its limit allows.
                must_be_small(l[0] * s[0] + limit * std::abs(s[0]));
                break;
            }
            case Law::kContact: {
                normal = l[0];
                const double limit = b.coefficient * l[0];
                must_not_be_negative(s[0]);
                must_not_be_negative(l[0]);
                must_be_small(l[0] * s[0]);
                must_not_be_negative(limit - std::hypot(l[1], l[2]));
                must_be_small(l[1] * s[1] + l[2] * s[2] + limit * std::hypot(s[1], s[2]));
                break;
            }
        }
    }
    return worst;
}

TEST(Impulses, ObeyTheLaws) {
    Random random(1);
    int unconverged = 0;
    for (int trial = 0; trial < 1000; ++trial) {
        const int n = 3 + random.below(15);
        const ImpulseProblem problem = random_problem(n, 1 + random.below(5), random);
        std::vector<double> p(static_cast<std::size_t>(n));
        for (double& x : p) x = random.normal();
        std::vector<double> lambda(static_cast<std::size_t>(problem.num_rows()), 0.0);
        ImpulseSolver solver;
        const SolverReport report = solver.solve(problem, p.data(), lambda.data());
        if (!report.converged) {
            ++unconverged;
            EXPECT_GT(report.certificate.worst(), 1e-6);
            continue;
        }
        // λ may be as large as the inverse of G's smallest eigenvalue.
        double largest = 1;
        for (const double x : lambda) largest = std::max(largest, std::abs(x));
        EXPECT_LE(broken_by(problem, p, lambda), 1e-5 * largest) << "trial " << trial;
    }
    EXPECT_LE(unconverged, 10) << "of a thousand, with directions at random";
}

// From the middle of the cones, without a guess of modes: redundant contacts, ties and stops.
TEST(Impulses, AreFoundFromInside) {
    Random random(7);
    SolverOptions options;
    options.newton_steps = 0;
    int found = 0;
    for (int trial = 0; trial < 300; ++trial) {
        const int n = 6 + random.below(10);
        ImpulseProblem problem;
        problem.clear(n);
        const std::vector<int> at = all_of(n);
        if (random.below(3) == 0) add(problem, Law::kTied, 0, at, random);
        for (int k = random.below(4); k > 0; --k) add(problem, Law::kStop, 0, at, random);
        // One without friction among more rows than there are coordinates.
        add(problem, Law::kContact, 0, at, random);
        for (int k = 2 + random.below(6); k > 0; --k)
            add(problem, Law::kContact, random.between(0.1, 1), at, random);
        std::vector<double> p(static_cast<std::size_t>(n));
        for (double& x : p) x = random.normal();
        std::vector<double> lambda(static_cast<std::size_t>(problem.num_rows()), 0.0);
        ImpulseSolver solver(options);
        const SolverReport report = solver.solve(problem, p.data(), lambda.data());
        if (report.by != SolvedBy::kInteriorPoint || !report.converged) continue;
        ++found;
        double largest = 1;
        for (const double x : lambda) largest = std::max(largest, std::abs(x));
        EXPECT_LE(broken_by(problem, p, lambda), 1e-5 * largest) << "trial " << trial;
    }
    EXPECT_GE(found, 285) << "of three hundred";
}

// A problem that is its own solution's is solved at once.
TEST(Impulses, AreFoundAgainFromTheLastStep) {
    Random random(2);
    const ImpulseProblem problem = random_problem(12, 3, random);
    std::vector<double> start(12), p, lambda(static_cast<std::size_t>(problem.num_rows()), 0.0);
    for (double& x : start) x = random.normal();
    ImpulseSolver solver;
    p = start;
    ASSERT_TRUE(solver.solve(problem, p.data(), lambda.data()).converged);
    p = start;
    const SolverReport again = solver.solve(problem, p.data(), lambda.data());
    EXPECT_LE(again.iterations, 1);
    EXPECT_EQ(again.by, SolvedBy::kNewton);
}

// What a solver with these options finds is what the usual one does, less exactly.
void expect_the_same(const SolverOptions& options, const std::optional<SolvedBy>& by) {
    Random random(3);
    for (int trial = 0; trial < 30; ++trial) {
        // More freedoms than rows: the solution is the only one.
        const ImpulseProblem problem = random_problem(40, 3, random);
        std::vector<double> start(40);
        for (double& x : start) x = random.normal();
        std::vector<double> p = start, q = start;
        std::vector<double> a(static_cast<std::size_t>(problem.num_rows()), 0.0), b = a;
        ImpulseSolver usual, other(options);
        ASSERT_TRUE(usual.solve(problem, p.data(), a.data()).converged);
        const SolverReport report = other.solve(problem, q.data(), b.data());
        ASSERT_TRUE(report.converged) << report.certificate.worst();
        EXPECT_EQ(report.by, by.value_or(report.by));
        for (std::size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k], q[k], 1e-5);
    }
}

TEST(Impulses, AreTheSameWithoutTheMatrix) {
    SolverOptions options;
    options.largest_matrix = 0;
    expect_the_same(options, SolvedBy::kGaussSeidel);
}

// Block by block alone, each solved exactly: what is left where nothing else converges.
TEST(Impulses, AreTheSameBlockByBlock) {
    SolverOptions options;
    options.newton_steps = options.interior_steps = options.admm_steps = 0;
    options.sweeps = 8000;
    expect_the_same(options, std::nullopt);
}

// Nothing closes, from a guess that says otherwise: no equation is left.
TEST(Impulses, OfWhatOpensAreNone) {
    Random random(11);
    ImpulseProblem problem;
    problem.clear(6);
    for (int k = 0; k < 3; ++k) {
        add(problem, Law::kContact, 0.5, all_of(6), random);
        problem.offset[static_cast<std::size_t>(problem.num_rows()) - 3] = 1e3;
    }
    std::vector<double> p(6, 0.0), lambda(9, 0.1);
    ImpulseSolver solver;
    EXPECT_TRUE(solver.solve(problem, p.data(), lambda.data()).converged);
    for (const double x : lambda) EXPECT_EQ(x, 0);
    for (const double x : p) EXPECT_EQ(x, 0);
}

// A box's corners on a floor, all sliding: redundant, and exact to the last digits all the same.
TEST(Impulses, OfRedundantContactsThatSlideAreExact) {
    for (const double mu : {0.1, 0.4}) {
        ImpulseProblem problem;
        problem.clear(6);
        for (int k = 0; k < 4; ++k) {
            double* w = problem.add(Law::kContact, mu, all_of(6));
            const double x = k % 2 == 0 ? 1 : -1, y = k < 2 ? 1 : -1, z = -0.5;
            // Coordinates are turns about x, y, z and moves along them, of unit inertia.
            const double rows[3][6] = {
                {y, -x, 0, 0, 0, 1}, {0, z, -y, 1, 0, 0}, {-z, 0, x, 0, 1, 0}};
            for (int r = 0; r < 3; ++r) std::copy(rows[r], rows[r] + 6, w + 6 * r);
        }
        std::vector<double> p{0, 0, 0.3, 5, 2, -0.1}, lambda(12, 0.0);
        ImpulseSolver solver;
        const SolverReport report = solver.solve(problem, p.data(), lambda.data());
        EXPECT_TRUE(report.converged);
        EXPECT_LE(report.certificate.worst(), 1e-12) << mu;
        EXPECT_LE(broken_by(problem, p, lambda), 1e-11) << mu;
    }
}

// The same contact four times over: the impulses share the load, and nothing blows up.
TEST(Impulses, RedundantContactsShareTheLoad) {
    ImpulseProblem problem;
    problem.clear(3);
    const std::vector<int> at = all_of(3);
    for (int k = 0; k < 4; ++k) {
        double* w = problem.add(Law::kContact, 0.5, at);
        w[2] = w[3] = w[7] = 1;  // normal z, tangents x and y
    }
    std::vector<double> p{0.1, 0, -1}, lambda(12, 0.0);
    ImpulseSolver solver;
    const SolverReport report = solver.solve(problem, p.data(), lambda.data());
    EXPECT_TRUE(report.converged);
    EXPECT_NEAR(p[0], 0, 1e-12);
    EXPECT_NEAR(p[2], 0, 1e-12);
    EXPECT_NEAR(lambda[0] + lambda[3] + lambda[6] + lambda[9], 1, 1e-9);
    for (const double x : lambda) EXPECT_LE(std::abs(x), 1);
}

// Blocks that share no coordinate are solved apart, and a block on nothing is left alone.
TEST(Impulses, IslandsDoNotMoveEachOther) {
    ImpulseProblem both;
    both.clear(6);
    Random random(5);
    add(both, Law::kContact, 0.5, {0, 1, 2}, random);
    add(both, Law::kContact, 0.5, {3, 4, 5}, random);
    both.add(Law::kContact, 0.5, {});
    std::vector<double> p{-1, 2, 0.5, 0.3, -0.2, 1}, lambda(9, 0.0);
    const std::vector<double> start = p;
    ImpulseSolver solver;
    EXPECT_TRUE(solver.solve(both, p.data(), lambda.data()).converged);
    EXPECT_LE(broken_by(both, p, lambda), 1e-9);
    EXPECT_EQ(lambda[6], 0);
    // The first alone gives the same bits.
    ImpulseProblem one;
    one.clear(6);
    Random same(5);
    add(one, Law::kContact, 0.5, {0, 1, 2}, same);
    std::vector<double> q = start, mu(3, 0.0);
    solver.solve(one, q.data(), mu.data());
    for (int k = 0; k < 3; ++k)
        EXPECT_EQ(p[static_cast<std::size_t>(k)], q[static_cast<std::size_t>(k)]);
}

// A soft contact gives way: λ (1/m + softness) = v. With a matrix, and without one.
TEST(Impulses, SoftnessGivesWay) {
    for (const int largest : {SolverOptions{}.largest_matrix, 0}) {
        SolverOptions options;
        options.largest_matrix = largest;
        ImpulseProblem problem;
        problem.clear(1);
        *problem.add(Law::kStop, 0, all_of(1)) = 1;
        problem.softness[0] = 3;
        std::vector<double> p{-2}, lambda{0};
        ImpulseSolver solver(options);
        EXPECT_TRUE(solver.solve(problem, p.data(), lambda.data()).converged);
        EXPECT_NEAR(lambda[0], 0.5, 1e-9);
        EXPECT_NEAR(p[0], -1.5, 1e-9);
    }
}

TEST(Impulses, NoRowsIsNoWork) {
    ImpulseProblem problem;
    problem.clear(4);
    std::vector<double> p{1, 2, 3, 4};
    ImpulseSolver solver;
    const SolverReport report = solver.solve(problem, p.data(), nullptr);
    EXPECT_EQ(report.by, SolvedBy::kNothing);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(p, (std::vector<double>{1, 2, 3, 4}));
}

// Ties that contradict each other have no solution: that is said, and what is found is finite.
TEST(Impulses, ContradictionsAreSaid) {
    ImpulseProblem problem;
    problem.clear(1);
    *problem.add(Law::kTied, 0, all_of(1)) = 1;
    *problem.add(Law::kTied, 0, all_of(1)) = 1;
    problem.offset = {1, -1};
    std::vector<double> p{0}, lambda(2, 0.0);
    ImpulseSolver solver;
    const SolverReport report = solver.solve(problem, p.data(), lambda.data());
    EXPECT_FALSE(report.converged);
    EXPECT_GE(report.certificate.primal, 0.9);
    EXPECT_TRUE(std::isfinite(p[0]));
}

// One that nothing can meet, beside one that is met: the whole is not, whichever comes first.
TEST(Impulses, AreNotFoundIfThoseOfOneIslandAreNot) {
    for (const int stuck : {0, 1}) {
        ImpulseProblem problem;
        problem.clear(2);
        for (const int coordinate : {0, 1}) {
            problem.add(Law::kTied, 0, std::array{coordinate})[0] = coordinate == stuck ? 0 : 1;
            problem.offset.back() = 0.5;
        }
        ImpulseSolver solver;
        double p[] = {0, 0}, lambda[] = {0, 0};
        const SolverReport report = solver.solve(problem, p, lambda);
        EXPECT_FALSE(report.converged);
        EXPECT_NEAR(report.certificate.worst(), 0.5, 1e-9);
        EXPECT_NEAR(p[1 - stuck], -0.5, 1e-9);
    }
}

}  // namespace
}  // namespace plucker::test
