// A sum of several terms can be taken in any order. The kernel's order follows the equations; a processor would rather begin
// with what it has, and add last what it has to wait for: in f + c x - s y, with x and y from the next body, f comes first.
#include <algorithm>

#include "plucker/compiler/program.hpp"

namespace plucker::compiler {
namespace {

// Of each operation, in cycles: about what processors have.
int latency_of(Op op) {
    switch (op) {
        case Op::kConstant:
        case Op::kInput:
            return 0;
        case Op::kDivide:
            return 13;
        case Op::kSqrt:
            return 18;
        case Op::kSin:
        case Op::kCos:
            return 60;
        case Op::kNegate:
        case Op::kAbs:
        case Op::kSelect:
        case Op::kAnd:
        case Op::kOr:
        case Op::kNot:
        case Op::kPair:
            return 1;
        case Op::kLow:
            return 0;
        case Op::kSpread:
        case Op::kHigh:
            return 2;
        default:
            return 4;
    }
}

class Shortener {
public:
    explicit Shortener(const Program& program)
        : program_(program), uses_(program.nodes.size()), moved_(program.nodes.size(), -1) {}

    Program run() {
        count_uses();
        out_ = program_;
        out_.nodes.clear();
        for (Value x = 0; x < static_cast<Value>(program_.nodes.size()); ++x) {
            if (is_part_of_sum(x)) continue;
            moved_[index(x)] = is_sum(x) ? put_sum(x) : put(node(x));
        }
        for (Value& x : out_.outputs) x = moved(x);
        if (out_.singular >= 0) out_.singular = moved(out_.singular);
        return std::move(out_);
    }

private:
    // A term of a sum: a value, or a product that is still to be taken, which costs nothing where it is added.
    struct Term {
        int ready = 0;  // the cycle in which the value, or the last factor, is there
        bool negative = false;
        Value value = -1;  // -1: the product of these
        Value a = -1, b = -1;

        bool is_product() const { return value < 0; }
    };

    const Program& program_;
    Program out_;
    std::vector<int> uses_;
    std::vector<Value> only_user_;
    std::vector<Value> moved_;  // where a node of the old program is in the new one
    std::vector<int> ready_;    // of the new nodes

    static std::size_t index(Value x) { return static_cast<std::size_t>(x); }
    const Node& node(Value x) const { return program_.nodes[index(x)]; }
    Value moved(Value x) const { return moved_[index(x)]; }

    void count_uses() {
        only_user_.assign(program_.nodes.size(), -1);
        for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
            for (int i = 0; i < num_operands(program_.nodes[k].op); ++i) {
                const Value x = program_.nodes[k].operands[static_cast<std::size_t>(i)];
                ++uses_[index(x)];
                only_user_[index(x)] = static_cast<Value>(k);
            }
        }
        for (const Value x : program_.outputs) uses_[index(x)] += 2;
        if (program_.singular >= 0) uses_[index(program_.singular)] += 2;
    }
    bool is_sum(Value x) const { return node(x).op == Op::kAdd || node(x).op == Op::kSubtract; }
    bool is_used_by_one_sum(Value x) const {
        return uses_[index(x)] == 1 && is_sum(only_user_[index(x)]);
    }
    bool is_part_of_sum(Value x) const {
        return (is_sum(x) || node(x).op == Op::kMultiply) && is_used_by_one_sum(x);
    }

    Value put(Node n) {
        int ready = 0;
        for (int i = 0; i < num_operands(n.op); ++i) {
            Value& x = n.operands[static_cast<std::size_t>(i)];
            x = moved(x);
            ready = std::max(ready, ready_[index(x)]);
        }
        return append(n, ready + latency_of(n.op));
    }
    Value append(const Node& n, int ready) {
        out_.nodes.push_back(n);
        ready_.push_back(ready);
        return static_cast<Value>(out_.nodes.size()) - 1;
    }

    void collect(Value x, bool negative, std::vector<Term>& terms) const {
        const Node& n = node(x);
        if (is_sum(x)) {
            for (int i = 0; i < 2; ++i) {
                const Value term = n.operands[static_cast<std::size_t>(i)];
                const bool other = negative != (i == 1 && n.op == Op::kSubtract);
                if (is_part_of_sum(term)) {
                    collect(term, other, terms);
                } else {
                    terms.push_back({ready_[index(moved(term))], other, moved(term), -1, -1});
                }
            }
            return;
        }
        const Value a = moved(n.operands[0]), b = moved(n.operands[1]);
        terms.push_back({std::max(ready_[index(a)], ready_[index(b)]), negative, -1, a, b});
    }
    // The earliest two are added, until one is left.
    Value put_sum(Value x) {
        std::vector<Term> terms;
        collect(x, false, terms);
        const int lanes = node(x).lanes;
        const auto later = [](const Term& a, const Term& b) { return a.ready > b.ready; };
        std::make_heap(terms.begin(), terms.end(), later);
        const auto take = [&] {
            std::pop_heap(terms.begin(), terms.end(), later);
            const Term term = terms.back();
            terms.pop_back();
            return term;
        };
        while (terms.size() > 1) {
            const Term first = take();
            const Term second = take();
            terms.push_back(sum_of(first, second, lanes));
            std::push_heap(terms.begin(), terms.end(), later);
        }
        return terms.front().value;
    }
    Term sum_of(Term a, Term b, int lanes) {
        int ready = 0;
        // One product at most is left to be fused: the later one.
        if (a.is_product() && b.is_product()) a = taken(a, lanes);
        for (Term* term : {&a, &b}) {
            ready = std::max(ready, term->ready);
            if (term->is_product()) *term = taken(*term, lanes);
        }
        Node n;
        n.lanes = lanes;
        n.op = a.negative == b.negative ? Op::kAdd : Op::kSubtract;
        n.operands = {a.value, b.value, 0};
        if (a.negative && !b.negative) std::swap(n.operands[0], n.operands[1]);
        ready += latency_of(n.op);
        return {ready, a.negative && b.negative, append(n, ready), -1, -1};
    }
    Term taken(const Term& product, int lanes) {
        const int ready = product.ready + latency_of(Op::kMultiply);
        const Node n{Op::kMultiply, {product.a, product.b, 0}, 0, lanes};
        return {ready, product.negative, append(n, ready), -1, -1};
    }
};

}  // namespace

Program with_short_sums(const Program& program) { return Shortener(program).run(); }

}  // namespace plucker::compiler
