// MuJoCo. It computes in stages that later ones build on; each algorithm is timed with just the stages
// that it needs, so without contacts, constraints, actuators or sensors.
#include <memory>
#include <sstream>
#include <stdexcept>

#include "coordinates.hpp"
#include "peer.hpp"
#include "support/mujoco_xml.hpp"

namespace plucker::peers {
namespace {

using test::compile_mujoco;
using test::principal_inertia;
using test::xml_numbers;
using test::xml_quaternion;

std::string joints_of(const BodyData& body) {
    switch (body.kind) {
        case JointKind::kRevolute:
            return "<joint type='hinge' axis='0 0 1'/>";
        case JointKind::kPrismatic:
            return "<joint type='slide' axis='0 0 1'/>";
        case JointKind::kSpherical:
            return "<joint type='ball'/>";
        case JointKind::kTranslation:
            return "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
                   "<joint type='slide' axis='0 0 1'/>";
        case JointKind::kFloating:
            // A free joint's position is in the world, whatever frame it is given.
            if (body.parent == 0 && matrix(body.rotation).isIdentity(0) &&
                vector(body.position).isZero(0)) {
                return "<freejoint/>";
            }
            throw std::runtime_error("joint '" + body.joint + "' floats, but is not the base");
        case JointKind::kPlanar:
            break;
    }
    throw std::runtime_error("joint '" + body.joint + "' is planar");
}

// Children in order of their numbers, so that MuJoCo numbers bodies and coordinates as we do. Masses and
// inertias are placeholders: MuJoCo's compiler refuses some that its algorithms can handle.
void write_children(const Robot& robot, int parent, std::ostream& out) {
    for (int i = parent + 1; i <= static_cast<int>(robot.bodies.size()); ++i) {
        const BodyData& body = robot.bodies[static_cast<std::size_t>(i) - 1];
        if (body.parent != parent) continue;
        out << "<body pos='" << xml_numbers(body.position) << "' quat='"
            << xml_quaternion(matrix(body.rotation)) << "'><inertial pos='"
            << xml_numbers(body.center) << "' quat='"
            << xml_quaternion(principal_inertia(matrix(body.about_center)).axes)
            << "' mass='1' diaginertia='1 1 1'/>" << joints_of(body);
        write_children(robot, i, out);
        out << "</body>";
    }
}

std::string to_mjcf(const Robot& robot) {
    std::ostringstream out;
    out << "<mujoco><compiler angle='radian'/><option gravity='" << xml_numbers(robot.gravity)
        << "'><flag energy='enable'/></option><worldbody>";
    write_children(robot, 0, out);
    out << "</worldbody></mujoco>";
    return out.str();
}

class MujocoPeer : public Peer {
public:
    MujocoPeer(const Robot& robot, const std::vector<State>& states)
        : m_(compile_mujoco(to_mjcf(robot)), &mj_deleteModel),
          d_(mj_makeData(m_.get()), &mj_deleteData),
          x_(robot.nv),
          M_(robot.nv, robot.nv),
          identity_(MatrixXd::Identity(robot.nv, robot.nv)),
          J_com_(3, robot.nv) {
        int i = 0;
        for (const BodyData& body : robot.bodies) {
            m_->body_mass[++i] = body.mass;
            Eigen::Map<Eigen::Vector3d>(m_->body_inertia + 3 * i) =
                principal_inertia(matrix(body.about_center)).moments;
        }
        mj_setConst(m_.get(), d_.get());
        for (const State& state : states) states_.push_back(converted(robot, state));
    }

    std::string name() const override { return "mujoco"; }
    std::string version() const override { return mj_versionString(); }

    std::vector<Function> functions() override {
        std::vector<Function> out;
        const auto add = [&](const char* algorithm, const char* name, auto call, auto result) {
            out.push_back({algorithm, name, each([this, call](int k) { call(at(k)); }),
                           [this, result](int k) { return flat(result(at(k))); }});
        };
        mjModel* m = m_.get();
        mjData* d = d_.get();

        add(
            "inverse_dynamics", "kinematics, comPos, comVel, rne",
            [=, this](const Converted& s) {
                set_position(s.q);
                set(d->qvel, s.v);
                set(d->qacc, s.a);
                mj_comVel(m, d);
                mj_rne(m, d, 1, x_.data());
            },
            [this](const Converted& s) { return s.map.torque(x_); });
        add(
            "forward_dynamics", "kinematics, comPos, crb, factorM, comVel, rne, solveM",
            [=, this](const Converted& s) {
                set_position(s.q);
                set(d->qvel, s.v);
                mj_crb(m, d);
                mj_factorM(m, d);
                mj_comVel(m, d);
                mj_rne(m, d, 0, d->qfrc_bias);
                mju_sub(d->qfrc_smooth, s.tau.data(), d->qfrc_bias, m->nv);
                mj_solveM(m, d, x_.data(), d->qfrc_smooth, 1);
            },
            [this](const Converted& s) { return s.map.acceleration(s.our_v, x_); });
        add(
            "mass_matrix", "kinematics, comPos, crb",
            [=, this](const Converted& s) {
                set_position(s.q);
                mj_crb(m, d);
            },
            [=, this](const Converted& s) {
                mj_fullM(m, M_.data(), d->qM);
                return s.map.mass_matrix(M_);
            });
        add(
            "inverse_mass_matrix", "kinematics, comPos, crb, factorM, solveM",
            [=, this](const Converted& s) {
                set_position(s.q);
                mj_crb(m, d);
                mj_factorM(m, d);
                mj_solveM(m, d, M_.data(), identity_.data(), m->nv);
            },
            [this](const Converted& s) { return s.map.inverse_mass_matrix(M_); });
        add(
            "jacobians", "kinematics, comPos", [=, this](const Converted& s) { set_position(s.q); },
            [=, this](const Converted& s) { return s.map.jacobian(columns(d->cdof)); });
        // Of joints with quaternions MuJoCo computes rates of axes that are right only in their sum J̇ v.
        if (m->nq == m->nv) {
            add(
                "jacobians_dot", "kinematics, comPos, comVel",
                [=, this](const Converted& s) {
                    set_position(s.q);
                    set(d->qvel, s.v);
                    mj_comVel(m, d);
                },
                [=, this](const Converted& s) {
                    return s.map.jacobian_rate(columns(d->cdof), columns(d->cdof_dot));
                });
        }
        add(
            "com_jacobian", "kinematics, comPos, jacSubtreeCom",
            [=, this](const Converted& s) {
                set_position(s.q);
                mj_jacSubtreeCom(m, d, J_com_.data(), 0);
            },
            [this](const Converted& s) { return s.map.jacobian(J_com_); });
        add(
            "kinetic_energy", "kinematics, comPos, crb, energyVel",
            [=, this](const Converted& s) {
                set_position(s.q);
                set(d->qvel, s.v);
                mj_crb(m, d);
                mj_energyVel(m, d);
            },
            [=](const Converted&) { return VectorXd::Constant(1, d->energy[1]); });
        return out;
    }

private:
    struct Converted {
        VectorXd q, v, a, tau;
        VectorXd our_v;
        VelocityMap map;
    };
    const Converted& at(int k) const { return states_[static_cast<std::size_t>(k)]; }

    static Converted converted(const Robot& robot, const State& state) {
        const VectorXd q_ours = vector(state.q), v_ours = vector(state.v);
        VectorXd q = q_ours;
        VelocityMap map(robot.nv);
        for (const BodyData& body : robot.bodies) {
            if (body.nq == body.nv) continue;
            // Quaternions are w x y z.
            const int at = body.q_index + (body.kind == JointKind::kFloating ? 3 : 0);
            q.segment<4>(at) << q_ours[at + 3], q_ours[at], q_ours[at + 1], q_ours[at + 2];
            if (body.kind != JointKind::kFloating) continue;
            // A free joint's velocity: the rate of its position, and then ω in the body's frame.
            const Eigen::Matrix3d R = rotation(q_ours.segment<4>(at));
            const Eigen::Vector3d w = v_ours.segment<3>(body.v_index);
            Eigen::Matrix3d w_skew;
            w_skew << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
            auto T = map.T.block<6, 6>(body.v_index, body.v_index);
            T.setZero();
            T.block<3, 3>(0, 3) = R;
            T.block<3, 3>(3, 0).setIdentity();
            map.T_dot.block<3, 3>(body.v_index, body.v_index + 3) = R * w_skew;
        }
        return {q,
                map.T * v_ours,
                map.acceleration_to_theirs(v_ours, vector(state.a)),
                map.torque_to_theirs(vector(state.tau)),
                v_ours,
                map};
    }

    static void set(mjtNum* to, const VectorXd& from) {
        std::memcpy(to, from.data(), static_cast<std::size_t>(from.size()) * sizeof(double));
    }
    void set_position(const VectorXd& q) {
        set(d_->qpos, q);
        mj_kinematics(m_.get(), d_.get());
        mj_comPos(m_.get(), d_.get());
    }
    // Joint axes are held about the centre of mass of the tree that they belong to.
    MatrixXd columns(const mjtNum* axes) const {
        MatrixXd out = Eigen::Map<const MatrixXd>(axes, 6, m_->nv);
        for (int k = 0; k < m_->nv; ++k) {
            const int root = m_->body_rootid[m_->dof_bodyid[k]];
            out.col(k) = moved_to_origin(
                out.col(k), Eigen::Map<const Eigen::Vector3d>(d_->subtree_com + 3 * root));
        }
        return out;
    }

    std::unique_ptr<mjModel, decltype(&mj_deleteModel)> m_;
    std::unique_ptr<mjData, decltype(&mj_deleteData)> d_;
    VectorXd x_;
    MatrixXd M_, identity_;
    Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> J_com_;
    std::vector<Converted> states_;
};

}  // namespace

extern "C" Peer* plucker_make_peer(const Robot& robot, const std::vector<State>& states) {
    return new MujocoPeer(robot, states);
}

}  // namespace plucker::peers
