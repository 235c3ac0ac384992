// NumPy arrays as the library's views, and what is wrong with them in words.
#pragma once

#include <string>

#include "numpy.hpp"
#include "plucker/algorithms/algorithm.hpp"

namespace plucker::python {

template <class T>
inline constexpr int kNumpyType = std::is_same_v<T, double> ? NPY_DOUBLE : NPY_FLOAT;

// A reference that is let go at the end of the scope.
class Owned {
public:
    Owned() = default;
    explicit Owned(void* object) : object_(static_cast<PyObject*>(object)) {}
    ~Owned() { Py_XDECREF(object_); }
    Owned(Owned&& other) noexcept : object_(other.release()) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }

    PyObject* object() const { return object_; }
    PyArrayObject* array() const { return reinterpret_cast<PyArrayObject*>(object_); }
    explicit operator bool() const { return object_ != nullptr; }
    PyObject* release() { return std::exchange(object_, nullptr); }

private:
    PyObject* object_ = nullptr;
};
// Of something that Python made, or failed to make.
inline Owned made(void* object) {
    if (object == nullptr) throw py::error_already_set();
    return Owned(object);
}

// How a result of the library stands in an array: its axes after those of the states, and which of them make up the
// columns of the library's matrix, whose rows are the first axis.
struct Core {
    int ndim = 0;
    npy_intp shape[3] = {1, 1, 1};
    int minor = -1;  // column = index of `minor` + shape[minor] · index of `major`
    int major = -1;

    npy_intp rows() const { return shape[0]; }
    npy_intp columns() const { return shape[1] * shape[2]; }
    npy_intp size() const { return rows() * columns(); }
};
Core core_of(Kind kind, const Model& model);
// "nv, nv": the same in words; empty for a number.
std::string core_in_words(Kind kind);

// --- In words ---

std::string shape_text(int ndim, const npy_intp* shape);
std::string shape_text(PyArrayObject* array);
std::string type_text(PyObject* object);
// A text of Python's. Throws Error where it holds what no text here can: half a character, or a zero.
std::string text_from(const char* function, const char* argument, PyObject* text);
py::type_error wrong_type(const char* function, const char* argument, PyObject* given,
                          const char* expected);

// --- Taking arrays ---

// Any argument as an array of numbers: of float32 if it is such an array, otherwise of float64 or something that fits into it.
// Throws TypeError where it is neither.
Owned number_array(const char* function, const char* argument, PyObject* object);
// The same numbers as T in native order, with strides of whole numbers: itself, where it is such an array, or a copy.
Owned as_numbers(PyArrayObject* array, int numpy_type);

// Whether the memory between their first and last bytes overlaps.
bool may_share(PyArrayObject* a, PyArrayObject* b);

inline bool is_native(PyArrayObject* array, int numpy_type) {
    return PyArray_TYPE(array) == numpy_type && PyArray_ISBEHAVED_RO(array);
}

}  // namespace plucker::python
