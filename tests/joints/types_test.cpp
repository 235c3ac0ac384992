// What every type in the list promises: its names and words, its canonical frame, its sparse products.
#include <algorithm>
#include <set>

#include "joints/joint_cases.hpp"
#include "spatial/samples.hpp"

namespace plucker::test {
namespace {

// The laws of motion_test.cpp and configuration_test.cpp run on these.
TEST(JointTypes, EachIsAmongTheCases) {
    std::set<JointType> tried;
    for (const JointCase& c : all_joint_cases()) tried.insert(c.joint.type);
    for_each_joint_type(
        [&](auto joint) { EXPECT_TRUE(tried.contains(joint.kType)) << joint.kName; });
}

TEST(JointTypes, EachIsFoundByItsType) {
    for_each_joint_type([](auto joint) {
        visit_joint(joint.kType, [&](auto found) {
            EXPECT_TRUE((std::is_same_v<decltype(found), decltype(joint)>)) << joint.kName;
        });
    });
}

TEST(JointTypes, NamesAreTheirOwn) {
    std::set<std::string> names;
    for_each_joint_type([&](auto joint) { EXPECT_TRUE(names.insert(joint.kName).second); });
}

TEST(JointTypes, NoTwoShareAWordOfAFormat) {
    for (const auto format : {&FileWords::urdf, &FileWords::sdf, &FileWords::mjcf}) {
        std::set<std::string> words;
        for_each_joint_type([&](auto joint) {
            const FileWords own = joint.kWords;
            for (const char* word : {own.*format, own.unlimited}) {
                if (word == nullptr) continue;
                EXPECT_TRUE(words.insert(word).second) << joint.kName << ": " << word;
            }
        });
    }
}

TEST(JointTypes, EachCoordinateHasASuffixOfItsOwn) {
    for_each_joint_type([](auto joint) {
        for (const auto& [suffixes, size] :
             {std::pair(velocity_suffixes(joint.kType), joint.kNv),
              std::pair(position_suffixes(joint.kType), joint.kNq)}) {
            EXPECT_EQ(suffixes.size(), static_cast<std::size_t>(size)) << joint.kName;
            const std::set<std::string> distinct(suffixes.begin(), suffixes.end());
            EXPECT_EQ(distinct.size(), suffixes.size()) << joint.kName;
        }
    });
}

// A quaternion is the one reason to have more coordinates than freedoms.
TEST(JointTypes, NumbersOfCoordinatesAgree) {
    for_each_joint_type([](auto joint) {
        EXPECT_EQ(joint.kNq, joint.kNv + (joint.kHasQuaternion ? 1 : 0)) << joint.kName;
        EXPECT_LE(joint.kAngles, joint.kTurns) << joint.kName;
        EXPECT_FALSE(joint.kHasQuaternion && joint.kVelocityIsRate) << joint.kName;
    });
}

TEST(JointTypes, CanonicalRotationLaysTheAxesAlongCoordinates) {
    for_all_joints<double>([](const JointCase& c, auto&) {
        visit_joint(c.joint.type, [&](auto joint) {
            const Mat3<double> rotation = joint.canonical_rotation(c.joint);
            EXPECT_TRUE(close(determinant(rotation), 1.0));
            const Matrix3<double> R = to_eigen(rotation);
            EXPECT_TRUE(close((R * R.transpose()).eval(), Matrix3<double>::Identity()));
            const Vector3<double> axis = to_eigen(c.joint.axis).normalized();
            const Vector3<double> second = to_eigen(c.joint.second_axis).normalized();
            if (joint.kAxes == 0) {
                EXPECT_TRUE(close(R, Matrix3<double>::Identity(), 0));
            } else if (joint.kAxes == 1) {
                EXPECT_TRUE(close(R.col(2), axis));
            } else {
                EXPECT_TRUE(close(R.col(0), axis));
                EXPECT_TRUE(close(R.col(1), second));
            }
        });
    });
}

TEST(JointTypes, OnlySoundNumbersPassTheCheck) {
    for_all_joints<double>([](const JointCase& c, auto&) {
        visit_joint(c.joint.type, [&](auto joint) {
            bool complained = false;
            joint.check(c.joint, [&](const auto&...) { complained = true; });
            EXPECT_FALSE(complained);
            if (joint.kAxes < 2) return;
            JointDescription parallel = c.joint;
            parallel.second_axis = parallel.axis;
            joint.check(parallel, [&](const auto&...) { complained = true; });
            EXPECT_TRUE(complained);
        });
    });
}

// --- Subspaces, on every scalar -------------------------------------------------------------------

template <class S>
class JointProducts : public testing::Test {
protected:
    // Every product of a subspace is that of the columns.
    template <class Subspace>
    static void expect_same(const Subspace& own, const detail::ColumnSubspace<S>& columns,
                            SpatialSampler<S>& random) {
        const VectorX<S> v = random.vector(6), a = random.vector(6);
        const Motion<S> m = random.motion();
        EXPECT_TRUE(close(m + own * v.data(), m + columns * v.data()));
        EXPECT_TRUE(close(cross(m, own * v.data()), cross(m, columns * v.data())));
        EXPECT_TRUE(
            close(detail::add_bias(m, own, v.data()), detail::add_bias(m, columns, v.data())));
        const Force<S> f = random.force();
        const Transform<S> X = random.transform();
        const Inertia<S> I = random.inertia();
        const ArticulatedInertia<S> A = random.articulated_inertia();
        ASSERT_EQ(own.dim(), columns.dim());
        for (int k = 0; k < own.dim(); ++k) {
            EXPECT_TRUE(close(own.transpose_times(k, f), columns.transpose_times(k, f)));
            EXPECT_TRUE(close(own.inertia_times(k, I), columns.inertia_times(k, I)));
            EXPECT_TRUE(close(own.inertia_times(k, A), columns.inertia_times(k, A)));
            EXPECT_TRUE(close(own.inertia_scale(k, I), columns.inertia_scale(k, I)));
            EXPECT_TRUE(close(own.inertia_scale(k, A), columns.inertia_scale(k, A)));
            EXPECT_TRUE(close(own.apply_inverse_to(k, X), columns.apply_inverse_to(k, X)));
        }
        TurningMotion<S> turning{random.vec3(), random.vec3(), random.vec3()};
        TurningMotion<S> same = turning;
        own.add_motion(v.data(), a.data(), turning);
        columns.add_motion(v.data(), a.data(), same);
        EXPECT_TRUE(close(turning.w, same.w));
        EXPECT_TRUE(close(turning.alpha, same.alpha));
        EXPECT_TRUE(close(turning.a, same.a));
        if constexpr (requires { own.transmitted_without_rotor(A, f.angular.x); }) {
            const Force<S> U = columns.inertia_times(0, A);
            const S D_inv = S(1) / columns.transpose_times(0, U);
            const ArticulatedInertia<S> transmitted = subtract_outer(A, U, D_inv * U);
            EXPECT_TRUE(close(own.transmitted_without_rotor(A, D_inv) * m, transmitted * m));
            EXPECT_TRUE(close(apply_inverse(X, own.transmitted_without_rotor(A, D_inv)) * m,
                              apply_inverse(X, transmitted) * m, 4 * kRoundings));
        }
    }
};
TYPED_TEST_SUITE(JointProducts, Scalars, ScalarNames);

// As the algorithms are given them, own or not.
TYPED_TEST(JointProducts, AreThoseOfTheColumns) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto& sampler) {
        SpatialSampler<S> random(static_cast<unsigned>(sampler.number(1, 1000)));
        const VectorX<S> v = random.vector(c.model.nv());
        Workspace<S> ws = joints_at(c.model, random_q(c.model, sampler), v);
        const Body<double>& body = c.model.body(c.body);
        const detail::ColumnSubspace<S> columns{ws.joints.subspace.data() + body.dof_index,
                                                ws.joints.subspace_rate.data() + body.dof_index,
                                                body.nv};
        detail::with_subspace(ws, c.body, [&](const auto& subspace) {
            TestFixture::expect_same(subspace, columns, random);
        });
    });
}

TYPED_TEST(JointProducts, AreTheTypesOwnUnlessItMimics) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto&) {
        Workspace<S> ws(c.model);
        detail::with_subspace(ws, c.body, [&](const auto& subspace) {
            constexpr bool kColumns =
                std::is_same_v<std::remove_cvref_t<decltype(subspace)>, detail::ColumnSubspace<S>>;
            visit_joint(c.joint.type, [&](auto joint) {
                const bool has_own = HasOwnSubspace<decltype(joint), S> && !c.joint.mimic;
                EXPECT_EQ(kColumns, !has_own);
            });
        });
    });
}

// Angular velocities come first; a screw is one.
TYPED_TEST(JointProducts, ColumnsTurnWhereTheTypeSaysSo) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto& random) {
        const auto ws = joints_at(c.model, random_q(c.model, random));
        const Body<double>& body = c.model.body(c.body);
        for (int k = 0; k < body.nv; ++k) {
            const Motion<S>& column =
                ws.joints.subspace[static_cast<std::size_t>(body.dof_index + k)];
            EXPECT_EQ(value_of(squared_norm(column.angular)) > 0, k < number_of_turns(body.joint));
        }
    });
}

}  // namespace
}  // namespace plucker::test
