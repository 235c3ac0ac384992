#include "plucker/laws/regularity.hpp"

#include "plucker/scalar/decompositions.hpp"

namespace plucker::laws {
namespace {

std::string joint_of(const Model& model, long coordinate) {
    return "'" + model.joint(model.joint_of_coordinate(static_cast<int>(coordinate))).name + "'";
}

}  // namespace

Regularity regularity_of(const Model& model, const MatrixX<double>& M, const MatrixX<double>& size,
                         double rounding) {
    const long n = M.rows();
    const auto is_finite = [](double x) { return std::isfinite(x); };
    if (!std::all_of(M.data(), M.data() + M.size(), is_finite)) return {false, "M is not finite"};
    for (long k = 0; k < n; ++k) {
        if (std::abs(M(k, k)) <= rounding * size(k, k)) {
            return {true, "M is singular, joint " + joint_of(model, k) + " moves no inertia"};
        }
        if (M(k, k) < 0) return {false, "M is not positive definite"};
    }
    if (n == 0) return {};
    // In units in which the terms of every diagonal entry add up to one, rounding shifts eigenvalues by that much.
    MatrixX<double> scaled = M;
    for (long c = 0; c < n; ++c) {
        for (long r = 0; r < n; ++r) scaled(r, c) /= std::sqrt(size(r, r)) * std::sqrt(size(c, c));
    }
    const plain::Eigensystem eigen = plain::eigensystem_of(scaled);
    const double smallest = eigen.values[0];
    if (smallest > rounding) return {};
    if (smallest < -rounding) return {false, "M is not positive definite"};
    std::string joints;
    for (long k = 0; k < n; ++k) {
        if (std::abs(eigen.vectors(k, 0)) < 0.1) continue;
        joints += (joints.empty() ? "" : ", ") + joint_of(model, k);
    }
    return {true, "M is singular, joints " + joints + " together move no inertia"};
}

}  // namespace plucker::laws
