// What a program's code is made of, on x86-64 with AVX2 and FMA or with AVX-512: an instruction a call, or the few that stand
// for one. Registers are numbers here, and their source alone knows Xbyak, whose header takes long to compile.
#pragma once

#include <functional>
#include <memory>

#include "../schedule.hpp"
#include "vector_unit.hpp"

namespace plucker::compiler {

// Where a number stands in memory, or a pack of them.
struct Place {
    enum class In : std::uint8_t { kNowhere, kInput, kConstants, kOutput, kStack };

    In in = In::kNowhere;
    int group = 0;   // of an input or output
    int offset = 0;  // in bytes

    friend auto operator<=>(const Place&, const Place&) = default;
};

// An operand, of the instructions that read one from memory too.
struct Source {
    int reg = -1;
    Place place{};  // where there is no register
};

enum class Bits { kAnd, kAndNot, kOr, kXor };
// All are false for NaN. With the numbers that the processor has for them.
enum class Comparison : std::uint8_t { kEqual = 0, kLess = 1, kLessOrEqual = 2 };

class Instructions {
public:
    // Each argument has a register that points to it.
    static constexpr std::size_t kInputPointers = 5, kOutputPointers = 4;

    virtual ~Instructions() = default;

    // How many numbers the next ones compute at once, where lanes are limbs: 1, 2 or 4.
    virtual void set_width(int width) = 0;

    // --- From memory and to it ---

    // `width` is the value's own: 1, 2 or 4 numbers of a state; to store, 8 too, where registers are so wide.
    virtual void load(int to, const Place& from, int width) = 0;
    virtual void store(const Place& to, int from, int width) = 0;
    // One pattern of bits, in all lanes.
    virtual void load_bits(int to, const Place& from) = 0;
    // The second of two numbers.
    virtual void store_high(const Place& to, int from) = 0;
    virtual void copy(int to, int from) = 0;
    virtual void clear(int to) = 0;

    // --- Arithmetic ---

    virtual void arithmetic(Op op, int to, int a, const Source& b) = 0;
    virtual void square_root(int to, int from) = 0;
    // The three forms of a fused step; the number tells which operands are multiplied: 213 is b a + c, in a.
    virtual void fused(Step step, int form, int a, int b, const Source& c) = 0;
    virtual void bits(Bits op, int to, int a, int b) = 0;
    // All bits of a lane, or none.
    virtual void compare(Comparison comparison, int to, int a, int b) = 0;

    // --- Between numbers and lanes, where these are limbs ---

    // One number in all lanes.
    virtual void spread(int to, const Source& from) = 0;
    // One number behind another, and one pair.
    virtual void pair_of_numbers(int to, int low, const Source& high) = 0;
    virtual void pair_of_pairs(int to, int low, const Source& high) = 0;
    // kLow, kHigh: of two numbers, or of two pairs.
    virtual void half(Op op, int to, int from) = 0;
    // kEven, kOdd: the numbers at these places, of one and the other in turn.
    virtual void interleaved(Op op, int to, int a, const Source& b) = 0;

    // --- Beginning, calls and end ---

    virtual void begin() = 0;
    // Angles and results are in memory; all registers are anything afterwards.
    virtual void call_sin_cos(const void* function, const Place& angles, int n,
                              const Place& results) = 0;
    // A function of `argument`, of where numbers stand, and of the table of outputs; at the end.
    virtual void call_at_end(const void* function, const void* argument, const Place& numbers) = 0;
    virtual void end(int stack_bytes) = 0;

    // Asks for memory that will be written soon, to which that entry of the table of outputs points: line after line.
    virtual void ask_for(std::size_t entry, int offset) = 0;

    // --- When all is written ---

    virtual std::size_t bytes() const = 0;
    virtual void set_constants(const void* constants) = 0;
    // From now on it cannot be written any more.
    virtual RobotCode::Entry make_executable() = 0;
};

// `dirties_upper_halves`: whether registers wider than 16 bytes are used from the beginning, which costs other code time, unless
// they are cleared before it runs.
std::unique_ptr<Instructions> make_instructions(const VectorUnit& unit, std::size_t num_inputs,
                                                std::size_t num_outputs, bool dirties_upper_halves);

// Runs what writes instructions. False where the system gives no memory that may be executed.
bool with_memory_for_code(const std::function<void()>& write);

}  // namespace plucker::compiler
