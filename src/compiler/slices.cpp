#include "plucker/compiler/slices.hpp"

#include <algorithm>

#include "parts.hpp"
#include "pieces.hpp"

namespace plucker::compiler {
namespace {

// Pieces as programs.
class SliceWriter {
public:
    SliceWriter(const Program& program, std::vector<Piece> pieces)
        : program_(program), pieces_(std::move(pieces)) {}

    Slices run() {
        Slices out;
        std::vector<int> kept(program_.nodes.size(), -1);
        for (const Piece& piece : pieces_) {
            for (const Value x : piece.reads) {
                if (kept[index_of(x)] < 0) kept[index_of(x)] = out.num_kept++;
            }
        }
        std::vector<std::vector<std::size_t>> places(program_.nodes.size());
        for (std::size_t k = 0; k < program_.outputs.size(); ++k) {
            if (is_operation(program_, index_of(program_.outputs[k]))) {
                places[index_of(program_.outputs[k])].push_back(k);
            } else {
                plain_outputs_.push_back(k);
            }
        }
        // Of a program that computes nothing there is one piece.
        if (pieces_.empty()) pieces_.push_back({{}, NodeSet(program_.nodes.size()), {}});
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

private:
    const Program& program_;
    std::vector<Piece> pieces_;
    std::vector<std::size_t> plain_outputs_;  // constants, and inputs

    // The nodes of a piece: as the program has them, or each where an output needs it first.
    std::vector<std::size_t> order_of(const Piece& piece, bool by_outputs) const {
        std::vector<std::size_t> out;
        if (!by_outputs) {
            for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
                if (piece.computes.has(k)) out.push_back(k);
            }
            return out;
        }
        std::vector<Value> outputs = piece.outputs;
        std::sort(outputs.begin(), outputs.end());
        NodeSet waiting = piece.computes;
        std::vector<std::size_t> stack;
        for (const Value output : outputs) {
            stack.push_back(index_of(output));
            while (!stack.empty()) {
                const std::size_t k = stack.back();
                const std::size_t before = stack.size();
                if (waiting.has(k)) {
                    for_operands(program_, k, [&](std::size_t x) {
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
        std::vector<Value> place(program_.nodes.size(), -1);
        const auto add = [&](std::size_t k, Node node) {
            place[k] = static_cast<Value>(out.nodes.size());
            out.nodes.push_back(node);
        };
        NodeSet is_read(program_.nodes.size());
        for (const Value x : piece.reads) is_read.add(index_of(x));
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
            for_operands(program_, k, need);
            Node node = program_.nodes[k];
            for (int i = 0; i < num_operands(node.op); ++i) {
                Value& x = node.operands[static_cast<std::size_t>(i)];
                x = place[index_of(x)];
            }
            add(k, node);
        }
        const auto give = [&](std::size_t k) {
            for (const std::size_t o : places[k]) out.outputs[o] = place[k];
            if (kept[k] >= 0)
                out.outputs[program_.outputs.size() + static_cast<std::size_t>(kept[k])] = place[k];
        };
        for (const Value x : piece.outputs) give(index_of(x));
        // What is not computed all give a share of, so that none waits for memory alone.
        const bool is_first = &piece == &pieces_.front();
        for (std::size_t o = share.first; o < share.second; ++o) {
            const std::size_t k = index_of(program_.outputs[plain_outputs_[o]]);
            need(k);
            out.outputs[plain_outputs_[o]] = place[k];
        }
        if (program_.singular >= 0) {
            const std::size_t singular = index_of(program_.singular);
            const bool is_constant = !is_operation(program_, singular) && is_first;
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
    return SliceWriter(program, pieces_of(program, options)).run();
}

}  // namespace plucker::compiler
