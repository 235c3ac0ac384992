// The judge itself: what holds, what fails, and what a tolerance is.
#include "plucker/laws/report.hpp"

#include <gtest/gtest.h>

#include <array>

namespace plucker::test {
namespace {

using laws::Report;
using laws::Residual;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Residual judged(double left, double right, double scale) {
    Report<double> report(2);
    report.equal("law", left, right, scale);
    return std::move(report).take().front();
}

TEST(Tolerance, IsSixtyFourRoundingsForEachOfAFewMoreTermsThanCoordinates) {
    const auto tolerance = []<class S>(S, int nv) {
        Report<S> report(nv);
        report.is_true("law", true);
        return std::move(report).take().front().tolerance;
    };
    for (const int nv : {0, 1, 7, 38, 1000}) {
        EXPECT_DOUBLE_EQ(tolerance(double(), nv), 64.0 * (nv + 8) * 0x1p-52);
        EXPECT_DOUBLE_EQ(tolerance(float(), nv), 64.0 * (nv + 8) * 0x1p-23);
    }
    EXPECT_DOUBLE_EQ(tolerance(Dual<double>(), 7), 64.0 * 15 * 0x1p-52);
}

TEST(Residual, IsRelativeToWhatWasAddedUp) {
    EXPECT_DOUBLE_EQ(judged(3, 4, 0).value, 0.25);
    EXPECT_DOUBLE_EQ(judged(3, 4, 10).value, 0.1);
    // However small: nothing is measured against one.
    for (const double unit : {1e-30, 1e-9, 1e9, 1e30}) {
        EXPECT_DOUBLE_EQ(judged(3 * unit, 4 * unit, 10 * unit).value, 0.1);
    }
    // Terms that are all zero must add up to zero.
    EXPECT_EQ(judged(0, 0, 0).value, 0);
    EXPECT_EQ(judged(1e-300, 0, 0).value, 1);
}

TEST(Residual, OfEachEntryIsRelativeToThatEntry) {
    Report<double> report(2);
    const VectorX<double> left = VectorX<double>::LinSpaced(2, 1e-6, 1e6);
    VectorX<double> right = left;
    right[0] += 1e-9;
    report.equal("law", left, right, left.cwiseAbs());
    const Residual residual = std::move(report).take().front();
    EXPECT_NEAR(residual.value, 1e-3, 1e-5);
    EXPECT_TRUE(residual.fails());
}

TEST(Residual, HoldsUpToItsToleranceAndNoFurther) {
    EXPECT_TRUE((Residual{"law", 1e-13, 1e-13}).holds());
    EXPECT_FALSE((Residual{"law", 1.0001e-13, 1e-13}).holds());
    EXPECT_TRUE((Residual{"law", 1.0001e-13, 1e-13}).fails());
}

TEST(Residual, ThatIsNotANumberFails) {
    EXPECT_TRUE((Residual{"law", kNan, 1}).fails());
    EXPECT_TRUE((Residual{"law", kInfinity, 1}).fails());
    for (const double odd : {kNan, kInfinity, -kInfinity}) {
        EXPECT_TRUE(judged(odd, 1, 1).fails()) << odd;
        EXPECT_TRUE(judged(1, odd, 1).fails()) << odd;
        EXPECT_TRUE(judged(odd, odd, 1).fails()) << odd;
        EXPECT_TRUE(judged(1, 1, odd).fails()) << odd;
        EXPECT_TRUE(judged(1, 2, odd).fails()) << odd;
    }
    // Wherever in a matrix it stands.
    for (const int at : {0, 1, 2}) {
        Report<double> report(2);
        VectorX<double> left = VectorX<double>::Ones(3);
        left[at] = kNan;
        report.equal("law", left, VectorX<double>::Ones(3), VectorX<double>::Ones(3));
        EXPECT_TRUE(std::move(report).take().front().fails()) << at;
    }
}

TEST(Report, KeepsTheWorstWheneverItComes) {
    const std::array<double, 3> errors{0, 1e-3, 1e-6};
    for (std::size_t first = 0; first < 3; ++first) {
        Report<double> report(2);
        for (std::size_t k = 0; k < 3; ++k)
            report.equal("law", 1.0, 1 - errors[(first + k) % 3], 1);
        report.equal("another law", 1.0, 1.0, 1);
        const auto residuals = std::move(report).take();
        ASSERT_EQ(residuals.size(), 2U);
        EXPECT_DOUBLE_EQ(residuals[0].value, 1e-3);
        EXPECT_TRUE(residuals[0].fails());
        EXPECT_TRUE(residuals[1].holds());
    }
    for (const bool last : {false, true}) {
        Report<double> report(2);
        report.equal("law", last ? 1.0 : kNan, 1.0, 1);
        report.equal("law", last ? kNan : 1.0, 1.0, 1);
        EXPECT_TRUE(std::move(report).take().front().fails());
    }
}

TEST(Report, TellsALawThatIsNotThereFromOneThatHoldsOrFails) {
    Report<double> report(2);
    report.not_checked(std::array{"a", "b", "c"}, "the reason");
    report.equal("b", 1.0, 1.0, 1);  // in another state it exists
    report.equal("c", 1.0, 2.0, 1);
    report.not_checked(std::array{"b", "c"}, "the reason");
    const auto residuals = std::move(report).take();
    ASSERT_EQ(residuals.size(), 3U);
    EXPECT_FALSE(residuals[0].checked() || residuals[0].holds() || residuals[0].fails());
    EXPECT_EQ(residuals[0].not_checked, "the reason");
    EXPECT_TRUE(residuals[1].holds());
    EXPECT_TRUE(residuals[2].fails());
}

}  // namespace
}  // namespace plucker::test
