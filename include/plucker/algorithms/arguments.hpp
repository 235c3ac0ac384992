// The edge between users' Eigen vectors and the kernels: sizes are checked here, once.
//
// Every algorithm comes in two forms. In place, f(workspace, inputs…, outputs…): the caller owns all
// memory and nothing is allocated. By value, f(model, inputs…): makes a workspace and returns the result.
#pragma once

#include <type_traits>

#include "plucker/model/workspace.hpp"
#include "plucker/spatial/eigen.hpp"

// Says of the loop that follows that its iterations do not depend on one another: it can be vectorised. Clang
// finds out for itself.
#if defined(__clang__)
#define PLUCKER_INDEPENDENT_LOOP
#else
#define PLUCKER_INDEPENDENT_LOOP _Pragma("GCC ivdep")
#endif

namespace plucker {

// In a parameter list these do not take part in deduction: the scalar comes from the workspace, and
// anything that converts (a vector, a segment, a map) is accepted.
template <class S>
using ConstVector = Eigen::Ref<const VectorX<std::type_identity_t<S>>>;
template <class S>
using MutableVector = Eigen::Ref<VectorX<std::type_identity_t<S>>>;
template <class S>
using ConstMatrix = Eigen::Ref<const MatrixX<std::type_identity_t<S>>>;
template <class S>
using MutableMatrix = Eigen::Ref<MatrixX<std::type_identity_t<S>>>;

namespace detail {

// A column-major matrix in somebody's memory.
template <class S>
struct MatrixView {
    S* data;
    long stride;  // from one column to the next

    S& operator()(int row, int col) const { return data[row + col * stride]; }

    void set_zero(int rows, int cols) const {
        for (int c = 0; c < cols; ++c) {
            for (int r = 0; r < rows; ++r) (*this)(r, c) = S(0);
        }
    }
    template <class SixVector>
    void set_column(int col, const SixVector& m) const {
        S* out = data + col * stride;
        out[0] = m.angular.x;
        out[1] = m.angular.y;
        out[2] = m.angular.z;
        out[3] = m.linear.x;
        out[4] = m.linear.y;
        out[5] = m.linear.z;
    }
    template <class SixVector>
    void add_column(int col, const SixVector& m) const {
        S* out = data + col * stride;
        out[0] += m.angular.x;
        out[1] += m.angular.y;
        out[2] += m.angular.z;
        out[3] += m.linear.x;
        out[4] += m.linear.y;
        out[5] += m.linear.z;
    }
    void add_column(int col, const Vec3<S>& m) const {
        S* out = data + col * stride;
        out[0] += m.x;
        out[1] += m.y;
        out[2] += m.z;
    }
};

template <class Matrix>
auto view(Matrix& m) {
    return MatrixView<typename Matrix::Scalar>{m.data(), m.outerStride()};
}

template <class S>
void check_q(const char* function, const Workspace<S>& ws, const ConstVector<S>& q) {
    check_size(function, "q", q.size(), ws.model().nq(), "nq");
}
template <class S>
void check_velocity_like(const char* function, const char* argument, const Workspace<S>& ws,
                         long size) {
    check_size(function, argument, size, ws.model().nv(), "nv");
}

inline void check_body(const char* function, const Model& model, int root) {
    if (root >= 0 && root <= model.num_bodies()) return;
    throw Error::because(function, ": there is no body ", root, "; bodies are 1 to ",
                         model.num_bodies(), ", and 0 stands for the whole robot");
}
inline void check_floating_base(const char* function, const Model& model) {
    if (model.has_floating_base()) return;
    throw Error::because(function, ": robot '", model.name(),
                         "' has a fixed base; use inverse_dynamics, or with_base(model, "
                         "Base::kFloating)");
}

template <class S>
void check_regular(const char* function, const Workspace<S>& ws) {
    if (ws.pivots.singular_joint == 0) return;
    throw Error::because(function, ": the mass matrix is singular at joint '",
                         ws.model().joint(ws.pivots.singular_joint).name,
                         "': what it moves has no inertia about it; give link '",
                         ws.model().body_name(ws.pivots.singular_joint),
                         "' mass, or the joint armature");
}

// The scalar of an Eigen expression that a by-value form is given.
template <class Derived>
using ScalarOf = typename Derived::Scalar;

}  // namespace detail
}  // namespace plucker
