#include "pieces.hpp"

#include <algorithm>
#include <bit>
#include <map>

#include "network.hpp"

namespace plucker::compiler {
namespace {

using LimbSet = std::uint64_t;

int cost_of(Op op) {
    switch (op) {
        case Op::kSin:
        case Op::kCos:
            return 12;
        case Op::kDivide:
        case Op::kSqrt:
            return 10;
        case Op::kAtan2:
            return 40;
        default:
            return 1;
    }
}

// Of what the piece needs of `known`, some is read, and the rest computed anew: together as cheaply as can be. Wanting a
// node costs a reading; computing it gives that back less its own cost, but wants its operands. What is best to compute
// is a cut of a network.
void choose_reads(const Program& program, int cost_of_reading, const NodeSet& known, Piece& piece) {
    NodeSet wanted(program.nodes.size()), inputs(program.nodes.size());
    for (std::size_t k = 0; k < program.nodes.size(); ++k) {
        if (!piece.computes.has(k)) continue;
        for_operands(program, k, [&](std::size_t x) {
            if (is_operation(program, x)) {
                if (known.has(x)) wanted.add(x);
            } else if (program.nodes[x].op == Op::kInput) {
                inputs.add(x);
            }
        });
    }
    // What might be computed: all that the wanted ones need.
    NodeSet reach = wanted;
    for (std::size_t k = program.nodes.size(); k-- > 0;) {
        if (reach.has(k)) for_operands(program, k, [&](std::size_t x) { reach.add(x); });
    }
    Network network(2 * program.nodes.size() + 2);
    const std::size_t source = 2 * program.nodes.size(), sink = source + 1;
    constexpr int kNotRead = 1 << 20;  // masks are no numbers that memory holds
    for (std::size_t k = 0; k < program.nodes.size(); ++k) {
        const Op op = program.nodes[k].op;
        if (!reach.has(k) || op == Op::kConstant) continue;
        const int reading = is_mask(op) ? kNotRead : cost_of_reading;
        const bool is_there = wanted.has(k) || inputs.has(k);
        const std::size_t want = 2 * k, compute = 2 * k + 1;
        if (!is_there) network.connect(want, sink, reading);
        if (op == Op::kInput) continue;
        const int gain = reading - cost_of(op);
        if (gain <= 0) continue;
        network.connect(source, compute, gain);
        network.connect(compute, want, Network::kNoLimit);
        for_operands(program, k, [&](std::size_t x) {
            if (program.nodes[x].op != Op::kConstant)
                network.connect(compute, 2 * x, Network::kNoLimit);
        });
    }
    const std::vector<bool> chosen = network.cut(source, sink);
    NodeSet read(program.nodes.size());
    for (std::size_t k = program.nodes.size(); k-- > 0;) {
        if (!wanted.has(k)) continue;
        if (chosen[2 * k + 1]) {
            piece.computes.add(k);
            for_operands(program, k, [&](std::size_t x) {
                if (is_operation(program, x)) wanted.add(x);
            });
        } else {
            piece.reads.push_back(static_cast<Value>(k));
        }
    }
    std::reverse(piece.reads.begin(), piece.reads.end());
}

// Of each node, which of the levels computes it: what depends on one limb alone, what at least half of the outputs need, and the
// rest. Each level may read what earlier ones compute.
class Levels {
public:
    static constexpr int kCount = 3;

    Levels(const Program& program, const std::vector<Cluster>& atoms)
        : limbs_(program.nodes.size()),
          core_(program.nodes.size()),
          from_(program.nodes.size(), 0) {
        const std::size_t n = program.nodes.size();
        std::vector<int> wanted(n, 0);
        for (const Cluster& atom : atoms) {
            for (std::size_t k = 0; k < n; ++k) wanted[k] += atom.needs.has(k) ? 1 : 0;
        }
        for (std::size_t k = 0; k < n; ++k) {
            const Node& node = program.nodes[k];
            if (node.op == Op::kInput) {
                const int limb = program.limb_of_input[static_cast<std::size_t>(node.constant)];
                from_[k] = limb < 0 ? 0 : LimbSet{1} << static_cast<unsigned>(limb % 64);
            }
            for_operands(program, k, [&](std::size_t x) { from_[k] |= from_[x]; });
            if (!is_operation(program, k)) continue;
            if (std::popcount(from_[k]) <= 1) limbs_.add(k);
            if (limbs_.has(k) || 2 * wanted[k] >= static_cast<int>(atoms.size())) core_.add(k);
        }
    }

    int of(Value x) const { return limbs_.has(index_of(x)) ? 0 : core_.has(index_of(x)) ? 1 : 2; }
    // Null: nothing.
    const NodeSet* before(int level) const {
        return level == 0 ? nullptr : level == 1 ? &limbs_ : &core_;
    }
    // In the first level limb by limb.
    std::map<LimbSet, std::vector<Value>> by_limb(int level,
                                                  const std::vector<Value>& values) const {
        std::map<LimbSet, std::vector<Value>> out;
        for (const Value x : values) out[level == 0 ? from_[index_of(x)] : 0].push_back(x);
        return out;
    }

private:
    NodeSet limbs_, core_;  // core_ has the limbs too
    std::vector<LimbSet> from_;
};

std::vector<Piece> in_levels(const Program& program, const SliceOptions& options,
                             const std::vector<Cluster>& atoms) {
    const Levels levels(program, atoms);
    std::vector<Piece> pieces[Levels::kCount];
    // From the last to the first: what one reads, and is no output, another has to give besides.
    std::vector<Value> asked[Levels::kCount];
    NodeSet is_asked(program.nodes.size());
    for (const Cluster& atom : atoms) {
        for (const Value x : atom.outputs) is_asked.add(index_of(x));
    }
    for (int level = Levels::kCount - 1; level >= 0; --level) {
        const NodeSet* const before = levels.before(level);
        std::vector<Cluster> here;
        const auto add = [&](const std::vector<Value>& given) {
            std::vector<Value> outputs;
            for (const Value x : given) {
                if (levels.of(x) == level) outputs.push_back(x);
            }
            if (!outputs.empty()) here.push_back({outputs, needs_of(program, outputs, before)});
        };
        for (const Cluster& atom : atoms) add(atom.outputs);
        for (const auto& [limb, given] : levels.by_limb(level, asked[level])) add(given);
        for (const Cluster& cluster : clustered(here, options.most_operations)) {
            Piece piece{cluster.outputs, cluster.needs, {}};
            if (before != nullptr) choose_reads(program, options.cost_of_reading, *before, piece);
            for (const Value x : piece.reads) {
                if (is_asked.has(index_of(x))) continue;
                is_asked.add(index_of(x));
                asked[levels.of(x)].push_back(x);
            }
            pieces[level].push_back(std::move(piece));
        }
    }
    std::vector<Piece> out;
    for (const auto& of_level : pieces) out.insert(out.end(), of_level.begin(), of_level.end());
    return out;
}

}  // namespace

std::vector<Piece> pieces_of(const Program& program, const SliceOptions& options) {
    const std::vector<Cluster> atoms = atoms_of(program);
    if (options.cost_of_reading != 0) return in_levels(program, options, atoms);
    std::vector<Piece> out;
    for (const Cluster& cluster : clustered(atoms, options.most_operations))
        out.push_back({cluster.outputs, cluster.needs, {}});
    return out;
}

}  // namespace plucker::compiler
