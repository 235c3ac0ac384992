#include "axes.hpp"

#include <algorithm>

namespace plucker::python {

Axes::Axes(const char* function,
           const std::vector<std::pair<const char*, PyArrayObject*>>& inputs) {
    for (const auto& [name, array] : inputs) ndim_ = std::max(ndim_, PyArray_NDIM(array) - 1);
    std::fill_n(shape_.begin(), ndim_, 1);
    bool fits = true;
    for (const auto& [name, array] : inputs) {
        const int leading = PyArray_NDIM(array) - 1;
        for (int k = 0; k < leading; ++k) {
            npy_intp& size = shape_[static_cast<std::size_t>(ndim_ - leading + k)];
            const npy_intp own = PyArray_DIM(array, k);
            if (size == 1) size = own;
            fits = fits && (own == size || own == 1);
        }
    }
    if (!fits) {
        std::string shapes;
        for (const auto& [name, array] : inputs) {
            shapes += (shapes.empty() ? "" : ", ") + std::string(name) + " " +
                      shape_text(PyArray_NDIM(array) - 1, PyArray_DIMS(array));
        }
        throw Error::because(function, ": the leading dimensions do not fit together: ", shapes);
    }
    for (int k = 0; k < ndim_; ++k) loops_.push_back({shape_[static_cast<std::size_t>(k)], {}});
}

npy_intp Axes::count() const {
    npy_intp n = 1;
    for (int k = 0; k < ndim_; ++k) n *= shape_[static_cast<std::size_t>(k)];
    return n;
}

int Axes::add(PyArrayObject* array, int core, npy_intp unit) {
    const int leading = PyArray_NDIM(array) - core;
    for (int k = 0; k < leading; ++k) {
        if (PyArray_DIM(array, k) == 1) continue;
        loops_[static_cast<std::size_t>(ndim_ - leading + k)]
            .strides[static_cast<std::size_t>(num_operands_)] = PyArray_STRIDE(array, k) / unit;
    }
    return num_operands_++;
}

void Axes::arrange() {
    std::vector<Axis> joined;
    for (const Axis& axis : loops_) {
        if (axis.size == 1) continue;
        const bool continues =
            !joined.empty() &&
            std::equal(axis.strides.begin(), axis.strides.end(), joined.back().strides.begin(),
                       [&](npy_intp inner, npy_intp outer) { return outer == inner * axis.size; });
        if (continues) {
            joined.back().size *= axis.size;
            joined.back().strides = axis.strides;
        } else {
            joined.push_back(axis);
        }
    }
    const auto longest = std::max_element(
        joined.begin(), joined.end(), [](const Axis& a, const Axis& b) { return a.size < b.size; });
    if (longest != joined.end()) {
        row_ = *longest;
        joined.erase(longest);
    }
    loops_ = std::move(joined);
}

}  // namespace plucker::python
