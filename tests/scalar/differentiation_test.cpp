// Numbers that carry a derivative: arithmetic, functions, order.
#include <complex>

#include "scalar/scalars.hpp"

namespace plucker::test {
namespace {

using DifferentiatingTypes =
    testing::Types<Dual<float>, Dual<double>, ComplexStep<float>, ComplexStep<double>>;

// The arguments and their rates: exact in every precision.
constexpr double kX = 0.75, kDx = -1.5, kY = -1.25, kDy = 0.5;

template <class S>
class DifferentiatingScalar : public testing::Test {
protected:
    // f must be y + ε dy. Sixteen roundings: no function here takes more.
    static void expect(const S& f, double y, double dy) {
        using T = ValueOf<S>;
        EXPECT_TRUE(close(f, with_derivative<S>(static_cast<T>(y), static_cast<T>(dy)), 16));
    }
    const S x_ = with_derivative<S>(kX, kDx), y_ = with_derivative<S>(kY, kDy);
};
TYPED_TEST_SUITE(DifferentiatingScalar, DifferentiatingTypes, ScalarNames);

TYPED_TEST(DifferentiatingScalar, ConstantsHaveNoDerivative) {
    using S = TypeParam;
    this->expect(S(), 0, 0);
    this->expect(S(3), 3, 0);
    this->expect(S(2.5), 2.5, 0);
    this->expect(S(2.5F), 2.5, 0);
    this->expect(S(7L), 7, 0);
}

TYPED_TEST(DifferentiatingScalar, SumsProductsAndQuotientsFollowTheirRules) {
    const auto x = this->x_, y = this->y_;
    this->expect(-x, -kX, -kDx);
    this->expect(x + y, kX + kY, kDx + kDy);
    this->expect(x - y, kX - kY, kDx - kDy);
    this->expect(x * y, kX * kY, kDx * kY + kX * kDy);
    this->expect(x / y, kX / kY, (kDx * kY - kX * kDy) / (kY * kY));
}

TYPED_TEST(DifferentiatingScalar, MixesWithPlainNumbersOnEitherSide) {
    using T = ValueOf<TypeParam>;
    const auto x = this->x_;
    this->expect(x + 2, kX + 2, kDx);
    this->expect(2 - x, 2 - kX, -kDx);
    this->expect(T(0.5) * x, kX / 2, kDx / 2);
    this->expect(x * 4, 4 * kX, 4 * kDx);
    this->expect(1 / x, 1 / kX, -kDx / (kX * kX));
}

TYPED_TEST(DifferentiatingScalar, CompoundAssignmentIsTheOperator) {
    using S = TypeParam;
    const S x = this->x_, y = this->y_;
    S z = x;
    EXPECT_TRUE(close(z += y, x + y, 0));
    EXPECT_TRUE(close(z -= x, (x + y) - x, 0));
    z = x;
    EXPECT_TRUE(close(z *= y, x * y, 0));
    z = x;
    EXPECT_TRUE(close(z /= y, x / y, 0));
    z = x;
    const S& alias = z;
    EXPECT_TRUE(close(z *= alias, x * x, 0)) << "an operand may be the result itself";
}

TYPED_TEST(DifferentiatingScalar, IsAField) {
    using S = TypeParam;
    for_samples<Sampler<S>>([](auto& random) {
        const S a = random.scalar(), b = random.scalar(), c = random.scalar(0.5, 2);
        EXPECT_TRUE(close((a + b) + c, a + (b + c), 16));
        EXPECT_TRUE(close((a * b) * c, a * (b * c), 16));
        EXPECT_TRUE(close(a * (b + c), a * b + a * c, 16));
        EXPECT_TRUE(close((a / c) * c, a, 16));
        EXPECT_TRUE(close(c / c, S(1), 16));
        EXPECT_TRUE(close(a - a, S(0), 0));
    });
}

TYPED_TEST(DifferentiatingScalar, SineAndCosineDifferentiateIntoEachOther) {
    const auto x = this->x_;
    this->expect(sin(x), std::sin(kX), std::cos(kX) * kDx);
    this->expect(cos(x), std::cos(kX), -std::sin(kX) * kDx);
    this->expect(sin(x) * sin(x) + cos(x) * cos(x), 1, 0);
    const auto both = sin_cos(x);
    EXPECT_TRUE(close(both.sin, sin(x), 0));
    EXPECT_TRUE(close(both.cos, cos(x), 0));
}

TYPED_TEST(DifferentiatingScalar, SquareRootUndoesSquaring) {
    const auto x = this->x_;
    this->expect(sqrt(x), std::sqrt(kX), kDx / (2 * std::sqrt(kX)));
    EXPECT_TRUE(close(sqrt(x * x), x, 16));
}

TYPED_TEST(DifferentiatingScalar, AbsoluteValueFollowsTheSideItIsOn) {
    this->expect(abs(this->x_), kX, kDx);
    this->expect(abs(this->y_), -kY, -kDy);
}

TYPED_TEST(DifferentiatingScalar, ArcTangentFindsTheAngleInEveryQuadrant) {
    using S = TypeParam;
    using T = ValueOf<S>;
    for (const double angle : {-3.0, -2.0, -1.0, 0.0, 0.5, 1.5, 2.5, 3.1}) {
        const S a = with_derivative<S>(T(angle), T(0.7));
        const S radius = with_derivative<S>(T(2), T(-0.3));  // it must drop out
        EXPECT_TRUE(close(atan2(radius * sin(a), radius * cos(a)), a, 16)) << "at " << angle;
    }
}

TYPED_TEST(DifferentiatingScalar, ChainRuleHoldsThroughAComposite) {
    // f = sin(g), g = √(x² + 1)/(2 + cos x); f' = cos(g) g',
    // g' = x/(√(x² + 1)(2 + cos x)) + √(x² + 1) sin x/(2 + cos x)².
    const auto x = this->x_;
    const double root = std::sqrt(kX * kX + 1), below = 2 + std::cos(kX), g = root / below;
    const double slope = kX / (root * below) + root * std::sin(kX) / (below * below);
    this->expect(sin(sqrt(x * x + 1) / (2 + cos(x))), std::sin(g), std::cos(g) * slope * kDx);
}

TYPED_TEST(DifferentiatingScalar, OrderIsByValueAlone) {
    using S = TypeParam;
    const S low = with_derivative<S>(1, 9), same = with_derivative<S>(1, -9),
            high = with_derivative<S>(2, -9);
    EXPECT_TRUE(low == same && low <= same && low >= same);
    EXPECT_FALSE(low != same || low < same || low > same);
    EXPECT_TRUE(low < high && low <= high && low != high && high > low && high >= low);
    EXPECT_FALSE(high < low || high <= low || high == low || low > high || low >= high);
}

TYPED_TEST(DifferentiatingScalar, IsFiniteOnlyIfBothPartsAre) {
    using S = TypeParam;
    using T = ValueOf<S>;
    const T infinity = std::numeric_limits<T>::infinity();
    const T nan = std::numeric_limits<T>::quiet_NaN();
    EXPECT_TRUE(isfinite(this->x_));
    EXPECT_FALSE(isfinite(S(infinity, T(0))));
    EXPECT_FALSE(isfinite(S(T(0), infinity)));
    EXPECT_FALSE(isfinite(S(T(0), nan)));
    EXPECT_TRUE(std::isnan(magnitude(S(nan, T(1)))));
    EXPECT_TRUE(std::isnan(magnitude(S(T(1), nan))));
}

TYPED_TEST(DifferentiatingScalar, MagnitudeIsTheLargerPart) {
    using S = TypeParam;
    EXPECT_NEAR(magnitude(with_derivative<S>(-3, 2)), 3, 1e-5);
    EXPECT_NEAR(magnitude(with_derivative<S>(2, -3)), 3, 1e-5);
}

TYPED_TEST(DifferentiatingScalar, ModelConstantsArePlainNumbers) {
    using S = TypeParam;
    static_assert(std::is_same_v<ParameterOf<S>, ValueOf<S>>);
    EXPECT_EQ(value_of(this->x_), kX);
}

// Unlike the others, + - * /, sine and cosine of a complex step hold for a step of any size.
TEST(ComplexStep, ArithmeticIsThatOfComplexNumbers) {
    const ComplexStep<double> a{0.75, -1.5}, b{-1.25, 0.5};
    const std::complex<double> u{0.75, -1.5}, w{-1.25, 0.5};
    const auto expect = [](const ComplexStep<double>& ours, const std::complex<double>& theirs) {
        EXPECT_NEAR(ours.real, theirs.real(), 16 * kEpsilon<double>);
        EXPECT_NEAR(ours.imaginary, theirs.imag(), 16 * kEpsilon<double>);
    };
    expect(a + b, u + w);
    expect(a - b, u - w);
    expect(a * b, u * w);
    expect(a / b, u / w);
    expect(sin(a), std::sin(u));
    expect(cos(a), std::cos(u));
}

TEST(ComplexStep, StepIsTooSmallToDisturbTheValue) {
    const ComplexStep<long double> x{0.75L, ComplexStep<long double>::kStep};
    EXPECT_EQ((x * x).real, 0.75L * 0.75L);
    EXPECT_EQ((1 / x).real, 1 / 0.75L);
    EXPECT_EQ((x * x).derivative(), 1.5L);
}

}  // namespace
}  // namespace plucker::test
