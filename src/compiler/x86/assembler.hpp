// Straight-line code: step by step, operands are brought where an instruction takes them, and its result gets a register. What
// is where storage.hpp knows; what instructions there are, instructions.hpp.
#pragma once

#include <initializer_list>
#include <map>
#include <memory>

#include "../schedule.hpp"
#include "constant_pool.hpp"
#include "instructions.hpp"
#include "storage.hpp"

namespace plucker::compiler {

// What code does beside its program.
struct BesideProgram {
    // Memory that will be written after it, of results: bytes that the third, fourth … entry of the table of outputs points to.
    // It is asked for while the program computes, line by line.
    std::vector<int> written_later;
    // Of the program's one group of outputs those that anybody reads; empty: all of them.
    std::vector<bool> is_read{};
    // A function that takes this group, which then stands on the stack, and makes `num_results` results of it.
    const void* function = nullptr;
    const void* argument = nullptr;
    std::size_t num_results = 0;
};

class Assembler {
public:
    Assembler(const Program& program, const VectorUnit& unit, const BesideProgram& beside);

    // `sin_cos` computes sines and cosines of such lanes.
    void generate(const void* sin_cos);

    std::unique_ptr<Instructions> take_code() { return std::move(code_); }
    std::vector<std::byte> take_constants() { return constants_.take(); }
    int instructions() const { return static_cast<int>(plan_.steps.size()); }
    int spills() const { return spills_; }
    int stack() const { return storage_.stack_bytes() + 64; }

private:
    const Program& program_;
    const BesideProgram& beside_;
    Place factors_{};  // on the stack
    int lines_ = 0,
        asked_ = 0;  // of memory that is written later, and how many of them were asked for
    Schedule plan_;
    VectorUnit unit_;
    ConstantPool constants_;
    Storage storage_;
    std::unique_ptr<Instructions> code_;
    int width_ = 1;  // numbers that the current step computes at once, where lanes are limbs
    int spills_ = 0;
    std::map<Value, std::vector<Place>> outputs_;  // of a value: where it is to be given
    // By group and stretch of it: the zeros that are not given yet.
    std::map<std::pair<int, int>, std::vector<Place>> zeros_;
    std::map<Value, Value> high_half_;  // of two lanes: the node that is the second

    const Node& node(Value x) const { return program_.nodes[static_cast<std::size_t>(x)]; }
    bool is_mask(Value x) const;

    // --- Steps (assembler.cpp) ---

    void compute(const Scheduled& s);
    void set_width(int width);
    void ask_for_memory(int step);
    void compute_sines(const Round& round, const void* sin_cos);
    void collect_angles(const Round& round, const Place& angles);

    // --- Operands (assembler.cpp) ---

    // A register for a new value: what it holds is stored, if it is needed again.
    int take_register();
    void spill(int r);
    void load(int r, Value x);
    // The register of an operand, loaded if need be. It is kept for this step.
    int in_register(Value x);
    // Where an instruction reads an operand: in memory too, unless it is worth a register.
    Source source(Value x);
    // The second of two operands of which the first is in a register.
    Source second_source(Value b, Value a, int reg_of_a);
    // A register to write to: that of an operand that dies, or another.
    int target(std::initializer_list<int> of_operands, const Scheduled& s);
    // A constant of bits, in a register of its own for this step: scalar code must not read beyond the pool.
    int bits_in_register(std::uint64_t wide, std::uint32_t narrow);

    // --- Operations (operations.cpp): each gives the register of its result ---

    int compute_operation(const Scheduled& s);
    int compute_arithmetic(const Scheduled& s);
    int compute_sign(Op op, Value a);
    int compute_comparison(Op op, Value a, Value b);
    int compute_select(Value mask, Value yes, Value no);
    int compute_fused(const Scheduled& s);
    int pair_of_numbers(Value a, Value b);
    int pair_of_pairs(const Scheduled& s);
    int half(const Scheduled& s);

    // --- Outputs (outputs.cpp) ---

    void find_outputs();
    void find_halves();
    void give(Value x, int r);
    bool is_lane_to_give(Value x) const;
    void give_lane(const Scheduled& s);
    bool take_place(Value x, const Place& place);
    void give_zeros();
    void give_zeros_beside(Value x);
    void store_zeros(const std::vector<Place>& places, int r);
    // What no step gives: inputs, constants, sines; and the zeros that are left.
    void give_rest();
};

constexpr bool is_half(Op op) { return op == Op::kLow || op == Op::kHigh; }

}  // namespace plucker::compiler
