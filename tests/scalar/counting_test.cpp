// Numbers that count operations: every operation once, and the counts of known algorithms.
#include "plucker/scalar/counting.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>

#include "plucker/algorithms/table.hpp"
#include "plucker/robots/robots.hpp"
#include "scalar/scalars.hpp"

namespace plucker::test {
namespace {

using Number = Counting<double>;

template <class F>
OperationCounts count(F&& f) {
    reset_operation_counts();
    f();
    return operation_counts();
}
OperationCounts sums_and_products(long additions, long multiplications) {
    OperationCounts out;
    out.additions = additions;
    out.multiplications = multiplications;
    return out;
}

Vec3<Number> some_vector(double x) { return {Number(x), Number(x + 1), Number(x - 2)}; }
Transform<Number> some_transform() {
    const Number angle(0.3);
    return {rotation_x(sin_cos(angle)), some_vector(0.5)};
}

TEST(Counting, CountsEveryOperationOnce) {
    const Number x(0.75), y(-1.25);
    Number z;
    EXPECT_EQ(count([&] { z = x + y; }), sums_and_products(1, 0));
    EXPECT_EQ(count([&] { z = x - y; }), sums_and_products(1, 0));
    EXPECT_EQ(count([&] { z = x * y; }), sums_and_products(0, 1));
    EXPECT_EQ(count([&] { z = 2 * x + 1; }), sums_and_products(1, 1));
    EXPECT_EQ(count([&] { z += x; }), sums_and_products(1, 0));
    EXPECT_EQ(count([&] { z -= x; }), sums_and_products(1, 0));
    EXPECT_EQ(count([&] { z *= x; }), sums_and_products(0, 1));
    EXPECT_EQ(count([&] { z = x / y; }).divisions, 1);
    EXPECT_EQ(count([&] { z /= y; }).divisions, 1);
    EXPECT_EQ(count([&] { z = sqrt(x); }).square_roots, 1);
    EXPECT_EQ(count([&] { z = sin(x); }).sines_and_cosines, 1);
    EXPECT_EQ(count([&] { z = cos(x); }).sines_and_cosines, 1);
    EXPECT_EQ(count([&] { z = sin_cos(x).sin; }).sines_and_cosines, 2);
    EXPECT_EQ(count([&] { z = atan2(y, x); }).arc_tangents, 1);
    EXPECT_EQ(count([&] { z = sqrt(x) / y + sin(x) * atan2(y, x); }).flops(), 6);
}

TEST(Counting, SignsAndSelectionsAreFree) {
    const Number x(0.75), y(-1.25);
    Number z;
    EXPECT_EQ(count([&] { z = -x; }), OperationCounts{});
    EXPECT_EQ(count([&] { z = abs(y); }), OperationCounts{});
    EXPECT_EQ(count([&] { z = select(x > y && x != y && !(x <= y), x, y); }), OperationCounts{});
    EXPECT_EQ(count([&] { z = sign(y); }), OperationCounts{});
    EXPECT_EQ(count([&] { z = Number(3); }), OperationCounts{});
}

TEST(Counting, ComputesWhatTheNumberInsideComputes) {
    const double x = 0.75, y = -1.25;
    const Number X(x), Y(y);
    EXPECT_EQ(value_of(sin(X) * Y / sqrt(X) - atan2(Y, X) + cos(Y)),
              std::sin(x) * y / std::sqrt(x) - std::atan2(y, x) + std::cos(y));
    EXPECT_EQ(value_of(sin_cos(Y).sin), std::sin(y));
    EXPECT_EQ(value_of(sin_cos(Y).cos), std::cos(y));
    EXPECT_EQ(value_of(abs(Y)), 1.25);
    EXPECT_EQ(magnitude(Y), 1.25);
    EXPECT_TRUE(isfinite(X));
    EXPECT_FALSE(isfinite(Number(std::numeric_limits<double>::quiet_NaN())));
    static_assert(std::is_same_v<ParameterOf<Number>, double>);
    static_assert(std::is_same_v<ParameterOf<Counting<float>>, float>);
}

TEST(Counting, EachThreadCountsItsOwn) {
    const Number x(2);
    reset_operation_counts();
    std::thread other([&] {
        const Number y = x * x;
        EXPECT_EQ(value_of(y), 4);
        EXPECT_EQ(operation_counts(), sums_and_products(0, 1));
    });
    other.join();
    EXPECT_EQ(operation_counts(), OperationCounts{});
}

TEST(Counting, ACrossProductIsSixProductsAndThreeDifferences) {
    const auto a = some_vector(1), b = some_vector(2);
    EXPECT_EQ(count([&] { cross(a, b); }), sums_and_products(3, 6));
    EXPECT_EQ(count([&] { dot(a, b); }), sums_and_products(2, 3));
}

TEST(Counting, ATransformTakesTwoRotationsACrossProductAndADifference) {
    // E ω and E (v - r × ω): 2 (6 additions, 9 products), 3 additions and 6 products, 3 additions.
    const auto X = some_transform();
    const Motion<Number> m{some_vector(1), some_vector(2)};
    const Force<Number> f{some_vector(1), some_vector(2)};
    EXPECT_EQ(count([&] { X* m; }), sums_and_products(18, 24));
    EXPECT_EQ(count([&] { X* f; }), sums_and_products(18, 24));
    EXPECT_EQ(count([&] { apply_inverse(X, m); }), sums_and_products(18, 24));
}

OperationCounts of_inverse_dynamics(const Model& model, unsigned seed) {
    Workspace<Number> ws(model);
    std::mt19937 generator(seed);
    const VectorX<Number> q = random_configuration(model, generator).cast<Number>();
    const VectorX<Number> v = VectorX<double>::Random(model.nv()).cast<Number>();
    VectorX<Number> tau(model.nv());
    return count([&] { inverse_dynamics(ws, q, v, v, tau); });
}

TEST(Counting, InverseDynamicsCostsTheSameForEachFurtherBody) {
    const OperationCounts ten = of_inverse_dynamics(robots::chain(10), 1),
                          twenty = of_inverse_dynamics(robots::chain(20), 1),
                          thirty = of_inverse_dynamics(robots::chain(30), 1);
    EXPECT_EQ(twenty.additions - ten.additions, thirty.additions - twenty.additions);
    EXPECT_EQ(twenty.multiplications - ten.multiplications,
              thirty.multiplications - twenty.multiplications);
    EXPECT_EQ(thirty.sines_and_cosines, 60);
    EXPECT_EQ(thirty.divisions, 0);
    EXPECT_GT(ten.flops(), 0);
}

TEST(Counting, TheCostDoesNotDependOnTheState) {
    const Model model = robots::humanoid();
    EXPECT_EQ(of_inverse_dynamics(model, 1), of_inverse_dynamics(model, 2));
}

TEST(Counting, ResultsAreThoseOfPlainNumbers) {
    const Model model = robots::arm();
    std::mt19937 generator(1);
    const VectorX<double> q = random_configuration(model, generator);
    const VectorX<double> v = VectorX<double>::Ones(model.nv());
    const VectorX<Number> tau =
        inverse_dynamics(model, q.cast<Number>(), v.cast<Number>(), v.cast<Number>());
    EXPECT_TRUE(close(values_of(tau), inverse_dynamics(model, q, v, v)));
}

}  // namespace
}  // namespace plucker::test
