// From a program to machine code, for x86-64 processors with AVX2 and FMA, or AVX-512.
#pragma once

#include <memory>
#include <span>

#include "plucker/compiler/program.hpp"
#include "plucker/model/robot_code.hpp"
#include "plucker/scalar/isa.hpp"

namespace plucker::compiler {

// What the code computes with: single numbers, or a register of them, one state per lane.
enum class Lanes { kOneF64, kManyF64, kManyF32 };

// Code in memory, which is executable and no longer writable. It has no state: any number of threads may run it.
class MachineCode {
public:
    virtual ~MachineCode() = default;

    // `inputs` and `outputs` point to the numbers of each group of the program, packs of them where there are many lanes.
    // After the outputs comes, if the program has it, one number that is not zero where the mass matrix is singular. The
    // two must not share memory.
    void run(const void* const* inputs, void* const* outputs) const { entry_(inputs, outputs); }
    RobotCode::Entry entry() const { return entry_; }

    std::size_t bytes() const { return bytes_; }        // of code
    int instructions() const { return instructions_; }  // of computation
    int spills() const { return spills_; }  // numbers that went to memory for want of a register
    int stack() const { return stack_; }    // bytes of the stack that a call takes

protected:
    RobotCode::Entry entry_ = nullptr;
    std::size_t bytes_ = 0;
    int instructions_ = 0;
    int spills_ = 0;
    int stack_ = 0;
};

// Whether code for this instruction set can be made here: the processor has it, and so has this library.
bool can_assemble(Isa isa);

// Null if the program has an operation that is left to the templates (atan2), more arguments than registers, or needs more
// stack than a thread can be expected to have, and where the system gives no memory that may be executed.
std::shared_ptr<const MachineCode> assemble(const Program& program, Isa isa, Lanes lanes);

}  // namespace plucker::compiler
