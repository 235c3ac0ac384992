#include "plucker/compiler/machine_code.hpp"

#ifdef PLUCKER_WITH_ASSEMBLER
#include <algorithm>
#include <array>
#include <cstring>

#include "x86/assembler.hpp"
#include "x86/product_code.hpp"
#endif

#include "assemble.hpp"

namespace plucker::compiler {

#ifndef PLUCKER_WITH_ASSEMBLER

bool can_assemble(Isa) { return false; }
std::shared_ptr<const MachineCode> assemble(const Program&, Isa, Lanes) { return nullptr; }
std::shared_ptr<const MachineCode> assemble(const Factored&, Isa) { return nullptr; }
std::shared_ptr<const MachineCode> assemble(const Program&, Isa, Lanes, const std::vector<int>&) {
    return nullptr;
}
CodeInLanes assemble(const LaneFactors&, Isa, Lanes) { return {}; }

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
    AssembledCode(const Program& program, Isa isa, Lanes lanes, const BesideProgram& beside) {
        Assembler assembler(program, {lanes, isa == Isa::kAvx512}, beside);
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
Code code_for_one(const Program& program, Isa isa, const BesideProgram& beside) {
    const Program woven = with_lanes_where_they_pay(program);
    const auto assembled = [&](const Program& x) {
        return std::make_shared<const AssembledCode>(with_paired_outputs(x), isa, Lanes::kOneF64,
                                                     beside);
    };
    Code quick = assembled(with_short_sums(woven));
    const bool fits_stack = quick->stack() <= kMostStack;
    if (fits_stack && quick->instructions() <= kShort) return quick;
    // Long code takes as long as its bytes take to be read.
    Code best = std::move(quick);
    for (Code code : {assembled(woven), assembled(with_late_nodes(with_short_sums(woven)))}) {
        const bool fits = code->stack() <= kMostStack;
        if (fits && (best->stack() > kMostStack || code->bytes() < best->bytes()))
            best = std::move(code);
    }
    return best->stack() > kMostStack ? nullptr : best;
}

// Of packs, one state per lane.
Code code_for_many(const Program& program, Isa isa, Lanes lanes, const BesideProgram& beside) {
    const auto assembled = [&](const Program& x) {
        return std::make_shared<const AssembledCode>(x, isa, lanes, beside);
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

namespace {

Code assemble(const Program& program, Isa isa, Lanes lanes, const BesideProgram& beside) {
    if (!can_assemble(isa) || !fits_into_registers(program) || !has_instructions(program))
        return nullptr;
    Code code;
    const bool had_memory = with_memory_for_code([&] {
        code = lanes == Lanes::kOneF64 ? code_for_one(program, isa, beside)
                                       : code_for_many(program, isa, lanes, beside);
    });
    return had_memory ? code : nullptr;
}

// What code calls at its end: the loops that make the results of the factors.
struct Loops {
    detail::MultiplyFactors multiply;
    long size;
    std::vector<BlocksOfProduct> blocks;
    std::vector<detail::Products> products;

    static void run(const Loops* loops, const double* factors, void* const* outputs) {
        for (std::size_t k = 0; k < loops->products.size(); ++k)
            loops->multiply(loops->products[k], factors, static_cast<double*>(outputs[k]),
                            loops->size);
    }
};
// Code, and what it calls.
class CodeWithLoops : public MachineCode {
public:
    CodeWithLoops(Code code, std::unique_ptr<const Loops> loops)
        : MachineCode(*code), code_(std::move(code)), loops_(std::move(loops)) {}

private:
    Code code_;
    std::unique_ptr<const Loops> loops_;
};

}  // namespace

Code assemble(const Program& program, Isa isa, Lanes lanes) {
    return assemble(program, isa, lanes, BesideProgram{});
}

Code assemble(const Program& program, Isa isa, Lanes lanes, const std::vector<int>& written_later) {
    return assemble(program, isa, lanes, BesideProgram{written_later});
}

Code assemble(const Factored& factored, Isa isa) {
    auto loops = std::make_unique<Loops>();
    loops->multiply = detail::multiply_factors(isa);
    loops->size = factored.size;
    loops->blocks = factored.products;
    BesideProgram beside;
    beside.function = reinterpret_cast<const void*>(&Loops::run);
    beside.argument = loops.get();
    beside.num_results = loops->blocks.size();
    beside.is_read.resize(factored.program.outputs.size());
    for (const BlocksOfProduct& blocks : loops->blocks) {
        loops->products.push_back(blocks.products());
        blocks.for_numbers(factored.lanes,
                           [&](int k) { beside.is_read[static_cast<std::size_t>(k)] = true; });
    }
    Code code = assemble(factored.program, isa, Lanes::kOneF64, beside);
    if (code == nullptr) return nullptr;
    return std::make_shared<const CodeWithLoops>(std::move(code), std::move(loops));
}

CodeInLanes assemble(const LaneFactors& factors, Isa isa, Lanes lanes) {
    BesideProgram beside;
    beside.is_read = factors.is_read;
    CodeInLanes out;
    out.program = assemble(factors.program, isa, lanes, beside);
    if (out.program == nullptr) return {};
    const bool had_memory = with_memory_for_code([&] {
        out.products = make_product_code(factors, {lanes, isa == Isa::kAvx512});
    });
    return had_memory ? out : CodeInLanes{};
}

#endif

}  // namespace plucker::compiler
