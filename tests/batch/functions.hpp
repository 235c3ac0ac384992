// Every function of batch::Evaluator in one table, each beside the single call that it has to agree with, so
// that a test of all of them is a loop.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "plucker/batch/batch.hpp"
#include "plucker/laws/laws.hpp"

namespace plucker::test {

// What a batch function is called with; each takes what it needs.
template <class T>
struct BatchArguments {
    batch::States<const T> q, v, a, tau, other_q;
    std::array<batch::Matrices<T>, 3> out;
    batch::ExternalForces<T> external;
    std::span<batch::Status> status;
    std::vector<Given> given;

    batch::States<T> vector(int k) const {
        const batch::Matrices<T>& m = out[static_cast<std::size_t>(k)];
        return {m.data, m.count, m.rows, m.state_stride, m.row_stride};
    }
    const batch::Matrices<T>& matrix(int k) const { return out[static_cast<std::size_t>(k)]; }
};

// The same for one state.
struct SingleArguments {
    VectorX<double> q, v, a, tau, other_q;
    const ExternalForces<double>* external;
    std::vector<Given> given;
};

struct BatchFunction {
    struct Shape {
        int rows, columns;
    };
    // How errors of rounding grow on the way to the result.
    enum class Errors {
        kOfSums,     // as those of a sum of its terms
        kOfSolving,  // the first result solves M a = torque: M⁻¹ enlarges the errors of the torques
        kOfInverse,  // the result is M⁻¹
    };

    std::string name;
    std::string inputs;  // a letter each: q, v, a, t (torques), o (another q)
    std::vector<Shape> outputs;
    Errors errors = Errors::kOfSums;
    bool forces = false;         // is called with forces from outside
    bool reads_outputs = false;  // a, tau: partly read, partly written
    std::function<long(batch::Evaluator<double>&, const BatchArguments<double>&)> call_double;
    std::function<long(batch::Evaluator<float>&, const BatchArguments<float>&)> call_float;
    std::function<std::vector<MatrixX<double>>(Workspace<double>&, const SingleArguments&)> single;

    long call(batch::Evaluator<double>& e, const BatchArguments<double>& x) const {
        return call_double(e, x);
    }
    long call(batch::Evaluator<float>& e, const BatchArguments<float>& x) const {
        return call_float(e, x);
    }
};

// Functions with a parameter are there once for each of its values; those that take forces from outside, with
// and without.
std::vector<BatchFunction> batch_functions(const Model& model);

// For hybrid dynamics: every other joint moves as told.
std::vector<Given> every_other_joint(const Model& model);

// Where the forces from outside act: one place a reference frame.
template <class T>
std::vector<typename batch::ExternalForces<T>::Place> force_places(const Model& model) {
    const int last = static_cast<int>(model.frames().size()) - 1;
    return {{model.frame_id(last), ReferenceFrame::kBody},
            {model.body_frame(1), ReferenceFrame::kWorld},
            {model.frame_id((last + 1) / 2), ReferenceFrame::kWorldAligned}};
}

}  // namespace plucker::test
