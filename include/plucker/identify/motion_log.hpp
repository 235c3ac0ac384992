// A log of measurements of a moving robot, and its preparation for identification.
#pragma once

#include "plucker/model/model.hpp"
#include "plucker/scalar/eigen.hpp"

namespace plucker {

// One row per sample, in the model's own order. v and a may be empty: they are found from q.
struct MotionLog {
    ResultVector<double> time;  // s, at equal steps
    ResultMatrix<double> q, v, a, tau;

    long size() const { return time.size(); }
    double rate() const {  // samples a second
        return static_cast<double>(size() - 1) / (time[size() - 1] - time[0]);
    }
};

// Refuses, in a sentence that names the column and the row, what is no log of this robot: wrong shapes, numbers that are not
// finite, times that do not grow or in unequal steps, fewer than kFewestSamples.
inline constexpr long kFewestSamples = 20;
void check_log(const Model& model, const MotionLog& log);

// A low-pass filter of fourth order by Butterworth, run forward and backward over each column, so that nothing is delayed;
// together it is of eighth order, with half of the amplitude left at the cutoff. Ends are continued by reflection.
ResultMatrix<double> low_pass(const MatrixX<double>& columns, double cutoff, double rate);

// The cutoff that is used where `wished` is 0: of 10 Hz, or a quarter of the rate if that is less, where velocities or
// accelerations have to be found from positions, none otherwise.
double cutoff_for(const MotionLog& log, double wished);

// The log with velocities and accelerations: those that are there, or from central differences along the robot's own
// coordinates, after the filter. With a cutoff (Hz) everything is filtered alike, torques too, so that the two sides of the
// equation of motion stay equal, and every sample that the filter leaves no news in is dropped; 0 filters nothing. A few
// samples at the ends, which have no neighbours, are dropped.
MotionLog prepare_log(const Model& model, const MotionLog& log, double cutoff);

}  // namespace plucker
