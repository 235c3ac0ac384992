#include "instructions.hpp"

#include <xbyak/xbyak.h>

#include <array>

namespace plucker::compiler {
namespace {

using Xbyak::Address;
using Xbyak::Reg64;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

class XbyakInstructions : public Instructions, private Xbyak::CodeGenerator {
public:
    XbyakInstructions(const VectorUnit& unit, std::size_t num_inputs, std::size_t num_outputs,
                      bool dirties_upper_halves)
        : Xbyak::CodeGenerator(Xbyak::DEFAULT_MAX_CODE_SIZE, Xbyak::AutoGrow),
          unit_(unit),
          num_inputs_(num_inputs),
          num_outputs_(num_outputs),
          dirties_upper_halves_(dirties_upper_halves) {}

    void set_width(int width) override { width_ = width; }

    // --- From memory and to it ---

    void load(int to, const Place& from, int width) override {
        if (from.in == Place::In::kConstants && unit_.broadcasts()) {
            load_into_lanes(to, from);
        } else if (const Far far = far_from(from, width); far.is_reached) {
            short_form(kMove, {width == 1 ? kF2 : k66, 0x10}, width, to, 0, far);
        } else if (unit_.has_limbs_in_lanes() && width == 1) {
            vmovsd(Xmm(to), address(from));
        } else {
            unit_.is_narrow() ? vmovups(reg(to, width), address(from))
                              : vmovupd(reg(to, width), address(from));
        }
    }
    void store(const Place& to, int from, int width) override {
        if (const Far far = far_from(to, width); far.is_reached) {
            short_form(kMove, {width == 1 ? kF2 : k66, 0x11}, width, from, 0, far);
        } else if (unit_.has_limbs_in_lanes() && width == 1) {
            vmovsd(address(to), Xmm(from));
        } else {
            unit_.is_narrow() ? vmovups(address(to), reg(from, width))
                              : vmovupd(address(to), reg(from, width));
        }
        dirties_upper_halves_ = dirties_upper_halves_ || width >= 4;
    }
    void load_bits(int to, const Place& from) override {
        if (unit_.has_limbs_in_lanes()) {
            spread(to, {-1, from});
        } else if (unit_.broadcasts()) {
            load_into_lanes(to, from);
        } else {
            vmovupd(reg(to), address(from));
        }
    }
    void store_high(const Place& to, int from) override { vmovhpd(address(to), Xmm(from)); }
    void copy(int to, int from) override {
        unit_.is_narrow() ? vmovaps(reg(to), reg(from)) : vmovapd(reg(to), reg(from));
    }
    void clear(int to) override { vxorpd(Xmm(to), Xmm(to), Xmm(to)); }

    // --- Arithmetic ---

    void arithmetic(Op op, int to, int a, const Source& b) override {
        const Xmm result = reg(to), first = reg(a);
        if (const Far far = far_from(b); far.is_reached) {
            const int code = op == Op::kAdd        ? 0x58
                             : op == Op::kSubtract ? 0x5C
                             : op == Op::kMultiply ? 0x59
                                                   : 0x5E;
            short_form(kMove, {width_ == 1 ? kF2 : k66, code}, width_, to, a, far);
            return;
        }
        read(b, [&](const Xbyak::Operand& second) {
            switch (step_lanes()) {
                case Lanes::kOneF64:
                    op == Op::kAdd        ? vaddsd(result, first, second)
                    : op == Op::kSubtract ? vsubsd(result, first, second)
                    : op == Op::kMultiply ? vmulsd(result, first, second)
                                          : vdivsd(result, first, second);
                    break;
                case Lanes::kManyF64:
                    op == Op::kAdd        ? vaddpd(result, first, second)
                    : op == Op::kSubtract ? vsubpd(result, first, second)
                    : op == Op::kMultiply ? vmulpd(result, first, second)
                                          : vdivpd(result, first, second);
                    break;
                case Lanes::kManyF32:
                    op == Op::kAdd        ? vaddps(result, first, second)
                    : op == Op::kSubtract ? vsubps(result, first, second)
                    : op == Op::kMultiply ? vmulps(result, first, second)
                                          : vdivps(result, first, second);
                    break;
            }
        });
    }
    void square_root(int to, int from) override {
        step_lanes() == Lanes::kOneF64    ? vsqrtsd(Xmm(to), Xmm(from), Xmm(from))
        : step_lanes() == Lanes::kManyF64 ? vsqrtpd(reg(to), reg(from))
                                          : vsqrtps(reg(to), reg(from));
    }
    void fused(Step step, int form, int a, int b, const Source& c) override {
        const Xmm first = reg(a), second = reg(b);
        if (const Far far = far_from(c); far.is_reached) {
            const int of_form = form == 132 ? 0x98 : form == 213 ? 0xA8 : 0xB8;
            const int of_step = step == Step::kMultiplyAdd        ? 0
                                : step == Step::kMultiplySubtract ? 2
                                                                  : 4;
            short_form(kFused, {k66, of_form + of_step + (width_ == 1 ? 1 : 0)}, width_, a, b, far);
            return;
        }
        read(c, [&](const Xbyak::Operand& third) {
#define PLUCKER_FUSED(name)                                    \
    switch (step_lanes()) {                                    \
        case Lanes::kOneF64:                                   \
            form == 132   ? name##132sd(first, second, third)  \
            : form == 213 ? name##213sd(first, second, third)  \
                          : name##231sd(first, second, third); \
            break;                                             \
        case Lanes::kManyF64:                                  \
            form == 132   ? name##132pd(first, second, third)  \
            : form == 213 ? name##213pd(first, second, third)  \
                          : name##231pd(first, second, third); \
            break;                                             \
        case Lanes::kManyF32:                                  \
            form == 132   ? name##132ps(first, second, third)  \
            : form == 213 ? name##213ps(first, second, third)  \
                          : name##231ps(first, second, third); \
            break;                                             \
    }
            if (step == Step::kMultiplyAdd) {
                PLUCKER_FUSED(vfmadd)
            } else if (step == Step::kMultiplySubtract) {
                PLUCKER_FUSED(vfmsub)
            } else {
                PLUCKER_FUSED(vfnmadd)
            }
#undef PLUCKER_FUSED
        });
    }
    void bits(Bits op, int to, int a, int b) override {
        const Xmm result = reg(to), first = reg(a), second = reg(b);
        if (unit_.is_narrow()) {
            op == Bits::kAnd      ? vandps(result, first, second)
            : op == Bits::kAndNot ? vandnps(result, first, second)
            : op == Bits::kOr     ? vorps(result, first, second)
                                  : vxorps(result, first, second);
        } else {
            op == Bits::kAnd      ? vandpd(result, first, second)
            : op == Bits::kAndNot ? vandnpd(result, first, second)
            : op == Bits::kOr     ? vorpd(result, first, second)
                                  : vxorpd(result, first, second);
        }
    }
    void compare(Comparison comparison, int to, int a, int b) override {
        const auto predicate = static_cast<std::uint8_t>(comparison);
        if (step_lanes() == Lanes::kOneF64) {
            if (!unit_.is_wide || std::max({to, a, b}) < 16) {
                vcmpsd(Xmm(to), Xmm(a), Xmm(b), predicate);
            } else {  // the new encoding compares into a mask register only
                vcmpsd(k1, Xmm(a), Xmm(b), predicate);
                vpmovm2q(Xmm(to), k1);
            }
        } else if (!unit_.is_wide) {
            unit_.is_narrow() ? vcmpps(reg(to), reg(a), reg(b), predicate)
                              : vcmppd(reg(to), reg(a), reg(b), predicate);
        } else if (unit_.is_narrow()) {
            vcmpps(k1, reg(a), reg(b), predicate);
            vpmovm2d(reg(to), k1);
        } else {
            vcmppd(k1, reg(a), reg(b), predicate);
            vpmovm2q(reg(to), k1);
        }
    }

    // --- Between numbers and lanes ---

    void spread(int to, const Source& from) override {
        if (width_ == 1) {
            vmovsd(Xmm(to), address(from.place));
            return;
        }
        read_low(from, [&](const Xbyak::Operand& number) {
            width_ == 4 ? vbroadcastsd(Ymm(to), number) : vmovddup(Xmm(to), number);
        });
    }
    void pair_of_numbers(int to, int low, const Source& high) override {
        if (high.reg < 0) {
            vmovhpd(Xmm(to), Xmm(low), address(high.place));
        } else {
            vunpcklpd(Xmm(to), Xmm(low), Xmm(high.reg));
        }
    }
    void pair_of_pairs(int to, int low, const Source& high) override {
        read_low(high, [&](const Xbyak::Operand& pair) {
            unit_.is_wide ? vinsertf64x2(Ymm(to), Ymm(low), pair, 1)
                          : vinsertf128(Ymm(to), Ymm(low), pair, 1);
        });
    }
    void half(Op op, int to, int from) override {
        if (op == Op::kLow) {
            if (to != from) vmovapd(Xmm(to), Xmm(from));
        } else if (width_ == 1) {
            vunpckhpd(Xmm(to), Xmm(from), Xmm(from));
        } else {
            unit_.is_wide ? vextractf64x2(Xmm(to), Ymm(from), 1)
                          : vextractf128(Xmm(to), Ymm(from), 1);
        }
    }
    void interleaved(Op op, int to, int a, const Source& b) override {
        const Xmm result = reg(to), first = reg(a);
        read(b, [&](const Xbyak::Operand& second) {
            op == Op::kEven ? vunpcklpd(result, first, second) : vunpckhpd(result, first, second);
        });
    }

    // --- Beginning, calls and end ---

    void begin() override {
        for (const Reg64& r : {rbx, rbp, r13, r14, r15}) push(r);
        mov(input_table_, rdi);
        mov(output_table_, rsi);
        mov(constants_,
            std::uint64_t{0x1122334455667788});  // written when the constants have their place
        constants_address_ = getSize() - 8;
        mov(caller_stack_, rsp);
        sub(rsp, 0x7fffffff);  // written when it is known
        frame_size_at_ = getSize() - 4;
        and_(rsp, -64);
        lea(frame_base_, ptr[rsp + frame_reach()]);
        load_pointers();
    }
    void call_sin_cos(const void* function, const Place& angles, int n,
                      const Place& results) override {
        lea(rdi, address(angles));
        mov(esi, n);
        lea(rdx, address(results));
        mov(rax, reinterpret_cast<std::uintptr_t>(function));
        if (dirties_upper_halves_) vzeroupper();
        call(rax);
        load_pointers();
        asked_entry_ = 0;
    }
    void call_at_end(const void* function, const void* argument, const Place& numbers) override {
        mov(rdi, reinterpret_cast<std::uintptr_t>(argument));
        lea(rsi, address(numbers));
        mov(rdx, output_table_);
        mov(rax, reinterpret_cast<std::uintptr_t>(function));
        if (dirties_upper_halves_) vzeroupper();
        call(rax);
    }
    void ask_for(std::size_t entry, int offset) override {
        // As few bytes as can be: a distance of one byte reaches four lines.
        constexpr int kReach = 256;
        if (entry != asked_entry_) {
            mov(asked_, ptr[output_table_ + 8 * entry]);
            mov(asked_step_, kReach);
            asked_base_ = 0;
        }
        asked_entry_ = entry;
        for (; offset >= asked_base_ + kReach / 2; asked_base_ += kReach) add(asked_, asked_step_);
        prefetcht1(ptr[asked_ + (offset - asked_base_)]);
    }
    void end(int stack_bytes) override {
        if (dirties_upper_halves_) vzeroupper();
        mov(rsp, caller_stack_);
        for (const Reg64& r : {r15, r14, r13, rbp, rbx}) pop(r);
        ret();
        rewrite(frame_size_at_, static_cast<std::uint64_t>(stack_bytes), 4);
    }

    std::size_t bytes() const override { return getSize(); }
    void set_constants(const void* constants) override {
        rewrite(constants_address_,
                reinterpret_cast<std::uint64_t>(constants) +
                    static_cast<std::uint64_t>(constants_reach()),
                8);
    }
    RobotCode::Entry make_executable() override {
        ready(Xbyak::CodeArray::PROTECT_RE);
        return getCode<RobotCode::Entry>();
    }

private:
    VectorUnit unit_;
    std::size_t num_inputs_, num_outputs_;
    bool dirties_upper_halves_;
    int width_ = 1;
    std::size_t constants_address_ = 0;  // where it is to be written
    std::size_t frame_size_at_ = 0;

    // Kept over calls: the tables of pointers, the constants, the stack, the caller's stack. Long programs are bound by the
    // bytes of their instructions: rsp and r12 would take one more each time, and a distance of a byte three less than any
    // other. So the registers point into the middle of what such distances reach.
    // Those that are read most are of the first eight, which take a byte less in instructions without EVEX.
    const Reg64 input_table_ = r14, output_table_ = r15, constants_ = rbx, frame_base_ = rbp,
                caller_stack_ = r13;
    const std::array<Reg64, kInputPointers> input_pointers_{r8, r9, r10, r11, rax};
    const std::array<Reg64, kOutputPointers> output_pointers_{rcx, rdi, rsi, rdx};
    // Points to what is asked for, and steps: code that asks has fewer outputs.
    const Reg64 asked_ = rdx, asked_step_ = rsi;
    std::size_t asked_entry_ = 0;  // 0: it points to none
    int asked_base_ = 0;           // where, from the beginning

    // --- Addresses ---

    // What a distance of a byte reaches, either way. In AVX-512 it counts in operands.
    int constants_reach() const { return unit_.broadcasts() ? 128 * unit_.number_bytes() : 128; }
    int frame_reach() const { return unit_.broadcasts() ? 128 * unit_.pack_bytes() : 128; }
    struct Relative {
        Reg64 base;
        int distance;
    };
    Relative relative(const Place& place) const {
        switch (place.in) {
            case Place::In::kInput:
                return {input_pointers_[static_cast<std::size_t>(place.group)], place.offset};
            case Place::In::kConstants:
                return {constants_, place.offset - constants_reach()};
            case Place::In::kOutput:
                return {output_pointers_[static_cast<std::size_t>(place.group)], place.offset};
            default:
                return in_frame(place.offset);
        }
    }
    Address address(const Place& place) const {
        const Relative at = relative(place);
        return ptr[at.base + at.distance];
    }
    // Relative to the base that is nearest: registers that point to no argument point further into the frame.
    Relative in_frame(int offset) const {
        const int part = offset / (2 * frame_reach());
        const std::size_t other = num_inputs_ + static_cast<std::size_t>(part) - 1;
        if (part == 0 || !unit_.broadcasts() || other >= input_pointers_.size())
            return {frame_base_, offset - frame_reach()};
        return {input_pointers_[other], offset - (2 * part + 1) * frame_reach()};
    }

    // --- Short forms. In AVX-512 the distance of one byte counts in operands, and so reaches further; but Xbyak takes the older
    // encoding wherever there is one, with four bytes for a distance. ---

    // What such a byte reaches, and one that counts in bytes does not.
    struct Far {
        bool is_reached = false;
        int base = 0, distance = 0;
    };
    Far far_from(const Place& place, int width) const {
        if (!unit_.has_limbs_in_lanes() || !unit_.is_wide || width > 4) return {};
        const Relative at = relative(place);
        const int bytes = 8 * width, distance = at.distance / bytes;
        const bool is_near = at.distance >= -128 && at.distance < 128;
        const bool needs_index = at.base.getIdx() % 8 == 4;
        if (is_near || needs_index || at.distance % bytes != 0 || distance < -128 || distance > 127)
            return {};
        return {true, at.base.getIdx(), distance};
    }
    Far far_from(const Source& source) const {
        return source.reg >= 0 ? Far{} : far_from(source.place, width_);
    }
    enum Prefix { k66 = 1, kF2 = 3 };
    enum Map { kMove = 1, kFused = 2 };
    struct Code {
        Prefix prefix;
        int opcode;
    };
    // to = first op memory, or a move, of doubles.
    void short_form(Map map, Code code, int width, int to, int first, const Far& from) {
        const auto inverted = [](int bit, int place) { return bit != 0 ? 0 : 1 << place; };
        db(0x62);
        db(inverted(to & 8, 7) | inverted(0, 6) | inverted(from.base & 8, 5) |
           inverted(to & 16, 4) | map);
        db(0x80 | ((~first & 15) << 3) | 4 | code.prefix);
        db((width == 4 ? 0x20 : 0) | inverted(first & 16, 3));
        db(code.opcode);
        db(0x40 | (to & 7) << 3 | (from.base & 7));
        db(from.distance & 0xFF);
    }
    void load_pointers() {
        for (std::size_t k = 0; k < num_inputs_; ++k)
            mov(input_pointers_[k], ptr[input_table_ + 8 * k]);
        for (std::size_t k = 0; k < num_outputs_; ++k)
            mov(output_pointers_[k], ptr[output_table_ + 8 * k]);
        for (std::size_t k = num_inputs_; unit_.broadcasts() && k < input_pointers_.size(); ++k) {
            const auto part = static_cast<int>(k - num_inputs_) + 1;
            lea(input_pointers_[k], ptr[frame_base_ + 2 * part * frame_reach()]);
        }
    }

    // --- Registers ---

    Xmm reg(int r) const { return reg(r, width_); }
    Xmm reg(int r, int width) const {
        if (unit_.has_limbs_in_lanes() && width < 4) return Xmm(r);
        if (width == 8 || (!unit_.has_limbs_in_lanes() && unit_.is_wide)) return Zmm(r);
        return Ymm(r);
    }
    // Which instructions the current step takes.
    Lanes step_lanes() const {
        return unit_.has_limbs_in_lanes() && width_ > 1 ? Lanes::kManyF64 : unit_.lanes;
    }
    // Gives `use` the operand, from wherever it is.
    template <class Use>
    void read(const Source& source, const Use& use) {
        if (source.reg >= 0) {
            use(reg(source.reg));
        } else if (source.place.in == Place::In::kConstants && unit_.broadcasts()) {
            use(ptr_b[constants_ + (source.place.offset - constants_reach())]);
        } else {
            use(address(source.place));
        }
    }
    // ... of a register the first number, or pair.
    template <class Use>
    void read_low(const Source& source, const Use& use) {
        if (source.reg >= 0) {
            use(Xmm(source.reg));
        } else {
            use(address(source.place));
        }
    }
    void load_into_lanes(int to, const Place& from) {
        unit_.is_narrow() ? vbroadcastss(reg(to), address(from))
                          : vbroadcastsd(Zmm(to), address(from));
    }
};

}  // namespace

std::unique_ptr<Instructions> make_instructions(const VectorUnit& unit, std::size_t num_inputs,
                                                std::size_t num_outputs,
                                                bool dirties_upper_halves) {
    return std::make_unique<XbyakInstructions>(unit, num_inputs, num_outputs, dirties_upper_halves);
}

bool with_memory_for_code(const std::function<void()>& write) {
    try {
        write();
        return true;
    } catch (const Xbyak::Error&) {
        return false;
    }
}

}  // namespace plucker::compiler
