#include "plucker/compiler/machine_code.hpp"

#ifdef PLUCKER_WITH_ASSEMBLER
#include <algorithm>
#include <array>
#include <cstring>

#include "x86/assembler.hpp"
#endif

namespace plucker::compiler {

#ifndef PLUCKER_WITH_ASSEMBLER

bool can_assemble(Isa) { return false; }
std::shared_ptr<const MachineCode> assemble(const Program&, Isa, Lanes) { return nullptr; }

#else

namespace {

// Of a thread's stack, which has some megabytes; below it lies a page that code without checks could step over.
constexpr int kMostStack = 1 << 18;
// Instructions. In a long program nothing waits for long, and what counts is how much goes to memory.
constexpr int kShort = 1024;

bool fits_into_registers(const Program& program) {
    const std::size_t outputs = program.output_groups.size() + (program.singular >= 0 ? 1 : 0);
    return program.input_groups.size() <= Instructions::kInputPointers &&
           outputs <= Instructions::kOutputPointers;
}
bool has_instructions(const Program& program) {
    return std::none_of(program.nodes.begin(), program.nodes.end(),
                        [](const Node& n) { return n.op == Op::kAtan2; });
}

const void* sin_cos_for(Isa isa, Lanes lanes) {
    if (lanes == Lanes::kManyF64)
        return reinterpret_cast<const void*>(sin_cos_of_packs<double>(isa));
    if (lanes == Lanes::kManyF32)
        return reinterpret_cast<const void*>(sin_cos_of_packs<float>(isa));
    return reinterpret_cast<const void*>(sin_cos_of_angles(isa));
}

// Code and its constants, in pages of their own.
class AssembledCode : public MachineCode {
public:
    AssembledCode(const Program& program, Isa isa, Lanes lanes) {
        Assembler assembler(program, {lanes, isa == Isa::kAvx512});
        assembler.generate(sin_cos_for(isa, lanes));
        const std::vector<std::byte> constants = assembler.take_constants();
        constants_.resize((constants.size() + sizeof(Line) - 1) / sizeof(Line));
        std::memcpy(constants_.data(), constants.data(), constants.size());
        code_ = assembler.take_code();
        code_->set_constants(constants_.data());
        entry_ = code_->make_executable();
        bytes_ = code_->bytes();
        instructions_ = assembler.instructions();
        spills_ = assembler.spills();
        stack_ = assembler.stack();
    }

private:
    // Of a cache, so that no constant lies across two.
    struct alignas(64) Line {
        std::array<std::byte, 64> bytes;
    };
    std::unique_ptr<Instructions> code_;
    std::vector<Line> constants_;
};

using Code = std::shared_ptr<const MachineCode>;

// Of single numbers: lanes are limbs, where that pays.
Code code_for_one(const Program& program, Isa isa) {
    const Program woven = with_lanes_where_they_pay(program);
    const auto assembled = [&](const Program& x) {
        return std::make_shared<const AssembledCode>(with_paired_outputs(x), isa, Lanes::kOneF64);
    };
    Code quick = assembled(with_short_sums(woven));
    const bool fits_stack = quick->stack() <= kMostStack;
    if (fits_stack && quick->instructions() <= kShort) return quick;
    Code code = assembled(woven);
    if (fits_stack && quick->spills() <= code->spills()) return quick;
    return code->stack() > kMostStack ? nullptr : code;
}

// Of packs, one state per lane.
Code code_for_many(const Program& program, Isa isa, Lanes lanes) {
    const auto assembled = [&](const Program& x) {
        return std::make_shared<const AssembledCode>(x, isa, lanes);
    };
    if (program.num_operations() <= 2 * kShort) {
        Code quick = assembled(with_short_sums(program));
        if (quick->instructions() <= kShort) return quick;
    }
    // There one order or the other needs less memory, and the nearest cache holds more of it.
    Code code = assembled(program);
    Code late = assembled(with_late_nodes(program));
    if (late->stack() < code->stack()) code = std::move(late);
    return code->stack() > kMostStack ? nullptr : code;
}

}  // namespace

bool can_assemble(Isa isa) {
    const std::vector<Isa> available = available_isas();
    return isa != Isa::kGeneric &&
           std::find(available.begin(), available.end(), isa) != available.end();
}

Code assemble(const Program& program, Isa isa, Lanes lanes) {
    if (!can_assemble(isa) || !fits_into_registers(program) || !has_instructions(program))
        return nullptr;
    Code code;
    const bool had_memory = with_memory_for_code([&] {
        code = lanes == Lanes::kOneF64 ? code_for_one(program, isa)
                                       : code_for_many(program, isa, lanes);
    });
    return had_memory ? code : nullptr;
}

#endif

}  // namespace plucker::compiler
