// Every in-place function of the library in one table, so that a test of what is promised for all of them is a loop.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plucker/plucker.hpp"

namespace plucker::test {

struct Argument {
    std::string name;
    int rows = 0;
    int columns = 1;
    bool is_configuration = false;  // an input of size nq
    bool is_read = false;           // an output that is also an input
};

// What a function is called with. The memory is the test's: it may overlap.
struct InPlaceCall {
    std::vector<double*> inputs, outputs;
    std::vector<Argument> input_shapes, output_shapes;
    const ExternalForces<double>* external = nullptr;
    FrameId frame;
    ReferenceFrame reference = ReferenceFrame::kWorldAligned;
    int root = 0;
    std::vector<Given> given;

    using Vector = Eigen::Map<VectorX<double>>;
    using Matrix = Eigen::Map<MatrixX<double>>;
    Vector in(std::size_t k) const { return {inputs[k], input_shapes[k].rows}; }
    Vector out(std::size_t k) const { return {outputs[k], output_shapes[k].rows}; }
    Matrix matrix(std::size_t k) const {
        return {outputs[k], output_shapes[k].rows, output_shapes[k].columns};
    }
};

struct InPlaceFunction {
    std::string name;
    std::vector<Argument> inputs, outputs;
    Kinematics reads = Kinematics::kNone;  // what of forward_kinematics it needs
    bool takes_forces = false;
    bool takes_frame = false;
    bool takes_root = false;
    bool needs_mass = false;        // of the subtree, or of the robot
    bool needs_regular = false;     // mass matrix
    bool fills_kinematics = false;  // forward_kinematics itself
    bool returns_by_value = false;  // its result is not an argument
    std::function<Status(Workspace<double>&, const InPlaceCall&)> call;
};

// Those that the model can be asked for.
std::vector<InPlaceFunction> in_place_functions(const Model& model);

// The call with memory of its own, filled from a state: what q, v, a, tau are is told by their names.
struct Arranged {
    std::vector<VectorX<double>> inputs, outputs;
    InPlaceCall call;
};
Arranged arrange(const Model& model, const InPlaceFunction& function, unsigned seed);

}  // namespace plucker::test
