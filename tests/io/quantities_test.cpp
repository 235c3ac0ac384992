// What `evaluate` answers is what the library's functions say: every quantity, for every type of joint, with the joints
// declared in another order than the tree's and external forces away from the bodies' origins.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "plucker/io/evaluate.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"
#include "support/joint_models.hpp"
#include "support/reference.hpp"
#include "support/table_calls.hpp"

namespace plucker {
namespace {

using nlohmann::json;

// --- A robot, a state, forces ------------------------------------------------------------------------

struct AppliedForce {
    std::string frame;
    ReferenceFrame in;
    Force<double> force;
};

struct Situation {
    Model model;
    VectorX<double> q, v, a, tau;
    std::vector<AppliedForce> applied;

    template <class S>
    ExternalForces<S> forces() const {
        ExternalForces<S> out(model);
        for (const AppliedForce& at : applied) out.add(at.frame, cast<S>(at.force), at.in);
        return out;
    }
};

Model with_joints_shuffled(const std::string& name, std::mt19937& generator) {
    Description d = test::joint_model(name).description();
    std::shuffle(d.joints.begin(), d.joints.end(), generator);
    std::shuffle(d.links.begin(), d.links.end(), generator);
    for (JointDescription& joint : d.joints) {
        if (joint.type == JointType::kFixed) continue;
        joint.armature = 0.05;
        joint.damping = 0.3;
        joint.friction = 0.1;
    }
    d.frames.push_back({"offset", "arm_link", test::odd_placement(9)});
    return Model(d);
}

Situation random_situation(const Model& model, std::mt19937& generator) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] {
        return VectorX<double>::NullaryExpr(model.nv(), [&] { return uniform(generator); }).eval();
    };
    const auto vec3 = [&] {
        return Vec3<double>{uniform(generator), uniform(generator), uniform(generator)};
    };
    Situation out{model, random_configuration(model, generator), vector(), vector(), vector(), {}};
    for (const char* frame : {"tool", "offset", "middle_link"}) {
        for (const auto in :
             {ReferenceFrame::kBody, ReferenceFrame::kWorld, ReferenceFrame::kWorldAligned}) {
            out.applied.push_back({frame, in, {vec3(), vec3()}});
        }
    }
    return out;
}

// By name: everything where it belongs, whatever the order.
json by_name(const Model& model, const VectorX<double>& x, bool is_q) {
    json out = {{"joints", json::object()}};
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.nv == 0 || body.mimic) continue;
        const VectorX<double> mine =
            is_q ? x.segment(body.q_index, body.nq) : x.segment(body.v_index, body.nv);
        const std::vector<double> numbers(mine.data(), mine.data() + mine.size());
        if (model.has_floating_base() && i == 1) {
            const auto part = [&](int from, int count) {
                return std::vector<double>(mine.data() + from, mine.data() + from + count);
            };
            out["base"] = is_q ? json{{"position", part(0, 3)}, {"quaternion_xyzw", part(3, 4)}}
                               : json{{"angular", part(0, 3)}, {"linear", part(3, 3)}};
        } else if (numbers.size() == 1) {
            out["joints"][model.joint(i).name] = numbers[0];
        } else {
            out["joints"][model.joint(i).name] = numbers;
        }
    }
    return out;
}

json to_json(const Situation& s) {
    json out{{"q", by_name(s.model, s.q, true)},
             {"v", by_name(s.model, s.v, false)},
             {"a", by_name(s.model, s.a, false)},
             {"tau", by_name(s.model, s.tau, false)}};
    const char* const names[] = {"body", "world", "world_aligned"};
    for (const AppliedForce& at : s.applied) {
        const auto numbers = [](const Vec3<double>& x) { return json{x.x, x.y, x.z}; };
        out["external_forces"].push_back({{"frame", at.frame},
                                          {"in", names[static_cast<int>(at.in)]},
                                          {"angular", numbers(at.force.angular)},
                                          {"linear", numbers(at.force.linear)}});
    }
    return out;
}

// --- The same by direct calls --------------------------------------------------------------------------

// An array with the axes that count velocities: those are in the model's order here, and in the answer's there.
struct Expected {
    std::vector<std::string> path;
    MatrixX<double> numbers;  // a vector is a column; Γ is n × n², face k in columns k n …
    std::string axes;         // 'v': velocities, 'x': others; one letter an axis
};
using Direct = std::function<std::vector<Expected>(const Situation&)>;

MatrixX<double> number(double x) { return MatrixX<double>::Constant(1, 1, x); }
Expected one(const MatrixX<double>& x, const std::string& axes) { return {{}, x, axes}; }

template <class S>
using OfState = std::function<VectorX<S>(const VectorX<S>& q, const VectorX<S>& v)>;

// By complex steps: independent of the formulas that the answer comes from.
enum class With { kRespectToQ, kRespectToV };
MatrixX<double> derivative(const Situation& s, With with, const OfState<ComplexStep<double>>& f) {
    using C = ComplexStep<double>;
    const int n = s.model.nv();
    MatrixX<double> out(n, n);
    for (int k = 0; k < n; ++k) {
        VectorX<C> step = VectorX<C>::Constant(n, C(0));
        step[k] = C(0, C::kStep);
        const VectorX<C> q = s.q.cast<C>();
        const VectorX<C> v = s.v.cast<C>();
        const VectorX<C> y =
            with == With::kRespectToQ ? f(integrate(s.model, q, step), v) : f(q, (v + step).eval());
        for (int r = 0; r < n; ++r) out(r, k) = y[r].imaginary / C::kStep;
    }
    return out;
}
Direct inverse_derivative(With with) {
    return [with](const Situation& s) -> std::vector<Expected> {
        using C = ComplexStep<double>;
        const ExternalForces<C> forces = s.forces<C>();
        return {one(derivative(s, with,
                               [&](const VectorX<C>& q, const VectorX<C>& v) {
                                   return inverse_dynamics(s.model, q, v, s.a.cast<C>(), &forces);
                               }),
                    "vv")};
    };
}
Direct forward_derivative(With with) {
    return [with](const Situation& s) -> std::vector<Expected> {
        using C = ComplexStep<double>;
        const ExternalForces<C> forces = s.forces<C>();
        return {one(derivative(s, with,
                               [&](const VectorX<C>& q, const VectorX<C>& v) {
                                   return forward_dynamics(s.model, q, v, s.tau.cast<C>(), &forces);
                               }),
                    "vv")};
    };
}

std::vector<Expected> direct_frames(const Situation& s) {
    Workspace<double> ws(s.model);
    forward_kinematics(ws, s.q, s.v, s.a);
    std::vector<Expected> out;
    MatrixX<double> J(6, s.model.nv());
    for (std::size_t k = 0; k < s.model.frames().size(); ++k) {
        const FrameId id = s.model.frame_id(static_cast<int>(k));
        const std::string& name = s.model.frame(id).name;
        out.push_back({{name, "rotation"}, to_eigen(frame_pose(ws, id).rotation), "xx"});
        out.push_back({{name, "position"}, to_eigen(frame_pose(ws, id).position), "x"});
        for (const auto& [suffix, in] : {std::pair{"body", ReferenceFrame::kBody},
                                         {"world", ReferenceFrame::kWorld},
                                         {"world_aligned", ReferenceFrame::kWorldAligned}}) {
            const auto add = [&, end = std::string("_") + suffix](
                                 const char* what, const MatrixX<double>& x, const char* axes) {
                out.push_back({{name, what + end}, x, axes});
            };
            frame_jacobian(ws, id, in, J);
            add("jacobian", J, "xv");
            frame_jacobian_dot(ws, id, in, J);
            add("jacobian_dot", J, "xv");
            add("velocity", to_eigen(frame_velocity(ws, id, in)), "x");
            add("acceleration", to_eigen(frame_acceleration(ws, id, in)), "x");
            add("classical_acceleration", to_eigen(frame_classical_acceleration(ws, id, in)), "x");
        }
    }
    return out;
}

// An output by its kind.
std::vector<Expected> expected_of(const Situation& s, Kind kind, const MatrixX<double>& x) {
    std::vector<Expected> out;
    switch (kind) {
        case Kind::kMassMatrix:
        case Kind::kSymmetricMatrix:
        case Kind::kJointMatrix:
        case Kind::kCoriolisMatrix:
        case Kind::kTorqueDerivative:
        case Kind::kAccelerationDerivative:
        case Kind::kStepDerivative:
        case Kind::kHessian:
            return {one(x, "vv")};
        case Kind::kChristoffelSymbols:
        case Kind::kHessians:
            return {one(x, "vvv")};
        case Kind::kJacobian:
        case Kind::kJacobianRate:
        case Kind::kPointJacobian:
        case Kind::kPointJacobianRate:
        case Kind::kSpatialDerivative:
        case Kind::kPointDerivative:
            return {one(x, "xv")};
        case Kind::kFrameInertia:
        case Kind::kEnergyRegressor:
            return {one(x, "xx")};
        case Kind::kRegressor:
        case Kind::kBiasRegressor:
            return {one(x, "vx")};
        case Kind::kNumber:
            return {one(x, "")};
        case Kind::kPoint:
        case Kind::kMotion:
        case Kind::kForce:
            return {one(x, "x")};
        case Kind::kJointForces:
            for (int i = 1; i <= s.model.num_bodies(); ++i)
                out.push_back({{s.model.joint(i).name}, x.row(i).transpose(), "x"});
            return out;
        case Kind::kBodyPoses:
            for (int i = 1; i <= s.model.num_bodies(); ++i) {
                const MatrixX<double> pose = x.row(i - 1).reshaped(4, 3).transpose();
                out.push_back({{s.model.body_name(i), "rotation"}, pose.leftCols(3), "xx"});
                out.push_back({{s.model.body_name(i), "position"}, pose.col(3), "x"});
            }
            return out;
        default:
            return {one(x, "v")};
    }
}

template <class Row>
std::vector<Expected> call_row(const Situation& s, FrameId frame, ReferenceFrame reference) {
    constexpr const Algorithm& kRow = Row::kAlgorithm;
    Workspace<double> ws(s.model);
    if (kRow.kinematics != Kinematics::kNone) forward_kinematics(ws, s.q, s.v, s.a);
    const std::map<std::string, VectorX<double>> state{
        {"q", s.q}, {"v", s.v}, {"a", s.a}, {"tau", s.tau}};
    const auto forces = s.forces<double>();
    test::TableCall call;
    call.external = &forces;
    call.frame = frame;
    call.reference = reference;
    std::vector<VectorX<double>> inputs, outputs;
    for (const Argument& input : kRow.inputs) {
        if (is_option(input.kind)) continue;
        inputs.push_back(state.at(input.name));
        call.input_shapes.push_back({inputs.back().size()});
    }
    for (const Argument& output : kRow.outputs) {
        const Extent extent = extent_of(output.kind, s.model);
        outputs.push_back(output.reads == Reads::kNothing
                              ? VectorX<double>::Zero(extent.rows * extent.columns).eval()
                              : state.at(output.name));
        call.output_shapes.push_back({extent.rows, extent.columns});
    }
    for (VectorX<double>& x : inputs) call.inputs.push_back(x.data());
    for (VectorX<double>& x : outputs) call.outputs.push_back(x.data());
    test::call_in_place<Row>(ws, call);
    std::vector<Expected> out;
    for (int k = 0; k < kRow.outputs.size(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        if (kRow.outputs[k].kind == Kind::kFactors) continue;  // of use in memory alone
        const MatrixX<double> result =
            test::result_of(kRow.outputs[k].kind, outputs[at].data(), call.output_shapes[at]);
        for (Expected& part : expected_of(s, kRow.outputs[k].kind, result)) {
            if (kRow.outputs.size() > 1) part.path.insert(part.path.begin(), kRow.outputs[k].name);
            out.push_back(std::move(part));
        }
    }
    return out;
}

// A row's function, called in place; where it takes a frame, for every frame in every reference.
template <class Row>
std::vector<Expected> direct_row(const Situation& s) {
    if (!Row::kAlgorithm.inputs.has(Kind::kFrame)) return call_row<Row>(s, {}, {});
    std::vector<Expected> out;
    for (std::size_t k = 0; k < s.model.frames().size(); ++k) {
        const FrameId id = s.model.frame_id(static_cast<int>(k));
        for (const auto& [name, in] : {std::pair{"body", ReferenceFrame::kBody},
                                       {"world", ReferenceFrame::kWorld},
                                       {"world_aligned", ReferenceFrame::kWorldAligned}}) {
            for (Expected& part : call_row<Row>(s, id, in)) {
                part.path.insert(part.path.begin(), {s.model.frame(id).name, name});
                out.push_back(std::move(part));
            }
        }
    }
    return out;
}

// With a floating base every frame is free; without, few are.
bool needs_floating(const Algorithm& row) {
    return row.needs_floating_base || row.needs_free_frame;
}

// The rows of the table, and what is put together from them: whoever adds such a quantity adds its call here.
std::map<std::string, Direct> direct_calls(const Model& model) {
    using S = const Situation&;
    using Out = std::vector<Expected>;
    std::map<std::string, Direct> calls{
        {"total_mass", [](S s) -> Out { return {one(number(s.model.total_mass()), "")}; }},
        {"coriolis_mne",
         [](S s) -> Out { return {one(modified_newton_euler(s.model, s.q, s.v).C, "vv")}; }},
        {"coriolis_christoffel",
         [](S s) -> Out { return {one(coriolis_matrix(s.model, s.q, s.v), "vv")}; }},
        {"coriolis_times_v",
         [](S s) -> Out { return {one(coriolis_matrix(s.model, s.q, s.v) * s.v, "v")}; }},
        {"com", [](S s) -> Out { return {one(center_of_mass(s.model, s.q), "x")}; }},
        {"com_bias_acceleration",
         [](S s) -> Out { return {one(com_acceleration(s.model, s.q, s.v, 0 * s.a), "x")}; }},
        {"frames", direct_frames},
        {"inverse_dynamics_dq", inverse_derivative(With::kRespectToQ)},
        {"inverse_dynamics_dv", inverse_derivative(With::kRespectToV)},
        {"forward_dynamics_dq", forward_derivative(With::kRespectToQ)},
        {"forward_dynamics_dv", forward_derivative(With::kRespectToV)},
    };
    const std::vector<std::string> names = quantity_names();
    table::All::for_each([&]<class Row>(Row) {
        const bool is_quantity =
            std::find(names.begin(), names.end(), Row::kAlgorithm.name) != names.end();
        if (!is_quantity || (needs_floating(Row::kAlgorithm) && !model.has_floating_base())) return;
        calls.emplace(Row::kAlgorithm.name, direct_row<Row>);
    });
    return calls;
}

// --- Comparison ----------------------------------------------------------------------------------------

// The answer's numbers, its velocities put into the model's order by their names.
MatrixX<double> in_model_order(const json& answer, const Expected& expected,
                               const std::vector<int>& order) {
    const auto at = [&](std::size_t axis, std::size_t k) {
        return expected.axes[axis] == 'v' ? static_cast<long>(order[k]) : static_cast<long>(k);
    };
    MatrixX<double> out =
        MatrixX<double>::Constant(expected.numbers.rows(), expected.numbers.cols(), std::nan(""));
    if (expected.axes.empty()) return number(answer.get<double>());
    if (expected.axes.size() == 3) {
        const long n = out.rows();
        for (std::size_t k = 0; k < answer.size(); ++k) {
            for (std::size_t i = 0; i < answer[k].size(); ++i) {
                for (std::size_t j = 0; j < answer[k][i].size(); ++j)
                    out(at(1, i), at(0, k) * n + at(2, j)) = answer[k][i][j].get<double>();
            }
        }
        return out;
    }
    for (std::size_t r = 0; r < answer.size(); ++r) {
        if (expected.axes.size() == 1) {
            out(at(0, r), 0) = answer[r].get<double>();
            continue;
        }
        for (std::size_t c = 0; c < answer[r].size(); ++c)
            out(at(0, r), at(1, c)) = answer[r][c].get<double>();
    }
    return out;
}

void expect_answers(const Situation& s, const json& answer) {
    std::vector<int> order;
    const auto& names = s.model.velocity_names();
    for (const auto& name : answer["velocity_order"]) {
        const auto found = std::find(names.begin(), names.end(), name.get<std::string>());
        ASSERT_NE(found, names.end()) << name;
        order.push_back(static_cast<int>(found - names.begin()));
    }
    ASSERT_EQ(order.size(), names.size());
    for (const auto& [quantity, direct] : direct_calls(s.model)) {
        SCOPED_TRACE(quantity);
        ASSERT_TRUE(answer.contains(quantity));
        // Complex steps and duals round differently, and forward dynamics divides by small pivots.
        const double tolerance = quantity.find("_d") != std::string::npos ? 1e-10 : 1e-12;
        for (const Expected& expected : direct(s)) {
            const json* at = &answer[quantity];
            std::string trace;
            for (const std::string& key : expected.path) {
                ASSERT_TRUE(at->contains(key)) << key;
                at = &at->at(key);
                trace += key + " ";
            }
            const MatrixX<double> ours = in_model_order(*at, expected, order);
            const double scale = std::max(1.0, expected.numbers.cwiseAbs().maxCoeff());
            EXPECT_LE((ours - expected.numbers).cwiseAbs().maxCoeff(), tolerance * scale) << trace;
            EXPECT_FALSE(ours.hasNaN()) << trace;
        }
    }
}

class EveryQuantity : public testing::TestWithParam<std::string> {};

TEST_P(EveryQuantity, IsWhatItsFunctionSaysInEveryOrderOfJoints) {
    std::mt19937 generator(11);
    bool has_another_order = false;
    for (int k = 0; k < 2; ++k) {
        const Situation sample =
            random_situation(with_joints_shuffled(GetParam(), generator), generator);
        std::vector<std::string> quantities;
        for (const auto& [name, direct] : direct_calls(sample.model)) quantities.push_back(name);
        for (const Convention order :
             {Convention::kFile, Convention::kPlucker, Convention::kPinocchio}) {
            SCOPED_TRACE("seed 11, robot " + std::to_string(k) + ", order " +
                         convention_names()[static_cast<std::size_t>(order)]);
            EvaluateOptions options;
            options.order = order;
            options.quantities = quantities;
            const json answer =
                json::parse(evaluate(sample.model, to_json(sample).dump(), "sample", options));
            EXPECT_FALSE(answer.contains("unavailable")) << answer["unavailable"];
            expect_answers(sample, answer);
            has_another_order |= answer["velocity_order"] != json(sample.model.velocity_names());
        }
    }
    EXPECT_TRUE(has_another_order) << "these robots would not notice a wrong order";
}

TEST_P(EveryQuantity, HasADirectCallAndIsInAllUnlessItRepeatsAnother) {
    std::mt19937 generator(12);
    const Situation sample =
        random_situation(with_joints_shuffled(GetParam(), generator), generator);
    const auto calls = direct_calls(sample.model);
    const json all = json::parse(evaluate(sample.model, to_json(sample).dump(), "sample"));
    EXPECT_FALSE(all.contains("unavailable")) << all["unavailable"];
    for (const std::string& name : quantity_names()) {
        if (name.starts_with("constrain")) continue;  // constraint_quantities_test.cpp
        const auto row = std::find_if(algorithms().begin(), algorithms().end(),
                                      [&](const Algorithm& x) { return x.name == name; });
        const bool of_a_row = row != algorithms().end();
        if (of_a_row && needs_floating(*row) && !sample.model.has_floating_base()) {
            EXPECT_FALSE(all.contains(name)) << name;
            continue;
        }
        EXPECT_TRUE(calls.contains(name)) << name << ": add its direct call to the list";
        const bool repeats =
            of_a_row &&
            (row->another_way_for != nullptr || row->inputs.has(Kind::kFrame) ||
             row->outputs[0].kind == Kind::kBodyPoses || row->outputs[0].kind == Kind::kHessians ||
             is_regressor(row->outputs[0].kind));
        EXPECT_EQ(all.contains(name), !repeats) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Joints, EveryQuantity, testing::ValuesIn(test::joint_model_names()),
                         [](const auto& test) { return test.param; });

MatrixX<double> matrix(const json& rows) {
    MatrixX<double> out(static_cast<long>(rows.size()), static_cast<long>(rows[0].size()));
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t c = 0; c < rows[r].size(); ++c)
            out(static_cast<long>(r), static_cast<long>(c)) = rows[r][c].get<double>();
    }
    return out;
}

// The Coriolis matrix of an order is that of its velocities: times these it is the torque that they take.
TEST(CoriolisMatrices, TakeTheVelocitiesOfTheirOrder) {
    const Model model = robots::quadruped();
    std::mt19937 generator(19);
    const laws::State<double> s = laws::random_state(model, generator);
    const Situation situation{model, s.q, s.v, s.a, s.tau, {}};
    for (const Convention order : {Convention::kPlucker, Convention::kMujoco}) {
        EvaluateOptions options;
        options.order = order;
        options.quantities = {"coriolis_christoffel", "coriolis_mne", "coriolis_times_v"};
        const json answer =
            json::parse(evaluate(model, to_json(situation).dump(), "state", options));
        const VectorX<double> v = Coordinates(model, order).export_v(s.q, s.v);
        VectorX<double> expected(v.size());
        for (long k = 0; k < v.size(); ++k)
            expected[k] = answer["coriolis_times_v"][static_cast<std::size_t>(k)].get<double>();
        for (const char* name : {"coriolis_christoffel", "coriolis_mne"}) {
            EXPECT_LE((matrix(answer[name]) * v - expected).lpNorm<Eigen::Infinity>(),
                      1e-12 * (1 + expected.lpNorm<Eigen::Infinity>()))
                << name;
        }
    }
}

// Velocities along other axes than ours turn with the robot: Jacobians and their rates change, J a + J̇ v does not.
TEST(RatesOfJacobians, GiveOneAccelerationInEveryOrder) {
    const Model model = robots::quadruped();
    std::mt19937 generator(13);
    const laws::State<double> s = laws::random_state(model, generator);
    const Situation situation{model, s.q, s.v, s.a, s.tau, {}};
    std::vector<MatrixX<double>> expected;
    for (const Convention order : {Convention::kPlucker, Convention::kMujoco}) {
        EvaluateOptions options;
        options.order = order;
        options.quantities = {"jacobians_dot",
                              "com_jacobian",
                              "com_jacobian_dot",
                              "centroidal_momentum_matrix",
                              "centroidal_momentum_matrix_dot",
                              "frames"};
        const json answer =
            json::parse(evaluate(model, to_json(situation).dump(), "state", options));
        const Coordinates coordinates(model, order);
        const VectorX<double> v = coordinates.export_v(s.q, s.v);
        const VectorX<double> a = coordinates.export_a(s.q, s.v, s.a);
        std::vector<MatrixX<double>> found;
        const auto add = [&](const json& J, const json& J_dot) {
            found.push_back(matrix(J) * a + matrix(J_dot) * v);
        };
        add(answer["jacobians_dot"]["J"], answer["jacobians_dot"]["J_dot"]);
        add(answer["com_jacobian"], answer["com_jacobian_dot"]);
        add(answer["centroidal_momentum_matrix"], answer["centroidal_momentum_matrix_dot"]);
        for (const auto& [name, frame] : answer["frames"].items()) {
            for (const char* in : {"body", "world", "world_aligned"}) {
                add(frame["jacobian_" + std::string(in)], frame["jacobian_dot_" + std::string(in)]);
            }
        }
        if (expected.empty()) expected = found;
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
            EXPECT_LE((found[k] - expected[k]).cwiseAbs().maxCoeff(),
                      1e-12 * (1 + expected[k].cwiseAbs().maxCoeff()))
                << k;
        }
    }
}

// Y' π = τ' - d(M' v')/dt, in coordinates that turn with the robot too.
TEST(Regressors, OfMomentumAreThoseOfTheirOrder) {
    const Model model = robots::quadruped();
    std::mt19937 generator(17);
    const laws::State<double> s = laws::random_state(model, generator);
    const Situation situation{model, s.q, s.v, s.a, s.tau, {}};
    const VectorX<double> pi = dynamic_parameters(model);
    const MatrixX<double> M = mass_matrix(model, s.q);
    const MatrixX<double> M_dot = laws::rate_of(mass_matrix(model, laws::moving(model, s).q));
    const VectorX<double> rate = M * s.a + M_dot * s.v,
                          tau = inverse_dynamics(model, s.q, s.v, s.a);
    for (const Convention order :
         {Convention::kPlucker, Convention::kPinocchio, Convention::kMujoco}) {
        EvaluateOptions options;
        options.order = order;
        options.quantities = {"momentum_regressor", "momentum_bias_regressor"};
        const json answer =
            json::parse(evaluate(model, to_json(situation).dump(), "state", options));
        const auto times_pi = [&](const json& rows) {
            VectorX<double> out = VectorX<double>::Zero(static_cast<long>(rows.size()));
            for (std::size_t r = 0; r < rows.size(); ++r) {
                for (std::size_t c = 0; c < rows[r].size(); ++c)
                    out[static_cast<long>(r)] +=
                        rows[r][c].get<double>() * pi[static_cast<long>(c)];
            }
            return out;
        };
        const Coordinates coordinates(model, order);
        const MatrixX<double> T = coordinates.velocity_map(s.q);
        const MatrixX<double> T_dot = coordinates.velocity_map_rate(s.q, s.v);
        const VectorX<double> momentum = T * (M * s.v);
        const VectorX<double> bias = T * tau - T_dot * (M * s.v) - T * rate;
        EXPECT_LE((times_pi(answer["momentum_regressor"]) - momentum).cwiseAbs().maxCoeff(), 1e-11);
        EXPECT_LE((times_pi(answer["momentum_bias_regressor"]) - bias).cwiseAbs().maxCoeff(),
                  1e-10);
    }
}

}  // namespace
}  // namespace plucker
