// From a robot and an algorithm to a program.
#pragma once

#include <string_view>
#include <vector>

#include "plucker/algorithms/operands.hpp"
#include "plucker/compiler/program.hpp"

namespace plucker::compiler {

// How long a program of a batch may be. Beyond, straight-line code no longer fits into the caches, and loops are faster.
inline constexpr std::size_t kMostNodesOfBatch = 160000;

// The options of a row, which become part of the program.
struct RecordOptions {
    FrameId frame{};
    ReferenceFrame reference = ReferenceFrame::kBody;
    int root = 0;
    std::vector<Given> given{};  // of hybrid dynamics: one entry per body, and entry 0
    // Where forces act from outside. Each is six inputs, (moment; force), after all others.
    std::vector<ForcePlace> forces{};
    // Constants of the robot that are inputs, by name (parameters.hpp), after all others: a group each.
    std::vector<std::string> parameters{};
    // With more nodes ProgramTooLong (recorder.hpp) is thrown.
    std::size_t most_nodes = kMostNodes;
};

struct Recorded {
    Program program;
    long num_asked = 0;  // operations of the kernel, before any was folded
    // By operation: what the kernel asked for, and what was left after folding and value numbering. The program has no dead
    // code either.
    std::array<long, kNumOps> asked{};
    std::array<int, kNumOps> folded{};
};

// The program of the row with that number in algorithms(). Inputs: q, v, a where the row reads kinematics; its vectors; what
// it reads of its outputs; forces; parameters. Outputs: its own, column by column, or as stands_row_by_row says.
Recorded record(const Model& model, int row, const RecordOptions& options = {});
// ... with that name.
Recorded record(const Model& model, std::string_view name, const RecordOptions& options = {});

// The same results in every way that the table knows: the row's own program, and those of the rows that are another way for it,
// with the outputs that it has, too. Which is the shortest depends on the robot: by the mass matrix for arms, by articulated
// bodies for robots with limbs. Others that are too long, or twice as long as the row's own, are left out.
std::vector<Recorded> record_all_ways(const Model& model, int row,
                                      const RecordOptions& options = {});
// The one of them with the fewest operations, which batches run.
Recorded record_shortest(const Model& model, int row, const RecordOptions& options = {});

// What the kernel asks for, by operation, of a program of any length: it is counted, not recorded. It is the text that is
// counted, not what a compiler makes of it: a product with 0 or 1 is a product, a fused multiply-add is two operations.
std::array<long, kNumOps> count_operations(const Model& model, int row,
                                           const RecordOptions& options = {});

}  // namespace plucker::compiler
