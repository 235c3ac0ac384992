// Lets Eigen's vectors and matrices hold dual numbers and complex steps.
#pragma once

#include <Eigen/Core>

#include "plucker/scalar/complex_step.hpp"
#include "plucker/scalar/dual.hpp"

namespace Eigen {

template <class T>
struct NumTraits<plucker::Dual<T>> : NumTraits<T> {
    using Real = plucker::Dual<T>;
    using NonInteger = plucker::Dual<T>;
    using Nested = plucker::Dual<T>;
    enum { IsComplex = 0, RequireInitialization = 1, ReadCost = 2, AddCost = 2, MulCost = 4 };
};

// To Eigen a complex step is a real number: transposes must not conjugate it.
template <class T>
struct NumTraits<plucker::ComplexStep<T>> : NumTraits<T> {
    using Real = plucker::ComplexStep<T>;
    using NonInteger = plucker::ComplexStep<T>;
    using Nested = plucker::ComplexStep<T>;
    enum { IsComplex = 0, RequireInitialization = 1, ReadCost = 2, AddCost = 2, MulCost = 4 };
};

}  // namespace Eigen

namespace plucker {

template <class S>
using VectorX = Eigen::Matrix<S, Eigen::Dynamic, 1>;
template <class S>
using MatrixX = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic>;
template <class S>
using Matrix6X = Eigen::Matrix<S, 6, Eigen::Dynamic>;
template <class S>
using Matrix3X = Eigen::Matrix<S, 3, Eigen::Dynamic>;

}  // namespace plucker
