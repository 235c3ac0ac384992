// Whatever is given: what has no meaning is refused, and results depend on the arguments alone.
#include <gtest/gtest.h>

#include <functional>

#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/close_loops.hpp"
#include "plucker/model/builder.hpp"
#include "plucker/robots/robots.hpp"
#include "support/error_message.hpp"

namespace plucker::test {
namespace {

using Vector = VectorX<double>;

// A floating hull with two arms that a rod ties together.
Model tied_by_rod(double mass_of_arm = 1) {
    return Builder("tied")
        .base(Base::kFloating)
        .link("hull", MassProperties::box(4, {0.4, 0.3, 0.2}))
        .body("hull", revolute("a", {0, 1, 0}).at(0.3, 0, 0), "left",
              mass_of_arm > 0 ? MassProperties::sphere(mass_of_arm, 0.1) : MassProperties{})
        .body("hull", revolute("b", {0, 0, 1}).at(-0.3, 0.1, 0), "right",
              MassProperties::sphere(2, 0.1))
        .frame("grip", "left", Pose<double>::roll_pitch_yaw({0.2, 0.1, 0}, {0.3, 0.4, 0.5}))
        .constraint(rod("rod", "grip", "right", 0.5))
        .physics(Physics::kLenient)
        .build();
}

struct Moving {
    Vector q, v, tau;
};
Moving some_state(const Model& model) {
    Moving s{neutral_configuration(model), Vector::LinSpaced(model.nv(), -1, 1),
             Vector::LinSpaced(model.nv(), 2, -1)};
    s.q.head(3) << 5, -7, 2;
    s.q.segment(3, 4) = Eigen::Vector4d(0.1, 0.2, -0.3, 0.8).normalized();
    s.q.tail(2) << 0.6, -0.4;
    return s;
}

// Every function that takes a configuration, by its name.
struct OfConfiguration {
    const char* name;
    std::function<void(const Model&, const Vector& q)> call;
};
const OfConfiguration kFunctions[] = {
    {"constraint_errors", [](const Model& m, const Vector& q) { constraint_errors(m, q); }},
    {"constraint_jacobian", [](const Model& m, const Vector& q) { constraint_jacobian(m, q); }},
    {"constraint_bias",
     [](const Model& m, const Vector& q) { constraint_bias(m, q, Vector::Zero(m.nv())); }},
    {"delassus_matrix", [](const Model& m, const Vector& q) { delassus_matrix(m, q); }},
    {"inverse_inertia_of_frames",
     [](const Model& m, const Vector& q) {
         const FrameId frames[] = {m.frame_id("grip")};
         inverse_inertia_of_frames(m, q, frames);
     }},
    {"close_loops", [](const Model& m, const Vector& q) { close_loops(m, q); }},
    {"constraint_force",
     [](const Model& m, const Vector& q) {
         Workspace<double> ws(m);
         constraint_force(ws, q, 0, Vector::Ones(1), ReferenceFrame::kWorld);
     }},
    {"constraint_impulse",
     [](const Model& m, const Vector& q) {
         Workspace<double> ws(m);
         Vector v = Vector::Ones(m.nv()), impulse(1);
         constraint_impulse(ws, q, 0, v, impulse);
     }},
    {"project_configuration",
     [](const Model& m, const Vector& q) {
         Workspace<double> ws(m);
         Vector x = q;
         project_configuration(ws, x);
     }},
    {"constrained_forward_dynamics",
     [](const Model& m, const Vector& q) {
         constrained_forward_dynamics(m, q, Vector::Zero(m.nv()), Vector::Zero(m.nv()));
     }},
    {"constrained_forward_dynamics_derivatives",
     [](const Model& m, const Vector& q) {
         constrained_forward_dynamics_derivatives(m, q, Vector::Zero(m.nv()), Vector::Zero(m.nv()));
     }},
};

class Constraints : public testing::TestWithParam<OfConfiguration> {};

TEST_P(Constraints, RefuseWhatIsNoConfiguration) {
    const std::string name = GetParam().name;
    const auto& call = GetParam().call;
    const Model model = tied_by_rod();
    const Vector good = some_state(model).q;
    EXPECT_NO_THROW(call(model, good));
    const auto refuses = [&](const Vector& q, const std::string& words) {
        const std::string said = message([&] { call(model, q); });
        EXPECT_EQ(said.find(name + ": "), 0U) << said;
        EXPECT_NE(said.find(words), std::string::npos) << said;
    };
    Vector q = good;
    q[8] = NAN;
    refuses(q, "[8] (joint 'b') is nan");
    q = good;
    q.segment(3, 4).setZero();
    refuses(q, "the quaternion of joint 'base' is zero");
    refuses(Vector::Zero(3), "has size 3, expected 9 (nq)");
}
INSTANTIATE_TEST_SUITE_P(All, Constraints, testing::ValuesIn(kFunctions),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(Constraints, RefuseWhatElseHasNoMeaning) {
    const Model model = tied_by_rod();
    const Moving at = some_state(model);
    const Vector &q = at.q, &v = at.v;
    Vector bad = v;
    bad[2] = NAN;
    EXPECT_NE(message([&] { constraint_bias(model, q, bad); }).find("v[2] (joint 'base') is nan"),
              std::string::npos);
    const Model other = robots::humanoid();
    const FrameId foreign[] = {other.frame_id("left_foot")};
    EXPECT_NE(message([&] {
                  inverse_inertia_of_frames(model, q, foreign);
              }).find("inverse_inertia_of_frames: "),
              std::string::npos);
    const Model massless = tied_by_rod(0);
    EXPECT_NE(message([&] {
                  delassus_matrix(massless, q);
              }).find("delassus_matrix: the mass matrix is singular at joint 'a'"),
              std::string::npos);
    Workspace<double> ws(model);
    Vector x = q;
    for (const double tolerance : {-1.0, double{NAN}}) {
        EXPECT_NE(message([&] { project_configuration(ws, x, tolerance); }).find("tolerance is"),
                  std::string::npos);
    }
    EXPECT_EQ(message([&] {
                  constraint_force(ws, q, 0, Vector::Constant(1, NAN), ReferenceFrame::kBody);
              }),
              "constraint_force: an entry of lambda holds nan; it must be finite");
}

// No call before or between changes it.
TEST(Constraints, ForceDependsOnItsArgumentsAlone) {
    const Model model = tied_by_rod();
    const Moving at = some_state(model);
    const Vector &q = at.q, &v = at.v, &tau = at.tau;
    Workspace<double> ws(model), fresh(model);
    Vector a(model.nv()), lambda(1);
    constrained_forward_dynamics(ws, q, v, tau, nullptr, a, lambda);
    for (const ReferenceFrame in :
         {ReferenceFrame::kBody, ReferenceFrame::kWorld, ReferenceFrame::kWorldAligned}) {
        const Force<double> at_once = constraint_force(ws, q, 0, lambda, in);
        EXPECT_GT(norm(at_once.linear), 0.1);
        MatrixX<double> C(model.nv(), model.nv());
        coriolis_matrix(ws, neutral_configuration(model), v, C);
        EXPECT_EQ(constraint_force(ws, q, 0, lambda, in), at_once);
        EXPECT_EQ(constraint_force(fresh, q, 0, lambda, in), at_once);
    }
}

// Of several constraints each has its own rows of λ.
TEST(Constraints, ForceIsThatOfItsOwnRows) {
    const auto with = [](const std::vector<ConstraintDescription>& ties) {
        Builder builder("chain");
        builder.link("ground")
            .body("ground", revolute("a", {0, 0, 1}), "left", MassProperties::box(1, {1, 2, 3}))
            .body("left", spherical("b").at(0.5, 0.2, 0.1), "right",
                  MassProperties::box(1, {1, 2, 3}));
        for (const ConstraintDescription& tie : ties) builder.constraint(tie);
        return builder.build();
    };
    const ConstraintDescription first = connect("first", "left", "ground"),
                                second = weld("second", "right", "ground");
    const Model both = with({first, second}), alone = with({second});
    Vector q(5), lambda(9);
    q << 0.3, 0.1, -0.2, 0.4, 0.8;
    normalize_configuration(both, q);
    lambda << 1, -2, 3, 0.5, 0.7, -0.9, 4, -5, 6;
    Workspace<double> ws(both), one(alone);
    for (const ReferenceFrame in :
         {ReferenceFrame::kBody, ReferenceFrame::kWorld, ReferenceFrame::kWorldAligned})
        EXPECT_EQ(constraint_force(ws, q, 1, lambda, in),
                  constraint_force(one, q, 0, lambda.tail(6), in));
}

TEST(Constraints, InputsMayBeOutputsAndOutputsMustBeApart) {
    const Model model = tied_by_rod();
    const Moving at = some_state(model);
    const Vector &q = at.q, &v = at.v, &tau = at.tau;
    Workspace<double> ws(model);
    Vector a(model.nv()), lambda(1);
    constrained_forward_dynamics(ws, q, v, tau, nullptr, a, lambda);
    Vector x = tau, y(model.nv());
    constrained_forward_dynamics(ws, q, v, x, nullptr, y, x.head(1));
    EXPECT_EQ(y, a);
    EXPECT_EQ(x[0], lambda[0]);
    EXPECT_EQ(
        message([&] { constrained_forward_dynamics(ws, q, v, tau, nullptr, y, y.segment(2, 1)); }),
        "constrained_forward_dynamics: the outputs a and lambda share memory; each needs its "
        "own");
    Vector w = v;
    EXPECT_EQ(message([&] { constraint_impulse(ws, q, 0.5, w, w.head(1)); }),
              "constraint_impulse: the outputs v and impulse share memory; each needs its own");
}

// Where failures are reported, all outputs say so.
TEST(Constraints, ThatFailLeaveNoNumbersBehind) {
    const Model model = tied_by_rod();
    Moving at = some_state(model);
    Vector &q = at.q, &v = at.v, &tau = at.tau;
    Workspace<double> ws(model, OnFailure::kReport);
    Vector a = Vector::Ones(model.nv()), lambda = Vector::Ones(1);
    q[8] = NAN;
    EXPECT_EQ(constrained_forward_dynamics(ws, q, v, tau, nullptr, a, lambda).status,
              Status::kNonFiniteInput);
    EXPECT_TRUE(a.array().isNaN().all());
    EXPECT_TRUE(std::isnan(lambda[0]));
    lambda.setOnes();
    EXPECT_EQ(constraint_impulse(ws, q, 0.5, v, lambda).status, Status::kNonFiniteInput);
    EXPECT_TRUE(v.array().isNaN().all());
    EXPECT_TRUE(std::isnan(lambda[0]));
    lambda.setOnes();
    EXPECT_TRUE(std::isnan(constraint_force(ws, q, 0, lambda, ReferenceFrame::kBody).linear.x));
    EXPECT_EQ(ws.status(), Status::kNonFiniteInput);
    EXPECT_EQ(project_configuration(ws, q).status, Status::kNonFiniteInput);
    EXPECT_TRUE(q.array().isNaN().all());
}

}  // namespace
}  // namespace plucker::test
