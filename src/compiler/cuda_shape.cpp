// Which shape of a kernel runs fastest.
//
// A thread has 255 registers of 32 bits, of which some twenty hold addresses, and a multiprocessor has 65536. What these do not
// hold goes to memory, which is far. Code beyond what the instruction cache holds is fetched again and again, unless many
// threads run through it together. The figures below are where one way overtook another on an H200.
#include "cuda_shape.hpp"

#include <algorithm>

#include "parts.hpp"
#include "plucker/compiler/slices.hpp"

namespace plucker::compiler {
namespace {

// Registers of 32 bits that a number takes.
int width_of(GeneratedPrecision precision) { return precision == GeneratedPrecision::kF32 ? 1 : 2; }

// Of a program in one part.
int numbers_at_hand(const Program& program) { return pressure(program, divide(program, 1)); }

// Three blocks of threads, where a few numbers in memory buy one more.
int blocks_for(int registers) { return registers > 150 && registers <= 210 ? 3 : 0; }

// In as few parts as keep their numbers in registers, of as many states as share the memory of a block.
void choose_parts(const Program& program, int width, KernelShape& shape) {
    constexpr int kSharedMemory = 200 << 10;
    for (const int parts : {2, 4}) {
        const Parts divided = divide(program, parts);
        if (divided.count < 2) return;
        const int each = width * pressure(program, divided);
        if (parts == 2 && (width == 2 || each > 420)) continue;
        const int threads = each <= 220 ? 512 : 256;
        const int states = threads / parts;
        if (4 * width * divided.num_slots * states > kSharedMemory) continue;
        shape.parts = parts;
        shape.threads = states;
        shape.blocks = 1;
        shape.late = true;
        return;
    }
}

// Of matrices, and in double: a program of vectors in float does better in parts.
void choose_slices(const Program& program, int width, bool spills, KernelShape& shape) {
    constexpr int kReading = 30;    // as many operations as a number that is read
    constexpr double kTwice = 1.4;  // what may be computed more than once, of all
    constexpr int kManyNumbers = 400;
    const bool has_matrix =
        std::any_of(program.output_groups.begin(), program.output_groups.end(),
                    [](const Group& group) { return group.rows > 1 && group.columns > 1; });
    const int operations = program.num_operations();
    if (!spills || operations < (has_matrix ? 3000 : 5000) || (width == 1 && !has_matrix)) return;
    // Slices of a very long program, for which a compiler would take many minutes, may be longer where short ones have too
    // little of their own.
    constexpr int kVeryLong = 20000, kLongest = 16000;
    int most = width == 1 ? 4000 : has_matrix && operations > 5000 ? 3000 : 2000;
    for (; most <= kLongest; most *= 2) {
        const Slices alone = slice(program, {most, 0});
        const Slices through_memory = slice(program, {most, kReading});
        int numbers = 0;
        for (const Program& part : alone.programs)
            numbers = std::max(numbers, width * numbers_at_hand(part));
        const bool is_cheap = alone.num_operations() <= kTwice * through_memory.num_operations() &&
                              numbers <= kManyNumbers;
        const Slices& best = is_cheap ? alone : through_memory;
        if (best.programs.size() < 2) return;
        if (best.num_operations() <= 2 * operations) {
            shape.slice = most;
            shape.reading = is_cheap ? 0 : kReading;
            return;
        }
        if (operations < kVeryLong) return;
    }
}

}  // namespace

KernelShape shape_for_slice(const Program& program, GeneratedPrecision precision) {
    KernelShape shape;
    shape.late = false;
    shape.blocks = blocks_for(width_of(precision) * numbers_at_hand(program));
    return shape;
}

KernelShape shape_for(const Program& program, GeneratedPrecision precision) {
    const int width = width_of(precision);
    constexpr int kLongProgram = 5000;  // operations
    constexpr int kStride = 300;
    const bool is_long = program.num_operations() > kLongProgram;
    KernelShape shape;
    shape.late = false;
    const int alone = width * numbers_at_hand(program);
    constexpr int kEnough = 256;
    if (alone <= kEnough) {
        // Of a large matrix nothing is computed before it is needed.
        shape.late = program.outputs.size() > 1000;
        shape.blocks = blocks_for(alone);
    } else {
        choose_parts(program, width, shape);
    }
    if (is_long) {
        shape.stride = kStride;
        shape.blocks = 1;
        if (shape.parts == 1) shape.threads = 256;
    }
    choose_slices(program, width, alone > kEnough, shape);
    return shape;
}

}  // namespace plucker::compiler
