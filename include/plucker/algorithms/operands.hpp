// What a kernel is given: pointers to numbers, and options. Every way of calling an algorithm ends here.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "plucker/algorithms/algorithm.hpp"
#include "plucker/model/external_forces.hpp"

namespace plucker {

// What is given of a joint in hybrid dynamics. A list of these has one entry per body, and an unused entry 0.
enum class Given : unsigned char { kTorque, kAcceleration };

namespace detail {

// A column-major matrix in somebody's memory.
template <class S>
struct MatrixView {
    S* data;
    long stride;  // from one column to the next

    S& operator()(int row, int col) const { return data[row + col * stride]; }
    // What can be written can be read.
    operator MatrixView<const S>() const {  // NOLINT(google-explicit-constructor)
        return {data, stride};
    }

    void set_zero(int rows, int cols) const {
        if (stride == rows) {  // one after another
            std::fill_n(data, static_cast<long>(rows) * cols, S(0));
            return;
        }
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
    void set_column(int col, const Vec3<S>& m) const {
        S* out = data + col * stride;
        out[0] = m.x;
        out[1] = m.y;
        out[2] = m.z;
    }
    void add_column(int col, const Vec3<S>& m) const {
        S* out = data + col * stride;
        out[0] += m.x;
        out[1] += m.y;
        out[2] += m.z;
    }
};

}  // namespace detail

template <class S>
struct Operand {
    S* data;
    long rows, columns;
    long stride;  // from one column to the next
};

template <class S>
struct Operands {
    std::array<Operand<const S>, kMostInputs> inputs;
    // The inputs are q, v and a, as far as the row reads kinematics: those of the workspace have no part in it.
    bool from_states = false;
    std::array<Operand<S>, kMostOutputs> outputs;
    MaybeForces<S> external = nullptr;
    FrameId frame{};
    ReferenceFrame reference = ReferenceFrame::kBody;
    int root = 0;
    std::span<const Given> given{};
    // Where a result comes matrix by matrix, and each is taken away from the same place: called after the k-th.
    void (*take_block)(void* taker, int k) = nullptr;
    void* taker = nullptr;

    const S* in(int k) const { return inputs[static_cast<std::size_t>(k)].data; }
    S* out(int k) const { return outputs[static_cast<std::size_t>(k)].data; }
    detail::MatrixView<S> matrix(int k) const {
        const Operand<S>& x = outputs[static_cast<std::size_t>(k)];
        return {x.data, x.stride};
    }
    int columns(int k) const {
        return static_cast<int>(outputs[static_cast<std::size_t>(k)].columns);
    }

    // Results of a few numbers.
    void give(const S& x) const { out(0)[0] = x; }
    void give(const Vec3<S>& p) const { matrix(0).set_column(0, p); }
    void give(const Motion<S>& m) const { matrix(0).set_column(0, m); }
    void give(const Force<S>& f) const { matrix(0).set_column(0, f); }
    void give(const Pose<S>& pose) const {  // [R p], column by column
        const Mat3<S> columns = transpose(pose.rotation);
        matrix(0).set_column(0, columns.x);
        matrix(0).set_column(1, columns.y);
        matrix(0).set_column(2, columns.z);
        matrix(0).set_column(3, pose.position);
    }
};

template <class S>
using Kernel = void (*)(Workspace<S>&, Operands<S>&);

}  // namespace plucker
