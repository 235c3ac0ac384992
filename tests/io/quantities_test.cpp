// What `evaluate` answers is what the library's functions say: every quantity, for every type of joint, with the joints
// declared in another order than the tree's and external forces away from the bodies' origins.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "plucker/io/evaluate.hpp"
#include "plucker/plucker.hpp"
#include "support/joint_models.hpp"
#include "support/reference.hpp"

namespace plucker {
namespace {

using nlohmann::json;

// --- A robot, a state, forces ------------------------------------------------------------------------

struct AppliedForce {
    std::string frame;
    ReferenceFrame in;
    Force<double> force;
};

struct Sample {
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

Sample random_sample(const Model& model, std::mt19937& generator) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto vector = [&] {
        return VectorX<double>::NullaryExpr(model.nv(), [&] { return uniform(generator); }).eval();
    };
    const auto vec3 = [&] {
        return Vec3<double>{uniform(generator), uniform(generator), uniform(generator)};
    };
    Sample out{model, random_configuration(model, generator), vector(), vector(), vector(), {}};
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

json to_json(const Sample& s) {
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
using Direct = std::function<std::vector<Expected>(const Sample&)>;

MatrixX<double> number(double x) { return MatrixX<double>::Constant(1, 1, x); }
Expected one(const MatrixX<double>& x, const std::string& axes) { return {{}, x, axes}; }

template <class S>
using Function = std::function<VectorX<S>(const VectorX<S>& q, const VectorX<S>& v)>;

// By complex steps: independent of the dual numbers that the answer comes from.
enum class With { kRespectToQ, kRespectToV };
MatrixX<double> derivative(const Sample& s, With with, const Function<ComplexStep<double>>& f) {
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
    return [with](const Sample& s) -> std::vector<Expected> {
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
    return [with](const Sample& s) -> std::vector<Expected> {
        using C = ComplexStep<double>;
        const ExternalForces<C> forces = s.forces<C>();
        return {one(derivative(s, with,
                               [&](const VectorX<C>& q, const VectorX<C>& v) {
                                   return forward_dynamics(s.model, q, v, s.tau.cast<C>(), &forces);
                               }),
                    "vv")};
    };
}

std::vector<Expected> direct_frames(const Sample& s) {
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
            frame_jacobian_rate(ws, id, in, J);
            add("jacobian_dot", J, "xv");
            add("velocity", to_eigen(frame_velocity(ws, id, in)), "x");
            add("acceleration", to_eigen(frame_acceleration(ws, id, in)), "x");
            add("classical_acceleration", to_eigen(frame_classical_acceleration(ws, id, in)), "x");
        }
    }
    return out;
}

std::vector<Expected> direct_reactions(const Sample& s) {
    const auto external = s.forces<double>();
    const auto forces = reaction_forces(s.model, s.q, s.v, s.a, &external);
    std::vector<Expected> out;
    for (int i = 1; i <= s.model.num_bodies(); ++i) {
        out.push_back(
            {{s.model.joint(i).name}, to_eigen(forces[static_cast<std::size_t>(i)]), "x"});
    }
    return out;
}

// A quantity that is not in this table fails the test: whoever adds one adds its call here.
const std::map<std::string, Direct>& direct_calls() {
    using S = const Sample&;
    using Out = std::vector<Expected>;
    static const std::map<std::string, Direct> kCalls{
        {"total_mass", [](S s) -> Out { return {one(number(s.model.total_mass()), "")}; }},
        {"inverse_dynamics",
         [](S s) -> Out {
             const auto forces = s.forces<double>();
             return {one(inverse_dynamics(s.model, s.q, s.v, s.a, &forces), "v")};
         }},
        {"forward_dynamics",
         [](S s) -> Out {
             const auto forces = s.forces<double>();
             return {one(forward_dynamics(s.model, s.q, s.v, s.tau, &forces), "v")};
         }},
        {"gravity_torque", [](S s) -> Out { return {one(gravity_torque(s.model, s.q), "v")}; }},
        {"bias_torque", [](S s) -> Out { return {one(bias_torque(s.model, s.q, s.v), "v")}; }},
        {"friction_torque", [](S s) -> Out { return {one(friction_torque(s.model, s.v), "v")}; }},
        {"mass_matrix", [](S s) -> Out { return {one(mass_matrix(s.model, s.q), "vv")}; }},
        {"inverse_mass_matrix",
         [](S s) -> Out { return {one(inverse_mass_matrix(s.model, s.q), "vv")}; }},
        {"coriolis_mne",
         [](S s) -> Out { return {one(modified_newton_euler(s.model, s.q, s.v).C, "vv")}; }},
        {"coriolis_christoffel",
         [](S s) -> Out { return {one(coriolis_matrix(s.model, s.q, s.v), "vv")}; }},
        {"christoffel_symbols",
         [](S s) -> Out { return {one(christoffel_symbols(s.model, s.q), "vvv")}; }},
        {"coriolis_times_v",
         [](S s) -> Out { return {one(coriolis_matrix(s.model, s.q, s.v) * s.v, "v")}; }},
        {"coriolis_transpose_times_v",
         [](S s) -> Out {
             return {one(coriolis_matrix(s.model, s.q, s.v).transpose() * s.v, "v")};
         }},
        {"kinetic_energy",
         [](S s) -> Out { return {one(number(kinetic_energy(s.model, s.q, s.v)), "")}; }},
        {"potential_energy",
         [](S s) -> Out { return {one(number(potential_energy(s.model, s.q)), "")}; }},
        {"com", [](S s) -> Out { return {one(center_of_mass(s.model, s.q), "x")}; }},
        {"com_velocity", [](S s) -> Out { return {one(com_velocity(s.model, s.q, s.v), "x")}; }},
        {"com_acceleration",
         [](S s) -> Out { return {one(com_acceleration(s.model, s.q, s.v, s.a), "x")}; }},
        {"com_bias_acceleration",
         [](S s) -> Out { return {one(com_acceleration(s.model, s.q, s.v, 0 * s.a), "x")}; }},
        {"com_jacobian", [](S s) -> Out { return {one(com_jacobian(s.model, s.q), "xv")}; }},
        {"com_jacobian_dot",
         [](S s) -> Out { return {one(com_jacobian_rate(s.model, s.q, s.v), "xv")}; }},
        {"centroidal_momentum",
         [](S s) -> Out { return {one(to_eigen(centroidal_momentum(s.model, s.q, s.v)), "x")}; }},
        {"centroidal_momentum_dot",
         [](S s) -> Out {
             return {one(to_eigen(centroidal_momentum_rate(s.model, s.q, s.v, s.a)), "x")};
         }},
        {"centroidal_momentum_matrix",
         [](S s) -> Out { return {one(centroidal_momentum_matrix(s.model, s.q), "xv")}; }},
        {"centroidal_momentum_matrix_dot",
         [](S s) -> Out {
             return {one(centroidal_momentum_matrix_rate(s.model, s.q, s.v), "xv")};
         }},
        {"reaction_forces", direct_reactions},
        {"frames", direct_frames},
        {"inverse_dynamics_dq", inverse_derivative(With::kRespectToQ)},
        {"inverse_dynamics_dv", inverse_derivative(With::kRespectToV)},
        {"forward_dynamics_dq", forward_derivative(With::kRespectToQ)},
        {"forward_dynamics_dv", forward_derivative(With::kRespectToV)},
    };
    return kCalls;
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

void expect_answers(const Sample& s, const json& answer) {
    std::vector<int> order;
    const auto& names = s.model.velocity_names();
    for (const auto& name : answer["velocity_order"]) {
        const auto found = std::find(names.begin(), names.end(), name.get<std::string>());
        ASSERT_NE(found, names.end()) << name;
        order.push_back(static_cast<int>(found - names.begin()));
    }
    ASSERT_EQ(order.size(), names.size());
    for (const std::string& quantity : quantity_names()) {
        SCOPED_TRACE(quantity);
        const auto call = direct_calls().find(quantity);
        ASSERT_NE(call, direct_calls().end()) << "add its direct call to the table";
        ASSERT_TRUE(answer.contains(quantity));
        // Complex steps and duals round differently, and forward dynamics divides by small pivots.
        const double tolerance = quantity.find("_d") != std::string::npos ? 1e-10 : 1e-12;
        for (const Expected& expected : call->second(s)) {
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
        const Sample sample = random_sample(with_joints_shuffled(GetParam(), generator), generator);
        for (const Convention order :
             {Convention::kFile, Convention::kPlucker, Convention::kPinocchio}) {
            SCOPED_TRACE("seed 11, robot " + std::to_string(k) + ", order " +
                         convention_names()[static_cast<std::size_t>(order)]);
            EvaluateOptions options;
            options.order = order;
            const json answer =
                json::parse(evaluate(sample.model, to_json(sample).dump(), "sample", options));
            EXPECT_FALSE(answer.contains("unavailable")) << answer["unavailable"];
            expect_answers(sample, answer);
            has_another_order |= answer["velocity_order"] != json(sample.model.velocity_names());
        }
    }
    EXPECT_TRUE(has_another_order) << "these robots would not notice a wrong order";
}

INSTANTIATE_TEST_SUITE_P(Joints, EveryQuantity, testing::ValuesIn(test::joint_model_names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace plucker
