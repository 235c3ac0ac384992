// Dual numbers with several directions, and dual numbers of packs: one run in place of many.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "plucker/algorithms/table.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/robots/robots.hpp"
#include "scalar/scalars.hpp"

namespace plucker::test {
namespace {

constexpr int kLanes = 2;  // what a register of every processor holds
using States = Pack<double, kLanes>;

// Every function of a scalar, of two arguments.
struct Functions {
    static constexpr int kCount = 20;
    template <class S>
    static S call(int which, const S& x, const S& y) {
        S z = x;
        const MaskOf<S> beyond = !(x <= y), above = x > y, apart = x != y, zero = x == S(0);
        switch (which) {
            case 0:
                return -x;
            case 1:
                return x + y;
            case 2:
                return x - y;
            case 3:
                return x * y;
            case 4:
                return x / y;
            case 5:
                return z += y;
            case 6:
                return z -= y;
            case 7:
                return z *= y;
            case 8:
                return z /= y;
            case 9:
                return sqrt(x * x);
            case 10:
                return abs(x);
            case 11:
                return atan2(y, x);
            case 12:
                return sin_cos(x).sin;
            case 13:
                return sin_cos(x).cos;
            case 14:
                return sign(x) * y;
            case 15:
                return select(x < y, x, y);
            case 16:
                return select(beyond | zero, x * x, y);
            case 17:
                return select(above & apart, S(2) * y, x / S(3));
            case 18:
                return select(x >= y, x, y) / (S(2) + sin_cos(x * y).cos);
            default:
                return S(0.5) + x * 3 - 1 / y;
        }
    }
};

// For every function at some points: the arguments with their rates, and a place for what went wrong.
template <class F>
void for_functions(const F& f) {
    for (int which = 0; which < Functions::kCount; ++which) {
        for (unsigned seed = 1; seed <= 8; ++seed) {
            SCOPED_TRACE("function " + std::to_string(which) + ", seed " + std::to_string(seed));
            std::mt19937 generator(seed);
            std::uniform_real_distribution<double> number(-2, 2);
            f(which, [&] { return number(generator); });
        }
    }
}

TEST(DualDirections, EachIsThatOfADualNumberAlone) {
    constexpr int kN = 5;
    for_functions([](int which, auto number) {
        Dual<double, kN> x(number()), y(number());
        for (int k = 0; k < kN; ++k) {
            x.along(k) = number();
            y.along(k) = number();
        }
        const auto together = Functions::call(which, x, y);
        for (int k = 0; k < kN; ++k) {
            const Dual<double> alone =
                Functions::call(which, Dual<double>(x.value, x.derivative[k]),
                                Dual<double>(y.value, y.derivative[k]));
            EXPECT_EQ(together.value, alone.value);
            EXPECT_EQ(together.derivative[k], alone.derivative) << "direction " << k;
        }
    });
}

TEST(DualDirections, AGradientTakesOneRun) {
    // f = x y² + sin(z)/x
    using D = Dual<double, 3>;
    const D x = D::variable(1.5, 0), y = D::variable(-0.5, 1), z = D::variable(0.25, 2);
    const D f = x * y * y + sin(z) / x;
    EXPECT_DOUBLE_EQ(f.derivative[0], 0.25 - std::sin(0.25) / 2.25);
    EXPECT_DOUBLE_EQ(f.derivative[1], 2 * 1.5 * -0.5);
    EXPECT_DOUBLE_EQ(f.derivative[2], std::cos(0.25) / 1.5);
    EXPECT_EQ(Dual<double>::variable(3).derivative, 1);
    EXPECT_EQ(Dual<double>::variable(3).along(0), 1);
}

TEST(DualDirections, IsFiniteOnlyIfAllAre) {
    using D = Dual<double, 3>;
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (int k = 0; k < 3; ++k) {
        D x = D::variable(-2, k);
        EXPECT_TRUE(isfinite(x));
        EXPECT_EQ(magnitude(x), 2);
        x.along(k) = -7;
        EXPECT_EQ(magnitude(x), 7);
        x.along(k) = nan;
        EXPECT_FALSE(isfinite(x));
        EXPECT_TRUE(std::isnan(magnitude(x)));
    }
}

TEST(DualDirections, NestedGiveAllSecondDerivatives) {
    // f = x² y + x sin y: ∂²f = [2y, 2x + cos y; 2x + cos y, -x sin y]
    using Inner = Dual<double, 2>;
    using D = Dual<Inner, 2>;
    const double at[] = {1.25, 0.5};
    const D x = D::variable(Inner::variable(at[0], 0), 0),
            y = D::variable(Inner::variable(at[1], 1), 1);
    const D f = x * x * y + x * sin(y);
    const double mixed = 2 * at[0] + std::cos(at[1]);
    EXPECT_DOUBLE_EQ(f.along(0).along(0), 2 * at[1]);
    EXPECT_DOUBLE_EQ(f.along(0).along(1), mixed);
    EXPECT_DOUBLE_EQ(f.along(1).along(0), mixed);
    EXPECT_DOUBLE_EQ(f.along(1).along(1), -at[0] * std::sin(at[1]));
}

static_assert([] {
    using D = Dual<double, 2>;
    D x = D::variable(2, 0);
    x *= D::variable(3, 1);
    return x.value == 6 && x.along(0) == 3 && x.along(1) == 2;
}());

// --- Packs inside --------------------------------------------------------------------------------

template <int N>
Dual<double, N> lane_of(const Dual<States, N>& x, int lane) {
    Dual<double, N> out(x.value[lane]);
    for (int k = 0; k < N; ++k) out.along(k) = x.along(k)[lane];
    return out;
}
template <class Number>
States random_pack(Number number) {
    States out;
    for (int lane = 0; lane < kLanes; ++lane) out.set(lane, number());
    return out;
}

// Sines of packs are our own, those of double the C library's: they differ by two roundings.
constexpr double kRounding = 64 * kEpsilon<double>;

template <int N>
void expect_each_lane_alone() {
    for_functions([](int which, auto number) {
        Dual<States, N> x(random_pack(number)), y(random_pack(number));
        for (int k = 0; k < N; ++k) {
            x.along(k) = random_pack(number);
            y.along(k) = random_pack(number);
        }
        const auto together = Functions::call(which, x, y);
        for (int lane = 0; lane < kLanes; ++lane) {
            const auto alone = Functions::call(which, lane_of(x, lane), lane_of(y, lane));
            const auto here = lane_of(together, lane);
            const double bound = kRounding * (1 + magnitude(alone));
            EXPECT_NEAR(here.value, alone.value, bound);
            for (int k = 0; k < N; ++k) EXPECT_NEAR(here.along(k), alone.along(k), bound);
        }
    });
}
TEST(DualOfPacks, EachLaneIsADualNumber) { expect_each_lane_alone<1>(); }
TEST(DualOfPacks, EachLaneIsADualNumberWithItsDirections) { expect_each_lane_alone<3>(); }

TEST(DualOfPacks, OneLaneThatIsNotFiniteIsFound) {
    Dual<States, 2> x(States(1));
    EXPECT_TRUE(all(isfinite(x)));
    EXPECT_EQ(value_of(x), 1);
    States bad(0);
    bad.set(1, std::numeric_limits<double>::infinity());
    x.along(1) = bad;
    for (int lane = 0; lane < kLanes; ++lane) EXPECT_EQ(isfinite(x)[lane], lane != 1);
    EXPECT_EQ(magnitude(x), std::numeric_limits<double>::infinity());
    EXPECT_EQ(value_of(bad), std::numeric_limits<double>::infinity());
}

// --- Algorithms ----------------------------------------------------------------------------------

// A state, and directions of q, v and a that stay on the configurations.
struct Moving {
    Model model;
    laws::State<double> s;
    MatrixX<double> dq, dv, da;  // a direction a column, dq in the tangent

    Moving(const Model& m, unsigned seed, int directions) : model(m) {
        std::mt19937 generator(seed);
        s = laws::random_state(model, generator);
        std::uniform_real_distribution<double> number(-1, 1);
        for (auto* rates : {&dq, &dv, &da}) {
            *rates = MatrixX<double>::NullaryExpr(model.nv(), directions,
                                                  [&] { return number(generator); });
        }
    }
    // The torques and, from them, the accelerations, with their rates in direction k.
    struct Dynamics {
        VectorX<Dual<double>> tau, a;
        double torques;        // their size
        double accelerations;  // what torques of this size become, enlarged by M⁻¹
    };
    Dynamics alone(int k) const {
        using D = Dual<double>;
        const auto with_rate = [](const VectorX<double>& x, const VectorX<double>& rate) {
            VectorX<D> out(x.size());
            for (long i = 0; i < x.size(); ++i) out[i] = D(x[i], rate[i]);
            return out;
        };
        const VectorX<double> still = VectorX<double>::Zero(model.nv());
        const VectorX<D> q =
            integrate(model, VectorX<D>(s.q.cast<D>()), with_rate(still, dq.col(k)));
        const VectorX<D> v = with_rate(s.v, dv.col(k)), a = with_rate(s.a, da.col(k));
        Dynamics out;
        out.tau = inverse_dynamics(model, q, v, a);
        out.a = forward_dynamics(model, q, v, out.tau);
        out.torques = laws::max_magnitude(out.tau) + laws::max_magnitude(bias_torque(model, q, v));
        out.accelerations =
            std::max(1.0, laws::max_magnitude(inverse_mass_matrix(model, q)) * out.torques);
        return out;
    }
    double tolerance() const { return 64 * (model.nv() + 8) * kEpsilon<double>; }
};

constexpr const char* kRobots[] = {"exoskeleton", "humanoid", "tree(20,1)"};

TEST(DualDirections, DynamicsAreThoseOfSingleDirections) {
    constexpr int kN = 4;
    using D = Dual<double, kN>;
    for (const char* name : kRobots) {
        SCOPED_TRACE(name);
        const Moving moving(robots::by_name(name), 3, kN);
        const Model& model = moving.model;
        const int nv = model.nv();
        VectorX<D> step(nv), v(nv), a(nv), q(model.nq()), tau(nv), moved(nv);
        for (int i = 0; i < nv; ++i) {
            step[i] = D(0);
            v[i] = D(moving.s.v[i]);
            a[i] = D(moving.s.a[i]);
            for (int k = 0; k < kN; ++k) {
                step[i].along(k) = moving.dq(i, k);
                v[i].along(k) = moving.dv(i, k);
                a[i].along(k) = moving.da(i, k);
            }
        }
        Workspace<D> ws(model);
        integrate(ws, VectorX<D>(moving.s.q.cast<D>()), step, q);
        ASSERT_EQ(inverse_dynamics(ws, q, v, a, tau), Status::kOk);
        ASSERT_EQ(forward_dynamics(ws, q, v, tau, moved), Status::kOk);
        for (int k = 0; k < kN; ++k) {
            const auto alone = moving.alone(k);
            for (int i = 0; i < nv; ++i) {
                // The compiler may join other products and sums: the last digits differ.
                EXPECT_NEAR(tau[i].value, alone.tau[i].value, moving.tolerance() * alone.torques);
                EXPECT_NEAR(tau[i].along(k), alone.tau[i].derivative,
                            moving.tolerance() * alone.torques);
                EXPECT_NEAR(moved[i].along(k), alone.a[i].derivative,
                            moving.tolerance() * alone.accelerations);
            }
        }
    }
}

// The same text, with one state per lane.
TEST(DualOfPacks, DynamicsOfEachLaneAreItsOwn) {
    using D = Dual<States>;
    for (const char* name : kRobots) {
        SCOPED_TRACE(name);
        const Model model = robots::by_name(name);
        const int nv = model.nv();
        std::vector<Moving> lanes;
        for (unsigned lane = 0; lane < kLanes; ++lane) lanes.emplace_back(model, 5 + lane, 1);
        const auto size = static_cast<std::size_t>(nv);
        // Eigen does not align for packs: the numbers stand in vectors of the standard library.
        std::vector<D> q0(static_cast<std::size_t>(model.nq())), q = q0, step(size), v(size),
                                                                 a(size), tau(size), moved(size);
        const auto map = [](std::vector<D>& x) {
            return Eigen::Map<VectorX<D>>(x.data(), static_cast<long>(x.size()));
        };
        for (int lane = 0; lane < kLanes; ++lane) {
            const Moving& m = lanes[static_cast<std::size_t>(lane)];
            for (long i = 0; i < model.nq(); ++i) map(q0)[i].value.set(lane, m.s.q[i]);
            for (long i = 0; i < nv; ++i) {
                map(step)[i].derivative.set(lane, m.dq(i, 0));
                map(v)[i].value.set(lane, m.s.v[i]);
                map(v)[i].derivative.set(lane, m.dv(i, 0));
                map(a)[i].value.set(lane, m.s.a[i]);
                map(a)[i].derivative.set(lane, m.da(i, 0));
            }
        }
        Workspace<D> ws(model);
        auto q_map = map(q), tau_map = map(tau), moved_map = map(moved);
        integrate(ws, map(q0), map(step), q_map);
        ASSERT_EQ(inverse_dynamics(ws, q_map, map(v), map(a), tau_map), Status::kOk);
        ASSERT_EQ(forward_dynamics(ws, q_map, map(v), tau_map, moved_map), Status::kOk);
        for (int lane = 0; lane < kLanes; ++lane) {
            const Moving& m = lanes[static_cast<std::size_t>(lane)];
            const auto alone = m.alone(0);
            for (long i = 0; i < nv; ++i) {
                const auto here = lane_of(tau_map[i], lane);
                EXPECT_NEAR(here.value, alone.tau[i].value, m.tolerance() * alone.torques);
                EXPECT_NEAR(here.derivative, alone.tau[i].derivative,
                            m.tolerance() * alone.torques);
                EXPECT_NEAR(lane_of(moved_map[i], lane).derivative, alone.a[i].derivative,
                            m.tolerance() * alone.accelerations);
            }
        }
    }
}

// What is wrong in one lane is wrong with the call.
TEST(DualOfPacks, ALaneThatIsNotFiniteIsRefused) {
    using D = Dual<States>;
    const Model model = robots::arm();
    Workspace<D> ws(model, OnFailure::kReport);
    std::vector<D> numbers(static_cast<std::size_t>(model.nv())), tau = numbers;
    const Eigen::Map<VectorX<D>> x(numbers.data(), model.nv());
    Eigen::Map<VectorX<D>> out(tau.data(), model.nv());
    EXPECT_EQ(inverse_dynamics(ws, x, x, x, out), Status::kOk);
    numbers[1].value.set(1, std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(inverse_dynamics(ws, x, x, x, out), Status::kNonFiniteInput);
}

}  // namespace
}  // namespace plucker::test
