// Small vectors, poses and matrices from what people write, and back.
#pragma once

#include <string>

#include "arrays.hpp"
#include "plucker/model/description.hpp"
#include "plucker/scalar/eigen.hpp"

namespace plucker::python {

// (x, y, z), of anything that NumPy takes.
Vec3<double> vec3_from(const char* what, const py::object& object);
// (3,): a position; (3, 4) or (4, 4): [R p], where R must be a rotation.
Pose<double> pose_from(const char* what, const py::object& object);
SymMat3<double> symmetric_from(const char* what, const py::object& object);

// (n,): as an argument of a function.
VectorX<double> coordinates_from(const char* function, const char* argument,
                                 const py::object& object, long n, const char* meaning);

py::object to_array(const Vec3<double>& a);
py::object to_array(const Pose<double>& pose);  // (3, 4)
py::object to_array(const SymMat3<double>& m);
py::object to_array(const double* numbers, npy_intp size);
py::object to_array(const VectorX<double>& x);

// One of some words, as an enumeration: "fixed" or "floating".
template <class Enum>
Enum word_from(const char* what, const std::string& word,
               std::initializer_list<const char*> words) {
    std::string all;
    std::size_t k = 0;
    for (const char* known : words) {
        if (word == known) return static_cast<Enum>(k);
        all += (k == 0 ? "'" : k + 1 < words.size() ? ", '" : " or '") + std::string(known) + "'";
        ++k;
    }
    throw Error::because(what, " is '", word, "'; it must be ", all);
}

}  // namespace plucker::python
