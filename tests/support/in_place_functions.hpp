// Every in-place function of the library, so that a test of what is promised for all of them is a loop.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/table_calls.hpp"

namespace plucker::test {

struct InPlaceArgument {
    std::string name;
    int rows = 0;
    int columns = 1;
    Kind kind = Kind::kTorque;
    bool is_read = false;  // an output that is also an input

    bool is_configuration() const { return kind == Kind::kConfiguration; }
};

struct InPlaceFunction {
    std::string name;
    std::vector<InPlaceArgument> inputs, outputs;
    Kinematics reads = Kinematics::kNone;  // what of forward_kinematics it needs
    bool takes_forces = false;
    bool takes_frame = false;
    bool takes_root = false;
    bool needs_mass = false;        // of the subtree, or of the robot
    bool needs_regular = false;     // mass matrix
    bool fills_kinematics = false;  // forward_kinematics itself
    bool returns_by_value = false;  // its result is not an argument
    std::function<Status(Workspace<double>&, const TableCall&)> call;
};

// The table's, those that work on somebody's matrix, and those of the constraints; of all those that the model can be asked
// for. A function that reads kinematics stands there twice, under one name: as it reads them from the workspace, and as it
// is given q, v and a.
std::vector<InPlaceFunction> in_place_functions(const Model& model);

// The call with memory of its own, filled with numbers at random.
struct ArrangedCall {
    std::vector<VectorX<double>> inputs, outputs;
    TableCall call;
};
ArrangedCall arrange(const Model& model, const InPlaceFunction& function, unsigned seed);

}  // namespace plucker::test
