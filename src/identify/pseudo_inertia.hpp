// The mass of a link as a 4 × 4 matrix that is positive definite exactly if a body with that mass exists:
//
//     P = [ Σ  h ]     Σ = ∫ x xᵀ dm = ½ tr(Ī) 1 - Ī,    h = m c
//         [ hᵀ m ]
//
// Source: Wensing, Kim and Slotine, Linear Matrix Inequalities for Physically Consistent Inertial Parameter Identification,
// 2018.
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

// Whether P is positive definite.
bool is_body(const Matrix4& P);

// Steps of a body in coordinates of its own: P + U M Uᵀ, with P = U Uᵀ and ten numbers m, the entries of the symmetric M. To every
// body its own neighbourhood looks alike, however thin it is. ∂π/∂m:
Matrix10 own_directions(const Matrix4& P);
bool is_on_diagonal(long k);  // whether the k-th of m is an entry of M's diagonal
// Which part of such a step, all of it at most, leads to a body.
double part_within_bodies(const Vector10& m);
double log_determinant(const Matrix4& P);

// Bregman's divergence of the log determinant, tr(P₀⁻¹ P) - log det(P₀⁻¹ P) - 4: how far P is from P₀, without regard to
// units or frames. It is zero at P₀, and grows without bound towards what no body is. (Lee, Wensing and Park, Geometric
// Robot Dynamic Identification, 2020.)
double divergence(const Matrix4& P, const Matrix4& P0);
// P⁻¹ where P is positive definite.
Matrix4 inverse_of(const Matrix4& P);

}  // namespace plucker
