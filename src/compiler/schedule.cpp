#include "schedule.hpp"

#include <algorithm>
#include <numeric>

namespace plucker::compiler {
namespace {

class Scheduler {
public:
    explicit Scheduler(const Program& program)
        : program_(program), uses_(program.nodes.size()), done_(program.nodes.size()) {}

    Schedule run() {
        count_uses();
        find_rounds();
        // What the angles of a round need, then the round.
        for (int r = 0; r < static_cast<int>(out_.rounds.size()); ++r) {
            need(out_.rounds[static_cast<std::size_t>(r)].angles);
            Scheduled call;
            call.step = Step::kSinesAndCosines;
            call.round = r;
            out_.steps.push_back(call);
            const Round& round = out_.rounds[static_cast<std::size_t>(r)];
            for (const std::vector<Value>* given : {&round.sines, &round.cosines}) {
                for (const Value node : *given) {
                    if (node >= 0) done_[index(node)] = true;
                }
            }
        }
        for (Value node = 0; node < static_cast<Value>(program_.nodes.size()); ++node) {
            if (!is_fused(node)) place(node);
        }
        return std::move(out_);
    }

private:
    const Program& program_;
    std::vector<int> uses_;
    std::vector<bool> done_;
    std::vector<Value> fused_;  // of a product: the sum that it is part of; -1: none
    Schedule out_;

    static std::size_t index(Value x) { return static_cast<std::size_t>(x); }
    const Node& node(Value x) const { return program_.nodes[index(x)]; }

    void count_uses() {
        for (const Node& n : program_.nodes) {
            for (int k = 0; k < num_operands(n.op); ++k)
                ++uses_[index(n.operands[static_cast<std::size_t>(k)])];
        }
        for (const Value x : program_.outputs) ++uses_[index(x)];
        if (program_.singular >= 0) ++uses_[index(program_.singular)];
        // A product that one sum alone needs becomes part of it; of two, the one that comes later.
        fused_.assign(program_.nodes.size(), -1);
        for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
            const Node& n = program_.nodes[k];
            if (n.op != Op::kAdd && n.op != Op::kSubtract) continue;
            Value product = -1;
            for (const Value x : {n.operands[0], n.operands[1]}) {
                if (node(x).op == Op::kMultiply && uses_[index(x)] == 1)
                    product = std::max(product, x);
            }
            if (product >= 0) fused_[index(product)] = static_cast<Value>(k);
        }
    }
    bool is_fused(Value x) const { return fused_[index(x)] >= 0; }

    // By how many sines and cosines lie on the way to an angle.
    void find_rounds() {
        std::vector<int> depth(program_.nodes.size(), 0);
        std::vector<int> place(program_.nodes.size(), -1);
        for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
            const Node& n = program_.nodes[k];
            for (int i = 0; i < num_operands(n.op); ++i)
                depth[k] =
                    std::max(depth[k], depth[index(n.operands[static_cast<std::size_t>(i)])]);
            if (n.op != Op::kSin && n.op != Op::kCos) continue;
            const auto r = static_cast<std::size_t>(depth[k]);
            if (out_.rounds.size() <= r) out_.rounds.resize(r + 1);
            Round& round = out_.rounds[r];
            int& at = place[index(n.operands[0])];
            if (at < 0) {
                at = static_cast<int>(round.angles.size());
                round.angles.push_back(n.operands[0]);
                round.sines.push_back(-1);
                round.cosines.push_back(-1);
            }
            (n.op == Op::kSin ? round.sines : round.cosines)[static_cast<std::size_t>(at)] =
                static_cast<Value>(k);
            ++depth[k];
        }
        for (Round& round : out_.rounds) sort_by_input(round);
    }
    // Angles that are inputs, in the order in which they stand in memory: then they can be read from there.
    void sort_by_input(Round& round) const {
        std::vector<std::size_t> order(round.angles.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const Node &one = node(round.angles[a]), &other = node(round.angles[b]);
            return one.op == Op::kInput &&
                   (other.op != Op::kInput || one.constant < other.constant);
        });
        const Round before = round;
        for (std::size_t k = 0; k < order.size(); ++k) {
            round.angles[k] = before.angles[order[k]];
            round.sines[k] = before.sines[order[k]];
            round.cosines[k] = before.cosines[order[k]];
        }
    }

    // Nodes and what they need, in their order.
    void need(std::vector<Value> waiting) {
        std::vector<Value> list;
        std::vector<bool> seen(program_.nodes.size());
        while (!waiting.empty()) {
            const Value y = waiting.back();
            waiting.pop_back();
            if (seen[index(y)] || done_[index(y)]) continue;
            seen[index(y)] = true;
            list.push_back(y);
            for (int k = 0; k < num_operands(node(y).op); ++k)
                waiting.push_back(node(y).operands[static_cast<std::size_t>(k)]);
        }
        std::sort(list.begin(), list.end());
        for (const Value y : list) {
            if (!is_fused(y)) place(y);
        }
    }

    void place(Value x) {
        if (done_[index(x)]) return;
        done_[index(x)] = true;
        const Node& n = node(x);
        if (num_operands(n.op) == 0 || n.op == Op::kSin || n.op == Op::kCos) return;
        Scheduled s;
        s.node = x;
        s.num_operands = num_operands(n.op);
        s.operands = n.operands;
        for (int k = 0; k < s.num_operands; ++k) {
            const Value product = n.operands[static_cast<std::size_t>(k)];
            if (fused_[index(product)] != x) continue;
            const Value other = n.operands[static_cast<std::size_t>(1 - k)];
            s.step = n.op == Op::kAdd ? Step::kMultiplyAdd
                     : k == 0         ? Step::kMultiplySubtract
                                      : Step::kSubtractProduct;
            s.operands = {node(product).operands[0], node(product).operands[1], other};
            s.num_operands = 3;
            done_[index(product)] = true;
            break;
        }
        out_.steps.push_back(s);
    }
};

}  // namespace

Schedule schedule(const Program& program) { return Scheduler(program).run(); }

}  // namespace plucker::compiler
