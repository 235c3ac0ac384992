// Spatial quantities as Eigen's vectors and 6×6 matrices, for the API's edge, for tests and for
// teaching. Hot paths never form these.
#pragma once

#include "plucker/scalar/eigen.hpp"
#include "plucker/spatial/articulated_inertia.hpp"
#include "plucker/spatial/subspace.hpp"

namespace plucker {

template <class S>
using Vector3 = Eigen::Matrix<S, 3, 1>;
template <class S>
using Vector6 = Eigen::Matrix<S, 6, 1>;
template <class S>
using Matrix3 = Eigen::Matrix<S, 3, 3>;
template <class S>
using Matrix6 = Eigen::Matrix<S, 6, 6>;

template <class S>
Vector3<S> to_eigen(const Vec3<S>& a) {
    return {a.x, a.y, a.z};
}
template <class S>
Matrix3<S> to_eigen(const Mat3<S>& a) {
    Matrix3<S> out;
    out << a.x.x, a.x.y, a.x.z, a.y.x, a.y.y, a.y.z, a.z.x, a.z.y, a.z.z;
    return out;
}
template <class S>
Matrix3<S> to_eigen(const SymMat3<S>& a) {
    return to_eigen(to_mat3(a));
}
template <class S>
Vector6<S> to_eigen(const Motion<S>& m) {
    Vector6<S> out;
    out << m.angular.x, m.angular.y, m.angular.z, m.linear.x, m.linear.y, m.linear.z;
    return out;
}
template <class S>
Vector6<S> to_eigen(const Force<S>& f) {
    Vector6<S> out;
    out << f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z;
    return out;
}

template <class Derived>
auto to_vec3(const Eigen::MatrixBase<Derived>& a) {
    return Vec3<typename Derived::Scalar>{a(0), a(1), a(2)};
}
template <class Derived>
auto to_mat3(const Eigen::MatrixBase<Derived>& a) {
    return Mat3<typename Derived::Scalar>{
        {a(0, 0), a(0, 1), a(0, 2)}, {a(1, 0), a(1, 1), a(1, 2)}, {a(2, 0), a(2, 1), a(2, 2)}};
}
template <class Derived>
auto to_motion(const Eigen::MatrixBase<Derived>& a) {
    return Motion<typename Derived::Scalar>{{a(0), a(1), a(2)}, {a(3), a(4), a(5)}};
}
template <class Derived>
auto to_force(const Eigen::MatrixBase<Derived>& a) {
    return Force<typename Derived::Scalar>{{a(0), a(1), a(2)}, {a(3), a(4), a(5)}};
}

// The 6×6 matrix [tl tr; bl br].
template <class S>
Matrix6<S> blocks(const Mat3<S>& tl, const Mat3<S>& tr, const Mat3<S>& bl, const Mat3<S>& br) {
    Matrix6<S> out;
    out << to_eigen(tl), to_eigen(tr), to_eigen(bl), to_eigen(br);
    return out;
}

// ᴮX_A and ᴮX*_A.
template <class S>
Matrix6<S> motion_matrix(const Transform<S>& X) {
    return blocks(X.E, Mat3<S>{}, -(X.E * skew(X.r)), X.E);
}
template <class S>
Matrix6<S> force_matrix(const Transform<S>& X) {
    return blocks(X.E, -(X.E * skew(X.r)), Mat3<S>{}, X.E);
}
// v× and v×*.
template <class S>
Matrix6<S> cross_matrix(const Motion<S>& v) {
    return blocks(skew(v.angular), Mat3<S>{}, skew(v.linear), skew(v.angular));
}
template <class S>
Matrix6<S> cross_force_matrix(const Motion<S>& v) {
    return blocks(skew(v.angular), skew(v.linear), Mat3<S>{}, skew(v.angular));
}
template <class S>
Matrix6<S> to_eigen(const Inertia<S>& I) {
    const Mat3<S> h = skew(I.first_moment);
    return blocks(to_mat3(I.rotational), h, transpose(h), I.mass * Mat3<S>::identity());
}
template <class S>
Matrix6<S> to_eigen(const ArticulatedInertia<S>& A) {
    return blocks(to_mat3(A.I), A.H, transpose(A.H), to_mat3(A.M));
}
template <class S>
Matrix6X<S> to_eigen(const MotionSubspace<S>& subspace) {
    Matrix6X<S> out(6, subspace.dim);
    for (int j = 0; j < subspace.dim; ++j) out.col(j) = to_eigen(subspace.column[j]);
    return out;
}
template <class S>
Matrix6X<S> to_eigen(const ForceSubspace<S>& subspace) {
    Matrix6X<S> out(6, subspace.dim);
    for (int j = 0; j < subspace.dim; ++j) out.col(j) = to_eigen(subspace.column[j]);
    return out;
}

}  // namespace plucker
