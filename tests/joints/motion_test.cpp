// How a joint's transform moves: the motion subspace and its rate against derivatives.
#include "joints/joint_cases.hpp"

namespace plucker::test {
namespace {

// --- By differentiating numbers -------------------------------------------------------------------

template <class S>
class JointMotion : public testing::Test {
protected:
    using Value = ValueOf<S>;
    // The velocity of B in A, in B's coordinates, from how X = ᴮX_A changes: Ė = -ω× E, so that
    // ω× = -Ė Eᵀ = E Ėᵀ, and the origin moves with E ṙ.
    static Motion<Value> velocity_of(const Transform<S>& X) {
        const Matrix3<Value> E = values_of(to_eigen(X.E)), E_dot = derivatives_of(to_eigen(X.E));
        const Vector3<Value> r_dot = derivatives_of(to_eigen(X.r));
        const Matrix3<Value> turning = E * E_dot.transpose();
        EXPECT_TRUE(close(turning, -turning.transpose()));
        return {{turning(2, 1), turning(0, 2), turning(1, 0)}, to_vec3(E * r_dot)};
    }
    // q and q̇ = v as numbers that change: q ⊕ (t₀ + dt) v.
    static VectorX<S> moving(const Model& model, const VectorX<Value>& q, const VectorX<Value>& v,
                             double t0 = 0) {
        return integrate(model, q.template cast<S>(),
                         v.template cast<S>() * with_derivative<S>(t0, 1));
    }
};
TYPED_TEST_SUITE(JointMotion, DifferentiatingScalars, ScalarNames);

TYPED_TEST(JointMotion, TransformMovesWithTheMotionSubspace) {
    for_all_joints<double>([](const JointCase& c, auto& random) {
        const VectorX<double> q = random_q(c.model, random), v = random.vector(c.model.nv());
        const auto now = joints_at(c.model, q);
        const auto moving = joints_at(c.model, TestFixture::moving(c.model, q, v));
        EXPECT_TRUE(close(TestFixture::velocity_of(moving.joints.X[c.body]),
                          joint_velocity(now, c.body, v)));
    });
}

// Constant coordinates v mean a constant body velocity all the way, not only at the start.
TYPED_TEST(JointMotion, IntegrateFollowsAConstantVelocityThroughout) {
    for_all_joints<double>([](const JointCase& c, auto& random) {
        const VectorX<double> q = random_q(c.model, random), v = random.vector(c.model.nv());
        for (const double t : {0.01, 0.7, 1.9}) {
            const auto then = joints_at(c.model, VectorX<double>(integrate(c.model, q, t * v)));
            const auto moving = joints_at(c.model, TestFixture::moving(c.model, q, v, t));
            EXPECT_TRUE(close(TestFixture::velocity_of(moving.joints.X[c.body]),
                              joint_velocity(then, c.body, v)));
        }
    });
}

// The columns' componentwise rates in the body's frame: zero for all but the universal joint.
TYPED_TEST(JointMotion, SubspaceRateIsTheRateOfTheSubspace) {
    for_all_joints<double>([](const JointCase& c, auto& random) {
        const VectorX<double> q = random_q(c.model, random), v = random.vector(c.model.nv());
        const auto now = joints_at(c.model, q, v);
        const auto moving = joints_at(c.model, TestFixture::moving(c.model, q, v));
        for (std::size_t k = 0; k < now.joints.subspace.size(); ++k) {
            EXPECT_TRUE(
                close(values_of(to_eigen(moving.joints.subspace[k])), now.joints.subspace[k]));
            EXPECT_TRUE(close(derivatives_of(to_eigen(moving.joints.subspace[k])),
                              now.joints.subspace_rate[k]));
        }
    });
}

// --- On every scalar ------------------------------------------------------------------------------

template <class S>
class JointSubspace : public testing::Test {};
TYPED_TEST_SUITE(JointSubspace, Scalars, ScalarNames);

// Slides "Motion Constraints": the joint pushes back with forces that do no work.
TYPED_TEST(JointSubspace, ConstraintForcesComplementIt) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto& random) {
        const auto ws = joints_at(c.model, random_q(c.model, random));
        const Body<double>& body = c.model.body(c.body);
        MotionSubspace<S> motion;
        motion.dim = body.nv;
        for (int k = 0; k < body.nv; ++k) {
            motion.column[k] = ws.joints.subspace[static_cast<std::size_t>(body.dof_index + k)];
        }
        const ForceSubspace<S> T = constraint_force_subspace(motion);
        ASSERT_EQ(T.dim, 6 - body.nv);
        const MatrixX<double> basis = values_of(to_eigen(T)).template cast<double>();
        // Each column has a one where all others have a zero: they are independent.
        for (int j = 0; j < T.dim; ++j) {
            for (int k = 0; k < motion.dim; ++k) {
                EXPECT_TRUE(close(dot(motion.column[k], T.column[j]), S(0)));
            }
            bool has_own_coordinate = false;
            for (int i = 0; i < 6; ++i) {
                has_own_coordinate |= basis(i, j) == 1 && basis.row(i).cwiseAbs().sum() == 1;
            }
            EXPECT_TRUE(has_own_coordinate);
        }
    });
}

TYPED_TEST(JointSubspace, TransformIsARotationAndATranslation) {
    using S = TypeParam;
    for_all_joints<S>([](const JointCase& c, auto& random) {
        const auto ws = joints_at(c.model, random_q(c.model, random));
        const Mat3<S>& E = ws.joints.X[c.body].E;
        EXPECT_TRUE(close(transpose(E) * E, Mat3<S>::identity(), model_roundings<S>()));
        EXPECT_TRUE(close(determinant(E), S(1), model_roundings<S>()));
    });
}

// --- The list of joints ---------------------------------------------------------------------------

TEST(JointTypes, EachHasANameAndItsCoordinates) {
    const struct {
        JointType type;
        const char* name;
        int nq, nv;
    } rows[] = {
        {JointType::kFixed, "fixed", 0, 0},
        {JointType::kRevolute, "revolute", 1, 1},
        {JointType::kPrismatic, "prismatic", 1, 1},
        {JointType::kHelical, "helical", 1, 1},
        {JointType::kCylindrical, "cylindrical", 2, 2},
        {JointType::kUniversal, "universal", 2, 2},
        {JointType::kSpherical, "spherical", 4, 3},
        {JointType::kPlanar, "planar", 3, 3},
        {JointType::kTranslation, "translation", 3, 3},
        {JointType::kFloating, "floating", 7, 6},
    };
    for (const auto& row : rows) {
        EXPECT_STREQ(name_of(row.type), row.name);
        visit_joint(row.type, [&](auto joint) {
            EXPECT_EQ(joint.kNq, row.nq) << row.name;
            EXPECT_EQ(joint.kNv, row.nv) << row.name;
        });
    }
    for_all_joints<double>([](const JointCase& c, auto&) {
        const Body<double>& body = c.model.body(c.body);
        EXPECT_EQ(body.joint, c.joint.type);
        EXPECT_EQ(c.model.nv(), body.mimic ? 1 : 1 + body.nv);
        EXPECT_EQ(c.model.nq(), body.mimic ? 1 : 1 + body.nq);
    });
}

}  // namespace
}  // namespace plucker::test
