// The leading dimensions of arrays that are computed together: states, in one long row and loops around it.
#pragma once

#include <array>
#include <vector>

#include "arrays.hpp"

namespace plucker::python {

class Axes {
public:
    static constexpr int kMostOperands = kMostInputs + kMostOutputs + 2;  // forces and status

    // The leading dimensions of the result, as NumPy broadcasts them. Throws where they do not fit together, and names the
    // arrays.
    Axes(const char* function, const std::vector<std::pair<const char*, PyArrayObject*>>& inputs);

    int ndim() const { return ndim_; }
    const npy_intp* shape() const { return shape_.data(); }
    npy_intp count() const;

    // An array whose dimensions, but for the last `core`, are these or are repeated along them. `unit`: in how many bytes its
    // strides are counted. Returns its number.
    int add(PyArrayObject* array, int core, npy_intp unit);

    // Joins the dimensions that can be gone through as one, and takes the longest as the row.
    void arrange();
    npy_intp row_length() const { return row_.size; }
    npy_intp row_stride(int operand) const {
        return row_.strides[static_cast<std::size_t>(operand)];
    }

    // Calls f(offsets) for each row: where it starts in every operand. Stops when f returns false.
    template <class F>
    void for_each_row(const F& f) const {
        std::array<npy_intp, kMostOperands> offsets{};
        std::vector<npy_intp> at(loops_.size(), 0);
        while (true) {
            if (!f(offsets)) return;
            std::size_t k = loops_.size();
            while (k-- > 0) {
                const Axis& axis = loops_[k];
                for (std::size_t i = 0; i < offsets.size(); ++i) offsets[i] += axis.strides[i];
                if (++at[k] < axis.size) break;
                for (std::size_t i = 0; i < offsets.size(); ++i)
                    offsets[i] -= axis.strides[i] * axis.size;
                at[k] = 0;
            }
            if (k == static_cast<std::size_t>(-1)) return;
        }
    }

private:
    struct Axis {
        npy_intp size = 1;
        std::array<npy_intp, kMostOperands> strides{};
    };

    int ndim_ = 0;
    std::array<npy_intp, NPY_MAXDIMS> shape_{};
    std::vector<Axis> loops_;  // outer ones first
    Axis row_;
    int num_operands_ = 0;
};

}  // namespace plucker::python
