// Spatial algebra runs at compile time: a constexpr robot costs nothing at run time.
#include "plucker/spatial/articulated_inertia.hpp"
#include "plucker/spatial/axis_motion.hpp"
#include "plucker/spatial/coriolis_terms.hpp"
#include "plucker/spatial/handout.hpp"
#include "plucker/spatial/pose.hpp"
#include "plucker/spatial/quaternion.hpp"
#include "plucker/spatial/subspace.hpp"
#include "scalar/scalars.hpp"

namespace plucker::test {
namespace {

// Integers and quarter turns, so that every number is exact.
template <class S>
struct Constants {
    static constexpr Mat3<S> E = rotation_z(SinCos<S>{S(1), S(0)});
    static constexpr Transform<S> X{E, {S(1), S(2), S(3)}};
    static constexpr Motion<S> v{{S(1), S(0), S(2)}, {S(0), S(3), S(1)}};
    static constexpr Force<S> f{{S(2), S(1), S(0)}, {S(1), S(0), S(4)}};
    static constexpr Inertia<S> I = Inertia<S>::from_center_of_mass(
        S(2), {S(1), S(0), S(1)}, SymMat3<S>::diagonal(S(3), S(4), S(5)));

    // 1·2 + 0·1 + 2·0 + 0·1 + 3·0 + 1·4
    static_assert(dot(v, f) == S(6));
    static_assert(dot(X * v, X* f) == dot(v, f));
    static_assert(apply_inverse(X, X* v) == v);
    static_assert(apply_inverse(X, X* f) == f);
    static_assert(X * inverse(X) == Transform<S>::identity());
    static_assert((X * X) * v == X * (X * v));
    static_assert(cross(v, v) == Motion<S>{});
    static_assert(dot(v, cross_force(v, f)) == S(0));
    static_assert(X * cross(v, X* v) == cross(X * v, X*(X* v)));
    // m (v + ω × c) = 2 ((0, 3, 1) + (1, 0, 2) × (1, 0, 1))
    static_assert((I * v).linear == Vec3<S>{S(0), S(8), S(2)});
    static_assert(apply_inverse(X, X* I) == I);
    static_assert((I + I) * v == S(2) * (I * v));
    static_assert(energy_of_motion(X * I, X* v) == energy_of_motion(I, v));
    static_assert(equation_of_motion(I, Motion<S>{}, v) == cross_force(v, I* v));
    static_assert(ArticulatedInertia<S>(I) * v == I * v);
    static_assert(apply_inverse(X, ArticulatedInertia<S>(I)) ==
                  ArticulatedInertia<S>(apply_inverse(X, I)));
    static_assert(NewtonEulerTerm<S>::of(I, v) * v == cross_force(v, I* v));
    static_assert(ChristoffelTerm<S>::of(I, v) * v == cross_force(v, I* v));
    static_assert(v + AngularZ<S>{S(5)} == v + Motion<S>{{S(0), S(0), S(5)}, {}});
    static_assert(to_transform(to_pose(X)) == X);
    static_assert(to_pose(X) * Vec3<S>{} == X.r);
    static_assert(transform_point(X, X.r) == Vec3<S>{});
    static_assert(coordinate_rotation(Quaternion<S>{}) == Mat3<S>::identity());
    static_assert(handout::spatial_transpose_times(handout::from(v), handout::from(f)) == S(6));
    static_assert(classical_point_acceleration(Motion<S>{}, v, Vec3<S>{}) ==
                  cross(v.angular, v.linear));
    static_assert(cast<S>(Transform<int>{}) == Transform<S>::identity());
};

// A hinge with inertia 5 about z, and a couple of 10.
constexpr double hinge_acceleration() {
    MotionSubspace<double> hinge;
    hinge.dim = 1;
    hinge.column[0] = {{0, 0, 1}, {}};
    const auto I = Inertia<double>::from_center_of_mass(3, {}, SymMat3<double>::diagonal(1, 1, 5));
    return constrained_acceleration(hinge, I, Force<double>{{1, 2, 10}, {3, 4, 5}}).angular.z;
}
static_assert(hinge_acceleration() == 2);

template <class S>
class CompileTime : public testing::Test {};
TYPED_TEST_SUITE(CompileTime, Scalars, ScalarNames);

// The assertions above are checked when this is compiled; at run time the same numbers come out.
TYPED_TEST(CompileTime, AlgebraGivesTheSameNumbersAsRunTime) {
    using C = Constants<TypeParam>;
    const Transform<TypeParam> X = C::X;
    const Inertia<TypeParam> I = C::I;
    static constexpr auto kMomentum = C::I * (C::X * C::v);
    EXPECT_EQ(kMomentum, I * (X * C::v));
}

}  // namespace
}  // namespace plucker::test
