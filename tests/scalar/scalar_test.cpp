// What every scalar must do; second derivatives; arithmetic at compile time.
#include "scalar/scalars.hpp"

namespace plucker::test {
namespace {

template <class S>
class EveryScalar : public testing::Test {};
TYPED_TEST_SUITE(EveryScalar, Scalars, ScalarNames);

TYPED_TEST(EveryScalar, SelectTakesTheChosenNumberWhole) {
    using S = TypeParam;
    const S a = with_derivative<S>(2, 5), b = with_derivative<S>(-3, 7);
    EXPECT_TRUE(close(select(true, a, b), a, 0));
    EXPECT_TRUE(close(select(false, a, b), b, 0));
    EXPECT_TRUE(close(select(a < b, a, b), b, 0));
}

TYPED_TEST(EveryScalar, SignIsMinusOneZeroOrOneAndFlat) {
    using S = TypeParam;
    EXPECT_TRUE(close(sign(with_derivative<S>(ValueOf<S>(0.001), 5)), S(1), 0));
    EXPECT_TRUE(close(sign(with_derivative<S>(-40, 5)), S(-1), 0));
    EXPECT_TRUE(close(sign(with_derivative<S>(0, 5)), S(0), 0));
    EXPECT_TRUE(close(sign(S(-0.0)), S(0), 0));
}

TYPED_TEST(EveryScalar, SineAndCosineLieOnTheUnitCircle) {
    using S = TypeParam;
    for_samples<Sampler<S>>([](auto& random) {
        const auto [s, c] = sin_cos(random.scalar(-10, 10));
        EXPECT_TRUE(close(s * s + c * c, S(1), 8));
    });
}

TYPED_TEST(EveryScalar, ValueIsTheNumberWithoutItsDerivative) {
    using S = TypeParam;
    EXPECT_EQ(value_of(with_derivative<S>(ValueOf<S>(1.5), 5)), ValueOf<S>(1.5));
}

// --- Three ways to one derivative -----------------------------------------------------------------

// Functions of one number, in the operations that the algorithms use.
struct Functions {
    static constexpr int kCount = 6;
    template <class S>
    static S call(int which, const S& x) {
        using std::abs, std::atan2, std::cos, std::sin, std::sqrt;
        switch (which) {
            case 0:
                return sin(x) * cos(2 * x) / (x * x + 1);
            case 1:
                return sqrt(1 + x * x) - x / (2 + sin(x));
            case 2:
                return atan2(sin(3 * x), 1.5 + cos(x));
            case 3:
                return abs(x - 4) * x;
            case 4:
                return select(x > S(0.5), x * x, -x);
            default:
                return 1 / (1 + 1 / (1 + x * x));
        }
    }
};

TEST(Derivatives, AgreeBetweenDualNumbersComplexStepsAndCentralDifferences) {
    for (int f = 0; f < Functions::kCount; ++f) {
        for (const double x : {-2.3, -0.4, 0.1, 0.9, 2.7}) {
            SCOPED_TRACE("function " + std::to_string(f) + " at " + std::to_string(x));
            const auto dual = Functions::call(f, Dual<double>(x, 1));
            const auto step = Functions::call(f, with_derivative<ComplexStep<double>>(x, 1));
            // Both take the same few dozen roundings, in another order.
            const double scale = 1 + std::abs(dual.derivative);
            EXPECT_NEAR(dual.derivative, step.derivative(), 64 * kEpsilon<double> * scale);
            EXPECT_NEAR(dual.value, Functions::call(f, x), 16 * kEpsilon<double> * scale);
            // h = ε^⅓ balances the truncation h² f'''/6 and the rounding ε f/h: both near 4e-11, with
            // third derivatives up to about thirty here.
            const double h = std::cbrt(kEpsilon<double>);
            const double slope = (Functions::call(f, x + h) - Functions::call(f, x - h)) / (2 * h);
            EXPECT_NEAR(dual.derivative, slope, 50 * h * h);
        }
    }
}

// --- Second derivatives ---------------------------------------------------------------------------

template <class S>
class NestedDual : public testing::Test {
protected:
    using Inner = decltype(S{}.value);
    // x + ε₁ dx + ε₂ dy
    static S variable(double x, double d1, double d2) {
        return S(with_derivative<Inner>(x, d1), Inner(d2));
    }
    static double second(const S& f) { return derivative_of(f.derivative); }
};
using NestedTypes = testing::Types<Dual<Dual<double>>, Dual<ComplexStep<double>>>;
TYPED_TEST_SUITE(NestedDual, NestedTypes, ScalarNames);

TYPED_TEST(NestedDual, CarriesTheSecondDerivative) {
    const double x = 0.7, s = std::sin(x), c = std::cos(x);
    const auto X = this->variable(x, 1, 1);
    const double bound = 32 * kEpsilon<double>;
    // (x³ sin x)'' = 6x sin x + 6x² cos x - x³ sin x
    EXPECT_NEAR(this->second(X * X * X * sin(X)), 6 * x * s + 6 * x * x * c - x * x * x * s, bound);
    EXPECT_NEAR(this->second(cos(X)), -c, bound);
    EXPECT_NEAR(this->second(sqrt(X)), -0.25 * std::pow(x, -1.5), bound);
    EXPECT_NEAR(this->second(1 / X), 2 / (x * x * x), bound * 6);
    EXPECT_NEAR(this->second(abs(-X * X)), 2, bound);
    // atan'' = -2x/(1 + x²)²
    EXPECT_NEAR(this->second(atan2(X, TypeParam(1))), -2 * x / std::pow(1 + x * x, 2), bound);
    EXPECT_EQ(value_of(X), x);
}

TYPED_TEST(NestedDual, MixesPartialDerivatives) {
    // ∂²/∂x∂y (x² sin(x y)) = 3x² cos(xy) - x³ y sin(xy)
    const double x = 0.7, y = 1.3;
    const auto X = this->variable(x, 1, 0), Y = this->variable(y, 0, 1);
    EXPECT_NEAR(this->second(X * X * sin(X * Y)),
                3 * x * x * std::cos(x * y) - x * x * x * y * std::sin(x * y),
                32 * kEpsilon<double>);
}

// --- At compile time ------------------------------------------------------------------------------

template <class S>
constexpr S polynomial(const S& x) {
    S sum = 3 * x * x - x / 2;
    sum += 1;
    sum -= x;
    return -sum;
}
static_assert(polynomial(Dual<double>(2, 1)).value == -10);
static_assert(polynomial(Dual<double>(2, 1)).derivative == -10.5);
static_assert(polynomial(Dual<Dual<double>>({2, 1}, {1, 0})).derivative.derivative == -6);
static_assert(polynomial(ComplexStep<double>(2, 0)).real == -10);
static_assert(sign(Dual<float>(-2, 1)) == Dual<float>(-1));
static_assert(select(Dual<double>(1) < Dual<double>(2), 3, 4) == 3);
static_assert(value_of(Dual<Dual<float>>(2)) == 2.0F);
static_assert(std::is_same_v<ParameterOf<Dual<Dual<double>>>, double>);
static_assert(std::is_same_v<ParameterOf<ComplexStep<float>>, float>);
static_assert(std::is_same_v<ParameterOf<long double>, long double>);

}  // namespace
}  // namespace plucker::test
