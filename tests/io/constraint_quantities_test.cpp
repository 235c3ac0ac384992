// What `evaluate` says of a robot's constraints is what the functions say, in every order of coordinates.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "plucker/constraints/constrained_dynamics.hpp"
#include "plucker/io/evaluate.hpp"
#include "plucker/io/write_state.hpp"
#include "plucker/plucker.hpp"
#include "support/joint_models.hpp"
#include "support/reference.hpp"

namespace plucker {
namespace {

using nlohmann::json;

ConstraintDescription along(const std::array<bool, 6>& axes, ConstraintDescription constraint) {
    constraint.axes = axes;
    return constraint;
}

// A constraint of every kind, with joints that follow others and others declared before their parents.
Model tied() {
    const auto ball = MassProperties::sphere(1, 0.1, {0.1, 0.05, 0.2});
    JointDescription follower = revolute("follower", {1, 0, 0}).at(0.2, 0, 0.1);
    follower.mimic = Mimic{"left", -0.5, 0.1};
    Description d =
        Builder("tied")
            .base(Base::kFloating)
            .link("hull", MassProperties::box(4, {0.4, 0.3, 0.2}))
            .body("hull", revolute("left", {0, 1, 0}).at(0.3, 0, 0), "left_arm", ball)
            .body("left_arm", follower, "left_hand", ball)
            .body("hull", spherical("neck").at(0, 0, 0.3), "head", ball)
            .body("head", planar("eye", {0, 0, 1}), "lens", ball)
            .body("hull", prismatic("right", {0, 0, 1}).at(-0.3, 0, 0), "right_arm", ball)
            .frame("grip", "left_hand", test::odd_placement(3))
            .constraint(connect("loop", "grip", "right_arm"))
            .constraint(
                along({true, false, true, false, true, false}, weld("slot", "lens", "left_hand")))
            .constraint(
                along({false, false, false, false, false, true}, weld("stop", "head", "world")))
            .constraint(rod("rod", "lens", "right_arm", 0.4))
            .constraint(gear("mesh", "left", "right", 2.5))
            .build()
            .description();
    std::reverse(d.joints.begin(), d.joints.end());
    d.base_joint = "root";
    return Model(d);
}

struct At {
    Model model = tied();
    VectorX<double> q, v, tau, a, lambda;

    explicit At(std::uint32_t seed) {
        std::mt19937 generator(seed);
        q = random_configuration(model, generator);
        v = VectorX<double>::NullaryExpr(model.nv(),
                                         [&] { return 0.1 * int(generator() % 21) - 1; });
        tau = 3 * v.reverse();
        const ConstrainedAccelerations found = constrained_forward_dynamics(model, q, v, tau);
        a = found.a;
        lambda = found.lambda;
    }
    std::string state() const { return write_state(model, q, v, 0 * v, tau); }
};

// A number or an array of them, whatever its depth.
std::vector<double> flat(const json& x) {
    if (x.is_number()) return {x.get<double>()};
    std::vector<double> out;
    for (const json& part : x) {
        for (const double number : flat(part)) out.push_back(number);
    }
    return out;
}
void expect_near(const json& found, const MatrixX<double>& expected, const std::string& what) {
    const std::vector<double> numbers = flat(found);
    ASSERT_EQ(static_cast<long>(numbers.size()), expected.size()) << what;
    for (long r = 0; r < expected.rows(); ++r) {
        for (long c = 0; c < expected.cols(); ++c)
            EXPECT_NEAR(numbers[static_cast<std::size_t>(r * expected.cols() + c)], expected(r, c),
                        1e-9 * (1 + std::abs(expected(r, c))))
                << what;
    }
}

class ConstraintQuantities : public testing::TestWithParam<std::string> {};

TEST_P(ConstraintQuantities, AreWhatTheirFunctionsSay) {
    const At at(4);
    EvaluateOptions options;
    options.quantities = {"constrained_forward_dynamics", "constraint_forces", "constraint_errors",
                          "constraint_jacobian"};
    options.order = convention_named(GetParam());
    const Coordinates order(at.model, options.order, MimicJoints::kLeftOut);
    const json answer = json::parse(evaluate(at.model, at.state(), "s", options));
    EXPECT_EQ(answer["order"], GetParam());
    expect_near(answer["constrained_forward_dynamics"]["a"], order.export_a(at.q, at.v, at.a), "a");
    const VectorX<double> errors = constraint_errors(at.model, at.q);
    const MatrixX<double> J = order.export_jacobian(at.q, constraint_jacobian(at.model, at.q));
    Workspace<double> ws(at.model);
    const auto constraints = at.model.constraints();
    for (std::size_t k = 0; k < constraints.size(); ++k) {
        const Constraint& c = constraints[k];
        expect_near(answer["constraint_errors"][c.name], errors.segment(c.first_row, c.num_rows),
                    c.name);
        expect_near(answer["constraint_jacobian"][c.name], J.middleRows(c.first_row, c.num_rows),
                    c.name);
        const VectorX<double> lambda = at.lambda.segment(c.first_row, c.num_rows);
        expect_near(answer["constrained_forward_dynamics"]["lambda"][c.name], lambda, c.name);
        const json& forces = answer["constraint_forces"][c.name];
        if (c.kind == ConstraintKind::kCoupling) {
            expect_near(forces["torque"], lambda, c.name);
            continue;
        }
        for (const auto& [name, in] : {std::pair{"body", ReferenceFrame::kBody},
                                       {"world", ReferenceFrame::kWorld},
                                       {"world_aligned", ReferenceFrame::kWorldAligned}}) {
            const Force<double> f = constraint_force(ws, at.q, static_cast<int>(k), at.lambda, in);
            VectorX<double> six(6);
            six << f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z;
            expect_near(forces[name], six, c.name + " " + name);
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Orders, ConstraintQuantities,
                         testing::Values("plucker", "file", "pinocchio", "mujoco"),
                         [](const auto& test) { return test.param; });

TEST(ConstraintQuantitiesInCsv, AreNamedByConstraintAndEquation) {
    const At at(5);
    EvaluateOptions options;
    options.quantities = {"constraint_errors", "constrained_forward_dynamics", "constraint_forces"};
    options.output = TextFormat::kCsv;
    const std::string csv = evaluate(at.model, at.state(), "s", options);
    const std::string header = csv.substr(0, csv.find('\n')) + ",";
    for (const char* column :
         {"constraint_errors.loop.linear.z", "constraint_errors.slot.angular.z",
          "constraint_errors.stop.linear.z", "constraint_errors.rod", "constraint_errors.mesh",
          "constrained_forward_dynamics.a.root.angular.x",
          "constrained_forward_dynamics.lambda.slot.linear.y",
          "constrained_forward_dynamics.lambda.mesh", "constraint_forces.rod.world.linear.x",
          "constraint_forces.mesh.torque"}) {
        EXPECT_NE(header.find(std::string(",") + column + ","), std::string::npos) << column;
    }
    EXPECT_EQ(csv.find("constraint_errors.slot.angular.y"), std::string::npos);
    // It is read again as the state.
    options.input = TextFormat::kCsv;
    EXPECT_NO_THROW((void)evaluate(at.model, csv, "again.csv", options));
}

TEST(ConstraintQuantitiesInAll, AreThoseOfARobotThatHasConstraints) {
    const At at(6);
    const json all = json::parse(evaluate(at.model, at.state(), "s"));
    const Model free = robots::double_pendulum();
    const VectorX<double> x = Eigen::Vector2d(0.3, -0.2);
    const std::string state = write_state(free, x, x, x, x);
    const json none = json::parse(evaluate(free, state, "s"));
    for (const char* name : {"constrained_forward_dynamics", "constraint_forces",
                             "constraint_errors", "constraint_jacobian"}) {
        EXPECT_TRUE(all.contains(name)) << name;
        EXPECT_FALSE(none.contains(name)) << name;
    }
    EvaluateOptions options;
    options.quantities = {"constrained_forward_dynamics", "constraint_errors"};
    const json asked = json::parse(evaluate(free, state, "s", options));
    EXPECT_EQ(asked["constraint_errors"], json::object());
    expect_near(asked["constrained_forward_dynamics"]["a"], forward_dynamics(free, x, x, x), "a");
}

// Those that differ once the constraints count, and no others.
TEST(LeavesOutConstraints, SaysWhichFunctionsRelateTorquesWithAccelerations) {
    std::vector<std::string> names;
    for (const Algorithm& row : algorithms()) {
        if (leaves_out_constraints(row)) names.emplace_back(row.name);
    }
    for (const char* one : {"forward_dynamics", "inverse_dynamics", "hybrid_dynamics",
                            "reaction_forces", "inverse_mass_matrix", "operational_inertia",
                            "forward_dynamics_derivatives", "torque_regressor"})
        EXPECT_EQ(std::count(names.begin(), names.end(), one), 1) << one;
    for (const char* other :
         {"mass_matrix", "bias_torque", "frame_acceleration", "frame_acceleration_derivatives",
          "com_acceleration_derivatives", "kinetic_energy", "integrate", "energy_regressor"})
        EXPECT_EQ(std::count(names.begin(), names.end(), other), 0) << other;
    const auto of_all = quantities_without_constraints(robots::arm(), {"all"});
    EXPECT_EQ(std::count(of_all.begin(), of_all.end(), "forward_dynamics"), 1);
    for (const char* other : {"constrained_forward_dynamics", "floating_base_inverse_dynamics"})
        EXPECT_EQ(std::count(of_all.begin(), of_all.end(), other), 0) << other;
    EXPECT_EQ(quantities_without_constraints(robots::arm(), {"mass_matrix", "forward_dynamics_dq"}),
              std::vector<std::string>{"forward_dynamics_dq"});
}

}  // namespace
}  // namespace plucker
