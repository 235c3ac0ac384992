// A program as a kernel for a GPU, in CUDA C++: one thread per state.
//
// The source needs no header, so both NVRTC and nvcc compile it. With a few keywords defined away (`__global__` and the like)
// it is C++, which is how it is tested on machines without a GPU.
#pragma once

#include <string>
#include <vector>

#include "plucker/compiler/generate.hpp"
#include "plucker/compiler/program.hpp"
#include "plucker/compiler/record.hpp"

namespace plucker::compiler {

// How an array of a call holds its numbers: entry e of state n.
enum class ArrayLayout : std::uint8_t {
    kPlanes,  // data[e · plane + n], planes of less than 4 GB: neighbouring threads read neighbours
    kRows,    // data[n · size + e]: one state after another
    kAnything,  // data[n · state + row · r + column · c]
};

// Whether the entries of a matrix are counted row by row or, as programs do, column by column. In kAnything it is all one.
enum class EntryOrder : std::uint8_t { kByColumns, kByRows };

struct KernelArray {
    ArrayLayout layout = ArrayLayout::kPlanes;
    EntryOrder order = EntryOrder::kByColumns;

    friend bool operator==(const KernelArray&, const KernelArray&) = default;
};

// What a kernel looks at before it believes its inputs.
struct KernelChecks {
    std::vector<bool> finite;      // of each input of the program: whether it is read at all
    std::vector<int> quaternions;  // the inputs that are the first of a quaternion's four
};

// What the program of a row has to look at, as batches do.
KernelChecks checks_of(const Algorithm& row, const Model& model, const RecordOptions& options);

// How the program is laid out for the processor; all give the same results but for rounding.
struct KernelShape {
    // Threads of a block; in several parts, of each of them.
    int threads = 128;
    // Blocks that a multiprocessor shall have room for at once, by registers; 0: as the compiler likes.
    int blocks = 0;
    // What needs inputs alone is computed where it is needed first, not where it was asked for.
    bool late = true;
    // Limbs side by side, in at most so many parts, each in threads of its own (parts.hpp). An output may then be no input.
    int parts = 1;
    // After so many operations the threads of a part wait for each other; 0: never. Of long programs an instruction is then
    // fetched once for all of them.
    int stride = 0;
    // As several kernels, one after another, of about so many operations each, where outputs allow it; 0: as one. An output
    // may then be no input, and all above is chosen for each kernel by itself.
    int slice = 0;
    // What one kernel computes, and another reads from memory, costs as much as so many operations; 0: each computes all
    // that it needs.
    int reading = 0;

    friend bool operator==(const KernelShape&, const KernelShape&) = default;
};

// The shape that a program of this size and precision runs fastest in, as measured (docs/gpu.md).
KernelShape shape_for(const Program& program, GeneratedPrecision precision);

// Which of several kernels, one after another, that together give all outputs.
struct KernelSlice {
    int number = 0, count = 1;
    // Its last array that is read, and its last that is written, hold what one hands on to others.
    bool keeps = false;
};

struct KernelOptions {
    GeneratedPrecision precision = GeneratedPrecision::kF32;
    std::vector<KernelArray> inputs, outputs;  // one per group of the program; empty: planes
    KernelChecks checks;
    KernelShape shape;
    KernelSlice slice;
};

// What kernels of a precision call: sines and cosines, quotients.
std::string kernel_prelude(GeneratedPrecision precision);

struct KernelText {
    std::string name, text;
    int threads = 0, states = 0;    // of a block
    std::size_t shared_memory = 0;  // bytes of a block
    int parts = 1, phases = 1;
};

// extern "C" __global__ void NAME(unsigned count, arrays…, unsigned char* status, unsigned long long* flagged).
// An array is a pointer and, in planes, the bytes of one (unsigned), or, where it can be anything, three strides (long long):
// of states, rows and columns. Rows have none. status may be null, flagged too. One of several slices has an argument more: a
// byte a state, in which they tell each other what they found.
KernelText kernel_text(const Program& program, const std::string& name,
                       const KernelOptions& options);

// The same as one kernel, or as several, with a number behind that name: as the shape says. Slices hand on `num_kept` numbers per state.
struct KernelTexts {
    std::vector<KernelText> kernels;
    int num_kept = 0;
};
KernelTexts kernel_texts(const Program& program, const std::string& name,
                         const KernelOptions& options);

}  // namespace plucker::compiler
