// Robots, their parts and results as bytes, for pickle. Bytes may come from anywhere: whatever does not fit throws Error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numpy.hpp"
#include "plucker/compiler/compile.hpp"
#include "plucker/identify/base_parameters.hpp"
#include "plucker/identify/excite.hpp"
#include "plucker/identify/identify.hpp"
#include "plucker/io/recording.hpp"
#include "plucker/laws/report.hpp"
#include "plucker/model/description.hpp"
#include "plucker/simulate/simulator.hpp"

namespace plucker::python {

struct Archived {
    Description description;  // as it was compiled, where it was
    std::vector<Diagnostic> findings;
    std::optional<CompileOptions> compiled = {};
    std::vector<std::vector<double>> parameters = {};  // the numbers of each of the options'
};

struct ArchivedIdentification {
    Description description;
    std::vector<IdentifiedParameter> parameters, combinations;
    std::vector<IdentifiedJoint> joints;
    double condition_number = 0;
    int num_told = 0;
    std::vector<std::string> remarks;
    MotionLog log;
    MatrixX<double> torques_before, torques_after;
};

// Of a robot, its parts and its results: the types that archive.cpp names at its end.
template <class T>
std::string to_bytes(T x);
template <class T>
T from_bytes(const std::string& bytes);

// For the class of a T.
template <class T>
auto pickled() {
    return py::pickle([](const T& x) { return py::bytes(to_bytes<T>(x)); },
                      [](const py::bytes& bytes) { return from_bytes<T>(bytes); });
}

}  // namespace plucker::python
