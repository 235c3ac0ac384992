// A program as the processor runs it: operations in order, products fused into sums, sines and cosines together.
#pragma once

#include "plucker/compiler/program.hpp"

namespace plucker::compiler {

enum class Step : std::uint8_t {
    kOperation,         // of a node
    kMultiplyAdd,       // a b + c
    kMultiplySubtract,  // a b - c
    kSubtractProduct,   // c - a b
    kSinesAndCosines,   // of all angles of a round: see Schedule::rounds
};

struct Scheduled {
    Step step = Step::kOperation;
    Value node = -1;                  // whose value it gives
    std::array<Value, 3> operands{};  // of fused steps a, b, c
    int num_operands = 0;
    int round = 0;  // of kSinesAndCosines
};

// Angles whose sines and cosines are computed by one call.
struct Round {
    std::vector<Value> angles;
    std::vector<Value> sines, cosines;  // of each angle: the node, or -1 where nobody asks
};

struct Schedule {
    std::vector<Scheduled> steps;
    std::vector<Round> rounds;
};

// In the kernel's own order, which keeps few values alive; but what sines and cosines need comes first.
Schedule schedule(const Program& program);

}  // namespace plucker::compiler
