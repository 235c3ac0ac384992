// Packs: every lane does what its number would do alone, and no lane sees another.

// Packs wider than this processor's registers are passed in memory: a matter between files, and this is one.
#pragma GCC diagnostic ignored "-Wpsabi"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "plucker/algorithms/table.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/scalar/pack.hpp"

namespace plucker::test {
namespace {

template <class S>
class EveryPack : public testing::Test {
protected:
    using Lane = typename S::Lane;
    static constexpr int kN = S::kLanes;
    static constexpr Lane kInfinity = std::numeric_limits<Lane>::infinity();
    static constexpr Lane kNan = std::numeric_limits<Lane>::quiet_NaN();

    // first, first + step, …
    static S counting(Lane first, Lane step) {
        S out;
        for (int i = 0; i < kN; ++i) out.set(i, first + Lane(i) * step);
        return out;
    }
    static bool same_bits(Lane a, Lane b) { return std::memcmp(&a, &b, sizeof(Lane)) == 0; }
    template <class F>
    static void for_lanes(F&& f) {
        for (int i = 0; i < kN; ++i) {
            SCOPED_TRACE("lane " + std::to_string(i));
            f(i);
        }
    }
};

using Packs = testing::Types<Pack<double, 2>, Pack<double, 4>, Pack<double, 8>, Pack<float, 4>,
                             Pack<float, 8>, Pack<float, 16>>;
struct PackNames {
    template <class S>
    static std::string GetName(int) {
        return (sizeof(typename S::Lane) == 8 ? "Double" : "Float") + std::to_string(S::kLanes);
    }
};
TYPED_TEST_SUITE(EveryPack, Packs, PackNames);

TYPED_TEST(EveryPack, CalculatesLaneByLane) {
    using S = TypeParam;
    using T = typename S::Lane;
    const S a = this->counting(T(-1.25), T(0.75)), b = this->counting(T(3), T(-0.7));
    S sum = a, difference = a, product = a, quotient = a;
    sum += b;
    difference -= b;
    product *= b;
    quotient /= b;
    this->for_lanes([&](int i) {
        EXPECT_EQ((a + b)[i], a[i] + b[i]);
        EXPECT_EQ((a - b)[i], a[i] - b[i]);
        EXPECT_EQ((a * b)[i], a[i] * b[i]);
        EXPECT_EQ((a / b)[i], a[i] / b[i]);
        EXPECT_EQ((-a)[i], -a[i]);
        EXPECT_EQ(sum[i], a[i] + b[i]);
        EXPECT_EQ(difference[i], a[i] - b[i]);
        EXPECT_EQ(product[i], a[i] * b[i]);
        EXPECT_EQ(quotient[i], a[i] / b[i]);
        EXPECT_EQ((T(2) * a + T(1))[i], T(2) * a[i] + T(1));
        EXPECT_EQ(abs(a)[i], std::abs(a[i]));
        EXPECT_EQ(sqrt(abs(a))[i], std::sqrt(std::abs(a[i])));
        EXPECT_EQ(atan2(a, b)[i], std::atan2(a[i], b[i]));
    });
}

TYPED_TEST(EveryPack, HoldsOneNumberInEveryLane) {
    using S = TypeParam;
    const S two(2), zero;
    this->for_lanes([&](int i) {
        EXPECT_EQ(two[i], 2);
        EXPECT_EQ(zero[i], 0);
    });
}

TYPED_TEST(EveryPack, ComparesAndSelectsLaneByLane) {
    using S = TypeParam;
    using T = typename S::Lane;
    S a = this->counting(T(-1), T(1));
    const S b(T(0.5));
    const S zero(T(0));
    a.set(1, this->kNan);
    this->for_lanes([&](int i) {
        EXPECT_EQ((a < b)[i], a[i] < b[i]);
        EXPECT_EQ((a > b)[i], a[i] > b[i]);
        EXPECT_EQ((a <= b)[i], a[i] <= b[i]);
        EXPECT_EQ((a >= b)[i], a[i] >= b[i]);
        EXPECT_EQ((a == a)[i], a[i] == a[i]);
        EXPECT_EQ((a != a)[i], a[i] != a[i]);
        EXPECT_EQ((!(a < b))[i], !(a[i] < b[i]));
        EXPECT_EQ(((a < b) | (a != a))[i], a[i] < b[i] || a[i] != a[i]);
        EXPECT_EQ(((a < b) & (a < zero))[i], a[i] < b[i] && a[i] < 0);
        EXPECT_TRUE(this->same_bits(select(a < b, a, b)[i], a[i] < b[i] ? a[i] : b[i]));
    });
}

TYPED_TEST(EveryPack, AnyFindsASingleLane) {
    using S = TypeParam;
    using T = typename S::Lane;
    EXPECT_FALSE(any(S(T(1)) < S(T(0))));
    EXPECT_TRUE(any(S(T(0)) < S(T(1))));
    this->for_lanes([&](int i) {
        S a(T(0));
        a.set(i, T(1));
        EXPECT_TRUE(any(a > S(T(0))));
        EXPECT_FALSE(any(a > S(T(1))));
    });
}

TYPED_TEST(EveryPack, LoadsAndStoresAnywhere) {
    using S = TypeParam;
    using T = typename S::Lane;
    std::vector<T> from(S::kLanes + 2), to(S::kLanes + 2, T(-1));
    for (std::size_t i = 0; i < from.size(); ++i) from[i] = T(i) + T(0.5);
    const S a = S::load(from.data() + 1);  // not where a register would like it
    a.store(to.data() + 1);
    this->for_lanes([&](int i) { EXPECT_EQ(a[i], T(i) + T(1.5)); });
    EXPECT_EQ(std::vector<T>(to.begin() + 1, to.end() - 1),
              std::vector<T>(from.begin() + 1, from.end() - 1));
    EXPECT_EQ(to.front(), T(-1));
    EXPECT_EQ(to.back(), T(-1));
}

// --- Sine and cosine -----------------------------------------------------------------------------

// Two roundings of a number near one: one for the reduced angle, one for the polynomial.
template <class T>
constexpr T kSinCosError = 2 * std::numeric_limits<T>::epsilon();

TYPED_TEST(EveryPack, SineAndCosineAreExactToTwoRoundings) {
    using S = TypeParam;
    using T = typename S::Lane;
    std::mt19937 generator(3);
    // Without reduction, with it, up to its end, and beyond: every lane on its own.
    for (const double range : {0.8, 10.0, 1e4, 1.6e6, 1e12}) {
        std::uniform_real_distribution<double> angle(-range, range);
        long double worst = 0;
        for (int k = 0; k < 4000; ++k) {
            S a;
            for (int i = 0; i < S::kLanes; ++i) a.set(i, static_cast<T>(angle(generator)));
            const SinCos<S> both = sin_cos(a);
            for (int i = 0; i < S::kLanes; ++i) {
                const auto x = static_cast<long double>(a[i]);
                worst = std::max({worst, std::abs(both.sin[i] - std::sin(x)),
                                  std::abs(both.cos[i] - std::cos(x))});
            }
        }
        EXPECT_LE(worst, kSinCosError<T>) << "angles up to " << range;
    }
}

TYPED_TEST(EveryPack, SineAndCosineAreExactNearQuarterTurns) {
    using S = TypeParam;
    using T = typename S::Lane;
    for (int quarters = -2000; quarters <= 2000; ++quarters) {
        const auto nearest = static_cast<T>(quarters * 1.57079632679489661923132169163975144L);
        S a(nearest);
        a.set(0, std::nextafter(nearest, T(1e9)));
        const SinCos<S> both = sin_cos(a);
        for (const int i : {0, S::kLanes - 1}) {
            const auto x = static_cast<long double>(a[i]);
            ASSERT_NEAR(both.sin[i], std::sin(x), kSinCosError<T>) << quarters;
            ASSERT_NEAR(both.cos[i], std::cos(x), kSinCosError<T>) << quarters;
        }
    }
}

TYPED_TEST(EveryPack, SineAndCosineOfSpecialNumbers) {
    using S = TypeParam;
    using T = typename S::Lane;
    const auto at = [](T x) { return sin_cos(S(x)); };
    this->for_lanes([&](int i) {
        EXPECT_EQ(at(T(0)).sin[i], 0);
        EXPECT_EQ(at(T(0)).cos[i], 1);
        EXPECT_EQ(at(T(-0.0)).sin[i], 0);
        EXPECT_EQ(at(T(-0.0)).cos[i], 1);
        const T small = std::numeric_limits<T>::min();
        EXPECT_EQ(at(small).sin[i], small);
        EXPECT_EQ(at(-small).sin[i], -small);
        for (const T x : {this->kNan, this->kInfinity, -this->kInfinity}) {
            EXPECT_TRUE(std::isnan(at(x).sin[i]));
            EXPECT_TRUE(std::isnan(at(x).cos[i]));
        }
        const T huge = std::numeric_limits<T>::max();
        EXPECT_EQ(at(huge).sin[i], std::sin(huge));
        EXPECT_EQ(at(huge).cos[i], std::cos(huge));
    });
}

TYPED_TEST(EveryPack, SineAndCosineOfALaneIgnoreTheOthers) {
    using S = TypeParam;
    using T = typename S::Lane;
    const S calm = this->counting(T(-3), T(0.9));
    const SinCos<S> alone = sin_cos(calm);
    for (const T odd : {std::numeric_limits<T>::max(), this->kNan, this->kInfinity, T(1e30)}) {
        this->for_lanes([&](int i) {
            S a = calm;
            a.set(i, odd);
            const SinCos<S> both = sin_cos(a);
            for (int k = 0; k < S::kLanes; ++k) {
                if (k == i) continue;
                EXPECT_TRUE(this->same_bits(both.sin[k], alone.sin[k]));
                EXPECT_TRUE(this->same_bits(both.cos[k], alone.cos[k]));
            }
        });
    }
}

// --- Algorithms ----------------------------------------------------------------------------------

// One size for all lanes, which no lane's NaN is lost in.
TEST(PackOfStates, IsAsLargeAsItsLargestLane) {
    using S = Pack<double, 4>;
    for (int lane = 0; lane < 4; ++lane) {
        for (const double large : {-5.0, 5.0}) {
            S x = 1.5;
            x.set(lane, large);
            EXPECT_EQ(magnitude(x), 5) << lane;
        }
        for (const double other : {-0.0, 2.0, std::numeric_limits<double>::infinity()}) {
            S x = other;
            x.set(lane, std::numeric_limits<double>::quiet_NaN());
            EXPECT_TRUE(std::isnan(magnitude(x))) << lane << ", beside " << other;
        }
    }
}

// The algorithms are the same templates for a pack as for a number. Their tolerance is that of the laws.
TEST(PackOfStates, GivesEachLaneItsOwnDynamics) {
    using S = Pack<double, 4>;
    for (const char* name : {"exoskeleton", "tree(20,1)"}) {
        SCOPED_TRACE(name);
        const Model model = robots::by_name(name);
        const int nv = model.nv();
        std::mt19937 generator(2);
        laws::State<double> s[4];
        std::vector<S> q(static_cast<std::size_t>(model.nq()));
        std::vector<S> v(static_cast<std::size_t>(nv)), a = v, tau = v, moved = v;
        for (int lane = 0; lane < 4; ++lane) {
            s[lane] = laws::random_state(model, generator);
            for (int k = 0; k < model.nq(); ++k)
                q[static_cast<std::size_t>(k)].set(lane, s[lane].q[k]);
            for (int k = 0; k < nv; ++k) {
                v[static_cast<std::size_t>(k)].set(lane, s[lane].v[k]);
                a[static_cast<std::size_t>(k)].set(lane, s[lane].a[k]);
            }
        }
        Workspace<S> ws(model);
        kernel::inverse_dynamics<S>(ws, q.data(), v.data(), a.data(), nullptr, tau.data());
        kernel::forward_dynamics<S>(ws, q.data(), v.data(), tau.data(), nullptr, moved.data());
        EXPECT_FALSE(any(ws.coordinates.pivots.singular));

        const double tolerance = 64 * (nv + 8) * std::numeric_limits<double>::epsilon();
        for (int lane = 0; lane < 4; ++lane) {
            const VectorX<double> expected =
                inverse_dynamics(model, s[lane].q, s[lane].v, s[lane].a);
            const double torques = laws::max_magnitude(expected) +
                                   laws::max_magnitude(bias_torque(model, s[lane].q, s[lane].v));
            // An error in a torque becomes one in the acceleration, enlarged by M⁻¹.
            const double enlarged =
                laws::max_magnitude(inverse_mass_matrix(model, s[lane].q)) * torques;
            for (int k = 0; k < nv; ++k) {
                const auto i = static_cast<std::size_t>(k);
                EXPECT_NEAR(tau[i][lane], expected[k], tolerance * torques);
                EXPECT_NEAR(moved[i][lane], s[lane].a[k], tolerance * std::max(1.0, enlarged));
            }
        }
    }
}

}  // namespace
}  // namespace plucker::test
