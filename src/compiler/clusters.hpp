// Outputs of a program that are given together, because they need much the same.
#pragma once

#include "node_set.hpp"
#include "plucker/compiler/program.hpp"

namespace plucker::compiler {

struct Cluster {
    std::vector<Value> outputs;  // nodes
    NodeSet needs;               // operations
};

// Of a matrix the rows of one limb in one column, which need much the same; of what has no limbs, columns.
std::vector<Cluster> atoms_of(const Program& program);

// The two that have most in common become one, as long as it is short enough.
std::vector<Cluster> clustered(std::vector<Cluster> clusters, int most_operations);

// Operations that these need, themselves included; none of `known`, nor what only those need.
NodeSet needs_of(const Program& program, const std::vector<Value>& outputs,
                 const NodeSet* known = nullptr);

// --- Nodes by their place in the program ---

inline std::size_t index_of(Value x) { return static_cast<std::size_t>(x); }
inline bool is_operation(const Program& program, std::size_t k) {
    return num_operands(program.nodes[k].op) > 0;
}
template <class F>
void for_operands(const Program& program, std::size_t k, const F& f) {
    const Node& node = program.nodes[k];
    for (int i = 0; i < num_operands(node.op); ++i)
        f(index_of(node.operands[static_cast<std::size_t>(i)]));
}

}  // namespace plucker::compiler
