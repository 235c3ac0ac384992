// A kernel goes through the whole robot once, outward, and comes back: what it computes of the first limb on its way out waits
// in memory until all others are done. Here each node comes when an output needs it, so that limb after limb is gone through,
// out and back, while its numbers are in the nearest cache.
#include <algorithm>

#include "plucker/compiler/program.hpp"

namespace plucker::compiler {

Program with_late_nodes(const Program& program) {
    const auto index = [](Value x) { return static_cast<std::size_t>(x); };
    // Outputs in the order in which the kernel had them.
    std::vector<Value> wanted = program.outputs;
    if (program.singular >= 0) wanted.push_back(program.singular);
    std::sort(wanted.begin(), wanted.end());

    Program out = program;
    out.nodes.clear();
    std::vector<Value> moved(program.nodes.size(), -1), waiting, needed;
    std::vector<bool> seen(program.nodes.size());
    for (const Value output : wanted) {
        needed.clear();
        waiting.assign(1, output);
        while (!waiting.empty()) {
            const Value x = waiting.back();
            waiting.pop_back();
            if (seen[index(x)]) continue;
            seen[index(x)] = true;
            needed.push_back(x);
            const Node& node = program.nodes[index(x)];
            for (int k = 0; k < num_operands(node.op); ++k)
                waiting.push_back(node.operands[static_cast<std::size_t>(k)]);
        }
        // Among them, the kernel's own order.
        std::sort(needed.begin(), needed.end());
        for (const Value x : needed) {
            Node node = program.nodes[index(x)];
            for (int k = 0; k < num_operands(node.op); ++k) {
                Value& operand = node.operands[static_cast<std::size_t>(k)];
                operand = moved[index(operand)];
            }
            moved[index(x)] = static_cast<Value>(out.nodes.size());
            out.nodes.push_back(node);
        }
    }
    for (Value& x : out.outputs) x = moved[index(x)];
    if (out.singular >= 0) out.singular = moved[index(out.singular)];
    return out;
}

}  // namespace plucker::compiler
