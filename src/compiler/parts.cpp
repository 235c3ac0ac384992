#include "parts.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace plucker::compiler {
namespace {

using Limbs = std::uint64_t;  // a set of limbs, a bit each
constexpr int kMostLimbs = 62;
constexpr Limbs kTrunk = Limbs{1} << 63U;

class Divider {
public:
    Divider(const Program& program, int most) : program_(program), most_(most) {}

    Parts run() {
        num_limbs_ = 0;
        // Of some functions the outputs are of limbs, and the inputs of none (normalize_configuration).
        for (const auto* limbs : {&program_.limb_of_input, &program_.limb_of_output}) {
            for (const int limb : *limbs) num_limbs_ = std::max(num_limbs_, limb + 1);
        }
        num_limbs_ = std::min(num_limbs_, kMostLimbs);
        find_owners();
        pack();
        find_phases();
        find_slots();
        return std::move(out_);
    }

private:
    const Program& program_;
    int most_;
    int num_limbs_ = 0;
    std::vector<int> owner_;  // of each node: a limb, or num_limbs_ for the trunk
    Parts out_;

    static std::size_t index(Value x) { return static_cast<std::size_t>(x); }
    std::size_t size() const { return program_.nodes.size(); }
    template <class F>
    void for_operands(std::size_t k, const F& f) const {
        const Node& node = program_.nodes[k];
        for (int i = 0; i < num_operands(node.op); ++i)
            f(index(node.operands[static_cast<std::size_t>(i)]));
    }
    bool is_computed(std::size_t k) const { return num_operands(program_.nodes[k].op) > 0; }
    static Limbs bit_of(int limb) {
        return limb < 0 || limb >= kMostLimbs ? kTrunk : Limbs{1} << static_cast<unsigned>(limb);
    }
    static bool is_one_limb(Limbs limbs) { return std::popcount(limbs) == 1 && limbs != kTrunk; }

    // What is computed from one limb's numbers, and perhaps the trunk's, is that limb's; so is what serves one limb alone. All
    // else is the trunk's: limbs meet there.
    void find_owners() {
        std::vector<Limbs> from(size(), 0), serves(size(), 0);
        for (std::size_t k = 0; k < size(); ++k) {
            const Node& node = program_.nodes[k];
            if (node.op == Op::kInput)
                from[k] = bit_of(program_.limb_of_input[static_cast<std::size_t>(node.constant)]);
            for_operands(k, [&](std::size_t x) { from[k] |= from[x]; });
        }
        // A number that is given twice, as those of a symmetric matrix are, counts where it is given first.
        for (std::size_t o = 0; o < program_.outputs.size(); ++o) {
            if (program_.outputs[o] == kNotGiven) continue;
            Limbs& limbs = serves[index(program_.outputs[o])];
            if (limbs == 0) limbs = bit_of(program_.limb_of_output[o]);
        }
        if (program_.singular >= 0) serves[index(program_.singular)] |= kTrunk;
        owner_.assign(size(), num_limbs_);
        for (std::size_t k = size(); k-- > 0;) {
            for_operands(k, [&](std::size_t x) { serves[x] |= serves[k]; });
            const Limbs limbs = from[k] & ~kTrunk;
            if (is_one_limb(limbs)) {
                owner_[k] = std::countr_zero(limbs);
            } else if (is_one_limb(serves[k])) {
                owner_[k] = std::countr_zero(serves[k]);
            }
        }
        // Of one angle the sine and the cosine are computed together.
        std::vector<int> first(size(), -1);
        for (std::size_t k = 0; k < size(); ++k) {
            const Node& node = program_.nodes[k];
            if (node.op != Op::kSin && node.op != Op::kCos) continue;
            int& owner = first[index(node.operands[0])];
            if (owner < 0) owner = owner_[k];
            owner_[k] = owner;
        }
    }

    // The largest first, each to the part that has least to do.
    void pack() {
        std::vector<int> operations(static_cast<std::size_t>(num_limbs_) + 1, 0);
        for (std::size_t k = 0; k < size(); ++k)
            operations[static_cast<std::size_t>(owner_[k])] += is_computed(k) ? 1 : 0;
        std::vector<int> order(operations.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
            return operations[static_cast<std::size_t>(a)] >
                   operations[static_cast<std::size_t>(b)];
        });
        out_.count = std::max(1, std::min(most_, static_cast<int>(order.size())));
        out_.operations.assign(static_cast<std::size_t>(out_.count), 0);
        std::vector<int> part_of(operations.size());
        for (const int limb : order) {
            const auto least = std::min_element(out_.operations.begin(), out_.operations.end());
            *least += operations[static_cast<std::size_t>(limb)];
            part_of[static_cast<std::size_t>(limb)] =
                static_cast<int>(least - out_.operations.begin());
        }
        for (std::size_t k = 0; k < size(); ++k)
            out_.part.push_back(part_of[static_cast<std::size_t>(owner_[k])]);
        for (const int limb : program_.limb_of_input)
            out_.part_of_input.push_back(part_of[static_cast<std::size_t>(
                limb < 0 || limb >= num_limbs_ ? num_limbs_ : limb)]);
    }

    void find_phases() {
        out_.phase.assign(size(), 0);
        for (std::size_t k = 0; k < size(); ++k) {
            if (!is_computed(k)) continue;
            for_operands(k, [&](std::size_t x) {
                if (!is_computed(x)) return;
                out_.phase[k] =
                    std::max(out_.phase[k], out_.phase[x] + (out_.part[x] != out_.part[k] ? 1 : 0));
            });
            out_.num_phases = std::max(out_.num_phases, out_.phase[k] + 1);
        }
        // Sines and cosines of one angle, in the earlier of their phases, are there for both.
    }

    // A slot is free again one phase after the last that reads it.
    void find_slots() {
        std::vector<int> last(size(), -1);
        for (std::size_t k = 0; k < size(); ++k) {
            if (!is_computed(k)) continue;
            for_operands(k, [&](std::size_t x) {
                if (is_computed(x) && out_.part[x] != out_.part[k])
                    last[x] = std::max(last[x], out_.phase[k]);
            });
        }
        out_.slot.assign(size(), -1);
        std::vector<std::vector<std::size_t>> written(static_cast<std::size_t>(out_.num_phases));
        for (std::size_t k = 0; k < size(); ++k) {
            if (last[k] >= 0) written[static_cast<std::size_t>(out_.phase[k])].push_back(k);
        }
        std::vector<int>
            free_from;  // of each slot: the first phase in which it may be written anew
        for (int phase = 0; phase < out_.num_phases; ++phase) {
            for (const std::size_t k : written[static_cast<std::size_t>(phase)]) {
                auto slot = std::find_if(free_from.begin(), free_from.end(),
                                         [&](int f) { return f <= phase; });
                if (slot == free_from.end()) slot = free_from.insert(slot, 0);
                *slot = last[k] + 1;
                out_.slot[k] = static_cast<int>(slot - free_from.begin());
            }
        }
        out_.num_slots = static_cast<int>(free_from.size());
    }
};

}  // namespace

Parts divide(const Program& program, int most) { return Divider(program, most).run(); }

namespace {

int pressure_of(const Program& program, const Parts& parts, int part) {
    const std::size_t n = program.nodes.size();
    std::vector<std::size_t> order;
    for (int phase = 0; phase < parts.num_phases; ++phase) {
        for (std::size_t k = 0; k < n; ++k) {
            if (num_operands(program.nodes[k].op) > 0 && parts.part[k] == part &&
                parts.phase[k] == phase)
                order.push_back(k);
        }
    }
    std::vector<std::size_t> last(n, n);  // that needs it
    const auto for_numbers = [&](std::size_t k, const auto& f) {
        const Node& node = program.nodes[k];
        for (int i = 0; i < num_operands(node.op); ++i) {
            const auto x = static_cast<std::size_t>(node.operands[static_cast<std::size_t>(i)]);
            if (program.nodes[x].op != Op::kConstant) f(x);
        }
    };
    for (const std::size_t k : order) for_numbers(k, [&](std::size_t x) { last[x] = k; });
    std::vector<bool> is_there(n);
    int now = 0, most = 0;
    for (const std::size_t k : order) {
        const auto come = [&](std::size_t x) {
            if (last[x] == n || is_there[x]) return;
            is_there[x] = true;
            ++now;
        };
        for_numbers(k, come);
        come(k);
        most = std::max(most, now);
        for_numbers(k, [&](std::size_t x) {
            if (last[x] != k || !is_there[x]) return;
            is_there[x] = false;
            --now;
        });
    }
    return most;
}

}  // namespace

int pressure(const Program& program, const Parts& parts) {
    int most = 0;
    for (int part = 0; part < parts.count; ++part)
        most = std::max(most, pressure_of(program, parts, part));
    return most;
}

}  // namespace plucker::compiler
