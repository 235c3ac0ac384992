// Straight-line code: registers are given out step by step, and taken from the value that is needed last (Belady). What
// has a place in memory anyway (inputs, constants, sines) is read from there or loaded; the rest is stored when it has to
// make room.
#include "plucker/compiler/machine_code.hpp"

#ifdef PLUCKER_WITH_ASSEMBLER
#include <xbyak/xbyak.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>

#include "plucker/error.hpp"
#include "plucker/scalar/scalar.hpp"
#include "schedule.hpp"
#endif

namespace plucker::compiler {

#ifndef PLUCKER_WITH_ASSEMBLER

bool can_assemble(Isa) { return false; }
std::shared_ptr<const MachineCode> assemble(const Program&, Isa, Lanes) { return nullptr; }

#else

namespace {

using Xbyak::Address;
using Xbyak::Reg64;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

constexpr int kNever = std::numeric_limits<int>::max();
// Of a thread's stack, which has some megabytes; below it lies a page that code without checks could step over.
constexpr int kMostStack = 1 << 18;

// Each argument has a register that points to it.
constexpr std::size_t kInputPointers = 5, kOutputPointers = 4;
bool fits(const Program& program) {
    const std::size_t outputs = program.output_groups.size() + (program.singular >= 0 ? 1 : 0);
    return program.input_groups.size() <= kInputPointers && outputs <= kOutputPointers &&
           std::none_of(program.nodes.begin(), program.nodes.end(),
                        [](const Node& n) { return n.op == Op::kAtan2; });
}

// The numbers that code reads beside its inputs, each once, or once a lane.
class ConstantPool {
public:
    ConstantPool(Lanes lanes, int copies) : lanes_(lanes), copies_(copies) {}

    // Where it stands, in bytes.
    int add(double x) {
        return add_bits(lanes_ == Lanes::kManyF32
                            ? std::bit_cast<std::uint32_t>(static_cast<float>(x))
                            : std::bit_cast<std::uint64_t>(x));
    }
    int add_bits(std::uint64_t bits) {
        const auto [known, is_new] = known_.try_emplace(bits, static_cast<int>(bytes_.size()));
        if (is_new) {
            const std::size_t size = lanes_ == Lanes::kManyF32 ? 4 : 8;
            for (int k = 0; k < copies_; ++k) {
                bytes_.resize(bytes_.size() + size);
                std::memcpy(bytes_.data() + bytes_.size() - size, &bits, size);
            }
        }
        return known->second;
    }
    // Several that are read at once.
    int add_pack(const Lanes4& numbers, int n) {
        const std::size_t size = 8 * static_cast<std::size_t>(n);
        const std::size_t offset = (bytes_.size() + size - 1) / size * size;
        bytes_.resize(offset + size);
        std::memcpy(bytes_.data() + offset, numbers.data(), size);
        return static_cast<int>(offset);
    }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    Lanes lanes_;
    int copies_;
    std::map<std::uint64_t, int> known_;
    std::vector<std::byte> bytes_;
};

class Assembler : public Xbyak::CodeGenerator {
public:
    Assembler(const Program& program, Isa isa, Lanes lanes)
        : Xbyak::CodeGenerator(Xbyak::DEFAULT_MAX_CODE_SIZE, Xbyak::AutoGrow),
          program_(program),
          plan_(schedule(program)),
          lanes_(lanes),
          wide_(isa == Isa::kAvx512),
          num_registers_(wide_ ? 32 : 16),
          pack_bytes_(lanes == Lanes::kOneF64 ? 8 : (wide_ ? 64 : 32)),
          broadcasts_(wide_ && lanes != Lanes::kOneF64),
          dirties_upper_halves_(lanes != Lanes::kOneF64 || has_four_lanes(program)),
          pool_(lanes, lanes == Lanes::kOneF64 || broadcasts_ ? 1 : pack_bytes_ / number_bytes()),
          where_(program.nodes.size()),
          next_use_(program.nodes.size()) {
        holds_.assign(static_cast<std::size_t>(num_registers_), -1);
    }

    void generate(const void* sin_cos) {
        sin_cos_ = sin_cos;
        find_uses();
        find_outputs();
        find_halves();
        begin();
        give_zeros();
        for (position_ = 0; position_ < static_cast<int>(plan_.steps.size()); ++position_) {
            const Scheduled& s = plan_.steps[static_cast<std::size_t>(position_)];
            if (s.step == Step::kSinesAndCosines) {
                call_sines(plan_.rounds[static_cast<std::size_t>(s.round)]);
            } else {
                compute(s);
            }
        }
        end();
    }

    std::vector<std::byte> take_constants() { return pool_.take(); }
    // Where the address of the constants is to be written.
    std::size_t constants_address() const { return constants_address_; }
    // How far behind their beginning it points.
    int constants_reach() const { return broadcasts_ ? 128 * number_bytes() : 128; }
    int instructions() const { return static_cast<int>(plan_.steps.size()); }
    int spills() const { return spills_; }
    int stack() const { return frame_ + 64; }

private:
    // Where a value is: in a register, in memory, or both.
    struct Where {
        int reg = -1;
        enum class Memory : std::uint8_t {
            kNone,
            kInput,
            kConstant,
            kOutput,
            kStack
        } memory = Memory::kNone;
        int group = 0;   // of an input or output
        int offset = 0;  // in bytes
    };

    const Program& program_;
    Schedule plan_;
    Lanes lanes_;
    bool wide_;  // AVX-512
    int num_registers_;
    int pack_bytes_;
    bool broadcasts_;            // a constant stands once, and is read into every lane
    bool dirties_upper_halves_;  // of registers, which costs other code time
    int width_ = 1;  // numbers that the current step computes at once, where lanes are limbs
    ConstantPool pool_;
    std::vector<Where> where_;
    struct Uses {
        std::size_t next = 0, end = 0;
    };
    std::vector<int> uses_;       // the steps that use each value, in their order
    std::vector<Uses> next_use_;  // of each value: which of them are left
    std::vector<Value> holds_;    // of each register: the value in it; -1: none
    std::map<Value, std::vector<std::pair<int, int>>> outputs_;  // of a value: groups and offsets
    std::map<std::pair<int, int>, std::vector<int>>
        zeros_;  // by group and stretch of it: the offsets that are not given yet
    std::map<Value, Value> high_half_;  // of two lanes: the node that is the second
    const void* sin_cos_ = nullptr;
    std::size_t constants_address_ = 0;
    std::size_t frame_size_at_ = 0;
    int frame_ = 0;                               // bytes of the stack in use
    std::map<int, std::vector<int>> free_slots_;  // by their size
    int position_ = 0;
    int spills_ = 0;
    std::vector<int> pinned_;  // registers that the current step uses

    // Kept over calls: the tables of pointers, the constants, the stack, the caller's stack. Long programs are bound by the
    // bytes of their instructions: rsp and r12 would take one more each time, and a distance of a byte three less than any
    // other. So the registers point into the middle of what such distances reach.
    const Reg64 input_table_ = rbx, output_table_ = rbp, constants_ = r14, frame_base_ = r15,
                caller_stack_ = r13;
    const std::array<Reg64, kInputPointers> kInputs{r8, r9, r10, r11, rax};
    const std::array<Reg64, kOutputPointers> kOutputs{rcx, rdi, rsi, rdx};

    int number_bytes() const { return lanes_ == Lanes::kManyF32 ? 4 : 8; }
    static std::size_t index(Value x) { return static_cast<std::size_t>(x); }
    const Node& node(Value x) const { return program_.nodes[index(x)]; }
    static bool has_four_lanes(const Program& program) {
        return std::any_of(program.nodes.begin(), program.nodes.end(),
                           [](const Node& n) { return n.lanes == 4; });
    }
    // What a value takes in memory.
    int bytes_of(Value x) const { return pack_bytes_ * node(x).lanes; }

    // --- What is where ---

    void find_uses() {
        // All steps that use a value stand one after another: counted, then noted.
        const auto for_uses = [this](const auto& use) {
            for (int k = 0; k < static_cast<int>(plan_.steps.size()); ++k) {
                const Scheduled& s = plan_.steps[static_cast<std::size_t>(k)];
                if (s.step == Step::kSinesAndCosines) {
                    for (const Value x : plan_.rounds[static_cast<std::size_t>(s.round)].angles)
                        use(x, k);
                }
                for (int i = 0; i < s.num_operands; ++i)
                    use(s.operands[static_cast<std::size_t>(i)], k);
            }
        };
        for_uses([this](Value x, int) { ++next_use_[index(x)].end; });
        std::size_t end = 0;
        for (Uses& uses : next_use_) {
            end += uses.end;
            uses.next = uses.end = end - uses.end;
        }
        uses_.resize(end);
        for_uses([this](Value x, int k) { uses_[next_use_[index(x)].end++] = k; });
        std::vector<std::pair<int, int>> input_places;  // group, offset
        for (std::size_t g = 0; g < program_.input_groups.size(); ++g) {
            for (int k = 0; k < program_.input_groups[g].size(); ++k)
                input_places.emplace_back(static_cast<int>(g), k * pack_bytes_);
        }
        for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
            const Node& n = program_.nodes[k];
            if (n.op == Op::kInput) {
                const auto& [group, offset] = input_places[static_cast<std::size_t>(n.constant)];
                where_[k] = {-1, Where::Memory::kInput, group, offset};
            } else if (n.op == Op::kConstant) {
                const int offset =
                    n.lanes == 1
                        ? pool_.add(n.constant)
                        : pool_.add_pack(program_.packs[index(static_cast<Value>(n.constant))],
                                         n.lanes);
                where_[k] = {-1, Where::Memory::kConstant, 0, offset};
            }
        }
    }
    void find_outputs() {
        std::size_t at = 0;
        for (std::size_t g = 0; g < program_.output_groups.size(); ++g) {
            for (int k = 0; k < program_.output_groups[g].size(); ++k)
                outputs_[program_.outputs[at++]].emplace_back(static_cast<int>(g), k * pack_bytes_);
        }
        if (program_.singular >= 0)
            outputs_[program_.singular].emplace_back(
                static_cast<int>(program_.output_groups.size()), 0);
    }
    void find_halves() {
        for (Value x = 0; x < static_cast<Value>(program_.nodes.size()); ++x) {
            if (node(x).op == Op::kHigh && node(x).lanes == 1) high_half_[node(x).operands[0]] = x;
        }
    }
    int uses_after(Value x) {
        Uses& uses = next_use_[index(x)];
        while (uses.next < uses.end && uses_[uses.next] <= position_) ++uses.next;
        return uses.next == uses.end ? kNever : uses_[uses.next];
    }
    bool is_used_up(Value x) const { return next_use_[index(x)].next == next_use_[index(x)].end; }
    bool is_in_memory(Value x) const { return where_[index(x)].memory != Where::Memory::kNone; }

    Address memory(Value x, bool may_broadcast = true) {
        const Where& at = where_[index(x)];
        switch (at.memory) {
            case Where::Memory::kInput:
                return ptr[kInputs[static_cast<std::size_t>(at.group)] + at.offset];
            case Where::Memory::kConstant:
                return constant(at.offset, may_broadcast);
            case Where::Memory::kOutput:
                return ptr[kOutputs[static_cast<std::size_t>(at.group)] + at.offset];
            default:
                return frame(at.offset);
        }
    }
    Address constant(int offset, bool may_broadcast = true) {
        const int distance = offset - constants_reach();
        if (broadcasts_ && may_broadcast) return ptr_b[constants_ + distance];
        return ptr[constants_ + distance];
    }
    // What a distance of a byte reaches, either way. In AVX-512 it counts in operands.
    int frame_reach() const { return broadcasts_ ? 128 * pack_bytes_ : 128; }
    // Relative to the base that is nearest: registers that point to no argument point further into the frame.
    Address frame(int offset) {
        const int part = offset / (2 * frame_reach());
        const std::size_t other = program_.input_groups.size() + static_cast<std::size_t>(part) - 1;
        if (part == 0 || !broadcasts_ || other >= kInputs.size())
            return ptr[frame_base_ + (offset - frame_reach())];
        return ptr[kInputs[other] + (offset - (2 * part + 1) * frame_reach())];
    }
    int new_slot(int bytes) {
        std::vector<int>& free = free_slots_[bytes];
        if (!free.empty()) {
            const int slot = free.back();
            free.pop_back();
            return slot;
        }
        const int slot = (frame_ + bytes - 1) / bytes * bytes;
        frame_ = slot + bytes;
        return slot;
    }

    // --- Registers ---

    Xmm reg(int r) const { return reg(r, width_); }
    Xmm reg(int r, int width) const {
        if (lanes_ == Lanes::kOneF64 && width < 4) return Xmm(r);
        if (lanes_ != Lanes::kOneF64 && wide_) return Zmm(r);
        return Ymm(r);
    }
    // Which instructions the current step takes.
    Lanes step_lanes() const {
        return lanes_ == Lanes::kOneF64 && width_ > 1 ? Lanes::kManyF64 : lanes_;
    }
    void release(int r) {
        const Value x = holds_[static_cast<std::size_t>(r)];
        if (x < 0) return;
        where_[index(x)].reg = -1;
        holds_[static_cast<std::size_t>(r)] = -1;
    }
    void settle(int r, Value x) {
        holds_[static_cast<std::size_t>(r)] = x;
        where_[index(x)].reg = r;
    }
    void spill(int r) {
        const Value x = holds_[static_cast<std::size_t>(r)];
        if (x < 0) return;
        if (uses_after(x) != kNever && !is_in_memory(x)) {
            Where& at = where_[index(x)];
            at.memory = Where::Memory::kStack;
            at.offset = new_slot(bytes_of(x));
            store(frame(at.offset), r, node(x).lanes);
            ++spills_;
        }
        release(r);
    }
    bool is_pinned(int r) const {
        return std::find(pinned_.begin(), pinned_.end(), r) != pinned_.end();
    }
    // A register for a new value: a free one, or that of the value that is needed last.
    int take_register() {
        int best = -1, furthest = -1;
        for (int r = 0; r < num_registers_; ++r) {
            if (is_pinned(r)) continue;
            const Value x = holds_[static_cast<std::size_t>(r)];
            const int next = x < 0 ? kNever : uses_after(x);
            if (next == kNever) {
                release(r);
                return r;
            }
            if (next > furthest) {
                furthest = next;
                best = r;
            }
        }
        spill(best);
        return best;
    }
    // The register of an operand, loaded if need be. It is kept for this step.
    int in_register(Value x) {
        int r = where_[index(x)].reg;
        if (r < 0) {
            r = take_register();
            load(r, x);
            settle(r, x);
        }
        pinned_.push_back(r);
        return r;
    }
    // A value dies with this step: its slot may be used again.
    bool dies(Value x) { return uses_after(x) == kNever; }
    void bury(Value x) {
        Where& at = where_[index(x)];
        if (!dies(x)) return;
        if (at.reg >= 0) release(at.reg);
        if (at.memory == Where::Memory::kStack && is_slot(x)) {
            free_slots_[bytes_of(x)].push_back(at.offset);
            at.memory = Where::Memory::kNone;
        }
    }
    bool is_slot(Value x) const {
        const Op op = program_.nodes[index(x)].op;
        return op != Op::kSin && op != Op::kCos;
    }
    // Whether an operand that is not in a register is worth one: it is needed again, soon.
    bool is_worth_loading(Value x) {
        const int next = uses_after(x);
        if (next == kNever) return false;
        int free = 0;
        for (int r = 0; r < num_registers_; ++r) {
            const Value y = holds_[static_cast<std::size_t>(r)];
            if (y < 0 || uses_after(y) > next) ++free;
        }
        return free > 3;
    }
    // A source operand that may stand in memory.
    struct Source {
        int reg = -1;
        Value value = -1;  // in memory, if there is no register
    };
    Source source(Value x) {
        if (where_[index(x)].reg >= 0 || is_worth_loading(x)) return {in_register(x), x};
        return {-1, x};
    }
    const Xbyak::Operand& operand(const Source& s, Xmm& as_register, Address& as_memory) {
        if (s.reg >= 0) {
            as_register = reg(s.reg);
            return as_register;
        }
        as_memory = memory(s.value);
        return as_memory;
    }

    // --- Instructions ---

    void load(int r, Value x) {
        const Address from = memory(x, false);
        const int width = node(x).lanes;
        const bool is_constant = where_[index(x)].memory == Where::Memory::kConstant;
        if (is_constant && broadcasts_) {
            lanes_ == Lanes::kManyF32 ? vbroadcastss(reg(r), from) : vbroadcastsd(Zmm(r), from);
        } else {
            load(r, from, width);
        }
    }
    void load(int r, const Address& from, int width) {
        if (lanes_ == Lanes::kOneF64 && width == 1) {
            vmovsd(Xmm(r), from);
        } else {
            lanes_ == Lanes::kManyF32 ? vmovups(reg(r, width), from) : vmovupd(reg(r, width), from);
        }
    }
    void store(const Address& to, int r, int width) {
        if (lanes_ == Lanes::kOneF64 && width == 1) {
            vmovsd(to, Xmm(r));
        } else {
            lanes_ == Lanes::kManyF32 ? vmovups(to, reg(r, width)) : vmovupd(to, reg(r, width));
        }
    }
    void copy(int to, int from) {
        lanes_ == Lanes::kManyF32 ? vmovaps(reg(to), reg(from)) : vmovapd(reg(to), reg(from));
    }
    void arithmetic(Op op, const Xmm& to, const Xmm& a, const Xbyak::Operand& b) {
        switch (step_lanes()) {
            case Lanes::kOneF64:
                op == Op::kAdd        ? vaddsd(to, a, b)
                : op == Op::kSubtract ? vsubsd(to, a, b)
                : op == Op::kMultiply ? vmulsd(to, a, b)
                                      : vdivsd(to, a, b);
                break;
            case Lanes::kManyF64:
                op == Op::kAdd        ? vaddpd(to, a, b)
                : op == Op::kSubtract ? vsubpd(to, a, b)
                : op == Op::kMultiply ? vmulpd(to, a, b)
                                      : vdivpd(to, a, b);
                break;
            case Lanes::kManyF32:
                op == Op::kAdd        ? vaddps(to, a, b)
                : op == Op::kSubtract ? vsubps(to, a, b)
                : op == Op::kMultiply ? vmulps(to, a, b)
                                      : vdivps(to, a, b);
                break;
        }
    }
    // The three forms of a fused step; the number tells which operands are multiplied: 213 is b a + c, in a.
    void fused(Step step, int form, const Xmm& a, const Xmm& b, const Xbyak::Operand& c) {
#define PLUCKER_FUSED(name)                       \
    switch (step_lanes()) {                       \
        case Lanes::kOneF64:                      \
            form == 132   ? name##132sd(a, b, c)  \
            : form == 213 ? name##213sd(a, b, c)  \
                          : name##231sd(a, b, c); \
            break;                                \
        case Lanes::kManyF64:                     \
            form == 132   ? name##132pd(a, b, c)  \
            : form == 213 ? name##213pd(a, b, c)  \
                          : name##231pd(a, b, c); \
            break;                                \
        case Lanes::kManyF32:                     \
            form == 132   ? name##132ps(a, b, c)  \
            : form == 213 ? name##213ps(a, b, c)  \
                          : name##231ps(a, b, c); \
            break;                                \
    }
        if (step == Step::kMultiplyAdd) {
            PLUCKER_FUSED(vfmadd)
        } else if (step == Step::kMultiplySubtract) {
            PLUCKER_FUSED(vfmsub)
        } else {
            PLUCKER_FUSED(vfnmadd)
        }
#undef PLUCKER_FUSED
    }
    enum class Bits { kAnd, kAndNot, kOr, kXor };
    void bits(Bits op, const Xmm& to, const Xmm& a, const Xbyak::Operand& b) {
        // On bits, the width of a number does not matter, but that of what is broadcast does.
        if (lanes_ == Lanes::kManyF32) {
            op == Bits::kAnd      ? vandps(to, a, b)
            : op == Bits::kAndNot ? vandnps(to, a, b)
            : op == Bits::kOr     ? vorps(to, a, b)
                                  : vxorps(to, a, b);
        } else {
            op == Bits::kAnd      ? vandpd(to, a, b)
            : op == Bits::kAndNot ? vandnpd(to, a, b)
            : op == Bits::kOr     ? vorpd(to, a, b)
                                  : vxorpd(to, a, b);
        }
    }
    // A constant of bits, in a register of its own for this step: scalar code must not read beyond the pool.
    int bits_in_register(std::uint64_t wide, std::uint32_t narrow) {
        const int r = take_register();
        const int offset =
            lanes_ == Lanes::kManyF32 ? pool_.add_bits(narrow) : pool_.add_bits(wide);
        const Address from = constant(offset, false);
        if (lanes_ == Lanes::kOneF64) {
            spread(r, from);
        } else if (broadcasts_) {
            lanes_ == Lanes::kManyF32 ? vbroadcastss(reg(r), from) : vbroadcastsd(Zmm(r), from);
        } else {
            vmovupd(reg(r), from);
        }
        pinned_.push_back(r);
        return r;
    }
    // One number in all lanes of the current step.
    void spread(int to, const Xbyak::Operand& from) {
        if (width_ == 4) {
            vbroadcastsd(Ymm(to), from);
        } else if (width_ == 2) {
            vmovddup(Xmm(to), from);
        } else {
            vmovsd(Xmm(to), static_cast<const Address&>(from));
        }
    }
    int sign_bit() { return bits_in_register(std::uint64_t{1} << 63U, 1U << 31U); }
    int all_bits() { return bits_in_register(~std::uint64_t{0}, ~0U); }

    // Comparison: all bits of a lane, or none. `predicate`: 0 equal, 1 less, 2 less or equal; false for NaN.
    void compare(int to, int a, int b, std::uint8_t predicate) {
        if (step_lanes() == Lanes::kOneF64) {
            if (!wide_ || std::max({to, a, b}) < 16) {
                vcmpsd(Xmm(to), Xmm(a), Xmm(b), predicate);
            } else {  // the new encoding compares into a mask register only
                vcmpsd(k1, Xmm(a), Xmm(b), predicate);
                vpmovm2q(Xmm(to), k1);
            }
        } else if (!wide_) {
            lanes_ == Lanes::kManyF32 ? vcmpps(reg(to), reg(a), reg(b), predicate)
                                      : vcmppd(reg(to), reg(a), reg(b), predicate);
        } else if (lanes_ == Lanes::kManyF32) {
            vcmpps(k1, reg(a), reg(b), predicate);
            vpmovm2d(reg(to), k1);
        } else {
            vcmppd(k1, reg(a), reg(b), predicate);
            vpmovm2q(reg(to), k1);
        }
    }

    // --- Steps ---

    void compute(const Scheduled& s) {
        pinned_.clear();
        width_ = node(s.node).lanes;
        for (int k = 0; k < s.num_operands; ++k) {  // what stands in registers stays there
            const int r = where_[index(s.operands[static_cast<std::size_t>(k)])].reg;
            if (r >= 0) pinned_.push_back(r);
        }
        give_zeros_beside(s.node);
        if (is_half(node(s.node).op) && is_used_up(s.node) && !is_mask(s.node)) {
            give_half(s);
            bury(s.operands[0]);
            return;
        }
        const int to = s.step == Step::kOperation ? compute_operation(s) : compute_fused(s);
        for (int k = 0; k < s.num_operands; ++k) {
            const Value x = s.operands[static_cast<std::size_t>(k)];
            if (where_[index(x)].reg == to) release(to);  // it was written over
            bury(x);
        }
        settle(to, s.node);
        give(s.node, to);
        if (is_used_up(s.node)) release(to);
    }
    void give(Value x, int r) {
        const auto found = outputs_.find(x);
        if (found == outputs_.end()) return;
        int from = r;
        if (is_mask(x)) {  // as a number, 0 or 1
            pinned_.push_back(r);
            from = bits_in_register(std::bit_cast<std::uint64_t>(1.0),
                                    std::bit_cast<std::uint32_t>(1.0F));
            bits(Bits::kAnd, reg(from), reg(from), reg(r));
        }
        for (const auto& [group, offset] : found->second)
            store(ptr[kOutputs[static_cast<std::size_t>(group)] + offset], from, 1);
        // From now on it stands there, and need not be stored again to make room.
        if (lanes_ != Lanes::kOneF64 && from == r) {
            const auto& [group, offset] = found->second.front();
            where_[index(x)] = {r, Where::Memory::kOutput, group, offset};
        }
    }
    bool is_mask(Value x) const {
        while (is_half(node(x).op)) x = node(x).operands[0];
        return compiler::is_mask(node(x).op);
    }
    static bool is_half(Op op) { return op == Op::kLow || op == Op::kHigh; }
    // A lane that is an output and nothing else is stored from where it is; two side by side at once.
    void give_half(const Scheduled& s) {
        const std::vector<std::pair<int, int>>& places = outputs_[s.node];
        if (places.empty()) return;
        const int from = in_register(s.operands[0]);
        const auto other = high_half_.find(s.operands[0]);
        for (const auto& [group, offset] : places) {
            const Address to = ptr[kOutputs[static_cast<std::size_t>(group)] + offset];
            if (node(s.node).op == Op::kHigh) {
                vmovhpd(to, Xmm(from));
            } else if (other != high_half_.end() &&
                       take_place(other->second, {group, offset + 8})) {
                vmovupd(to, Xmm(from));
            } else {
                vmovsd(to, Xmm(from));
            }
        }
    }
    // Whether this is still a place of that output, which it then no longer is.
    bool take_place(Value x, std::pair<int, int> place) {
        const auto found = outputs_.find(x);
        return found != outputs_.end() && std::erase(found->second, place) > 0;
    }

    // A register to write to: that of an operand that dies, or another.
    int target(std::initializer_list<int> of_operands, const Scheduled& s) {
        for (const int r : of_operands) {
            if (r < 0) continue;
            const Value x = holds_[static_cast<std::size_t>(r)];
            for (int k = 0; k < s.num_operands; ++k) {
                if (s.operands[static_cast<std::size_t>(k)] == x && dies(x)) return r;
            }
        }
        return take_register();
    }

    int compute_operation(const Scheduled& s) {
        const Op op = node(s.node).op;
        Value a = s.operands[0], b = s.operands[1];
        switch (op) {
            case Op::kAdd:
            case Op::kMultiply:
                // What stands in a register comes first: only the second may be in memory.
                if (where_[index(a)].reg < 0 && where_[index(b)].reg >= 0) std::swap(a, b);
                if (where_[index(a)].reg < 0 && where_[index(b)].reg < 0 &&
                    uses_after(b) < uses_after(a)) {
                    std::swap(a, b);
                }
                [[fallthrough]];
            case Op::kSubtract:
            case Op::kDivide: {
                const int first = in_register(a);
                const Source second = a == b ? Source{first, b} : source(b);
                const int to = target({first, second.reg}, s);
                Xmm as_register;
                Address as_memory = ptr[rsp];
                arithmetic(op, reg(to), reg(first), operand(second, as_register, as_memory));
                return to;
            }
            case Op::kNegate:
            case Op::kAbs: {
                const int from = in_register(a);
                const int sign = sign_bit();
                bits(op == Op::kAbs ? Bits::kAndNot : Bits::kXor, reg(sign), reg(sign), reg(from));
                return sign;
            }
            case Op::kSqrt: {
                const int from = in_register(a);
                const int to = target({from}, s);
                step_lanes() == Lanes::kOneF64    ? vsqrtsd(Xmm(to), Xmm(from), Xmm(from))
                : step_lanes() == Lanes::kManyF64 ? vsqrtpd(reg(to), reg(from))
                                                  : vsqrtps(reg(to), reg(from));
                return to;
            }
            case Op::kLess:
            case Op::kLessOrEqual:
            case Op::kEqual: {
                const int first = in_register(a);
                const int second = in_register(b);
                const int to = take_register();
                compare(to, first, second, op == Op::kEqual ? 0 : op == Op::kLess ? 1 : 2);
                return to;
            }
            case Op::kIsFinite: {  // x - x is zero, or not a number
                const int from = in_register(a);
                const int to = take_register();
                arithmetic(Op::kSubtract, reg(to), reg(from), reg(from));
                compare(to, to, to, 0);
                return to;
            }
            case Op::kAnd:
            case Op::kOr: {
                const int first = in_register(a);
                const int second = in_register(b);
                const int to = target({first, second}, s);
                bits(op == Op::kAnd ? Bits::kAnd : Bits::kOr, reg(to), reg(first), reg(second));
                return to;
            }
            case Op::kNot: {
                const int from = in_register(a);
                const int ones = all_bits();
                bits(Bits::kXor, reg(ones), reg(ones), reg(from));
                return ones;
            }
            case Op::kSelect: {  // (mask & b) | (~mask & c)
                const int mask = in_register(a);
                const int yes = in_register(b);
                const int no = in_register(s.operands[2]);
                const int to = take_register();
                pinned_.push_back(to);
                const int rest = take_register();
                bits(Bits::kAnd, reg(to), reg(mask), reg(yes));
                bits(Bits::kAndNot, reg(rest), reg(mask), reg(no));
                bits(Bits::kOr, reg(to), reg(to), reg(rest));
                return to;
            }
            case Op::kSpread: {
                const Source from = source(a);
                const int to = target({from.reg}, s);
                if (from.reg >= 0) {
                    spread(to, Xmm(from.reg));
                } else {
                    spread(to, memory(a));
                }
                return to;
            }
            case Op::kPair:
                return width_ == 2 ? pair_of_numbers(a, b) : pair_of_pairs(a, b, s);
            case Op::kLow:
            case Op::kHigh:
                return half(op, a, s);
            case Op::kEven:
            case Op::kOdd: {
                const int first = in_register(a);
                const Source second = a == b ? Source{first, b} : source(b);
                const int to = target({first, second.reg}, s);
                Xmm as_register;
                Address as_memory = ptr[rsp];
                const Xbyak::Operand& from = operand(second, as_register, as_memory);
                op == Op::kEven ? vunpcklpd(reg(to), reg(first), from)
                                : vunpckhpd(reg(to), reg(first), from);
                return to;
            }
            default:
                throw Error::because("assembler: no instruction for ", name_of(op));
        }
    }

    // --- Between numbers and lanes ---

    bool stand_side_by_side(Value a, Value b) const {
        const Where &one = where_[index(a)], &other = where_[index(b)];
        return one.memory != Where::Memory::kNone && one.memory == other.memory &&
               one.group == other.group && one.offset + pack_bytes_ == other.offset;
    }
    int pair_of_numbers(Value a, Value b) {
        const int first = where_[index(a)].reg, second = where_[index(b)].reg;
        const int to = take_register();
        if (first < 0 && second < 0 && stand_side_by_side(a, b)) {
            load(to, memory(a), 2);
            return to;
        }
        if (first < 0) load(to, a);
        const Xmm low(first < 0 ? to : first);
        if (second < 0) {
            vmovhpd(Xmm(to), low, memory(b));
        } else {
            vunpcklpd(Xmm(to), low, Xmm(second));
        }
        return to;
    }
    int pair_of_pairs(Value a, Value b, const Scheduled& s) {
        const int low = in_register(a);
        const Source high = a == b ? Source{low, b} : source(b);
        const int to = target({low, high.reg}, s);
        Xmm as_register;
        Address as_memory = ptr[rsp];
        if (high.reg >= 0) {
            as_register = Xmm(high.reg);
        } else {
            as_memory = memory(b);
        }
        const Xbyak::Operand& from =
            high.reg >= 0 ? static_cast<const Xbyak::Operand&>(as_register) : as_memory;
        wide_ ? vinsertf64x2(Ymm(to), Ymm(low), from, 1) : vinsertf128(Ymm(to), Ymm(low), from, 1);
        return to;
    }
    int half(Op op, Value a, const Scheduled& s) {
        const int from = where_[index(a)].reg;
        if (from < 0) {
            const int to = take_register();
            const int skipped = op == Op::kLow ? 0 : width_ * pack_bytes_;
            load(to, ptr[memory(a).getRegExp() + skipped], width_);
            return to;
        }
        const int to = target({from}, s);
        if (op == Op::kLow) {
            if (to != from) vmovapd(Xmm(to), Xmm(from));
        } else if (width_ == 1) {
            vunpckhpd(Xmm(to), Xmm(from), Xmm(from));
        } else {
            wide_ ? vextractf64x2(Xmm(to), Ymm(from), 1) : vextractf128(Xmm(to), Ymm(from), 1);
        }
        return to;
    }

    int compute_fused(const Scheduled& s) {
        Value a = s.operands[0], b = s.operands[1];
        const Value c = s.operands[2];
        // Of the two that are multiplied, one stands in a register.
        if (where_[index(a)].reg < 0 && where_[index(b)].reg >= 0) std::swap(a, b);
        const int first = in_register(a);
        Source second = a == b ? Source{first, b} : source(b);
        Source sum = c == a ? Source{first, c} : c == b ? second : source(c);
        if (second.reg < 0 && sum.reg < 0) {  // one operand at most in memory
            if (uses_after(b) < uses_after(c)) {
                second.reg = in_register(b);
                if (c == b) sum = second;
            } else {
                sum.reg = in_register(c);
                if (c == b) second = sum;
            }
        }
        Xmm as_register;
        Address as_memory = ptr[rsp];
        // The result takes the place of an operand that dies.
        if (sum.reg >= 0 && dies(c) && c != a && c != b) {
            fused(s.step, 231, reg(sum.reg), reg(first), operand(second, as_register, as_memory));
            return sum.reg;
        }
        if (dies(a) && a != b && a != c) {
            if (second.reg >= 0) {
                fused(s.step, 213, reg(first), reg(second.reg),
                      operand(sum, as_register, as_memory));
            } else {
                fused(s.step, 132, reg(first), reg(sum.reg),
                      operand(second, as_register, as_memory));
            }
            return first;
        }
        if (second.reg >= 0 && dies(b) && a != b && b != c) {
            fused(s.step, 213, reg(second.reg), reg(first), operand(sum, as_register, as_memory));
            return second.reg;
        }
        // Or of a copy.
        const int to = take_register();
        if (sum.reg >= 0) {
            copy(to, sum.reg);
        } else {
            load(to, c);
        }
        fused(s.step, 231, reg(to), reg(first), operand(second, as_register, as_memory));
        return to;
    }

    void call_sines(const Round& round) {
        const int n = static_cast<int>(round.angles.size());
        // Results of single numbers come in blocks: room for the last.
        const int rounded =
            lanes_ == Lanes::kOneF64 ? (n + kAngleBlock - 1) / kAngleBlock * kAngleBlock : n;
        const int results = frame_;
        frame_ += 2 * rounded * pack_bytes_;
        if (stand_in_a_row(round.angles)) {
            for (int r = 0; r < num_registers_; ++r) spill(r);
            const Where& first = where_[index(round.angles.front())];
            lea(rdi, ptr[kInputs[static_cast<std::size_t>(first.group)] + first.offset]);
        } else {
            const int angles = frame_;
            frame_ += rounded * pack_bytes_;
            collect_angles(round, angles);
            for (int r = 0; r < num_registers_; ++r) spill(r);
            lea(rdi, frame(angles));
        }
        mov(esi, n);
        lea(rdx, frame(results));
        mov(rax, reinterpret_cast<std::uintptr_t>(sin_cos_));
        if (dirties_upper_halves_) vzeroupper();
        call(rax);
        load_pointers();
        for (int k = 0; k < n; ++k) {
            const auto at = static_cast<std::size_t>(k);
            const int offset = results + 2 * k * pack_bytes_;
            keep_on_stack(round.sines[at], offset);
            keep_on_stack(round.cosines[at], offset + pack_bytes_);
        }
    }
    // Whether they are inputs, one after another: then they are read where they are.
    bool stand_in_a_row(const std::vector<Value>& angles) const {
        const Where& first = where_[index(angles.front())];
        for (std::size_t k = 0; k < angles.size(); ++k) {
            const Where& at = where_[index(angles[k])];
            if (at.memory != Where::Memory::kInput || at.group != first.group ||
                at.offset != first.offset + static_cast<int>(k) * pack_bytes_) {
                return false;
            }
        }
        return true;
    }
    void collect_angles(const Round& round, int angles) {
        const int n = static_cast<int>(round.angles.size());
        // First those that stand in registers: this is their use, and a register may be taken from them now.
        std::vector<int> in_memory;
        for (int k = 0; k < n; ++k) {
            const int r = where_[index(round.angles[static_cast<std::size_t>(k)])].reg;
            if (r >= 0) {
                store(frame(angles + k * pack_bytes_), r, 1);
            } else {
                in_memory.push_back(k);
            }
        }
        for (const int k : in_memory) {
            pinned_.clear();
            const int r = in_register(round.angles[static_cast<std::size_t>(k)]);
            store(frame(angles + k * pack_bytes_), r, 1);
        }
        pinned_.clear();
    }
    void keep_on_stack(Value x, int offset) {
        if (x >= 0) where_[index(x)] = {-1, Where::Memory::kStack, 0, offset};
    }

    // --- Beginning and end ---

    void begin() {
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
    void load_pointers() {
        for (std::size_t k = 0; k < program_.input_groups.size(); ++k)
            mov(kInputs[k], ptr[input_table_ + 8 * k]);
        const std::size_t n = program_.output_groups.size() + (program_.singular >= 0 ? 1 : 0);
        for (std::size_t k = 0; k < n; ++k) mov(kOutputs[k], ptr[output_table_ + 8 * k]);
        for (std::size_t k = program_.input_groups.size(); broadcasts_ && k < kInputs.size(); ++k) {
            const auto part = static_cast<int>(k - program_.input_groups.size()) + 1;
            lea(kInputs[k], ptr[frame_base_ + 2 * part * frame_reach()]);
        }
    }
    // Zeros of matrices, of which there are many, side by side. First, while there is nothing else to store; but where results
    // are larger than the nearest cache, some with the first number beside them, so that memory passes through that cache once.
    static constexpr int kMostZerosFirst = 1 << 13;  // bytes of results
    static constexpr int kZerosTogether = 1 << 8;    // bytes of results

    void give_zeros() {
        if (lanes_ != Lanes::kOneF64) return;
        const auto zero =
            std::find_if(outputs_.begin(), outputs_.end(), [this](const auto& output) {
                return node(output.first).op == Op::kConstant && node(output.first).constant == 0;
            });
        if (zero == outputs_.end()) return;
        std::sort(zero->second.begin(), zero->second.end());
        for (const auto& [group, offset] : zero->second)
            zeros_[{group, offset / kZerosTogether}].push_back(offset);
        outputs_.erase(zero);
        if (static_cast<int>(program_.outputs.size()) * pack_bytes_ > kMostZerosFirst) return;
        for (const auto& [block, offsets] : zeros_) store_zeros(block.first, offsets, 0);
        zeros_.clear();
    }
    void give_zeros_beside(Value x) {
        const auto found = zeros_.empty() ? outputs_.end() : outputs_.find(x);
        if (found == outputs_.end()) return;
        for (const auto& [group, offset] : found->second) {
            const auto zeros = zeros_.find({group, offset / kZerosTogether});
            if (zeros == zeros_.end()) continue;
            store_zeros(group, zeros->second, take_register());
            zeros_.erase(zeros);
        }
    }
    void store_zeros(int group, const std::vector<int>& offsets, int r) {
        vxorpd(Xmm(r), Xmm(r), Xmm(r));
        for (std::size_t k = 0; k < offsets.size();) {
            std::size_t n = 1;
            while (n < 4 && k + n < offsets.size() &&
                   offsets[k + n] == offsets[k] + 8 * static_cast<int>(n)) {
                ++n;
            }
            const int width = n == 4 ? 4 : n >= 2 ? 2 : 1;
            store(ptr[kOutputs[static_cast<std::size_t>(group)] + offsets[k]], r, width);
            dirties_upper_halves_ = dirties_upper_halves_ || width == 4;
            k += static_cast<std::size_t>(width);
        }
    }
    void end() {
        width_ = 1;
        for (const auto& [block, offsets] : zeros_) {
            pinned_.clear();
            store_zeros(block.first, offsets, take_register());
        }
        // Outputs that no step gives: inputs, constants, sines.
        for (const auto& [x, places] : outputs_) {
            const Op op = program_.nodes[index(x)].op;
            if (num_operands(op) > 0 && op != Op::kSin && op != Op::kCos) continue;
            pinned_.clear();
            const int r = in_register(x);
            for (const auto& [group, offset] : places)
                store(ptr[kOutputs[static_cast<std::size_t>(group)] + offset], r, 1);
        }
        if (dirties_upper_halves_) vzeroupper();
        mov(rsp, caller_stack_);
        for (const Reg64& r : {r15, r14, r13, rbp, rbx}) pop(r);
        ret();
        rewrite(frame_size_at_, static_cast<std::uint64_t>(stack()), 4);
    }
};

// Code and its constants, in pages of their own.
class AssembledCode : public MachineCode {
public:
    AssembledCode(const Program& program, Isa isa, Lanes lanes, const void* sin_cos)
        : assembler_(std::make_unique<Assembler>(program, isa, lanes)) {
        assembler_->generate(sin_cos);
        const std::vector<std::byte> constants = assembler_->take_constants();
        constants_.resize((constants.size() + sizeof(Line) - 1) / sizeof(Line));
        std::memcpy(constants_.data(), constants.data(), constants.size());
        assembler_->rewrite(assembler_->constants_address(),
                            reinterpret_cast<std::uint64_t>(constants_.data()) +
                                static_cast<std::uint64_t>(assembler_->constants_reach()),
                            8);
        assembler_->ready(Xbyak::CodeArray::PROTECT_RE);
        entry_ = assembler_->getCode<RobotCode::Entry>();
        bytes_ = assembler_->getSize();
        instructions_ = assembler_->instructions();
        spills_ = assembler_->spills();
        stack_ = assembler_->stack();
    }

private:
    // Of a cache, so that no constant lies across two.
    struct alignas(64) Line {
        std::array<std::byte, 64> bytes;
    };
    std::unique_ptr<Assembler> assembler_;
    std::vector<Line> constants_;
};

const void* sin_cos_for(Isa isa, Lanes lanes) {
    if (lanes == Lanes::kManyF64)
        return reinterpret_cast<const void*>(sin_cos_of_packs<double>(isa));
    if (lanes == Lanes::kManyF32)
        return reinterpret_cast<const void*>(sin_cos_of_packs<float>(isa));
    return reinterpret_cast<const void*>(sin_cos_of_angles(isa));
}

}  // namespace

bool can_assemble(Isa isa) {
    const std::vector<Isa> available = available_isas();
    return isa != Isa::kGeneric &&
           std::find(available.begin(), available.end(), isa) != available.end();
}

std::shared_ptr<const MachineCode> assemble(const Program& program, Isa isa, Lanes lanes) {
    if (!can_assemble(isa) || !fits(program)) return nullptr;
    try {
        const void* sin_cos = sin_cos_for(isa, lanes);
        // In a long program nothing waits for long, and what counts is how much goes to memory.
        constexpr int kShort = 1024;
        if (lanes != Lanes::kOneF64) {
            const auto assembled = [&](const Program& x) {
                return std::make_shared<const AssembledCode>(x, isa, lanes, sin_cos);
            };
            if (program.num_operations() <= 2 * kShort) {
                auto quick = assembled(with_short_sums(program));
                if (quick->instructions() <= kShort) return quick;
            }
            // There one order or the other needs less memory, and the nearest cache holds more of it.
            auto code = assembled(program);
            auto late = assembled(with_late_nodes(program));
            if (late->stack() < code->stack()) code = std::move(late);
            return code->stack() > kMostStack ? nullptr : code;
        }
        const Program woven = with_lanes_where_they_pay(program);
        const auto assembled = [&](const Program& x) {
            return std::make_shared<const AssembledCode>(with_paired_outputs(x), isa, lanes,
                                                         sin_cos);
        };
        auto quick = assembled(with_short_sums(woven));
        const bool fits_stack = quick->stack() <= kMostStack;
        if (fits_stack && quick->instructions() <= kShort) return quick;
        auto code = assembled(woven);
        if (fits_stack && quick->spills() <= code->spills()) return quick;
        return code->stack() > kMostStack ? nullptr : code;
    } catch (const Xbyak::Error&) {  // the system gives no memory that may be executed
        return nullptr;
    }
}

#endif

}  // namespace plucker::compiler
