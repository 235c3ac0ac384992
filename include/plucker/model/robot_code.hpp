// Code that was made for one robot, as the layers below its compiler know it: functions to call in place of kernels.
#pragma once

#include <array>
#include <memory>
#include <vector>

namespace plucker {

struct RobotCode {
    // Numbers of each argument, one argument after the other: inputs and, after the outputs, one that tells whether the mass
    // matrix was singular, where the row needs it regular. Null: this row is left to its kernel.
    using Entry = void (*)(const void* const* inputs, void* const* outputs);

    struct Single {
        Entry entry = nullptr;
        // The sizes of its arguments, where it reads vectors and writes vectors and matrices, and does nothing else. A call
        // with these needs no closer look.
        bool is_plain = false;
        int num_inputs = 0, num_outputs = 0;
        std::array<long, 3> inputs{};
        std::array<std::array<long, 2>, 3> outputs{};  // rows and columns
    };
    std::vector<Single> single;                      // by row of the table
    std::vector<std::shared_ptr<const void>> owned;  // what keeps the code in memory
};

}  // namespace plucker
