// A program cut in pieces, each of which computes some of its outputs.
#pragma once

#include "clusters.hpp"
#include "plucker/compiler/slices.hpp"

namespace plucker::compiler {

struct Piece {
    std::vector<Value> outputs;  // nodes: of the program, and what later pieces read
    NodeSet computes;
    std::vector<Value> reads;  // nodes that earlier ones compute
};

// In an order in which they can be run.
std::vector<Piece> pieces_of(const Program& program, const SliceOptions& options);

}  // namespace plucker::compiler
