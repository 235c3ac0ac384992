// How long things take.
#pragma once

#include <functional>

#include "plucker/scalar/isa.hpp"

namespace plucker::cli {

struct Times {
    double minimum = 0, median = 0;  // nanoseconds
};

// Runs `once`, which evaluates and returns some number of states, again and again for about `seconds`;
// nanoseconds per state.
Times measure(double seconds, const std::function<long()>& once);

// Floating-point operations a nanosecond that `threads` threads reach at best, with multiply-adds that wait
// for nothing.
struct PeakRate {
    double f64 = 0, f32 = 0;
};
PeakRate measure_peak(Isa isa, int threads, double seconds);

}  // namespace plucker::cli
