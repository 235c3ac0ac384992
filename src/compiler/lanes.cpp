// Equal limbs as lanes.
//
// Which operations belong to which limb is told by the inputs: what is computed from an angle of the left leg belongs to the
// left leg, and what is computed from two legs to the trunk. Operations of different limbs that do the same to numbers that
// correspond, correspond: they become one operation with a lane a limb. Constants may differ from limb to limb.
//
// No correspondence can be wrong: each lane computes what its own limb asks for. One that is missed costs a few moves.
#include <algorithm>
#include <map>
#include <unordered_map>

#include "plucker/compiler/program.hpp"

namespace plucker::compiler {
namespace {

std::size_t index(Value x) { return static_cast<std::size_t>(x); }
bool is_sum(Op op) { return op == Op::kAdd || op == Op::kSubtract; }
bool is_symmetric(Op op) {
    return op == Op::kAdd || op == Op::kMultiply || op == Op::kEqual || op == Op::kAnd ||
           op == Op::kOr;
}
std::uint64_t mixed(std::uint64_t hash, std::uint64_t x) {
    hash = (hash ^ x) * 0x9E3779B97F4A7C15U;
    return hash ^ (hash >> 29U);
}

// --- Which operations correspond ---

// A node's limb, and what it is there.
struct Part {
    int limbs = -1;  // -1: the trunk
    int lane = 0;
    // How often a number has come from limbs to the trunk and gone out again on the way to this one. Numbers of different
    // stages are never put together: one might wait for the other.
    int stage = 0;
    // What is computed, from what: equal for nodes that correspond. Constants count as equal.
    std::uint64_t shape = 0;
    int pack = -1;  // the correspondence; -1: none
};

// Nodes of all limbs that correspond; -1 where a limb has none.
using LaneNodes = std::array<Value, kMostLanes>;

class Matcher {
public:
    explicit Matcher(const Program& program) : program_(program), parts_(program.nodes.size()) {
        std::vector<Part> of_input(static_cast<std::size_t>(program.num_inputs()));
        for (std::size_t k = 0; k < program.equal_inputs.size(); ++k) {
            const EqualInputs& equal = program.equal_inputs[k];
            for (std::size_t lane = 0; lane < equal.inputs.size(); ++lane) {
                of_input[static_cast<std::size_t>(equal.inputs[lane])] = {
                    equal.limbs, static_cast<int>(lane), 0, mixed(k, 1), -1};
            }
            num_lanes_.resize(
                std::max(num_lanes_.size(), static_cast<std::size_t>(equal.limbs) + 1));
            num_lanes_[static_cast<std::size_t>(equal.limbs)] =
                static_cast<int>(equal.inputs.size());
        }
        for (Value x = 0; x < static_cast<Value>(program.nodes.size()); ++x) {
            const Node& node = program.nodes[index(x)];
            Part& part = parts_[index(x)];
            if (node.op == Op::kConstant) continue;
            if (node.op == Op::kInput) {
                part = of_input[static_cast<std::size_t>(node.constant)];
                if (part.limbs < 0) part.shape = mixed(index(x), 2);
            } else {
                find_part(x);
            }
            if (part.limbs >= 0) join_pack(x);
        }
    }

    int num_lanes(int limbs) const { return num_lanes_[static_cast<std::size_t>(limbs)]; }
    const Part& part(Value x) const { return parts_[index(x)]; }
    const LaneNodes& pack(int k) const { return packs_[static_cast<std::size_t>(k)]; }
    std::size_t num_packs() const { return packs_.size(); }
    // Whether all limbs have it.
    bool is_packed(Value x) const {
        const Part& part = parts_[index(x)];
        if (part.pack < 0) return false;
        const auto members = pack(part.pack).begin(), end = members + num_lanes(part.limbs);
        return std::find(members, end, -1) == end;
    }
    int limbs_of(int pack) const { return limbs_[static_cast<std::size_t>(pack)]; }
    // The operands of a node, those of a symmetric operation by their shapes.
    std::array<Value, 3> operands(Value x) const {
        const Node& node = program_.nodes[index(x)];
        std::array<Value, 3> out = node.operands;
        if (is_symmetric(node.op) && parts_[index(out[0])].shape > parts_[index(out[1])].shape)
            std::swap(out[0], out[1]);
        return out;
    }

private:
    const Program& program_;
    std::vector<Part> parts_;
    std::vector<LaneNodes> packs_;
    std::vector<int> num_lanes_;  // by number of the limbs
    std::vector<int> limbs_;      // of each pack
    // Packs by shape; several where a limb does the same to the same with several constants.
    std::unordered_map<std::uint64_t, std::vector<int>> by_shape_;

    void find_part(Value x) {
        const Node& node = program_.nodes[index(x)];
        Part& part = parts_[index(x)];
        bool meets_limb = false, is_mixed = false;
        const int n = num_operands(node.op);
        for (int k = 0; k < n; ++k) {
            const Part& from = parts_[index(node.operands[static_cast<std::size_t>(k)])];
            part.stage = std::max(part.stage, from.stage);
            if (from.limbs < 0) continue;
            is_mixed =
                is_mixed || (meets_limb && (part.limbs != from.limbs || part.lane != from.lane));
            meets_limb = true;
            part.limbs = from.limbs;
            part.lane = from.lane;
        }
        if (is_mixed) {  // the trunk's
            part.limbs = -1;
            ++part.stage;
            part.shape = mixed(index(x), 3);
            return;
        }
        part.shape =
            mixed(static_cast<std::uint64_t>(node.op), static_cast<std::uint64_t>(part.stage));
        const std::array<Value, 3> from = operands(x);
        for (int k = 0; k < n; ++k)
            part.shape = mixed(part.shape, parts_[index(from[static_cast<std::size_t>(k)])].shape);
    }
    // Shapes are but numbers, and might be equal by chance.
    bool has_place_for(Value x, const LaneNodes& members) const {
        if (members[static_cast<std::size_t>(parts_[index(x)].lane)] >= 0) return false;
        const Value other = *std::max_element(members.begin(), members.end());
        const Node &one = program_.nodes[index(x)], &two = program_.nodes[index(other)];
        const std::array<Value, 3> a = operands(x), b = operands(other);
        for (std::size_t k = 0; k < static_cast<std::size_t>(num_operands(one.op)); ++k) {
            if (one.op != two.op || part(a[k]).pack != part(b[k]).pack) return false;
        }
        return one.op == two.op;
    }
    void join_pack(Value x) {
        Part& part = parts_[index(x)];
        std::vector<int>& known =
            by_shape_[mixed(part.shape, static_cast<std::uint64_t>(part.limbs))];
        const auto lane = static_cast<std::size_t>(part.lane);
        std::size_t nth = 0;
        while (nth < known.size() &&
               !has_place_for(x, packs_[static_cast<std::size_t>(known[nth])]))
            ++nth;
        if (nth == known.size()) {
            known.push_back(static_cast<int>(packs_.size()));
            packs_.push_back({-1, -1, -1, -1});
            limbs_.push_back(part.limbs);
        }
        part.pack = known[nth];
        packs_[static_cast<std::size_t>(part.pack)][lane] = x;
        // What follows depends on which of them it is.
        part.shape = mixed(part.shape, nth);
    }
};

// --- The program with lanes ---

class Weaver {
public:
    explicit Weaver(const Program& program)
        : program_(program),
          limbs_(program),
          single_(program.nodes.size(), -1),
          vectors_(limbs_.num_packs(), -1),
          uses_(program.nodes.size()),
          part_of_total_(program.nodes.size()),
          of_angle_(program.nodes.size()) {
        count_uses();
        find_parts_of_totals();
        for (Value x = 0; x < static_cast<Value>(program.nodes.size()); ++x) {
            if (node(x).op == Op::kSin) of_angle_[index(node(x).operands[0])].sine = x;
            if (node(x).op == Op::kCos) of_angle_[index(node(x).operands[0])].cosine = x;
        }
    }

    Program run() {
        out_ = program_;
        out_.nodes.clear();
        std::vector<bool> is_output(program_.nodes.size());
        for (const Value x : program_.outputs) is_output[index(x)] = true;
        // In the kernel's order. Limbs keep pace with the first that comes to a step.
        for (Value x = 0; x < static_cast<Value>(program_.nodes.size()); ++x) {
            if (limbs_.is_packed(x)) {
                (void)vector_of(limbs_.part(x).pack);
                if (is_output[index(x)]) (void)single(x);  // so that it need not be kept
            } else if (!is_part_of_total(x)) {
                (void)single(x);
            }
        }
        for (Value& x : out_.outputs) x = single(x);
        if (out_.singular >= 0) out_.singular = single(out_.singular);
        return without_dead_code(out_);
    }

private:
    const Program& program_;
    Matcher limbs_;
    Program out_;
    std::vector<Value> single_;   // of each node, where it is as a single number; -1: nowhere yet
    std::vector<Value> vectors_;  // of each pack, where it is
    std::vector<int> uses_;
    std::vector<bool> part_of_total_;  // of the total of its only user
    struct Angle {
        Value sine = -1, cosine = -1;
    };
    std::vector<Angle> of_angle_;  // of each node that is one
    std::unordered_map<Node, Value, NodeHash> known_;
    std::map<LaneNodes, Value> copies_;  // of the trunk's nodes
    std::map<Lanes4, int> constants_;    // where they stand in out_.packs

    const Node& node(Value x) const { return program_.nodes[index(x)]; }
    void count_uses() {
        for (const Node& n : program_.nodes) {
            for (int k = 0; k < num_operands(n.op); ++k)
                ++uses_[index(n.operands[static_cast<std::size_t>(k)])];
        }
        for (const Value x : program_.outputs) uses_[index(x)] += 2;
        if (program_.singular >= 0) uses_[index(program_.singular)] += 2;
    }
    Value put(const Node& n) {
        const auto [known, is_new] = known_.try_emplace(n, static_cast<Value>(out_.nodes.size()));
        if (is_new) out_.nodes.push_back(n);
        return known->second;
    }
    Value put(Op op, int lanes, Value a, Value b = 0) { return put({op, {a, b, 0}, 0, lanes}); }

    // --- A number of its own ---

    Value single(Value x) {
        if (single_[index(x)] < 0) single_[index(x)] = new_single(x);
        return single_[index(x)];
    }
    Value new_single(Value x) {
        Node n = node(x);
        if (limbs_.is_packed(x) && !is_gathered(n.op)) return lane_of(x);
        if (is_total(n.op)) return total(x);
        for (int k = 0; k < num_operands(n.op); ++k) {
            Value& operand = n.operands[static_cast<std::size_t>(k)];
            operand = single(operand);
        }
        return put(n);
    }
    Value lane_of(Value x) {
        const Part& part = limbs_.part(x);
        Value from = vector_of(part.pack);
        for (int lanes = limbs_.num_lanes(part.limbs) / 2, lane = part.lane; lanes > 0;
             lanes /= 2) {
            from = put(lane < lanes ? Op::kLow : Op::kHigh, lanes, from);
            lane %= lanes;
        }
        return from;
    }

    // --- A number a lane ---

    // There is no instruction for several of them: inputs stand where they are, and sines have a way of their own.
    static bool is_gathered(Op op) {
        return op == Op::kInput || op == Op::kSin || op == Op::kCos || op == Op::kAtan2;
    }
    Value vector_of(int pack) {
        Value& out = vectors_[static_cast<std::size_t>(pack)];
        if (out < 0) {
            const LaneNodes& members = limbs_.pack(pack);
            const int lanes = limbs_.num_lanes(limbs_.limbs_of(pack));
            const Op op = node(members[0]).op;
            out = has_both(members, lanes) ? sines_or_cosines(members, lanes)
                  : is_gathered(op)        ? gathered(members, 0, lanes)
                                           : computed(members, lanes);
        }
        return out;
    }
    Value gathered(const LaneNodes& members, int first, int lanes) {
        if (lanes == 1) return single(members[static_cast<std::size_t>(first)]);
        const Value low = gathered(members, first, lanes / 2);
        return put(Op::kPair, lanes, low, gathered(members, first + lanes / 2, lanes / 2));
    }
    // The sine and the cosine of an angle stand side by side in memory. Both are loaded at once, for all lanes, and told apart
    // then.
    bool has_both(const LaneNodes& members, int lanes) const {
        return std::all_of(members.begin(), members.begin() + lanes, [this](Value x) {
            const Node& n = node(x);
            const bool is_one = n.op == Op::kSin || n.op == Op::kCos;
            if (!is_one) return false;
            const auto& [sine, cosine] = of_angle_[index(n.operands[0])];
            return sine >= 0 && cosine >= 0;
        });
    }
    Value sines_or_cosines(const LaneNodes& members, int lanes) {
        const auto both = [&](int lane) {
            const auto& [sine, cosine] =
                of_angle_[index(node(members[static_cast<std::size_t>(lane)]).operands[0])];
            const Value first = single(sine);
            return put(Op::kPair, 2, first, single(cosine));
        };
        const Op which = node(members[0]).op == Op::kSin ? Op::kEven : Op::kOdd;
        if (lanes == 2) {
            const Value first = both(0);
            return put(which, 2, first, both(1));
        }
        const auto two = [&](int lane) {
            const Value first = both(lane);
            return put(Op::kPair, 4, first, both(lane + 2));
        };
        const Value first = two(0);
        return put(which, 4, first, two(1));
    }
    Value computed(const LaneNodes& members, int lanes) {
        Node n = node(members[0]);
        n.lanes = lanes;
        n.operands = {};
        for (int k = 0; k < num_operands(n.op); ++k) {
            LaneNodes operands{-1, -1, -1, -1};
            for (int lane = 0; lane < lanes; ++lane) {
                operands[static_cast<std::size_t>(lane)] = limbs_.operands(
                    members[static_cast<std::size_t>(lane)])[static_cast<std::size_t>(k)];
            }
            n.operands[static_cast<std::size_t>(k)] = vector(operands, lanes);
        }
        return put(n);
    }
    // Operands that correspond: of the limbs, or of the trunk.
    Value vector(const LaneNodes& operands, int lanes) {
        const Value first = operands[0];
        if (limbs_.is_packed(first)) return vector_of(limbs_.part(first).pack);
        const bool same_op = std::all_of(operands.begin(), operands.begin() + lanes, [&](Value x) {
            return node(x).op == node(first).op && !limbs_.is_packed(x);
        });
        if (!same_op) return gathered(operands, 0, lanes);  // two shapes that are equal by chance
        if (node(first).op == Op::kConstant) return constant(operands, lanes);
        if (std::all_of(operands.begin(), operands.begin() + lanes,
                        [first](Value x) { return x == first; })) {
            return put(Op::kSpread, lanes, single(first));
        }
        // What the trunk computes for each limb is the limb's as well: the velocity of a hip.
        const auto known = copies_.find(operands);
        if (known != copies_.end()) return known->second;
        return copies_[operands] = computed(operands, lanes);
    }
    Value constant(const LaneNodes& operands, int lanes) {
        Lanes4 numbers{};
        for (std::size_t k = 0; k < static_cast<std::size_t>(lanes); ++k)
            numbers[k] = node(operands[k]).constant;
        const auto [known, is_new] =
            constants_.try_emplace(numbers, static_cast<int>(out_.packs.size()));
        if (is_new) out_.packs.push_back(numbers);
        return put({Op::kConstant, {}, static_cast<double>(known->second), lanes});
    }

    // --- Where limbs meet ---

    // A sum of terms in any order, or whether any of several is true. Terms of all limbs are added lane by lane first.
    struct Term {
        Value value;
        bool negative;
    };
    static bool is_total(Op op) { return is_sum(op) || op == Op::kOr; }
    bool is_part_of_total(Value x) const { return part_of_total_[index(x)]; }
    void find_parts_of_totals() {
        for (Value user = 0; user < static_cast<Value>(program_.nodes.size()); ++user) {
            const Node& n = node(user);
            if (!is_total(n.op) || limbs_.is_packed(user)) continue;
            for (const Value y : {n.operands[0], n.operands[1]}) {
                const bool same = is_sum(n.op) ? is_sum(node(y).op) : node(y).op == n.op;
                if (same && uses_[index(y)] == 1 && !limbs_.is_packed(y))
                    part_of_total_[index(y)] = true;
            }
        }
    }
    void collect(Value x, bool negative, std::vector<Term>& terms) const {
        const Node& n = node(x);
        for (std::size_t k = 0; k < 2; ++k) {
            const bool other = negative != (k == 1 && n.op == Op::kSubtract);
            if (is_part_of_total(n.operands[k])) {
                collect(n.operands[k], other, terms);
            } else {
                terms.push_back({n.operands[k], other});
            }
        }
    }
    // Takes away the terms that come from all limbs alike, and gives them as vectors.
    std::vector<Term> take_whole_packs(std::vector<Term>& terms) {
        std::map<std::pair<int, bool>, std::vector<Value>> by_pack;
        for (const Term& term : terms) {
            if (limbs_.is_packed(term.value))
                by_pack[{limbs_.part(term.value).pack, term.negative}].push_back(term.value);
        }
        std::vector<Term> out;
        for (auto& [key, members] : by_pack) {
            const auto& [pack, negative] = key;
            const auto lanes = static_cast<std::size_t>(limbs_.num_lanes(limbs_.limbs_of(pack)));
            if (members.size() != lanes) continue;
            std::sort(members.begin(), members.end());
            if (std::adjacent_find(members.begin(), members.end()) != members.end()) continue;
            out.push_back({vector_of(pack), negative});
            std::erase_if(terms, [&, pack = pack, negative = negative](const Term& term) {
                return term.negative == negative && limbs_.is_packed(term.value) &&
                       limbs_.part(term.value).pack == pack;
            });
        }
        return out;
    }
    Value total(Value x) {
        std::vector<Term> terms;
        collect(x, false, terms);
        std::vector<Term> vectors = take_whole_packs(terms);
        for (Term& term : terms) term.value = single(term.value);
        const bool is_or = node(x).op == Op::kOr;
        for (int lanes = kMostLanes; lanes > 1; lanes /= 2) {
            std::vector<Term> wide;
            std::copy_if(
                vectors.begin(), vectors.end(), std::back_inserter(wide),
                [&](const Term& term) { return out_.nodes[index(term.value)].lanes == lanes; });
            if (wide.empty()) continue;
            const Term all = added(wide, lanes, is_or);
            std::vector<Term>& halves = lanes == 2 ? terms : vectors;
            halves.push_back({put(Op::kLow, lanes / 2, all.value), all.negative});
            halves.push_back({put(Op::kHigh, lanes / 2, all.value), all.negative});
        }
        const Term all = added(terms, 1, is_or);
        return all.negative ? put(Op::kNegate, 1, all.value) : all.value;
    }
    Term added(const std::vector<Term>& terms, int lanes, bool is_or) {
        Term sum = terms.front();
        for (std::size_t k = 1; k < terms.size(); ++k) {
            const Term& term = terms[k];
            if (sum.negative == term.negative) {
                sum.value = put(is_or ? Op::kOr : Op::kAdd, lanes, sum.value, term.value);
            } else {
                const Value positive = sum.negative ? term.value : sum.value;
                const Value negative = sum.negative ? sum.value : term.value;
                sum = {put(Op::kSubtract, lanes, positive, negative), false};
            }
        }
        return sum;
    }
};

}  // namespace

Program with_limbs_as_lanes(const Program& program) {
    return program.equal_inputs.empty() ? program : Weaver(program).run();
}
Program with_lanes_where_they_pay(const Program& program) {
    Program woven = with_limbs_as_lanes(program);
    return woven.num_operations() < program.num_operations() ? woven : program;
}

}  // namespace plucker::compiler
