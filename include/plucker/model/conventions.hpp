// The coordinates of other libraries: their names, and conversion of states.
//
// Another library's velocity is a linear function of ours, v' = T(q) v; so a' = T a + Ṫ v, and because power is the
// same in both, τ = Tᵀ τ'. Without mimic joints T is orthogonal: a permutation, and for MuJoCo also rotations of vectors
// from the body's axes to the world's. Hence τ' = T τ, M' = T M Tᵀ, J' = J Tᵀ.
//
//                  order of the joints           floating joint                                         other joints
//     kPlucker     depth first, as declared      q (position, xyzw); v (ω; v) in the body               header of each
//     kFile        as declared, the base first   the same                                               the same
//     kPinocchio   depth first, siblings by      q (position, xyzw); v (v; ω) in the body               continuous: (cos, sin);
//                  the joints' names                                                                    planar: (x, y, cos, sin)
//     kMujoco      depth first, as declared      q (position, wxyz); v the position's rate in the       ball: wxyz; planar:
//                                                world, then ω in the body                              two slides and a hinge
//
// Pinocchio's order is the one it gives a URDF: its parser follows urdfdom, which keeps joints in a map by name. A joint is
// continuous if it is revolute and has no limits. Joints that a library lacks are composed there of simpler ones, in
// the order of our coordinates; a helical joint cannot be in MuJoCo.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plucker/model/model.hpp"
#include "plucker/scalar/eigen.hpp"

namespace plucker {

enum class Convention { kPlucker, kFile, kPinocchio, kMujoco };

// A joint that mimics another has no coordinates of its own here. Pinocchio gives it some unless it is told
// mimic=true, MuJoCo always: there it is held by a constraint.
enum class MimicJoints { kIndependent, kLeftOut };

class Coordinates {
public:
    Coordinates(const Model& model, Convention convention,
                MimicJoints mimic_joints = MimicJoints::kIndependent);

    int nq() const { return static_cast<int>(q_names_.size()); }
    int nv() const { return static_cast<int>(v_names_.size()); }
    // "knee", "base.linear.x", "wheel.cos": the joint's name, with a suffix where it has several coordinates.
    // Of a temporary they are copies, so that a loop over them may outlive it.
    const std::vector<std::string>& q_names() const& { return q_names_; }
    const std::vector<std::string>& v_names() const& { return v_names_; }
    std::vector<std::string> q_names() && { return std::move(q_names_); }
    std::vector<std::string> v_names() && { return std::move(v_names_); }

    // For each velocity coordinate of theirs: ours, before any turn.
    const std::vector<int>& velocity_order() const& { return order_; }
    std::vector<int> velocity_order() && { return std::move(order_); }
    // Whether T is nothing but a permutation: no turns, no mimic joints.
    bool only_permutes() const { return only_permutes_; }
    // Whether the k-th number of theirs is another than ours of the same name: a position or velocity along other axes.
    bool q_differs(int k) const { return q_differs_[static_cast<std::size_t>(k)]; }
    bool v_differs(int k) const { return v_differs_[static_cast<std::size_t>(k)]; }
    Convention convention() const { return convention_; }

    // Ours to theirs. q, v: the state in our coordinates, at which the conversion happens.
    ResultVector<double> export_q(const VectorX<double>& q) const;
    ResultVector<double> export_v(const VectorX<double>& q, const VectorX<double>& v) const;
    ResultVector<double> export_a(const VectorX<double>& q, const VectorX<double>& v,
                                  const VectorX<double>& a) const;
    // One of the torques that do the same work: a mimic joint's is left to the joint it follows.
    ResultVector<double> export_tau(const VectorX<double>& q, const VectorX<double>& tau) const;

    // Theirs to ours. What theirs says of a mimic joint must agree, to 0.001, with the joint it follows.
    ResultVector<double> import_q(const VectorX<double>& theirs) const;
    ResultVector<double> import_v(const VectorX<double>& q, const VectorX<double>& theirs) const;
    ResultVector<double> import_a(const VectorX<double>& q, const VectorX<double>& v,
                                  const VectorX<double>& theirs) const;
    ResultVector<double> import_tau(const VectorX<double>& q, const VectorX<double>& theirs) const;

    // T and Ṫ, nv' × nv.
    ResultMatrix<double> velocity_map(const VectorX<double>& q) const;
    ResultMatrix<double> velocity_map_rate(const VectorX<double>& q,
                                           const VectorX<double>& v) const;

    // M' = T M Tᵀ for any matrix between velocities and forces, J' = J Tᵀ. Not where mimic joints have coordinates:
    // M does not say what each of them alone would weigh.
    ResultMatrix<double> export_matrix(const VectorX<double>& q, const MatrixX<double>& M) const;
    ResultMatrix<double> export_jacobian(const VectorX<double>& q, const MatrixX<double>& J) const;

private:
    using Form = CoordinateForm;
    struct Joint {
        int body;
        Form form;
        int q_at, v_at;  // where its coordinates start in theirs
    };
    // Where a vector of theirs is ours turned to the parent's axes: `size` coordinates from `at` on.
    struct Turn {
        int body;
        int at, size;
    };

    void add(int body);
    void name_coordinates(const Joint& joint);
    Form form_of(int body) const;
    void export_joint(const Joint& joint, const VectorX<double>& q, double* theirs) const;
    void import_joint(const Joint& joint, const double* theirs, double* out) const;
    Eigen::Matrix3d turn(const Turn& t, const VectorX<double>& q) const;
    Eigen::Matrix3d turn_rate(const Turn& t, const VectorX<double>& q,
                              const VectorX<double>& v) const;
    void turn_rows(const VectorX<double>& q, MatrixX<double>& m) const;
    void turn_rows_back(const VectorX<double>& q, MatrixX<double>& m) const;
    VectorX<double> from_leaders(const char* what, const VectorX<double>& theirs) const;
    void check(const char* what, long size, long expected) const;
    void refuse_mimic_joints(const char* function) const;

    Model model_;
    Convention convention_;
    bool only_permutes_ = true;
    std::vector<std::string> q_names_, v_names_;
    std::vector<bool> q_differs_, v_differs_;
    std::vector<int> order_;
    std::vector<double> multiplier_;  // of mimic joints; 1 for all others
    std::vector<bool> follows_;       // whether the coordinate is a mimic joint's
    std::vector<Joint> joints_;
    std::vector<Turn> turns_;
};

// "plucker", "file", "pinocchio", "mujoco"; an unknown name throws.
Convention convention_named(const std::string& name);
const std::vector<std::string>& convention_names();

}  // namespace plucker
