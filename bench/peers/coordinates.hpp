// Between Plucker's coordinates and a peer's. Included by each module for itself.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "peer.hpp"

namespace plucker::peers {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The peer's velocities v' are a linear function of ours, v' = T v; so a' = T a + Ṫ v, and τ = Tᵀ τ'.
struct VelocityMap {
    MatrixXd T, T_dot;

    explicit VelocityMap(int nv) : T(MatrixXd::Identity(nv, nv)), T_dot(MatrixXd::Zero(nv, nv)) {}

    VectorXd torque_to_theirs(const VectorXd& tau) const {
        return T.transpose().partialPivLu().solve(tau);
    }
    VectorXd acceleration_to_theirs(const VectorXd& v, const VectorXd& a) const {
        return T * a + T_dot * v;
    }
    VectorXd torque(const VectorXd& theirs) const { return T.transpose() * theirs; }
    VectorXd acceleration(const VectorXd& v, const VectorXd& theirs) const {
        return T.partialPivLu().solve(theirs - T_dot * v);
    }
    MatrixXd mass_matrix(const MatrixXd& theirs) const { return T.transpose() * theirs * T; }
    MatrixXd inverse_mass_matrix(const MatrixXd& theirs) const {
        const MatrixXd T_inv = T.inverse();
        return T_inv * theirs * T_inv.transpose();
    }
    MatrixXd jacobian(const MatrixXd& theirs) const { return theirs * T; }
    MatrixXd jacobian_rate(const MatrixXd& theirs, const MatrixXd& their_rate) const {
        return their_rate * T + theirs * T_dot;
    }
};

// Rows of a 6 × n matrix from (linear; angular) to (angular; linear).
inline MatrixXd angular_first(const MatrixXd& linear_first) {
    MatrixXd out(6, linear_first.cols());
    out << linear_first.bottomRows(3), linear_first.topRows(3);
    return out;
}

// Columns (ω; v) about `point`, as they are about the origin.
inline MatrixXd moved_to_origin(MatrixXd columns, const Eigen::Vector3d& point) {
    for (int k = 0; k < columns.cols(); ++k) {
        const Eigen::Vector3d angular = columns.col(k).head(3);
        columns.col(k).tail(3) += point.cross(angular);
    }
    return columns;
}

inline std::vector<double> flat(const MatrixXd& m) { return {m.data(), m.data() + m.size()}; }
inline VectorXd vector(const std::vector<double>& x) {
    return Eigen::Map<const VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

inline Eigen::Vector3d vector(const std::array<double, 3>& x) {
    return Eigen::Map<const Eigen::Vector3d>(x.data());
}
inline Eigen::Matrix3d matrix(const std::array<double, 9>& x) {
    return Eigen::Map<const Eigen::Matrix3d>(x.data());
}
inline Eigen::Matrix3d rotation(const Eigen::Vector4d& x_y_z_w) {
    return Eigen::Quaterniond(x_y_z_w).toRotationMatrix();
}

}  // namespace plucker::peers
