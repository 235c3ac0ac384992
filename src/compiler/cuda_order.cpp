#include "cuda_order.hpp"

namespace plucker::compiler {
namespace {

std::size_t place_in_program(Value x) { return static_cast<std::size_t>(x); }

template <class Use>
void for_computed_operands(const Program& program, const Node& node, const Use& use) {
    for (int i = 0; i < num_operands(node.op); ++i) {
        const Value operand = node.operands[static_cast<std::size_t>(i)];
        if (is_computed(program, operand)) use(place_in_program(operand));
    }
}

// Needed by no other part, and given by inputs and constants.
std::vector<bool> light_nodes(const Program& program, const Parts& parts) {
    std::vector<bool> out(program.nodes.size());
    for (std::size_t k = 0; k < out.size(); ++k) {
        bool is_light = parts.slot[k] < 0;
        for_computed_operands(program, program.nodes[k], [&](std::size_t) { is_light = false; });
        out[k] = is_light;
    }
    return out;
}

}  // namespace

bool is_computed(const Program& program, Value x) {
    return x != kNotGiven && num_operands(program.nodes[place_in_program(x)].op) > 0;
}

std::vector<Value> order_of_part(const Program& program, const Parts& parts, int part, bool late) {
    const std::size_t n = program.nodes.size();
    const std::vector<bool> waits = late ? light_nodes(program, parts) : std::vector<bool>(n);
    std::vector<bool> done(n);
    std::vector<Value> out;
    const auto place = [&](std::size_t k) {
        if (done[k]) return;
        done[k] = true;
        out.push_back(static_cast<Value>(k));
    };
    for (int phase = 0; phase < parts.num_phases; ++phase) {
        for (std::size_t k = 0; k < n; ++k) {
            const Node& node = program.nodes[k];
            if (num_operands(node.op) == 0 || parts.part[k] != part || parts.phase[k] != phase ||
                waits[k])
                continue;
            for_computed_operands(program, node, [&](std::size_t x) {
                if (waits[x]) place(x);
            });
            place(k);
        }
        if (phase + 1 < parts.num_phases) out.push_back(kMeet);
    }
    // What waited, and is given as it is.
    const auto place_output = [&](Value x) {
        if (is_computed(program, x) && parts.part[place_in_program(x)] == part)
            place(place_in_program(x));
    };
    for (const Value x : program.outputs) place_output(x);
    if (program.singular >= 0) place_output(program.singular);
    return out;
}

}  // namespace plucker::compiler
