#include "plucker/scalar/plain_algebra.hpp"

namespace plucker::plain {

void add_scaled(const double& s, const double* x, long x_stride, long n, double* y) {
    if (x_stride == 1) {
        for (long k = 0; k < n; ++k) y[k] += s * x[k];
    } else {
        for (long k = 0; k < n; ++k) y[k] += s * x[k * x_stride];
    }
}

}  // namespace plucker::plain
