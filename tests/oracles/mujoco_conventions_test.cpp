// Coordinates in MuJoCo's convention are MuJoCo's own: it is given them as they are, and what it computes is compared.
#ifdef PLUCKER_HAVE_MUJOCO

#include <nlohmann/json.hpp>

#include "oracles/mujoco_model.hpp"
#include "plucker/io/evaluate.hpp"
#include "plucker/io/load.hpp"
#include "plucker/model/conventions.hpp"
#include "support/joint_models.hpp"
#include "support/reference.hpp"

namespace plucker::test {
namespace {

using nlohmann::json;
using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The robots whose joints MuJoCo has, or composes of hinges and slides coordinate by coordinate.
std::vector<std::string> names_of_robots() {
    std::vector<std::string> out;
    for (const std::string& name : robot_names()) {
        const Model model{robot(name)};
        bool has_all = true;
        for (int i = 1; i <= model.num_bodies(); ++i) {
            const Body<double>& body = model.body(i);
            has_all &= body.joint != JointType::kHelical &&
                       (body.joint != JointType::kFloating || (body.parent == 0 && i == 1));
        }
        if (has_all) out.push_back(name);
    }
    for (const char* type :
         {"revolute", "cylindrical", "universal", "spherical", "planar", "translation"}) {
        out.emplace_back(std::string("joint_") + type);
        out.emplace_back(std::string("joint_floating_") + type);
    }
    return out;
}

Description robot_named(const std::string& name) {
    return name.starts_with("joint_") ? joint_model(name.substr(6)).description() : robot(name);
}

class MujocoConvention : public testing::TestWithParam<std::string> {
protected:
    VectorX<double> numbers(const mjtNum* x, int count) const {
        return Eigen::Map<const VectorX<double>>(x, count);
    }
    // Gives MuJoCo a state in its own coordinates, and lets it compute.
    void set(const VectorX<double>& qpos, const VectorX<double>& qvel, const VectorX<double>& tau) {
        ASSERT_EQ(m_->nq, qpos.size());
        ASSERT_EQ(m_->nv, qvel.size());
        Eigen::Map<VectorX<double>>(d_->qpos, m_->nq) = qpos;
        Eigen::Map<VectorX<double>>(d_->qvel, m_->nv) = qvel;
        Eigen::Map<VectorX<double>>(d_->qfrc_applied, m_->nv) = tau;
        mj_forward(m_, d_);
    }
    MatrixX<double> their_mass_matrix() const {
        RowMajor M(m_->nv, m_->nv);
        mj_fullM(m_, M.data(), d_->qM);
        return M;
    }

    Model model_ = with_constants(robot_named(GetParam()), JointConstants::kDampingAndArmature);
    MujocoModel mujoco_{model_};
    const mjModel* m_ = mujoco_.m();
    mjData* d_ = mujoco_.d();
    Coordinates c_{model_, Convention::kMujoco};
};

TEST_P(MujocoConvention, NamesJointsInItsOrder) {
    for (int j = 0; j < m_->njnt; ++j) {
        const std::string name = mj_id2name(m_, mjOBJ_JOINT, j);
        const auto& ours = c_.v_names()[static_cast<std::size_t>(m_->jnt_dofadr[j])];
        // A second joint of a composed one is called after the first: "wrist.1".
        EXPECT_EQ(ours.substr(0, ours.find('.')), name.substr(0, name.find('.')));
    }
}

TEST_P(MujocoConvention, PutsItsLinksWhereOursAre) {
    for_each_random_state(model_, 3, [&](const State& s, const auto&) {
        set(c_.export_q(s.q), c_.export_v(s.q, s.v), VectorX<double>::Zero(m_->nv));
        Workspace<double> ws(model_);
        forward_kinematics(ws, s.q, s.v);
        for (int i = 1; i <= model_.num_bodies(); ++i) {
            const int body = mujoco_.body(model_.body_name(i));
            const FrameId frame = model_.body_frame(i);
            expect_agree(to_eigen(frame_pose(ws, frame).position), numbers(d_->xpos + 3 * body, 3),
                         kTolerance, "position of " + model_.body_name(i));
            Vector6<double> theirs;
            mj_objectVelocity(m_, d_, mjOBJ_XBODY, body, theirs.data(), 1);
            expect_agree(to_eigen(frame_velocity(ws, frame, ReferenceFrame::kBody)), theirs,
                         kTolerance, "velocity of " + model_.body_name(i));
        }
    });
}

TEST_P(MujocoConvention, MovesItAsOurs) {
    if (model_.has_mimic_joints()) GTEST_SKIP() << "constraints hold mimic joints there";
    for_each_random_state(model_, 4, [&](const State& s, const auto&) {
        set(c_.export_q(s.q), c_.export_v(s.q, s.v), c_.export_tau(s.q, s.tau));
        expect_mass_matrices_agree(c_.export_matrix(s.q, mass_matrix(model_, s.q)),
                                   their_mass_matrix(), kTolerance);
        expect_agree(c_.export_a(s.q, s.v, forward_dynamics(model_, s.q, s.v, s.tau)),
                     numbers(d_->qacc, m_->nv), kAccelerationTolerance, "qacc");
        expect_agree(forward_dynamics(model_, s.q, s.v, s.tau),
                     c_.import_a(s.q, s.v, numbers(d_->qacc, m_->nv)), kAccelerationTolerance,
                     "our acceleration from qacc");
        Eigen::Map<VectorX<double>>(d_->qacc, m_->nv) = c_.export_a(s.q, s.v, s.a);
        mj_inverse(m_, d_);
        expect_agree(inverse_dynamics(model_, s.q, s.v, s.a),
                     c_.import_tau(s.q, numbers(d_->qfrc_inverse, m_->nv)), kTolerance,
                     "our torque from qfrc_inverse");
    });
}

// `evaluate` in this order, with arrays in and out.
TEST_P(MujocoConvention, EvaluatesInItsOrder) {
    if (model_.has_mimic_joints()) GTEST_SKIP() << "constraints hold mimic joints there";
    EvaluateOptions options;
    options.order = Convention::kMujoco;
    for_each_random_state(model_, 5, [&](const State& s, const auto&) {
        const VectorX<double> qpos = c_.export_q(s.q), qvel = c_.export_v(s.q, s.v);
        const VectorX<double> qacc = c_.export_a(s.q, s.v, s.a), tau = c_.export_tau(s.q, s.tau);
        set(qpos, qvel, tau);
        const auto list = [](const VectorX<double>& x) {
            return std::vector<double>(x.data(), x.data() + x.size());
        };
        const json state{
            {"q", list(qpos)}, {"v", list(qvel)}, {"a", list(qacc)}, {"tau", list(tau)}};
        const json answer = json::parse(evaluate(model_, state.dump(), "state", options));
        const auto get = [&](const char* name) { return to_matrix(answer.at(name)); };
        expect_mass_matrices_agree(get("mass_matrix"), their_mass_matrix(), kTolerance);
        expect_agree(get("forward_dynamics"), numbers(d_->qacc, m_->nv), kAccelerationTolerance,
                     "forward_dynamics");
        // Theirs without friction, ours with it: qfrc_passive is minus it.
        expect_agree(get("bias_torque"),
                     numbers(d_->qfrc_bias, m_->nv) - numbers(d_->qfrc_passive, m_->nv), kTolerance,
                     "bias_torque");
        expect_agree(get("friction_torque"), -numbers(d_->qfrc_passive, m_->nv), kTolerance,
                     "friction_torque");
        expect_agree(get("mass_matrix") * get("inverse_mass_matrix"),
                     MatrixX<double>::Identity(m_->nv, m_->nv), 1e-8, "inverse_mass_matrix");
        // Those that MuJoCo has no function for follow from one another.
        const MatrixX<double> bias = get("bias_torque"), friction = get("friction_torque");
        const MatrixX<double> gravity = get("gravity_torque");
        const VectorX<double> C_v = bias - friction - gravity;
        const double scale = std::max(1.0, bias.cwiseAbs().maxCoeff());
        expect_agree(get("coriolis_times_v") / scale, C_v / scale, kTolerance, "coriolis_times_v");
        for (const char* name : {"coriolis_mne", "coriolis_christoffel"}) {
            expect_agree(get(name) * qvel / scale, C_v / scale, kTolerance, name);
        }
        expect_agree(get("coriolis_transpose_times_v"),
                     get("coriolis_christoffel").transpose() * qvel, 1e-11, "Cᵀ v");
        expect_agree(get("com_jacobian") * qvel, get("com_velocity"), kTolerance, "com_jacobian");
        expect_agree(get("com_jacobian") * qacc + get("com_jacobian_dot") * qvel,
                     get("com_acceleration"), kTolerance, "com_jacobian_dot");
        expect_agree(get("com_jacobian_dot") * qvel, get("com_bias_acceleration"), kTolerance,
                     "com_bias_acceleration");
        expect_agree(get("centroidal_momentum_matrix") * qvel, get("centroidal_momentum"),
                     kTolerance, "centroidal_momentum_matrix");
        expect_agree(
            get("centroidal_momentum_matrix") * qacc + get("centroidal_momentum_matrix_dot") * qvel,
            get("centroidal_momentum_dot"), kTolerance, "centroidal_momentum_matrix_dot");
        for (const auto& [frame, of] : answer["frames"].items()) {
            for (const std::string in : {"body", "world", "world_aligned"}) {
                const MatrixX<double> J = to_matrix(of["jacobian_" + in]);
                const MatrixX<double> J_dot = to_matrix(of["jacobian_dot_" + in]);
                expect_agree(J * qvel, to_matrix(of["velocity_" + in]), kTolerance, frame + in);
                if (in == "body" || in == "world") {
                    expect_agree(J * qacc + J_dot * qvel, to_matrix(of["acceleration_" + in]),
                                 1e-11, frame + " " + in + ": jacobian_dot");
                }
            }
        }
        if (c_.only_permutes()) return;
        EXPECT_TRUE(answer["unavailable"].contains("christoffel_symbols"));
        EXPECT_TRUE(answer["unavailable"].contains("forward_dynamics_dq"));
        // Ṁ = C + Cᵀ for C by Christoffel symbols, in any coordinates; by central differences.
        constexpr double kStep = 1e-5;
        const auto mass_at = [&](double t) {
            const VectorX<double> q = integrate(model_, s.q, t * s.v);
            return c_.export_matrix(q, mass_matrix(model_, q));
        };
        const MatrixX<double> C = get("coriolis_christoffel");
        const MatrixX<double> M_dot = (mass_at(kStep) - mass_at(-kStep)) / (2 * kStep);
        expect_agree(C + C.transpose(), M_dot, 1e-7, "coriolis_christoffel");
    });
}

INSTANTIATE_TEST_SUITE_P(Robots, MujocoConvention, testing::ValuesIn(names_of_robots()), test_name);

// --- From files ----------------------------------------------------------------------------------------

std::vector<std::string> names_of_dofs(const mjModel& m) {
    std::vector<std::string> out;
    for (int k = 0; k < m.nv; ++k) out.emplace_back(mj_id2name(&m, mjOBJ_JOINT, m.dof_jntid[k]));
    return out;
}

// Siblings whose links, joints and names are in three different orders.
TEST(MujocoConventionOfFiles, FollowsTheOrderOfAUrdf) {
    const auto link = [](const std::string& name) {
        return "<link name='" + name +
               "'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
               "iyz='0'/></inertial></link>";
    };
    const auto joint = [](const std::string& name, const std::string& parent,
                          const std::string& child) {
        return "<joint name='" + name + "' type='revolute'><parent link='" + parent +
               "'/><child link='" + child +
               "'/><axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='1' "
               "velocity='1'/></joint>";
    };
    const std::string urdf = "<robot name='r'>" + link("base") + link("l3") + link("l1") +
                             link("l4") + link("l2") + joint("c", "l2", "l4") +
                             joint("b", "base", "l2") + joint("d", "base", "l1") +
                             joint("a", "l2", "l3") + "</robot>";
    const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> m(compile_mujoco(urdf),
                                                                &mj_deleteModel);
    const Model model(read_robot_text(urdf, "r.urdf").description);
    EXPECT_EQ(Coordinates(model, Convention::kMujoco).v_names(), names_of_dofs(*m));
}

// Free bodies that are not the robot's base, placed by their file somewhere in the world.
TEST(MujocoConventionOfFiles, TakesFreeBodiesOverFromAnMjcf) {
    const std::string mjcf = R"(<mujoco><compiler angle="radian"/>
        <option><flag contact="disable"/></option><worldbody>
        <body name="slider" pos="1 0 0"><joint name="rail" type="slide" axis="0 1 0"/>
            <geom type="box" size="0.1 0.2 0.3"/></body>
        <body name="brick" pos="1 2 3" euler="0.3 0.4 0.5"><freejoint name="brick_free"/>
            <geom type="box" size="0.1 0.2 0.3"/>
            <body name="lid" pos="0 0 0.3"><joint name="ball" type="ball"/>
                <geom type="box" size="0.1 0.1 0.1"/></body></body>
        </worldbody></mujoco>)";
    const std::unique_ptr<mjModel, decltype(&mj_deleteModel)> m(compile_mujoco(mjcf),
                                                                &mj_deleteModel);
    const std::unique_ptr<mjData, decltype(&mj_deleteData)> d(mj_makeData(m.get()), &mj_deleteData);
    const Model model(read_robot_text(mjcf, "free.xml").description);
    const Coordinates c(model, Convention::kMujoco);
    ASSERT_EQ(c.nq(), m->nq);
    for_each_random_state(model, 6, [&](const State& s, const auto&) {
        Eigen::Map<VectorX<double>>(d->qpos, m->nq) = c.export_q(s.q);
        Eigen::Map<VectorX<double>>(d->qvel, m->nv) = c.export_v(s.q, s.v);
        Eigen::Map<VectorX<double>>(d->qfrc_applied, m->nv) = c.export_tau(s.q, s.tau);
        mj_forward(m.get(), d.get());
        expect_agree(c.export_a(s.q, s.v, forward_dynamics(model, s.q, s.v, s.tau)),
                     Eigen::Map<const VectorX<double>>(d->qacc, m->nv), kAccelerationTolerance,
                     "qacc");
        expect_agree(difference(model, c.import_q(c.export_q(s.q)), s.q), 0 * s.v, kTolerance, "q");
    });
}

}  // namespace
}  // namespace plucker::test

#endif
