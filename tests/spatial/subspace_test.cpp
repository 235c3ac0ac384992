// Motion subspaces, constraint forces and the constrained body of the slides.
#include <Eigen/Dense>

#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

template <class S>
MotionSubspace<S> random_subspace(SpatialSampler<S>& random, int dim) {
    MotionSubspace<S> out;
    out.dim = dim;
    for (int j = 0; j < dim; ++j) {
        // A multiple of a unit vector on top keeps the columns well apart.
        out.column[j] = random.motion() + to_motion((S(2) * Vector6<S>::Unit(j)).eval());
    }
    return out;
}

// In double, whatever S is: the columns are not nearly dependent.
template <class S>
int rank_of(const ForceSubspace<S>& T) {
    const MatrixX<double> basis = values_of(to_eigen(T)).template cast<double>();
    return static_cast<int>(basis.colPivHouseholderQr().rank());
}

template <class S>
class Subspace : public testing::Test {};
TYPED_TEST_SUITE(Subspace, Scalars, ScalarNames);

// Slides "Motion Constraints": SᵀT = 0 and dim T = 6 - dim S.
TYPED_TEST(Subspace, ConstraintForcesDoNoWorkAndFillTheRest) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        for (int dim = 0; dim <= 6; ++dim) {
            SCOPED_TRACE(dim);
            const MotionSubspace<S> motion = random_subspace(random, dim);
            const ForceSubspace<S> T = constraint_force_subspace(motion);
            ASSERT_EQ(T.dim, 6 - dim);
            for (int i = 0; i < dim; ++i) {
                for (int j = 0; j < T.dim; ++j) {
                    EXPECT_TRUE(close(dot(motion.column[i], T.column[j]), S(0)));
                }
            }
            if (T.dim == 0) continue;
            EXPECT_EQ(rank_of(T), T.dim);
        }
    });
}

// Columns whose leading entries vanish: elimination has to look for its pivots, of either sign.
TYPED_TEST(Subspace, ConstraintForcesAreExactForAxesAlongCoordinates) {
    using S = TypeParam;
    for (const S side : {S(1), S(-1)}) {
        MotionSubspace<S> planar;  // turns about z, slides along x and y
        planar.dim = 3;
        planar.column = {Motion<S>{{0, 0, side}, {}}, Motion<S>{{}, {side, 0, 0}},
                         Motion<S>{{}, {0, side, 0}}};
        const ForceSubspace<S> T = constraint_force_subspace(planar);
        ASSERT_EQ(T.dim, 3);
        Vector6<S> covered = Vector6<S>::Zero();
        for (int j = 0; j < 3; ++j) covered += to_eigen(T.column[j]);
        Vector6<S> expected;
        expected << S(1), S(1), S(0), S(0), S(0), S(1);
        EXPECT_TRUE(close(covered, expected, 0));
    }
}

TYPED_TEST(Subspace, ProductsAreThoseOfItsMatrix) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const MotionSubspace<S> motion = random_subspace(random, 4);
        const Force<S> f = random.force();
        S alpha[4], tau[4];
        Motion<S> sum{};
        for (int j = 0; j < 4; ++j) {
            alpha[j] = random.scalar();
            sum += alpha[j] * motion.column[j];
        }
        EXPECT_TRUE(close(motion * alpha, sum, 0));
        motion.transpose_times(f, tau);
        for (int j = 0; j < 4; ++j) EXPECT_TRUE(close(tau[j], dot(motion.column[j], f), 0));
        for (int j = 0; j < 4; ++j) {
            EXPECT_TRUE(close(to_eigen(motion).col(j), to_eigen(motion.column[j]), 0));
        }
    });
}

// Slides "Constrained Motion Analysis": f + f_c = I a with a ∈ range(S) and f_c ∈ range(T).
template <class S, template <class> class AnyInertia>
void expect_constrained(SpatialSampler<S>& random, const AnyInertia<S>& I) {
    for (int dim = 0; dim <= 6; ++dim) {
        SCOPED_TRACE(dim);
        const MotionSubspace<S> motion = random_subspace(random, dim);
        const ForceSubspace<S> T = constraint_force_subspace(motion);
        const Force<S> f = random.force();
        const Motion<S> a = constrained_acceleration(motion, I, f);
        const Force<S> f_c = I * a - f;
        // Solving with SᵀIS costs its condition number, below a few hundred.
        const double bound = 100 * kRoundings;
        for (int j = 0; j < T.dim; ++j) EXPECT_TRUE(close(dot(a, T.column[j]), S(0), bound));
        for (int j = 0; j < dim; ++j) EXPECT_TRUE(close(dot(motion.column[j], f_c), S(0), bound));
        // A force delivers power to the motion that it causes.
        EXPECT_GE(dot(a, f), S(0));
    }
}

TYPED_TEST(Subspace, ConstrainedBodyObeysTheEquationOfMotion) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        expect_constrained(random, random.inertia());
        expect_constrained(random, random.articulated_inertia());
    });
}

// A door of mass 2 with its centre half a metre from the hinge (the z axis); I_C = 1.5 about z. The
// hinge sees I = 1.5 + 2·0.5² = 2. A push of 4 N at 0.75 m gives 3/2 rad/s².
TYPED_TEST(Subspace, DoorTurnsByMomentOverHingeInertia) {
    using S = TypeParam;
    MotionSubspace<S> hinge;
    hinge.dim = 1;
    hinge.column[0] = {{0, 0, 1}, {}};
    const auto I = Inertia<S>::from_center_of_mass(2, {S(0.5), S(0), S(0)},
                                                   SymMat3<S>::diagonal(S(1), S(1), S(1.5)));
    const Force<S> push = force_at_point(Vec3<S>{S(7), S(4), S(-5)}, Vec3<S>{S(0.75), S(0), S(0)});
    const Motion<S> a = constrained_acceleration(hinge, I, push);
    EXPECT_EQ(a, (Motion<S>{{S(0), S(0), S(1.5)}, {}}));
    // The hinge adds what the centre's acceleration of 0.75 m/s² along y lacks.
    const Force<S> f_c = I * a - push;
    EXPECT_EQ(f_c.linear, (Vec3<S>{S(-7), S(-2.5), S(5)}));
    EXPECT_EQ(f_c.angular.z, S(0));
}

TYPED_TEST(Subspace, SliderAcceleratesByForceOverMass) {
    using S = TypeParam;
    MotionSubspace<S> slider;
    slider.dim = 1;
    slider.column[0] = {{}, {1, 0, 0}};
    const Inertia<S> I = SpatialSampler<S>(1).inertia();
    const Force<S> push{{4, 5, 6}, {3, 1, 2}};
    EXPECT_TRUE(close(constrained_acceleration(slider, I, push).linear,
                      Vec3<S>{S(3) / I.mass, S(0), S(0)}, 8));
}

TYPED_TEST(Subspace, WithoutFreedomNothingMovesAndWithAllOfItNewtonRules) {
    using S = TypeParam;
    SpatialSampler<S> random(1);
    const Inertia<S> I = random.inertia();
    const Force<S> f = random.force();
    EXPECT_EQ(constrained_acceleration(MotionSubspace<S>{}, I, f), Motion<S>{});
    const Motion<S> a = constrained_acceleration(random_subspace(random, 6), I, f);
    EXPECT_TRUE(close(I * a, f, 100 * kRoundings));
}

// f_c = T λ, literally.
TEST(ConstraintForce, IsACombinationOfTheColumnsOfT) {
    for_samples<SpatialSampler<double>>([](auto& random) {
        const Inertia<double> I = random.inertia();
        for (int dim = 0; dim < 6; ++dim) {
            const MotionSubspace<double> motion = random_subspace(random, dim);
            const MatrixX<double> T = to_eigen(constraint_force_subspace(motion));
            const Force<double> f = random.force();
            const VectorX<double> f_c = to_eigen(I * constrained_acceleration(motion, I, f) - f);
            const VectorX<double> lambda = T.householderQr().solve(f_c);
            EXPECT_TRUE(close(T * lambda, f_c, 100 * kRoundings)) << dim;
        }
    });
}

}  // namespace
}  // namespace plucker::test
