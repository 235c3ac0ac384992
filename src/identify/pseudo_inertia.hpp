// The mass of a link as a 4 × 4 matrix that is positive definite exactly if a body with that mass exists:
//
//     P = [ Σ  h ]     Σ = ∫ x xᵀ dm = ½ tr(Ī) 1 - Ī,    h = m c
//         [ hᵀ m ]
//
// Source: Wensing, Kim and Slotine, Linear Matrix Inequalities for Physically Consistent Inertial Parameter Identification,
// 2018; its factors without any constraint: Rucker and Wensing, Smooth Parameterization of Rigid-Body Inertia, 2022.
#pragma once

#include <Eigen/Core>

#include "plucker/model/dynamic_parameters.hpp"

namespace plucker {

using Matrix4 = Eigen::Matrix<double, 4, 4>;
using Vector10 = Eigen::Matrix<double, 10, 1>;
using Matrix10 = Eigen::Matrix<double, 10, 10>;

// From the ten numbers of a link (model/dynamic_parameters.hpp) to P and back. Both are linear.
Matrix4 pseudo_inertia(const Vector10& parameters);
Vector10 parameters_of(const Matrix4& pseudo_inertia);

// P = U Uᵀ, U = e^α [ e^d1 s12  s13  t1 ; 0  e^d2  s23  t2 ; 0  0  e^d3  t3 ; 0  0  0  1 ]: any ten numbers
// θ = (α, d1, d2, d3, s12, s23, s13, t1, t2, t3) are a body that exists, and every body with extent has its own.
Vector10 log_cholesky(const Matrix4& pseudo_inertia);  // throws where P is not positive definite
Matrix4 from_log_cholesky(const Vector10& theta);
// ∂π/∂θ.
Matrix10 parameters_by_log_cholesky(const Vector10& theta);

// Bregman's divergence of the log determinant, tr(P₀⁻¹ P) - log det(P₀⁻¹ P) - 4: how far P is from P₀, without regard to
// units or frames. It is zero at P₀, and grows without bound towards what no body is. (Lee, Wensing and Park, Geometric
// Robot Dynamic Identification, 2020.)
double divergence(const Matrix4& P, const Matrix4& P0);
// P⁻¹ where P is positive definite.
Matrix4 inverse_of(const Matrix4& P);

}  // namespace plucker
