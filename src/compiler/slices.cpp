#include "plucker/compiler/slices.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

#include "parts.hpp"

namespace plucker::compiler {
namespace {

// A set of nodes.
class NodeSet {
public:
    explicit NodeSet(std::size_t nodes) : words_((nodes + 63) / 64) {}

    bool has(std::size_t k) const { return ((words_[k / 64] >> (k % 64)) & 1U) != 0; }
    void add(std::size_t k) { words_[k / 64] |= std::uint64_t{1} << (k % 64); }
    void remove(std::size_t k) { words_[k / 64] &= ~(std::uint64_t{1} << (k % 64)); }
    void add(const NodeSet& other) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    }
    int size() const {
        int out = 0;
        for (const std::uint64_t word : words_) out += std::popcount(word);
        return out;
    }
    int size_with(const NodeSet& other) const {
        int out = 0;
        for (std::size_t w = 0; w < words_.size(); ++w)
            out += std::popcount(words_[w] | other.words_[w]);
        return out;
    }

private:
    std::vector<std::uint64_t> words_;
};

// The largest flow from a source to a sink, by shortest paths (Dinic), and the side of the source of the smallest cut.
class Network {
public:
    static constexpr int kNoLimit = std::numeric_limits<int>::max() / 2;

    explicit Network(std::size_t vertices) : edges_of_(vertices) {}

    void connect(std::size_t from, std::size_t to, int capacity) {
        edges_of_[from].push_back(edges_.size());
        edges_.push_back({to, capacity});
        edges_of_[to].push_back(edges_.size());
        edges_.push_back({from, 0});
    }
    // Whether each vertex is on the source's side.
    std::vector<bool> cut(std::size_t source, std::size_t sink) {
        while (find_distances(source, sink)) {
            next_.assign(edges_of_.size(), 0);
            while (push(source, sink)) {
            }
        }
        std::vector<bool> out;
        for (const int distance : distance_) out.push_back(distance >= 0);
        return out;
    }

private:
    struct Edge {
        std::size_t to;
        int capacity;
    };
    std::vector<Edge> edges_;  // each with its opposite beside it
    std::vector<std::vector<std::size_t>> edges_of_;
    std::vector<int> distance_;
    std::vector<std::size_t> next_;

    bool find_distances(std::size_t source, std::size_t sink) {
        distance_.assign(edges_of_.size(), -1);
        distance_[source] = 0;
        std::vector<std::size_t> queue{source};
        for (std::size_t k = 0; k < queue.size(); ++k) {
            for (const std::size_t e : edges_of_[queue[k]]) {
                const Edge& edge = edges_[e];
                if (edge.capacity == 0 || distance_[edge.to] >= 0) continue;
                distance_[edge.to] = distance_[queue[k]] + 1;
                queue.push_back(edge.to);
            }
        }
        return distance_[sink] >= 0;
    }
    // Along one path; no recursion, since paths are as long as programs are deep.
    bool push(std::size_t source, std::size_t sink) {
        std::vector<std::size_t> path;
        std::size_t at = source;
        while (at != sink) {
            std::size_t& k = next_[at];
            while (k < edges_of_[at].size()) {
                const Edge& edge = edges_[edges_of_[at][k]];
                if (edge.capacity > 0 && distance_[edge.to] == distance_[at] + 1) break;
                ++k;
            }
            if (k < edges_of_[at].size()) {
                path.push_back(edges_of_[at][k]);
                at = edges_[path.back()].to;
                continue;
            }
            if (path.empty()) return false;
            distance_[at] = -1;
            at = edges_[path.back() ^ 1U].to;
            path.pop_back();
        }
        int least = kNoLimit;
        for (const std::size_t e : path) least = std::min(least, edges_[e].capacity);
        for (const std::size_t e : path) {
            edges_[e].capacity -= least;
            edges_[e ^ 1U].capacity += least;
        }
        return true;
    }
};

using LimbSet = std::uint64_t;

class Slicer {
public:
    Slicer(const Program& program, const SliceOptions& options)
        : program_(program), options_(options), num_nodes_(program.nodes.size()) {}

    Slices run() {
        find_atoms();
        if (options_.cost_of_reading == 0) {
            for (const Cluster& cluster : clustered(atoms_))
                pieces_.push_back({cluster.outputs, cluster.needs, {}});
        } else {
            slice_in_levels();
        }
        return written();
    }

private:
    // Outputs that are given together, and what they need.
    struct Cluster {
        std::vector<Value> outputs;  // nodes
        NodeSet needs;               // computed nodes
    };
    // One program.
    struct Piece {
        std::vector<Value> outputs;
        NodeSet computes;
        std::vector<Value> reads;  // nodes of earlier ones
    };

    const Program& program_;
    const SliceOptions& options_;
    std::size_t num_nodes_;
    std::vector<Cluster> atoms_;
    std::vector<Piece> pieces_;
    std::vector<std::size_t> plain_outputs_;  // constants, and inputs

    static std::size_t index(Value x) { return static_cast<std::size_t>(x); }
    bool is_computed(std::size_t k) const { return num_operands(program_.nodes[k].op) > 0; }
    template <class F>
    void for_operands(std::size_t k, const F& f) const {
        const Node& node = program_.nodes[k];
        for (int i = 0; i < num_operands(node.op); ++i)
            f(index(node.operands[static_cast<std::size_t>(i)]));
    }

    // --- What belongs together ---

    // Computed nodes that these need, themselves included; none of `known`, nor what only those need.
    NodeSet needs_of(const std::vector<Value>& outputs, const NodeSet* known = nullptr) const {
        NodeSet out(num_nodes_);
        std::size_t last = 0;
        for (const Value x : outputs) {
            if (!is_computed(index(x)) || (known != nullptr && known->has(index(x)))) continue;
            out.add(index(x));
            last = std::max(last, index(x));
        }
        for (std::size_t k = last + 1; k-- > 0;) {
            if (!out.has(k)) continue;
            for_operands(k, [&](std::size_t x) {
                if (is_computed(x) && (known == nullptr || !known->has(x))) out.add(x);
            });
        }
        return out;
    }
    // Of a matrix the rows of one limb in one column, which need much the same; of what has no limbs, columns.
    void find_atoms() {
        std::map<std::pair<int, int>, std::vector<Value>> atoms;
        std::vector<bool> is_known(num_nodes_);
        std::size_t at = 0;
        for (const Group& group : program_.output_groups) {
            const bool is_square = group.rows > 1 && group.columns % group.rows == 0;
            const std::size_t first = at;
            for (int e = 0; e < group.size(); ++e, ++at) {
                const Value x = program_.outputs[at];
                if (!is_computed(index(x)) || is_known[index(x)]) continue;
                is_known[index(x)] = true;
                const int row = e % group.rows;
                const int column = group.columns == 1 ? row : e / group.rows % group.rows;
                const auto of_row =
                    first + static_cast<std::size_t>(row) * static_cast<std::size_t>(group.rows);
                const int limb = is_square ? program_.limb_of_output[of_row] : -1;
                atoms[{column, limb}].push_back(x);
            }
        }
        if (program_.singular >= 0 && is_computed(index(program_.singular)) &&
            !is_known[index(program_.singular)])
            atoms[{-1, -1}].push_back(program_.singular);
        for (const auto& [place, outputs] : atoms) atoms_.push_back({outputs, needs_of(outputs)});
    }
    // The two that have most in common become one, as long as it is short enough.
    std::vector<Cluster> clustered(std::vector<Cluster> out) const {
        std::vector<int> size;
        for (const Cluster& x : out) size.push_back(x.needs.size());
        // In common, or -1: too long together.
        std::vector<std::vector<int>> common(out.size(), std::vector<int>(out.size(), -1));
        const auto compare = [&](std::size_t i, std::size_t j) {
            const int both = std::max(size[i], size[j]) > options_.most_operations
                                 ? std::numeric_limits<int>::max()
                                 : out[i].needs.size_with(out[j].needs);
            const bool contains = both == std::max(size[i], size[j]);
            common[i][j] =
                both <= options_.most_operations || contains ? size[i] + size[j] - both : -1;
        };
        for (std::size_t i = 0; i < out.size(); ++i) {
            for (std::size_t j = i + 1; j < out.size(); ++j) compare(i, j);
        }
        while (true) {
            int most = -1;
            std::size_t one = 0, other = 0;
            for (std::size_t i = 0; i < out.size(); ++i) {
                for (std::size_t j = i + 1; j < out.size(); ++j) {
                    if (common[i][j] <= most) continue;
                    most = common[i][j];
                    one = i;
                    other = j;
                }
            }
            if (most < 0) return out;
            out[one].needs.add(out[other].needs);
            out[one].outputs.insert(out[one].outputs.end(), out[other].outputs.begin(),
                                    out[other].outputs.end());
            const auto gone = static_cast<long>(other);
            out.erase(out.begin() + gone);
            size.erase(size.begin() + gone);
            common.erase(common.begin() + gone);
            for (auto& row : common) row.erase(row.begin() + gone);
            size[one] = out[one].needs.size();
            for (std::size_t k = 0; k < out.size(); ++k) {
                if (k != one) compare(std::min(k, one), std::max(k, one));
            }
        }
    }

    // --- Through memory ---

    // First what depends on one limb alone, limb by limb; then what at least half of the outputs need; then the rest. Each
    // level may read what earlier ones compute.
    void slice_in_levels() {
        NodeSet limbs(num_nodes_), core(num_nodes_);
        std::vector<LimbSet> from(num_nodes_, 0);
        std::vector<int> wanted(num_nodes_, 0);
        for (const Cluster& atom : atoms_) {
            for (std::size_t k = 0; k < num_nodes_; ++k) wanted[k] += atom.needs.has(k) ? 1 : 0;
        }
        for (std::size_t k = 0; k < num_nodes_; ++k) {
            const Node& node = program_.nodes[k];
            if (node.op == Op::kInput) {
                const int limb = program_.limb_of_input[static_cast<std::size_t>(node.constant)];
                from[k] = limb < 0 ? 0 : LimbSet{1} << static_cast<unsigned>(limb % 64);
            }
            for_operands(k, [&](std::size_t x) { from[k] |= from[x]; });
            if (!is_computed(k)) continue;
            if (std::popcount(from[k]) <= 1) limbs.add(k);
            if (limbs.has(k) || 2 * wanted[k] >= static_cast<int>(atoms_.size())) core.add(k);
        }
        const auto level_of = [&](Value x) {
            return limbs.has(index(x)) ? 0 : core.has(index(x)) ? 1 : 2;
        };
        std::vector<Piece> levels[3];
        // From the last to the first: what one reads, and is no output, another has to give besides.
        std::vector<Value> asked[3];
        const NodeSet* const before[3] = {nullptr, &limbs, &core};
        NodeSet is_asked(num_nodes_);
        for (const Cluster& atom : atoms_) {
            for (const Value x : atom.outputs) is_asked.add(index(x));
        }
        for (int level = 2; level >= 0; --level) {
            std::vector<Cluster> atoms;
            const auto add = [&](const std::vector<Value>& given) {
                std::vector<Value> here;
                for (const Value x : given) {
                    if (level_of(x) == level) here.push_back(x);
                }
                if (!here.empty()) atoms.push_back({here, needs_of(here, before[level])});
            };
            for (const Cluster& atom : atoms_) add(atom.outputs);
            std::map<LimbSet, std::vector<Value>> asked_of;
            for (const Value x : asked[level])
                asked_of[level == 0 ? from[index(x)] : 0].push_back(x);
            for (const auto& [limb, given] : asked_of) add(given);
            for (const Cluster& cluster : clustered(atoms)) {
                Piece piece{cluster.outputs, cluster.needs, {}};
                if (before[level] != nullptr) choose_reads(piece, *before[level]);
                for (const Value x : piece.reads) {
                    if (is_asked.has(index(x))) continue;
                    is_asked.add(index(x));
                    asked[level_of(x)].push_back(x);
                }
                levels[level].push_back(std::move(piece));
            }
        }
        for (const auto& level : levels) pieces_.insert(pieces_.end(), level.begin(), level.end());
    }
    static int cost_of(Op op) {
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
    void choose_reads(Piece& piece, const NodeSet& known) {
        NodeSet wanted(num_nodes_), inputs(num_nodes_);
        for (std::size_t k = 0; k < num_nodes_; ++k) {
            if (!piece.computes.has(k)) continue;
            for_operands(k, [&](std::size_t x) {
                if (is_computed(x)) {
                    if (known.has(x)) wanted.add(x);
                } else if (program_.nodes[x].op == Op::kInput) {
                    inputs.add(x);
                }
            });
        }
        // What might be computed: all that the wanted ones need.
        NodeSet reach = wanted;
        for (std::size_t k = num_nodes_; k-- > 0;) {
            if (reach.has(k)) for_operands(k, [&](std::size_t x) { reach.add(x); });
        }
        Network network(2 * num_nodes_ + 2);
        const std::size_t source = 2 * num_nodes_, sink = source + 1;
        constexpr int kNever = 1 << 20;  // masks are no numbers that memory holds
        for (std::size_t k = 0; k < num_nodes_; ++k) {
            const Op op = program_.nodes[k].op;
            if (!reach.has(k) || op == Op::kConstant) continue;
            const int reading = is_mask(op) ? kNever : options_.cost_of_reading;
            const bool is_there = wanted.has(k) || inputs.has(k);
            const std::size_t want = 2 * k, compute = 2 * k + 1;
            if (!is_there) network.connect(want, sink, reading);
            if (op == Op::kInput) continue;
            const int gain = reading - cost_of(op);
            if (gain <= 0) continue;
            network.connect(source, compute, gain);
            network.connect(compute, want, Network::kNoLimit);
            for_operands(k, [&](std::size_t x) {
                if (program_.nodes[x].op != Op::kConstant)
                    network.connect(compute, 2 * x, Network::kNoLimit);
            });
        }
        const std::vector<bool> chosen = network.cut(source, sink);
        NodeSet read(num_nodes_);
        for (std::size_t k = num_nodes_; k-- > 0;) {
            if (!wanted.has(k)) continue;
            if (chosen[2 * k + 1]) {
                piece.computes.add(k);
                for_operands(k, [&](std::size_t x) {
                    if (is_computed(x)) wanted.add(x);
                });
            } else {
                piece.reads.push_back(static_cast<Value>(k));
            }
        }
        std::reverse(piece.reads.begin(), piece.reads.end());
    }

    // --- As programs ---

    Slices written() {
        Slices out;
        std::vector<int> kept(num_nodes_, -1);
        for (const Piece& piece : pieces_) {
            for (const Value x : piece.reads) {
                if (kept[index(x)] < 0) kept[index(x)] = out.num_kept++;
            }
        }
        std::vector<std::vector<std::size_t>> places(num_nodes_);
        for (std::size_t k = 0; k < program_.outputs.size(); ++k) {
            if (is_computed(index(program_.outputs[k]))) {
                places[index(program_.outputs[k])].push_back(k);
            } else {
                plain_outputs_.push_back(k);
            }
        }
        // Of a program that computes nothing there is one piece.
        if (pieces_.empty()) pieces_.push_back({{}, NodeSet(num_nodes_), {}});
        std::size_t all = 0, so_far = 0;
        for (const Piece& piece : pieces_) all += static_cast<std::size_t>(piece.computes.size());
        for (const Piece& piece : pieces_) {
            const std::size_t first = all == 0 ? 0 : plain_outputs_.size() * so_far / all;
            so_far += static_cast<std::size_t>(piece.computes.size());
            const std::pair share{
                first, all == 0 ? plain_outputs_.size() : plain_outputs_.size() * so_far / all};
            Program one = written(piece, kept, places, out.num_kept, share, false);
            Program other = written(piece, kept, places, out.num_kept, share, true);
            out.programs.push_back(pressure_of(other) < pressure_of(one) ? std::move(other)
                                                                         : std::move(one));
        }
        return out;
    }
    // The nodes of a piece: as the program has them, or each where an output needs it first.
    std::vector<std::size_t> order_of(const Piece& piece, bool by_outputs) const {
        std::vector<std::size_t> out;
        if (!by_outputs) {
            for (std::size_t k = 0; k < num_nodes_; ++k) {
                if (piece.computes.has(k)) out.push_back(k);
            }
            return out;
        }
        std::vector<Value> outputs = piece.outputs;
        std::sort(outputs.begin(), outputs.end());
        NodeSet waiting = piece.computes;
        std::vector<std::size_t> stack;
        for (const Value output : outputs) {
            stack.push_back(index(output));
            while (!stack.empty()) {
                const std::size_t k = stack.back();
                const std::size_t before = stack.size();
                if (waiting.has(k)) {
                    for_operands(k, [&](std::size_t x) {
                        if (waiting.has(x)) stack.push_back(x);
                    });
                }
                if (stack.size() > before) continue;
                stack.pop_back();
                if (!waiting.has(k)) continue;
                waiting.remove(k);
                out.push_back(k);
            }
        }
        return out;
    }
    Program written(const Piece& piece, const std::vector<int>& kept,
                    const std::vector<std::vector<std::size_t>>& places, int num_kept,
                    std::pair<std::size_t, std::size_t> share, bool by_outputs) const {
        Program out;
        out.name = program_.name;
        out.input_groups = program_.input_groups;
        out.output_groups = program_.output_groups;
        out.limb_of_input = program_.limb_of_input;
        out.limb_of_output = program_.limb_of_output;
        out.outputs.assign(program_.outputs.size(), kNotGiven);
        const int num_inputs = program_.num_inputs();
        if (num_kept > 0) {
            out.input_groups.push_back({"kept", num_kept});
            out.output_groups.push_back({"kept", num_kept});
            out.limb_of_input.resize(static_cast<std::size_t>(num_inputs + num_kept), -1);
            out.outputs.resize(program_.outputs.size() + static_cast<std::size_t>(num_kept),
                               kNotGiven);
            out.limb_of_output.resize(out.outputs.size(), -1);
        }
        std::vector<Value> place(num_nodes_, -1);
        const auto add = [&](std::size_t k, Node node) {
            place[k] = static_cast<Value>(out.nodes.size());
            out.nodes.push_back(node);
        };
        NodeSet is_read(num_nodes_);
        for (const Value x : piece.reads) is_read.add(index(x));
        const auto need = [&](std::size_t k) {
            if (place[k] >= 0) return;
            Node node = program_.nodes[k];
            if (is_read.has(k)) {
                node = Node{};
                node.op = Op::kInput;
                node.constant = num_inputs + kept[k];
            }
            add(k, node);
        };
        for (const std::size_t k : order_of(piece, by_outputs)) {
            for_operands(k, need);
            Node node = program_.nodes[k];
            for (int i = 0; i < num_operands(node.op); ++i) {
                Value& x = node.operands[static_cast<std::size_t>(i)];
                x = place[index(x)];
            }
            add(k, node);
        }
        const auto give = [&](std::size_t k) {
            for (const std::size_t o : places[k]) out.outputs[o] = place[k];
            if (kept[k] >= 0)
                out.outputs[program_.outputs.size() + static_cast<std::size_t>(kept[k])] = place[k];
        };
        for (const Value x : piece.outputs) give(index(x));
        // What is not computed all give a share of, so that none waits for memory alone.
        const bool is_first = &piece == &pieces_.front();
        for (std::size_t o = share.first; o < share.second; ++o) {
            const std::size_t k = index(program_.outputs[plain_outputs_[o]]);
            need(k);
            out.outputs[plain_outputs_[o]] = place[k];
        }
        if (program_.singular >= 0) {
            const std::size_t singular = index(program_.singular);
            const bool is_constant = !is_computed(singular) && is_first;
            if (is_constant) need(singular);
            if (is_constant || is_output(piece, program_.singular)) out.singular = place[singular];
        }
        return out;
    }
    static int pressure_of(const Program& program) { return pressure(program, divide(program, 1)); }
    static bool is_output(const Piece& piece, Value x) {
        return std::find(piece.outputs.begin(), piece.outputs.end(), x) != piece.outputs.end();
    }
};

}  // namespace

int Slices::num_operations() const {
    int out = 0;
    for (const Program& program : programs) out += program.num_operations();
    return out;
}

Slices slice(const Program& program, const SliceOptions& options) {
    return Slicer(program, options).run();
}

}  // namespace plucker::compiler
