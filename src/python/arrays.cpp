#include "arrays.hpp"

namespace plucker::python {

namespace {

bool is_one_column(Kind kind) {
    return is_vector(kind) || kind == Kind::kColumns || kind == Kind::kPoint ||
           kind == Kind::kMotion || kind == Kind::kForce;
}

}  // namespace

Core core_of(Kind kind, const Model& model) {
    const Extent extent = extent_of(kind, model);
    const npy_intp rows = extent.rows;
    // Of vectors that may stand side by side, an array has one per state.
    if (is_one_column(kind)) return {.ndim = 1, .shape = {rows, 1, 1}};
    if (comes_in_blocks(kind))
        return {.ndim = 3, .shape = {rows, rows, rows}, .minor = 1, .major = 2};
    switch (kind) {
        case Kind::kNumber:
            return {};
        case Kind::kBodyPoses:
            return {.ndim = 3, .shape = {rows, 3, 4}, .minor = 2, .major = 1};
        default:
            return {.ndim = 2, .shape = {rows, extent.columns, 1}, .minor = 1};
    }
}

namespace {

// As the properties of a Robot are called.
std::string name_of(Length length) {
    switch (length) {
        case Length::kBodies:
            return "num_bodies";
        case Length::kBodiesAndGround:
            return "num_bodies + 1";
        case Length::kParameters:
            return "num_parameters";
        default:
            return in_words(length);
    }
}

}  // namespace

std::string core_in_words(Kind kind) {
    const Lengths lengths = lengths_of(kind);
    std::string rows = name_of(lengths.rows);
    if (is_one_column(kind)) return rows;
    if (comes_in_blocks(kind)) return rows + ", " + rows + ", " + rows;
    switch (kind) {
        case Kind::kNumber:
            return "";
        case Kind::kBodyPoses:
            return rows + ", 3, 4";
        default:
            return rows + ", " + name_of(lengths.columns);
    }
}

std::string shape_text(int ndim, const npy_intp* shape) {
    std::string out = "(";
    for (int k = 0; k < ndim; ++k) out += (k == 0 ? "" : ", ") + std::to_string(shape[k]);
    return out + (ndim == 1 ? ",)" : ")");
}
std::string shape_text(PyArrayObject* array) {
    return shape_text(PyArray_NDIM(array), PyArray_DIMS(array));
}
std::string type_text(PyObject* object) {
    if (!PyArray_Check(object)) return Py_TYPE(object)->tp_name;
    PyObject* dtype =
        reinterpret_cast<PyObject*>(PyArray_DESCR(reinterpret_cast<PyArrayObject*>(object)));
    return "an array of " + std::string(py::str(dtype));
}
std::string text_from(const char* function, const char* argument, PyObject* text) {
    Py_ssize_t size = 0;
    const char* const letters = PyUnicode_AsUTF8AndSize(text, &size);
    if (letters == nullptr) PyErr_Clear();
    if (letters == nullptr || std::char_traits<char>::find(letters, size, '\0') != nullptr) {
        const Owned shown = made(PyObject_ASCII(text));
        throw Error::because(function, ": ", argument, " is ", PyUnicode_AsUTF8(shown.object()),
                             "; it must be a text of whole characters, none of them zero");
    }
    return {letters, static_cast<std::size_t>(size)};
}
py::type_error wrong_type(const char* function, const char* argument, PyObject* given,
                          const char* expected) {
    return py::type_error(std::string(function) + ": " + argument + " is " + type_text(given) +
                          "; expected " + expected);
}

Owned number_array(const char* function, const char* argument, PyObject* object) {
    Owned array;
    if (PyArray_Check(object)) {
        Py_INCREF(object);
        array = Owned(object);
    } else {
        array = Owned(PyArray_FromAny(object, nullptr, 0, 0, 0, nullptr));
        if (!array) {
            const bool is_no_array =
                PyErr_ExceptionMatches(PyExc_ValueError) || PyErr_ExceptionMatches(PyExc_TypeError);
            if (!is_no_array) throw py::error_already_set();
            // Such as that its rows have different lengths, in NumPy's words.
            const py::error_already_set why;
            throw wrong_type(function, argument, object,
                             ("an array of numbers: " + std::string(py::str(why.value()))).c_str());
        }
    }
    const int type = PyArray_TYPE(array.array());
    if (type != NPY_DOUBLE && type != NPY_FLOAT && !PyArray_CanCastSafely(type, NPY_DOUBLE)) {
        std::string expected = "numbers in float64 or float32";
        if (!PyArray_Check(object) && PyArray_NDIM(array.array()) > 0)
            expected += "; it makes " + type_text(array.object());
        throw wrong_type(function, argument, object, expected.c_str());
    }
    return array;
}

Owned as_numbers(PyArrayObject* array, int numpy_type) {
    const auto size =
        static_cast<npy_intp>(numpy_type == NPY_DOUBLE ? sizeof(double) : sizeof(float));
    bool whole = true;
    for (int k = 0; k < PyArray_NDIM(array); ++k) whole &= PyArray_STRIDE(array, k) % size == 0;
    int need = NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED | NPY_ARRAY_FORCECAST;
    if (!whole) need |= NPY_ARRAY_ENSURECOPY | NPY_ARRAY_C_CONTIGUOUS;
    return made(PyArray_FromArray(array, PyArray_DescrFromType(numpy_type), need));
}

namespace {

// From the first byte to beyond the last.
std::pair<const char*, const char*> bounds(PyArrayObject* array) {
    const char* begin = PyArray_BYTES(array);
    const char* end = begin + PyArray_ITEMSIZE(array);
    for (int k = 0; k < PyArray_NDIM(array); ++k) {
        const npy_intp n = PyArray_DIM(array, k);
        if (n == 0) return {nullptr, nullptr};
        const npy_intp reach = (n - 1) * PyArray_STRIDE(array, k);
        (reach < 0 ? begin : end) += reach;
    }
    return {begin, end};
}

}  // namespace

bool may_share(PyArrayObject* a, PyArrayObject* b) {
    const auto [a_begin, a_end] = bounds(a);
    const auto [b_begin, b_end] = bounds(b);
    return a_begin < b_end && b_begin < a_end;
}

}  // namespace plucker::python
