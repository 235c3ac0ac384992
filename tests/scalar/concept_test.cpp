// Which numbers are scalars, and which are not.
#include <complex>
#include <string>

#include "plucker/scalar/pack.hpp"
#include "scalar/scalars.hpp"

namespace plucker::test {
namespace {

static_assert(Scalar<float> && Scalar<double> && Scalar<long double>);
static_assert(Scalar<Dual<double>> && Scalar<Dual<float>> && Scalar<Dual<double, 4>>);
static_assert(Scalar<Dual<Dual<double>>> && Scalar<Dual<Dual<double, 2>, 3>>);
static_assert(Scalar<ComplexStep<double>> && Scalar<Dual<ComplexStep<double>>>);
static_assert(Scalar<Pack<double, 2>> && Scalar<Pack<double, 8>> && Scalar<Pack<float, 16>>);
static_assert(Scalar<Dual<Pack<double, 4>>> && Scalar<Dual<Pack<float, 8>, 3>>);
static_assert(Scalar<Dual<Dual<Pack<double, 4>>>>);

static_assert(!Scalar<int> && !Scalar<bool> && !Scalar<std::string> && !Scalar<double*>);
static_assert(!Scalar<std::complex<double>>, "complex numbers have no order");

}  // namespace

// A number that lacks one thing is not a scalar: here select, there a square root.
namespace partial {

struct Mask {
    friend Mask operator!(Mask m) { return m; }
    friend Mask operator&(Mask m, Mask) { return m; }
    friend Mask operator|(Mask m, Mask) { return m; }
    friend bool any(Mask) { return true; }
    friend bool all(Mask) { return true; }
};
template <bool has_select, bool has_root>
struct Partial {
    explicit Partial(double = 0) {}
    Partial& operator+=(const Partial&);
    Partial& operator-=(const Partial&);
    Partial& operator*=(const Partial&);
    Partial& operator/=(const Partial&);
    friend Partial operator-(const Partial&) { return Partial(); }
    friend Partial operator+(const Partial&, const Partial&) { return Partial(); }
    friend Partial operator-(const Partial&, const Partial&) { return Partial(); }
    friend Partial operator*(const Partial&, const Partial&) { return Partial(); }
    friend Partial operator/(const Partial&, const Partial&) { return Partial(); }
    friend Mask operator<(const Partial&, const Partial&) { return {}; }
    friend Mask operator>(const Partial&, const Partial&) { return {}; }
    friend Mask operator<=(const Partial&, const Partial&) { return {}; }
    friend Mask operator>=(const Partial&, const Partial&) { return {}; }
    friend Mask operator==(const Partial&, const Partial&) { return {}; }
    friend Mask operator!=(const Partial&, const Partial&) { return {}; }
    friend Partial select(Mask, const Partial&, const Partial&) requires(has_select) {
        return Partial();
    }
    friend Partial sqrt(const Partial&) requires(has_root) { return Partial(); }
    friend Partial abs(const Partial&) { return Partial(); }
    friend Partial atan2(const Partial&, const Partial&) { return Partial(); }
    friend SinCos<Partial> sin_cos(const Partial&) { return {}; }
    friend Mask isfinite(const Partial&) { return {}; }
};

}  // namespace partial
}  // namespace plucker::test

template <bool has_select, bool has_root>
struct plucker::ScalarTraits<plucker::test::partial::Partial<has_select, has_root>> {
    using Parameter = double;
    using Mask = plucker::test::partial::Mask;
};

namespace plucker::test {
namespace {

using partial::Partial;
static_assert(ScalarMask<partial::Mask> && ScalarMask<bool> && !ScalarMask<std::string>);
static_assert(Scalar<Partial<true, true>>);
static_assert(!Scalar<Partial<false, true>> && !Scalar<Partial<true, false>>);

static_assert(std::is_same_v<MaskOf<double>, bool>);
static_assert(std::is_same_v<MaskOf<Dual<Dual<double>>>, bool>);
static_assert(std::is_same_v<MaskOf<Dual<Pack<double, 4>, 3>>, MaskOf<Pack<double, 4>>>);
static_assert(std::is_same_v<ParameterOf<Dual<Pack<float, 4>>>, float>);

TEST(Scalar, MasksOfSingleNumbersAreTruthValues) {
    EXPECT_TRUE(any(Dual<double>(1) < Dual<double>(2)));
    EXPECT_FALSE(all(Dual<double>(2) < Dual<double>(1)));
}

}  // namespace
}  // namespace plucker::test
