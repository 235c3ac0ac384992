#include "oracles/mujoco_model.hpp"

#ifdef PLUCKER_HAVE_MUJOCO

#include <iomanip>
#include <sstream>

namespace plucker::test {
namespace {

class MjcfWriter {
public:
    explicit MjcfWriter(const Model& model) : model_(model), links_(links_of(model)) {}

    std::string write() {
        out_ << std::setprecision(17);
        out_ << "<mujoco><compiler angle='radian'/>";
        out_ << "<option gravity='" << text(model_.gravity()) << "'>";
        out_ << "<flag energy='enable' contact='disable'/></option><worldbody>";
        if (model_.has_floating_base()) {
            write_body(links_[0]);
        } else {
            write_children(links_[0]);  // the root link is MuJoCo's world
        }
        out_ << "</worldbody></mujoco>";
        return out_.str();
    }

private:
    void write_children(const LinkAndJoint& parent) {
        for (const LinkAndJoint& child : links_) {
            if (child.joint.parent == parent.link.name) write_body(child);
        }
    }

    void write_body(const LinkAndJoint& at) {
        const Pose<double>& place = at.joint.placement;
        out_ << "<body name='" << at.link.name << "' pos='" << text(place.position) << "' quat='"
             << xml_quaternion(to_eigen(place.rotation)) << "'>";
        if (at.has_body) {
            out_ << "<inertial pos='" << text(at.link.mass.center) << "' quat='"
                 << xml_quaternion(principal_inertia(to_eigen(at.link.mass.about_center)).axes)
                 << "' mass='1' diaginertia='1 1 1'/>";
        }
        if (at.number != 0) write_joints(at);
        write_children(at);
        out_ << "</body>";
    }

    // Several joints of one body act in the order in which they are listed, each in the frame that the
    // ones before it have moved.
    void write_joints(const LinkAndJoint& at) {
        const Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
        const JointDescription& joint = at.joint;
        auto write = [&, k = 0](const char* type, const Vec3<double>& axis) mutable {
            // A screw has one armature and one damping, not one for each half of it.
            const bool has_constants = k == 0 || joint.type != JointType::kHelical;
            out_ << "<joint name='" << joint.name << (k == 0 ? "" : "." + std::to_string(k))
                 << "' type='" << type << "' axis='" << text(axis) << "' armature='"
                 << (has_constants ? joint.armature : 0) << "' damping='"
                 << (has_constants ? joint.damping : 0) << "'/>";
            ++k;
        };
        switch (joint.type) {
            case JointType::kRevolute:
                write("hinge", joint.axis);
                break;
            case JointType::kPrismatic:
                write("slide", joint.axis);
                break;
            case JointType::kHelical:
            case JointType::kCylindrical:
                write("hinge", joint.axis);
                write("slide", joint.axis);
                break;
            case JointType::kUniversal:
                write("hinge", joint.axis);
                write("hinge", joint.second_axis);
                break;
            case JointType::kSpherical:
                write("ball", z);
                break;
            case JointType::kPlanar: {
                // Which axes in the plane are x and y is the model's choice.
                const Mat3<double>& E = model_.frame(model_.body_frame(at.number)).X_frame_body.E;
                write("slide", E * x);
                write("slide", E * y);
                write("hinge", joint.axis);
                break;
            }
            case JointType::kTranslation:
                for (const auto& axis : {x, y, z}) write("slide", axis);
                break;
            case JointType::kFloating:
                if (joint.parent.empty()) {
                    out_ << "<freejoint name='" << joint.name << "'/>";
                    break;
                }
                // MuJoCo's free joint must hang on the world.
                for (const auto& axis : {x, y, z}) write("slide", axis);
                write("ball", z);
                break;
            case JointType::kFixed:
                break;
        }
    }

    static std::string text(const Vec3<double>& a) { return xml_numbers({a.x, a.y, a.z}); }

    const Model& model_;
    std::vector<LinkAndJoint> links_;
    std::ostringstream out_;
};

}  // namespace

std::string to_mjcf(const Model& model) { return MjcfWriter(model).write(); }

MujocoModel::MujocoModel(const Model& model)
    : model_(model),
      m_(compile_mujoco(to_mjcf(model)), &mj_deleteModel),
      d_(mj_makeData(m_.get()), &mj_deleteData),
      map_(model, m_->nv) {
    // It warns of robots that are nearly singular, on the screen and in a file.
    mju_user_warning = [](const char*) {};
    for (const LinkAndJoint& at : links_of(model)) {
        if (!at.has_body) continue;
        // MuJoCo's compiler refuses bodies without mass or with a thin rod's inertia; its algorithms
        // do not.
        const int body_id = body(at.link.name);
        m_->body_mass[body_id] = at.link.mass.mass;
        Eigen::Map<Eigen::Vector3d>(m_->body_inertia + 3 * body_id) =
            principal_inertia(to_eigen(at.link.mass.about_center)).moments;
        if (at.number == 0) continue;
        const int joint_id = mj_name2id(m_.get(), mjOBJ_JOINT, at.joint.name.c_str());
        joints_.push_back({at.number, m_->jnt_qposadr[joint_id], m_->jnt_dofadr[joint_id]});
    }
    mj_setConst(m_.get(), d_.get());
}

int MujocoModel::body(const std::string& link) const {
    const int id = mj_name2id(m_.get(), mjOBJ_BODY, link.c_str());
    return id < 0 ? 0 : id;  // the root of a robot with a fixed base
}

MatrixX<double> MujocoModel::jacobian(const std::string& link) const {
    RowMajor angular = RowMajor::Zero(3, m_->nv), linear = RowMajor::Zero(3, m_->nv);
    mj_jacBody(m_.get(), d_.get(), linear.data(), angular.data(), body(link));
    MatrixX<double> theirs(6, m_->nv);
    theirs << angular, linear;
    return map_.jacobian(theirs);
}

MatrixX<double> MujocoModel::their_mass_matrix() const {
    RowMajor M = RowMajor::Zero(m_->nv, m_->nv);
    mj_fullM(m_.get(), M.data(), d_->qM);
    return M;
}

VectorX<double> MujocoModel::inverse_dynamics(const VectorX<double>& v, const VectorX<double>& a) {
    Eigen::Map<VectorX<double>>(d_->qacc, m_->nv) = map_.to_theirs(v, a);
    mj_inverse(m_.get(), d_.get());
    VectorX<double> theirs = Eigen::Map<const VectorX<double>>(d_->qfrc_inverse, m_->nv);
    VectorX<double> external = VectorX<double>::Zero(m_->nv);
    for (int i = 0; i < m_->nbody; ++i) {
        mj_applyFT(m_.get(), d_.get(), d_->xfrc_applied + 6 * i, d_->xfrc_applied + 6 * i + 3,
                   d_->xipos + 3 * i, i, external.data());
    }
    return map_.torque(theirs - external);
}

void MujocoModel::set_joint(const Joint& joint, const VectorX<double>& q,
                            const VectorX<double>& v) {
    const Body<double>& body = model_.body(joint.number);
    const auto q_ours = q.segment(body.q_index, body.nq);
    const auto v_ours = v.segment(body.v_index, body.nv);
    const auto T = [&](int row, int col, int rows, int cols) {
        return map_.T.block(joint.v_at + row, body.v_index + col, rows, cols);
    };
    const auto T_dot = [&](int row, int col, int rows, int cols) {
        return map_.T_dot.block(joint.v_at + row, body.v_index + col, rows, cols);
    };
    mjtNum* qpos = d_->qpos + joint.q_at;
    const auto set_quaternion = [&](mjtNum* out, const Eigen::Quaterniond& a) {
        out[0] = a.w();
        out[1] = a.x();
        out[2] = a.y();
        out[3] = a.z();
    };
    switch (body.joint) {
        case JointType::kRevolute:
        case JointType::kPrismatic:
            qpos[0] = body.multiplier * q_ours[0] + body.offset;
            T(0, 0, 1, 1)(0, 0) = body.multiplier;
            break;
        case JointType::kHelical: {
            const double pitch = model_.joint(joint.number).pitch;
            qpos[0] = body.multiplier * q_ours[0] + body.offset;
            qpos[1] = pitch * qpos[0];
            T(0, 0, 2, 1) << body.multiplier, pitch * body.multiplier;
            break;
        }
        case JointType::kCylindrical:
        case JointType::kUniversal:
        case JointType::kTranslation:
            Eigen::Map<VectorX<double>>(qpos, body.nq) = q_ours;
            T(0, 0, body.nv, body.nv).setIdentity();
            break;
        case JointType::kSpherical:
            set_quaternion(qpos, Eigen::Quaterniond(Eigen::Vector4d(q_ours)));
            T(0, 0, 3, 3).setIdentity();
            break;
        case JointType::kPlanar:
            Eigen::Map<Eigen::Vector3d>{qpos} = q_ours;
            map_.set_planar(joint.v_at, body, q_ours[2], v_ours[0]);
            break;
        case JointType::kFloating: {
            // Ours is (ω, v) in the body's frame; theirs the rate of the position, and then ω.
            const Eigen::Quaterniond attitude(Eigen::Vector4d(q_ours.tail(4)));
            const Eigen::Matrix3d R = attitude.toRotationMatrix();
            Eigen::Map<Eigen::Vector3d>{qpos} = q_ours.head(3);
            set_quaternion(qpos + 3, attitude);
            T(0, 3, 3, 3) = R;
            T(3, 0, 3, 3).setIdentity();
            T_dot(0, 3, 3, 3) = R * to_eigen(skew(Vec3<double>{v_ours[0], v_ours[1], v_ours[2]}));
            break;
        }
        case JointType::kFixed:
            break;
    }
}

void MujocoModel::set_state(const VectorX<double>& q, const VectorX<double>& v) {
    set_state(q, v, VectorX<double>::Zero(m_->nv), {});
}
void MujocoModel::set_state(const VectorX<double>& q, const VectorX<double>& v,
                            const VectorX<double>& their_tau,
                            const std::vector<LinkForce>& forces) {
    for (const Joint& joint : joints_) set_joint(joint, q, v);
    Eigen::Map<VectorX<double>>(d_->qvel, m_->nv) = map_.to_theirs(v);
    Eigen::Map<VectorX<double>>(d_->qfrc_applied, m_->nv) = their_tau;
    // MuJoCo wants (force; moment about the body's centre of mass), along the world's axes.
    mj_kinematics(m_.get(), d_.get());
    mju_zero(d_->xfrc_applied, 6 * m_->nbody);
    for (const LinkForce& at : forces) {
        const int i = body(at.link);
        const auto position = [&](const mjtNum* x) {
            return Eigen::Vector3d(Eigen::Map<const Eigen::Vector3d>(x + 3 * i));
        };
        const Eigen::Vector3d f = to_eigen(at.force.linear);
        const Eigen::Vector3d arm = position(d_->xpos) - position(d_->xipos);
        Eigen::Map<Eigen::Vector3d>(d_->xfrc_applied + 6 * i) = f;
        Eigen::Map<Eigen::Vector3d>(d_->xfrc_applied + 6 * i + 3) =
            to_eigen(at.force.angular) + arm.cross(f);
    }
    mj_forward(m_.get(), d_.get());
}

}  // namespace plucker::test

#endif
