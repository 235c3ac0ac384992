// Where the values of a program are while its code runs: in registers, in memory, or both; and which step needs them next.
//
// What has a place in memory anyway (inputs, constants, sines) stays there; the rest gets one on the stack when its register is
// taken. It is taken from the value that is needed last (Belady).
#pragma once

#include <bitset>
#include <limits>
#include <map>

#include "constant_pool.hpp"
#include "instructions.hpp"

namespace plucker::compiler {

class Storage {
public:
    static constexpr int kNever = std::numeric_limits<int>::max();

    // Inputs and constants have their places from the beginning.
    Storage(const Program& program, const Schedule& plan, const VectorUnit& unit,
            ConstantPool& constants);

    void go_to_step(int step) { step_ = step; }

    // --- Where values are ---

    int reg_of(Value x) const { return where_[index(x)].reg; }
    bool is_in_register(Value x) const { return reg_of(x) >= 0; }
    const Place& place_of(Value x) const { return where_[index(x)].place; }
    void set_place(Value x, const Place& place) { where_[index(x)].place = place; }
    // Whether memory has one behind the other, or all: then they are read at once.
    bool stand_side_by_side(Value a, Value b) const;
    bool are_inputs_in_a_row(const std::vector<Value>& values) const;

    // --- When they are needed ---

    // The next step after this one that uses the value, or kNever.
    int next_use(Value x);
    bool dies(Value x) { return next_use(x) == kNever; }
    // No step uses it, or will.
    bool is_used_up(Value x) const { return uses_of_[index(x)].next == uses_of_[index(x)].end; }
    // Whether an operand that is not in a register is worth one: it is needed again, soon.
    bool is_worth_loading(Value x);

    // --- Registers ---

    Value held_by(int r) const { return registers_[static_cast<std::size_t>(r)].value; }
    void settle(int r, Value x);
    void release(int r);
    // The one to take for a new value: a free one, or that of the value that is needed last.
    int cheapest_register();
    // Those that the current step uses are not taken.
    void pin(int r) { pinned_.set(static_cast<std::size_t>(r)); }
    void unpin_all() { pinned_.reset(); }

    // --- The stack ---

    // A place for the value in a register, if it has none and is needed again; from now on it is there. Else kNowhere.
    Place place_to_keep(int r);
    // Of an operand of this step that dies: its register is free, and its place too.
    void bury(Value x);
    // So many bytes that stay taken.
    Place reserve(int bytes);
    int stack_bytes() const { return frame_; }

private:
    struct Where {
        int reg = -1;
        Place place{};
    };
    struct Uses {
        std::size_t next = 0, end = 0;
    };
    struct Register {
        Value value = -1;   // none
        int next_use = -1;  // as it was when it was last asked for: right until that step
    };

    const Program& program_;
    int pack_bytes_;
    std::vector<Where> where_;   // of each value
    std::vector<int> uses_;      // the steps that use each value, in their order
    std::vector<Uses> uses_of_;  // of each value: which of them are left
    std::vector<Register> registers_;
    std::bitset<32> pinned_;                      // registers
    int frame_ = 0;                               // bytes of the stack in use
    std::map<int, std::vector<int>> free_slots_;  // by their size
    int step_ = 0;

    static std::size_t index(Value x) { return static_cast<std::size_t>(x); }
    void find_uses(const Schedule& plan);
    void find_places(ConstantPool& constants);
    // kNever for a free one.
    int next_use_of(Register& r);
    int bytes_of(Value x) const { return pack_bytes_ * program_.nodes[index(x)].lanes; }
    int new_slot(int bytes);
    bool has_slot(Value x) const;
};

}  // namespace plucker::compiler
