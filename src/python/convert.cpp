#include "convert.hpp"

#include <cmath>

namespace plucker::python {
namespace {

// An array of numbers by rows, with its shape; the array owns them.
struct Matrix {
    Owned array;
    const double* at;

    Matrix(const char* what, const py::object& object)
        : array(made(PyArray_FromArray(number_array(what, "argument", object.ptr()).array(),
                                       PyArray_DescrFromType(NPY_DOUBLE),
                                       NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST))),
          at(static_cast<const double*>(PyArray_DATA(array.array()))) {}

    bool has_shape(std::initializer_list<npy_intp> shape) const {
        return PyArray_NDIM(array.array()) == static_cast<int>(shape.size()) &&
               std::equal(shape.begin(), shape.end(), PyArray_DIMS(array.array()));
    }
    Error wrong_shape(const char* what, const char* expected) const {
        return Error::because(what, " has shape ", shape_text(array.array()), ", expected ",
                              expected);
    }
};

py::object new_array(std::initializer_list<npy_intp> shape, std::initializer_list<double> numbers) {
    Owned out = made(PyArray_EMPTY(static_cast<int>(shape.size()), shape.begin(), NPY_DOUBLE, 0));
    std::copy(numbers.begin(), numbers.end(), static_cast<double*>(PyArray_DATA(out.array())));
    return py::reinterpret_steal<py::object>(out.release());
}

bool is_rotation(const Mat3<double>& R) {
    const Mat3<double> product = R * transpose(R) - Mat3<double>::identity();
    constexpr double kClose = 1e-6;
    for (const Vec3<double>& row : {product.x, product.y, product.z}) {
        if (!(std::abs(row.x) + std::abs(row.y) + std::abs(row.z) < kClose)) return false;
    }
    return determinant(R) > 0;
}

}  // namespace

Vec3<double> vec3_from(const char* what, const py::object& object) {
    const Matrix m(what, object);
    if (!m.has_shape({3})) throw m.wrong_shape(what, "(3,): x, y, z");
    return {m.at[0], m.at[1], m.at[2]};
}

Pose<double> pose_from(const char* what, const py::object& object) {
    const Matrix m(what, object);
    if (m.has_shape({3})) return Pose<double>::translation(m.at[0], m.at[1], m.at[2]);
    const double* a = m.at;
    const bool is_square =
        m.has_shape({4, 4}) && a[12] == 0 && a[13] == 0 && a[14] == 0 && a[15] == 1;
    if (!m.has_shape({3, 4}) && !is_square)
        throw m.wrong_shape(
            what, "(3,): a position, or (3, 4): [R p], or (4, 4) with a last row 0 0 0 1");
    const Pose<double> pose{{{a[0], a[1], a[2]}, {a[4], a[5], a[6]}, {a[8], a[9], a[10]}},
                            {a[3], a[7], a[11]}};
    if (!is_rotation(pose.rotation)) {
        throw Error::because(
            what,
            ": its first three columns are no rotation; rows must be of unit length, "
            "perpendicular and right-handed");
    }
    return pose;
}

SymMat3<double> symmetric_from(const char* what, const py::object& object) {
    const Matrix m(what, object);
    const double* a = m.at;
    if (m.has_shape({3})) return SymMat3<double>::diagonal(a[0], a[1], a[2]);
    if (!m.has_shape({3, 3})) throw m.wrong_shape(what, "(3, 3), or (3,): the diagonal");
    if (a[1] != a[3] || a[2] != a[6] || a[5] != a[7])
        throw Error::because(what, " is not symmetric");
    return {a[0], a[1], a[2], a[4], a[5], a[8]};
}

VectorX<double> coordinates_from(const char* function, const char* argument,
                                 const py::object& object, long n, const char* meaning) {
    const Owned array =
        as_numbers(number_array(function, argument, object.ptr()).array(), NPY_DOUBLE);
    if (PyArray_NDIM(array.array()) != 1) {
        throw Error::because(function, ": ", argument, " has ", PyArray_NDIM(array.array()),
                             " dimensions; one state is taken at a time");
    }
    const Owned flat = made(PyArray_Ravel(array.array(), NPY_CORDER));
    check_size(function, argument, PyArray_SIZE(flat.array()), n, meaning);
    return Eigen::Map<const VectorX<double>>(static_cast<const double*>(PyArray_DATA(flat.array())),
                                             n);
}

py::object to_array(const Vec3<double>& a) { return new_array({3}, {a.x, a.y, a.z}); }
py::object to_array(const Pose<double>& pose) {
    const auto& [R, p] = pose;
    return new_array(
        {3, 4}, {R.x.x, R.x.y, R.x.z, p.x, R.y.x, R.y.y, R.y.z, p.y, R.z.x, R.z.y, R.z.z, p.z});
}
py::object to_array(const SymMat3<double>& m) {
    return new_array({3, 3}, {m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz});
}
py::object to_array(const double* numbers, npy_intp size) {
    Owned out = made(PyArray_EMPTY(1, &size, NPY_DOUBLE, 0));
    std::copy_n(numbers, size, static_cast<double*>(PyArray_DATA(out.array())));
    return py::reinterpret_steal<py::object>(out.release());
}

py::object to_array(const VectorX<double>& x) { return to_array(x.data(), x.size()); }

}  // namespace plucker::python
