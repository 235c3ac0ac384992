// Code that was made for one robot, as the layers below its compiler know it: functions to call in place of kernels.
#pragma once

#include <memory>
#include <vector>

namespace plucker {

struct RobotCode {
    // Numbers of each argument, one argument after the other: inputs and, after the outputs, one that tells whether the mass
    // matrix was singular, where the row needs it regular. Null: this row is left to its kernel.
    using Entry = void (*)(const void* const* inputs, void* const* outputs);

    std::vector<Entry> single;                       // by row of the table
    std::vector<std::shared_ptr<const void>> owned;  // what keeps the code in memory
};

}  // namespace plucker
