// Lets Eigen's vectors and matrices hold dual numbers, complex steps and packs.
#pragma once

#include <Eigen/Core>

#include "plucker/scalar/complex_step.hpp"
#include "plucker/scalar/dual.hpp"
#include "plucker/scalar/pack.hpp"

namespace Eigen {

template <class T, int N>
struct NumTraits<plucker::Dual<T, N>> : NumTraits<T> {
    using Real = plucker::Dual<T, N>;
    using NonInteger = plucker::Dual<T, N>;
    using Nested = plucker::Dual<T, N>;
    enum {
        IsComplex = 0,
        RequireInitialization = 1,
        ReadCost = 1 + N,
        AddCost = 1 + N,
        MulCost = 1 + 3 * N
    };
};

// Eigen aligns memory for its own vectors: let it look at packs (Eigen::Map) that stand in a std::vector.
template <class T, int N, class Isa>
struct NumTraits<plucker::Pack<T, N, Isa>> : NumTraits<T> {
    using Real = plucker::Pack<T, N, Isa>;
    using NonInteger = plucker::Pack<T, N, Isa>;
    using Nested = plucker::Pack<T, N, Isa>;
    enum { IsComplex = 0, RequireInitialization = 1, ReadCost = 1, AddCost = 1, MulCost = 1 };
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
// What compiled functions return, and results hold. Eigen aligns memory as the flags of each file say, and frees it
// accordingly: a VectorX from the library would end a program that is compiled with -march=native. These are unaligned
// whatever the flags; any vector or matrix of Eigen's can be made of them.
template <class S>
using ResultVector = Eigen::Matrix<S, Eigen::Dynamic, 1, Eigen::DontAlign>;
template <class S>
using ResultMatrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::DontAlign>;
// What compiled classes show of the vectors that they hold: a look at them, aligned or not.
template <class S>
using VectorView = Eigen::Map<const VectorX<S>>;
template <class S>
VectorView<S> view_of(const VectorX<S>& x) {
    return {x.data(), x.size()};
}
template <class S>
using Matrix6X = Eigen::Matrix<S, 6, Eigen::Dynamic>;
template <class S>
using Matrix3X = Eigen::Matrix<S, 3, Eigen::Dynamic>;

}  // namespace plucker
