#include "oracles/oracle.hpp"

#include "oracles/dart_model.hpp"
#include "oracles/mujoco_model.hpp"

namespace plucker::test {
namespace {

#ifdef PLUCKER_HAVE_MUJOCO
class MujocoOracle : public Oracle {
public:
    explicit MujocoOracle(const Model& model) : mujoco_(model) {}

    std::string name() const override { return "MuJoCo"; }
    bool has_armature(JointType type) const override {
        return type != JointType::kPlanar && type != JointType::kFloating;
    }
    void set_state(const VectorX<double>& q, const VectorX<double>& v,
                   const std::vector<LinkForce>& forces) override {
        mujoco_.set_state(q, v, VectorX<double>::Zero(mujoco_.m()->nv), forces);
    }
    Pose<double> pose(const std::string& link) const override {
        const int body = mujoco_.body(link);
        const Eigen::Map<const Eigen::Vector3d> p(mujoco_.d()->xpos + 3 * body);
        const Eigen::Map<const MujocoModel::RowMajor> R(mujoco_.d()->xmat + 9 * body, 3, 3);
        return {to_mat3(Eigen::Matrix3d(R)), to_vec3(Eigen::Vector3d(p))};
    }
    Vector6<double> velocity(const std::string& link) const override {
        Vector6<double> out;
        mj_objectVelocity(mujoco_.m(), mujoco_.d(), mjOBJ_XBODY, mujoco_.body(link), out.data(), 0);
        return out;
    }
    MatrixX<double> jacobian(const std::string& link) const override {
        return mujoco_.jacobian(link);
    }
    MatrixX<double> mass_matrix() const override { return mujoco_.mass_matrix(); }
    VectorX<double> inverse_dynamics(const VectorX<double>& v, const VectorX<double>& a) override {
        return mujoco_.inverse_dynamics(v, a);
    }

private:
    MujocoModel mujoco_;
};
#endif

#ifdef PLUCKER_HAVE_DART
class DartOracle : public Oracle {
public:
    explicit DartOracle(const Model& model) : dart_(model) {}

    std::string name() const override { return "DART"; }
    bool has_armature(JointType) const override { return false; }
    void set_state(const VectorX<double>& q, const VectorX<double>& v,
                   const std::vector<LinkForce>& forces) override {
        dart_.set_state(q, v);
        dart_.set_forces(forces);
    }
    Pose<double> pose(const std::string& link) const override {
        const Eigen::Isometry3d& at = dart_.node(link)->getTransform();
        return {to_mat3(Eigen::Matrix3d(at.linear())), to_vec3(Eigen::Vector3d(at.translation()))};
    }
    Vector6<double> velocity(const std::string& link) const override {
        return dart_.node(link)->getSpatialVelocity(dart::dynamics::Frame::World(),
                                                    dart::dynamics::Frame::World());
    }
    MatrixX<double> jacobian(const std::string& link) const override {
        return dart_.map().jacobian(dart_.skeleton().getWorldJacobian(dart_.node(link)));
    }
    MatrixX<double> mass_matrix() const override {
        return dart_.map().mass_matrix(dart_.skeleton().getMassMatrix());
    }
    VectorX<double> inverse_dynamics(const VectorX<double>& v, const VectorX<double>& a) override {
        dart_.skeleton().setAccelerations(dart_.map().to_theirs(v, a));
        return dart_.inverse_dynamics();
    }

private:
    DartModel dart_;
};
#endif

}  // namespace

std::vector<std::unique_ptr<Oracle>> oracles_for(const Description& robot) {
    Description known = robot;
    for (JointDescription& joint : known.joints) {
        joint.friction = 0;
        const bool turns = joint.type == JointType::kPlanar || joint.type == JointType::kFloating;
        if (turns) joint.armature = 0;
    }
    const Model model(std::move(known));
    std::vector<std::unique_ptr<Oracle>> out;
#ifdef PLUCKER_HAVE_MUJOCO
    out.push_back(std::make_unique<MujocoOracle>(model));
#endif
#ifdef PLUCKER_HAVE_DART
    out.push_back(std::make_unique<DartOracle>(model));
#endif
    return out;
}

}  // namespace plucker::test
