#include <bit>

#include "assembler.hpp"
#include "plucker/error.hpp"

namespace plucker::compiler {

int Assembler::compute_operation(const Scheduled& s) {
    const Op op = node(s.node).op;
    const Value a = s.operands[0], b = s.operands[1], c = s.operands[2];
    switch (op) {
        case Op::kAdd:
        case Op::kSubtract:
        case Op::kMultiply:
        case Op::kDivide:
            return compute_arithmetic(s);
        case Op::kNegate:
        case Op::kAbs:
            return compute_sign(op, a);
        case Op::kSqrt: {
            const int from = in_register(a);
            const int to = target({from}, s);
            code_->square_root(to, from);
            return to;
        }
        case Op::kLess:
        case Op::kLessOrEqual:
        case Op::kEqual:
            return compute_comparison(op, a, b);
        case Op::kIsFinite: {  // x - x is zero, or not a number
            const int from = in_register(a);
            const int to = take_register();
            code_->arithmetic(Op::kSubtract, to, from, {from, {}});
            code_->compare(Comparison::kEqual, to, to, to);
            return to;
        }
        case Op::kAnd:
        case Op::kOr: {
            const int first = in_register(a);
            const int second = in_register(b);
            const int to = target({first, second}, s);
            code_->bits(op == Op::kAnd ? Bits::kAnd : Bits::kOr, to, first, second);
            return to;
        }
        case Op::kNot: {
            const int from = in_register(a);
            const int ones = bits_in_register(~std::uint64_t{0}, ~0U);
            code_->bits(Bits::kXor, ones, ones, from);
            return ones;
        }
        case Op::kSelect:
            return compute_select(a, b, c);
        case Op::kSpread: {
            const Source from = source(a);
            const int to = target({from.reg}, s);
            code_->spread(to, from);
            return to;
        }
        case Op::kPair:
            return width_ == 2 ? pair_of_numbers(a, b) : pair_of_pairs(s);
        case Op::kLow:
        case Op::kHigh:
            return half(s);
        case Op::kEven:
        case Op::kOdd: {
            const int first = in_register(a);
            const Source second = second_source(b, a, first);
            const int to = target({first, second.reg}, s);
            code_->interleaved(op, to, first, second);
            return to;
        }
        default:
            throw Error::because("assembler: no instruction for ", name_of(op));
    }
}

int Assembler::compute_arithmetic(const Scheduled& s) {
    const Op op = node(s.node).op;
    Value a = s.operands[0], b = s.operands[1];
    if (op == Op::kAdd || op == Op::kMultiply) {
        // What stands in a register comes first: only the second may be in memory. Of two in memory the first is loaded, and
        // that should be the one that is needed again sooner.
        if (!storage_.is_in_register(a) &&
            (storage_.is_in_register(b) || storage_.next_use(b) < storage_.next_use(a)))
            std::swap(a, b);
    }
    const int first = in_register(a);
    const Source second = second_source(b, a, first);
    const int to = target({first, second.reg}, s);
    code_->arithmetic(op, to, first, second);
    return to;
}

int Assembler::compute_sign(Op op, Value a) {
    const int from = in_register(a);
    const int sign = bits_in_register(std::uint64_t{1} << 63U, 1U << 31U);
    code_->bits(op == Op::kAbs ? Bits::kAndNot : Bits::kXor, sign, sign, from);
    return sign;
}

int Assembler::compute_comparison(Op op, Value a, Value b) {
    const int first = in_register(a);
    const int second = in_register(b);
    const int to = take_register();
    code_->compare(op == Op::kEqual  ? Comparison::kEqual
                   : op == Op::kLess ? Comparison::kLess
                                     : Comparison::kLessOrEqual,
                   to, first, second);
    return to;
}

// (mask & yes) | (~mask & no)
int Assembler::compute_select(Value mask, Value yes, Value no) {
    const int where = in_register(mask);
    const int one = in_register(yes);
    const int other = in_register(no);
    const int to = take_register();
    storage_.pin(to);
    const int rest = take_register();
    code_->bits(Bits::kAnd, to, where, one);
    code_->bits(Bits::kAndNot, rest, where, other);
    code_->bits(Bits::kOr, to, to, rest);
    return to;
}

int Assembler::compute_fused(const Scheduled& s) {
    Value a = s.operands[0], b = s.operands[1];
    const Value c = s.operands[2];
    // Of the two that are multiplied, one stands in a register.
    if (!storage_.is_in_register(a) && storage_.is_in_register(b)) std::swap(a, b);
    const int first = in_register(a);
    Source second = second_source(b, a, first);
    Source sum = c == b ? second : second_source(c, a, first);
    if (second.reg < 0 && sum.reg < 0) {  // one operand at most in memory
        if (storage_.next_use(b) < storage_.next_use(c)) {
            second.reg = in_register(b);
            if (c == b) sum = second;
        } else {
            sum.reg = in_register(c);
            if (c == b) second = sum;
        }
    }
    // The result takes the place of an operand that dies.
    if (sum.reg >= 0 && c != a && c != b && storage_.dies(c)) {
        code_->fused(s.step, 231, sum.reg, first, second);
        return sum.reg;
    }
    if (a != b && a != c && storage_.dies(a)) {
        if (second.reg >= 0) {
            code_->fused(s.step, 213, first, second.reg, sum);
        } else {
            code_->fused(s.step, 132, first, sum.reg, second);
        }
        return first;
    }
    if (second.reg >= 0 && a != b && b != c && storage_.dies(b)) {
        code_->fused(s.step, 213, second.reg, first, sum);
        return second.reg;
    }
    // Or of a copy.
    const int to = take_register();
    if (sum.reg >= 0) {
        code_->copy(to, sum.reg);
    } else {
        load(to, c);
    }
    code_->fused(s.step, 231, to, first, second);
    return to;
}

// --- Between numbers and lanes ---

int Assembler::pair_of_numbers(Value a, Value b) {
    const int first = storage_.reg_of(a), second = storage_.reg_of(b);
    const int to = take_register();
    if (first < 0 && second < 0 && storage_.stand_side_by_side(a, b)) {
        code_->load(to, storage_.place_of(a), 2);
        return to;
    }
    if (first < 0) load(to, a);
    code_->pair_of_numbers(to, first < 0 ? to : first, {second, storage_.place_of(b)});
    return to;
}

int Assembler::pair_of_pairs(const Scheduled& s) {
    const Value a = s.operands[0], b = s.operands[1];
    const int low = in_register(a);
    const Source high = second_source(b, a, low);
    const int to = target({low, high.reg}, s);
    code_->pair_of_pairs(to, low, high);
    return to;
}

int Assembler::half(const Scheduled& s) {
    const Op op = node(s.node).op;
    const Value a = s.operands[0];
    const int from = storage_.reg_of(a);
    if (from < 0) {
        const int to = take_register();
        Place place = storage_.place_of(a);
        if (op == Op::kHigh) place.offset += width_ * unit_.pack_bytes();
        code_->load(to, place, width_);
        return to;
    }
    const int to = target({from}, s);
    code_->half(op, to, from);
    return to;
}

}  // namespace plucker::compiler
