// A robot as MuJoCo sees it.
#pragma once

#ifdef PLUCKER_HAVE_MUJOCO

#include <memory>
#include <string>
#include <vector>

#include "oracles/agreement.hpp"
#include "support/mujoco_xml.hpp"

namespace plucker::test {

// The robot in MuJoCo's XML format, one body per link. A fixed joint is a body without joints; joints that
// MuJoCo has not are composed of hinges, slides and balls. Masses and inertias are placeholders (see
// MujocoModel).
std::string to_mjcf(const Model& model);

class MujocoModel {
public:
    explicit MujocoModel(const Model& model);

    // Puts the robot into this state and computes all that follows from it (mj_forward), under torques
    // in MuJoCo's coordinates and external forces.
    void set_state(const VectorX<double>& q, const VectorX<double>& v);
    void set_state(const VectorX<double>& q, const VectorX<double>& v,
                   const VectorX<double>& their_tau, const std::vector<LinkForce>& forces);
    // At the state that was set.
    const VelocityMap& map() const { return map_; }
    // In our coordinates; the Jacobian is along the world's axes.
    MatrixX<double> jacobian(const std::string& link) const;
    MatrixX<double> mass_matrix() const { return map_.mass_matrix(their_mass_matrix()); }
    // τ for our acceleration a, under the external forces that were set.
    VectorX<double> inverse_dynamics(const VectorX<double>& v, const VectorX<double>& a);

    // MuJoCo's own structures and the number of a link's body.
    const mjModel* m() const { return m_.get(); }
    mjData* d() const { return d_.get(); }
    int body(const std::string& link) const;
    // MuJoCo's matrices are by rows.
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    MatrixX<double> their_mass_matrix() const;

private:
    struct Joint {
        int number;  // in our Model
        int q_at;    // first entry in qpos
        int v_at;    // first entry in qvel
    };
    void set_joint(const Joint& joint, const VectorX<double>& q, const VectorX<double>& v);

    Model model_;
    std::unique_ptr<mjModel, decltype(&mj_deleteModel)> m_;
    std::unique_ptr<mjData, decltype(&mj_deleteData)> d_;
    std::vector<Joint> joints_;
    VelocityMap map_;
};

}  // namespace plucker::test

#endif
