// The edge between users' Eigen vectors and the kernels: arguments are checked here, once (docs/contract.md).
//
// Every algorithm comes in two forms. In place, f(workspace, inputs…, outputs…): the caller owns all
// memory, nothing is allocated, and the call returns a Status. By value, f(model, inputs…): makes a workspace and
// returns the result.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <type_traits>

#include "plucker/model/external_forces.hpp"
#include "plucker/model/workspace.hpp"
#include "plucker/spatial/eigen.hpp"
#include "plucker/spatial/quaternion.hpp"

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
    // What can be written can be read.
    operator MatrixView<const S>() const {
        return {data, stride};
    }  // NOLINT(google-explicit-constructor)

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

// --- What is wrong with a call, in words (src/algorithms/arguments.cpp) ---

Error not_finite(const char* function, const char* argument, const Model& model, long index,
                 double value, bool is_configuration);
Error no_attitude(const char* function, const char* argument, const Model& model, int body);
Error shared_output(const char* function, const char* first, const char* second);
Error foreign_forces(const char* function, const Model& model, const Model& other);
Error foreign_frame(const char* function, const Model& model, FrameId frame);
Error no_such_body(const char* function, const Model& model, int root);
Error no_mass(const char* function, const Model& model, int root);
Error fixed_base(const char* function, const Model& model);
Error singular_mass_matrix(const char* function, const Model& model, int joint);
Error missing_kinematics(const char* function, Kinematics level);

// The memory of an argument: `columns` runs of `run` bytes, `stride` bytes apart.
struct Region {
    const char* begin = nullptr;
    long run = 0;
    long columns = 0;
    long stride = 0;

    bool is_empty() const { return run == 0 || columns == 0; }
    const char* end() const { return begin + (columns - 1) * stride + run; }
};
bool columns_overlap(const Region& a, const Region& b);
inline bool share_memory(const Region& a, const Region& b) {
    if (a.is_empty() || b.is_empty() || a.end() <= b.begin || b.end() <= a.begin) return false;
    return columns_overlap(a, b);
}

// Whether all n numbers are finite. Four sums, so that none waits for another.
template <class S>
bool all_finite(const S* x, long n) {
    S sum[4] = {S(0), S(0), S(0), S(0)};
    long k = 0;
    for (; k + 4 <= n; k += 4) {
        for (int i = 0; i < 4; ++i) sum[i] += x[k + i] * S(0);
    }
    for (; k < n; ++k) sum[0] += x[k] * S(0);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) == S(0);
}

// Whether a quaternion has a direction: its squared length is neither zero nor beyond what can be divided by.
template <class S>
auto has_direction(const S* q) {
    using Limits = std::numeric_limits<ParameterOf<S>>;
    const S length2 = squared_norm(Quaternion<S>{q[0], q[1], q[2], q[3]});
    return (length2 >= S(4 * Limits::min())) & (length2 <= S(Limits::max() / 4));
}

inline constexpr auto kNaN = std::numeric_limits<double>::quiet_NaN();
template <class S>
Vec3<S> nan_like(const Vec3<S>&) {
    return {S(kNaN), S(kNaN), S(kNaN)};
}
template <class SixVector>
auto nan_like(const SixVector& x) -> decltype(x.angular, SixVector{}) {
    return {nan_like(x.angular), nan_like(x.linear)};
}
template <class S>
Pose<S> nan_like(const Pose<S>& x) {
    const Vec3<S> row = nan_like(x.position);
    return {{row, row, row}, row};
}

// The door of a function: every argument passes through it once, on its way to the kernel.
//
//     Door<S> door("gravity_torque", ws);
//     door.out("tau", tau);             // outputs first: an input that shares memory with one is copied
//     const S* q_in = door.q(q);
//     if (!door.opens()) return door.status();
//     kernel::gravity_torque(ws, q_in, tau.data());
//     return door.status();
//
// What is wrong is thrown as an Error or, if the workspace asks for that, told by the status.
template <class S>
class Door {
public:
    Door(const char* function, const Workspace<S>& ws) : function_(function), ws_(ws) {
        ws_.status_ = Status::kOk;
    }

    // --- Outputs ---
    void out(const char* name, MutableVector<S>& x) { out(name, x, model().nv(), "nv"); }
    void out(const char* name, MutableVector<S>& x, long size, const char* meaning) {
        expect_size(name, x.size(), size, meaning);
        add(name, x.data(), x.size(), 1, x.size());
    }
    void out(const char* name, MutableMatrix<S>& m, long rows, long columns) {
        expect_shape(name, m.rows(), m.cols(), rows, columns);
        add(name, m.data(), m.rows(), m.cols(), m.outerStride());
    }
    // A matrix of nv rows and any number of columns that is read and overwritten.
    void in_place(const char* name, MutableMatrix<S>& m) {
        expect_size(name, m.rows(), model().nv(), "nv rows");
        add(name, m.data(), m.rows(), m.cols(), m.outerStride());
        if (m.rows() != model().nv()) return;
        for (long c = 0; c < m.cols(); ++c) read(name, m.data() + c * m.outerStride(), 0, m.rows());
    }
    void out(const char* name, std::span<Force<S>> forces, long count, const char* meaning) {
        expect_size(name, static_cast<long>(forces.size()), count, meaning);
        static_assert(sizeof(Force<S>) == 6 * sizeof(S));
        const long n = 6 * static_cast<long>(forces.size());
        add(name, reinterpret_cast<S*>(forces.data()), n, 1, n);
    }

    // --- Inputs: where the kernel is to read them ---
    const S* q(const ConstVector<S>& x, const char* name = "q") {
        const S* data = in(name, x, model().nq(), "nq");
        if (data == nullptr) return nullptr;
        for (const int i : model().bodies_with_quaternion()) {
            const auto& body = ws_.body(i);
            if (!has_direction(data + body.q_index + body.nq - 4)) {
                fail(Status::kNoAttitude, [&] { return no_attitude(function_, name, model(), i); });
            }
        }
        return data;
    }
    const S* in(const char* name, const ConstVector<S>& x) {
        return in(name, x, model().nv(), "nv");
    }
    void matrix(const char* name, const ConstMatrix<S>& m, long rows, long columns) {
        expect_shape(name, m.rows(), m.cols(), rows, columns);
        for (int k = 0; k < num_outputs_; ++k) {
            if (share_memory(region(outputs_[k]),
                             region(m.data(), m.rows(), m.cols(), m.outerStride()))) {
                fail(Status::kMisuse,
                     [&] { return shared_output(function_, name, outputs_[k].name); });
            }
        }
    }
    // Of an output that is also read: entries [first, first + count).
    void read(const char* name, const S* x, long first, long count) {
        if (all_finite(x + first, count)) return;
        for (long k = first; k < first + count; ++k) {
            if (all_finite(x + k, 1)) continue;
            fail_not_finite(name, k, x[k], false);
            return;
        }
    }
    void forces(MaybeForces<S> external) {
        if (external == nullptr) return;
        if (!external->model().is_copy_of(model())) {
            fail(Status::kMisuse,
                 [&] { return foreign_forces(function_, model(), external->model()); });
        }
        for (const auto& entry : external->entries()) {
            const S six[] = {entry.force.angular.x, entry.force.angular.y, entry.force.angular.z,
                             entry.force.linear.x,  entry.force.linear.y,  entry.force.linear.z};
            read("an external force", six, 0, 6);
        }
    }
    void frame(FrameId id) {
        if (model().owns(id)) return;
        fail(Status::kMisuse, [&] { return foreign_frame(function_, model(), id); });
    }
    // The root of a subtree; 0: of the whole robot. It must have a mass.
    void subtree(int root) {
        if (root < 0 || root > model().num_bodies()) {
            fail(Status::kMisuse, [&] { return no_such_body(function_, model(), root); });
        } else if (!(ws_.body(root).subtree_mass > 0)) {
            fail(Status::kMisuse, [&] { return no_mass(function_, model(), root); });
        }
    }

    // --- Conditions ---
    void needs(Kinematics level) {
        if (ws_.kinematics.level >= level) return;
        fail(Status::kMisuse, [&] { return missing_kinematics(function_, level); });
    }
    void needs_floating_base() {
        if (model().has_floating_base()) return;
        fail(Status::kMisuse, [&] { return fixed_base(function_, model()); });
    }
    // After the kernel: whether the mass matrix was regular.
    Status regular() {
        if (ws_.pivots.singular_joint != 0) {
            erase_outputs();
            fail(Status::kSingularMassMatrix, [&] {
                return singular_mass_matrix(function_, model(), ws_.pivots.singular_joint);
            });
        }
        return status();
    }
    template <class Message>
    void fail(Status status, const Message& message) {
        if (ws_.on_failure() == OnFailure::kThrow) throw message();
        if (ws_.status_ == Status::kOk) ws_.status_ = status;
    }

    // Whether to go on. Where not, the outputs are NaN.
    bool opens() {
        if (ws_.status_ == Status::kOk) [[likely]]
            return true;
        erase_outputs();
        return false;
    }
    Status status() const { return ws_.status_; }

private:
    static constexpr int kMostOutputs = 3;
    struct Output {
        const char* name;
        S* data;
        long rows, columns, stride;
    };

    const char* function_;
    const Workspace<S>& ws_;
    std::array<Output, kMostOutputs> outputs_;
    int num_outputs_ = 0;
    int num_staged_ = 0;

    const Model& model() const { return ws_.model(); }
    static Region region(const S* data, long rows, long columns, long stride) {
        constexpr auto kSize = static_cast<long>(sizeof(S));
        return {reinterpret_cast<const char*>(data), rows * kSize, columns, stride * kSize};
    }
    static Region region(const Output& o) { return region(o.data, o.rows, o.columns, o.stride); }

    void expect_size(const char* name, long size, long expected, const char* meaning) {
        if (size == expected) return;
        fail(Status::kMisuse, [&] { return wrong_size(function_, name, size, expected, meaning); });
    }
    void expect_shape(const char* name, long rows, long columns, long expected_rows,
                      long expected_columns) {
        if (rows == expected_rows && columns == expected_columns) return;
        fail(Status::kMisuse, [&] {
            return wrong_shape(function_, name, rows, columns, expected_rows, expected_columns);
        });
    }
    void add(const char* name, S* data, long rows, long columns, long stride) {
        const Output output{name, data, rows, columns, stride};
        for (int k = 0; k < num_outputs_; ++k) {
            if (share_memory(region(outputs_[k]), region(output))) {
                fail(Status::kMisuse,
                     [&] { return shared_output(function_, outputs_[k].name, name); });
            }
        }
        outputs_[num_outputs_++] = output;
    }
    const S* in(const char* name, const ConstVector<S>& x, long size, const char* meaning) {
        expect_size(name, x.size(), size, meaning);
        if (x.size() != size) return nullptr;
        if (!all_finite(x.data(), size)) {
            for (long k = 0; k < size; ++k) {
                if (!all_finite(x.data() + k, 1)) fail_not_finite(name, k, x[k], meaning[1] == 'q');
            }
        }
        for (int k = 0; k < num_outputs_; ++k) {
            if (!share_memory(region(outputs_[k]), region(x.data(), size, 1, size))) continue;
            auto& copy = ws_.staged[static_cast<std::size_t>(num_staged_++)];
            std::copy_n(x.data(), size, copy.data());
            return copy.data();
        }
        return x.data();
    }
    void fail_not_finite(const char* name, long index, const S& value, bool is_configuration) {
        fail(Status::kNonFiniteInput, [&] {
            return not_finite(function_, name, model(), index, static_cast<double>(value_of(value)),
                              is_configuration);
        });
    }
    void erase_outputs() {
        for (int k = 0; k < num_outputs_; ++k) {
            const Output& o = outputs_[k];
            for (long c = 0; c < o.columns; ++c) {
                std::fill_n(o.data + c * o.stride, o.rows, S(kNaN));
            }
        }
    }
};

// The scalar of an Eigen expression that a by-value form is given.
template <class Derived>
using ScalarOf = typename Derived::Scalar;

}  // namespace detail
}  // namespace plucker
