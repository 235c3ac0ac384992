// Every function of the table over many states, beside the single call that it has to agree with, so that a test of all
// of them is a loop.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "plucker/algorithms/arranged.hpp"
#include "plucker/batch/batch.hpp"
#include "plucker/laws/laws.hpp"
#include "plucker/plucker.hpp"

namespace plucker::test {

// What a function over many states is called with; each takes what it needs.
template <class T>
struct BatchArguments {
    batch::States<const T> q, v, a, tau, other_q;
    std::array<batch::Matrices<T>, kMostOutputs> out;
    batch::ExternalForces<T> external;
    std::span<batch::Status> status;
    std::vector<Given> given;

    batch::States<const T>& of(char letter) {
        return letter == 'q'   ? q
               : letter == 'v' ? v
               : letter == 'a' ? a
               : letter == 't' ? tau
                               : other_q;
    }
    const batch::States<const T>& of(char letter) const {
        return const_cast<BatchArguments*>(this)->of(letter);
    }
    batch::States<T> vector(std::size_t k) const {
        const batch::Matrices<T>& m = out[k];
        return {m.data, m.count, m.rows, m.state_stride, m.row_stride};
    }
};

// The same for one state.
struct SingleArguments {
    VectorX<double> q, v, a, tau, other_q;
    const ExternalForces<double>* external;
    std::vector<Given> given;

    VectorX<double>& of(char letter) {
        return letter == 'q'   ? q
               : letter == 'v' ? v
               : letter == 'a' ? a
               : letter == 't' ? tau
                               : other_q;
    }
};

struct BatchFunction {
    struct Shape {
        int rows, columns;
    };
    // How errors of rounding grow on the way to the result.
    enum class Errors {
        kOfSums,       // as those of a sum of its terms
        kOfSolving,    // a result solves M a = torque: M⁻¹ enlarges the errors of the torques
        kOfInverse,    // the result is M⁻¹
        kOfCondition,  // the result is made with M⁻¹
    };

    std::string name;
    const Algorithm* row;
    std::string inputs;  // a letter each: q, v, a, t (torques), o (another q)
    std::vector<Shape> outputs;
    std::vector<char>
        initially;  // of each output the letter of what stands there before; 0: nothing that is read
    Errors errors = Errors::kOfSums;
    bool forces = false;  // is called with forces from outside
    FrameId frame;
    ReferenceFrame reference = ReferenceFrame::kBody;
    int root = 0;
    std::function<long(batch::Evaluator<double>&, const BatchFunction&,
                       const BatchArguments<double>&)>
        call_double;
    std::function<long(batch::Evaluator<float>&, const BatchFunction&,
                       const BatchArguments<float>&)>
        call_float;
    std::function<std::vector<MatrixX<double>>(Workspace<double>&, const BatchFunction&,
                                               SingleArguments)>
        call_single;

    long call(batch::Evaluator<double>& e, const BatchArguments<double>& x) const {
        return call_double(e, *this, x);
    }
    long call(batch::Evaluator<float>& e, const BatchArguments<float>& x) const {
        return call_float(e, *this, x);
    }
    std::vector<MatrixX<double>> single(Workspace<double>& ws, const SingleArguments& x) const {
        return call_single(ws, *this, x);
    }

    // The letters of all arguments that are read as a whole.
    std::string read() const {
        std::string out = inputs;
        for (int k = 0; k < row->outputs.size(); ++k) {
            if (row->outputs[k].reads == Reads::kAll) out += initially[static_cast<std::size_t>(k)];
        }
        return forces ? out + "f" : out;
    }
};

// Functions with an option are there once for each of its values; those that take forces from outside, with and
// without.
std::vector<BatchFunction> batch_functions(const Model& model);

// Where the forces from outside act: one place a reference frame.
template <class T>
std::vector<typename batch::ExternalForces<T>::Place> force_places(const Model& model) {
    const int last = static_cast<int>(model.frames().size()) - 1;
    return {{model.frame_id(last), ReferenceFrame::kBody},
            {model.body_frame(1), ReferenceFrame::kWorld},
            {model.frame_id((last + 1) / 2), ReferenceFrame::kWorldAligned}};
}

}  // namespace plucker::test
