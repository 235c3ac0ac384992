// The velocity terms of the Coriolis matrix, against the dense 6×6 formulas that they abbreviate.
#include "plucker/spatial/coriolis_terms.hpp"

#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

// B and Bᵀ as matrices, column by column.
template <class S, template <class> class Term>
Matrix6<S> matrix_of(const Term<S>& B) {
    Matrix6<S> out;
    for (int k = 0; k < 6; ++k) out.col(k) = to_eigen(B * to_motion(Vector6<S>::Unit(k)));
    return out;
}
template <class S, template <class> class Term>
Matrix6<S> transpose_of(const Term<S>& B) {
    Matrix6<S> out;
    for (int k = 0; k < 6; ++k) {
        out.col(k) = to_eigen(transpose_times(B, to_motion(Vector6<S>::Unit(k))));
    }
    return out;
}
// f ×̄*, the matrix of m ↦ m ×* f.
template <class S>
Matrix6<S> barred_cross_matrix(const Force<S>& f) {
    Matrix6<S> out;
    for (int k = 0; k < 6; ++k) {
        out.col(k) = to_eigen(cross_force(to_motion(Vector6<S>::Unit(k)), f));
    }
    return out;
}

template <class S>
class CoriolisTerm : public testing::Test {
protected:
    // What both choices must satisfy.
    template <template <class> class Term>
    static void expect_laws() {
        for_samples<SpatialSampler<S>>([](auto& random) {
            const Inertia<S> I = random.inertia(), J = random.inertia();
            const Motion<S> v = random.motion(), w = random.motion();
            const auto B = Term<S>::of(I, v);
            EXPECT_TRUE(close(B * v, cross_force(v, I * v)));
            EXPECT_TRUE(close(transpose_of(B), matrix_of(B).transpose()));
            EXPECT_TRUE(close((matrix_of(B) + matrix_of(B).transpose()).eval(),
                              to_eigen(inertia_rate(I, v))));
            // Two bodies of a subtree, each with its own velocity, add.
            auto sum = B;
            sum += Term<S>::of(J, w);
            EXPECT_TRUE(close(matrix_of(sum), matrix_of(B) + matrix_of(Term<S>::of(J, w))));
            EXPECT_TRUE(close(matrix_of(Term<S>{}), Matrix6<S>::Zero().eval(), 0));
        });
    }
};
TYPED_TEST_SUITE(CoriolisTerm, Scalars, ScalarNames);

TYPED_TEST(CoriolisTerm, OfNewtonEulerGivesTheVelocityForceAndHalfTheInertiaRate) {
    TestFixture::template expect_laws<NewtonEulerTerm>();
}

TYPED_TEST(CoriolisTerm, OfChristoffelGivesTheVelocityForceAndHalfTheInertiaRate) {
    TestFixture::template expect_laws<ChristoffelTerm>();
}

// B = v ×* I.
TYPED_TEST(CoriolisTerm, OfNewtonEulerIsItsFormula) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Inertia<S> I = random.inertia();
        const Motion<S> v = random.motion();
        EXPECT_TRUE(close(matrix_of(NewtonEulerTerm<S>::of(I, v)),
                          (cross_force_matrix(v) * to_eigen(I)).eval()));
    });
}

// B = ½ (v ×* I - I v× + (I v) ×̄*).
TYPED_TEST(CoriolisTerm, OfChristoffelIsItsFormula) {
    using S = TypeParam;
    for_samples<SpatialSampler<S>>([](auto& random) {
        const Inertia<S> I = random.inertia();
        const Motion<S> v = random.motion();
        const Matrix6<S> dense = to_eigen(I);
        const Matrix6<S> B = S(0.5) * (cross_force_matrix(v) * dense - dense * cross_matrix(v) +
                                       barred_cross_matrix(I * v));
        EXPECT_TRUE(close(matrix_of(ChristoffelTerm<S>::of(I, v)), B));
    });
}

}  // namespace
}  // namespace plucker::test
