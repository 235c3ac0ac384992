#include <algorithm>
#include <bit>

#include "assembler.hpp"

namespace plucker::compiler {

void Assembler::find_outputs() {
    const bool are_results = beside_.function == nullptr;
    const auto place = [&](std::size_t group, int k) {
        Place out = are_results ? Place{Place::In::kOutput, static_cast<int>(group), 0} : factors_;
        out.offset += k * unit_.pack_bytes();
        return out;
    };
    std::size_t at = 0;
    for (std::size_t g = 0; g < program_.output_groups.size(); ++g) {
        for (int k = 0; k < program_.output_groups[g].size(); ++k, ++at) {
            if (beside_.is_read.empty() || beside_.is_read[at])
                outputs_[program_.outputs[at]].push_back(place(g, k));
        }
    }
    const std::size_t results = are_results ? program_.output_groups.size() : beside_.num_results;
    if (program_.singular >= 0)
        outputs_[program_.singular].push_back({Place::In::kOutput, static_cast<int>(results), 0});
}

void Assembler::find_halves() {
    for (Value x = 0; x < static_cast<Value>(program_.nodes.size()); ++x) {
        if (node(x).op == Op::kHigh && node(x).lanes == 1) high_half_[node(x).operands[0]] = x;
    }
}

// --- Results ---

void Assembler::give(Value x, int r) {
    const auto found = outputs_.find(x);
    if (found == outputs_.end()) return;
    int from = r;
    if (is_mask(x)) {  // as a number, 0 or 1
        storage_.pin(r);
        from =
            bits_in_register(std::bit_cast<std::uint64_t>(1.0), std::bit_cast<std::uint32_t>(1.0F));
        code_->bits(Bits::kAnd, from, from, r);
    }
    for (const Place& place : found->second) code_->store(place, from, 1);
    // From now on it stands there, and need not be stored again to make room.
    if (!unit_.has_limbs_in_lanes() && from == r) storage_.set_place(x, found->second.front());
}

// A lane that is an output and nothing else is stored from where it is; two side by side at once.
bool Assembler::is_lane_to_give(Value x) const {
    return is_half(node(x).op) && storage_.is_used_up(x) && !is_mask(x);
}

void Assembler::give_lane(const Scheduled& s) {
    const std::vector<Place>& places = outputs_[s.node];
    if (places.empty()) return;
    const int from = in_register(s.operands[0]);
    const auto other = high_half_.find(s.operands[0]);
    for (const Place& place : places) {
        Place next = place;
        next.offset += unit_.number_bytes();
        if (node(s.node).op == Op::kHigh) {
            code_->store_high(place, from);
        } else if (other != high_half_.end() && take_place(other->second, next)) {
            code_->store(place, from, 2);
        } else {
            code_->store(place, from, 1);
        }
    }
}

// Whether this is still a place of that output, which it then no longer is.
bool Assembler::take_place(Value x, const Place& place) {
    const auto found = outputs_.find(x);
    return found != outputs_.end() && std::erase(found->second, place) > 0;
}

void Assembler::give_rest() {
    set_width(1);
    for (const auto& [stretch, places] : zeros_) {
        storage_.unpin_all();
        store_zeros(places, take_register());
    }
    for (const auto& [x, places] : outputs_) {
        const Op op = node(x).op;
        if (num_operands(op) > 0 && op != Op::kSin && op != Op::kCos) continue;
        storage_.unpin_all();
        const int r = in_register(x);
        for (const Place& place : places) code_->store(place, r, 1);
    }
}

// --- Zeros of matrices, of which there are many, side by side ---

// First, while there is nothing else to store; but where results are larger than the nearest cache, some with the first number
// beside them, so that memory passes through that cache once.
namespace {
constexpr int kMostZerosFirst = 1 << 13;  // bytes of results
constexpr int kZerosTogether = 1 << 8;    // bytes of results

std::pair<int, int> stretch_of(const Place& place) {
    return {place.group, place.offset / kZerosTogether};
}
}  // namespace

void Assembler::give_zeros() {
    if (!unit_.has_limbs_in_lanes()) return;
    const auto zero = std::find_if(outputs_.begin(), outputs_.end(), [this](const auto& output) {
        return node(output.first).op == Op::kConstant && node(output.first).constant == 0;
    });
    if (zero == outputs_.end()) return;
    std::sort(zero->second.begin(), zero->second.end());
    for (const Place& place : zero->second) zeros_[stretch_of(place)].push_back(place);
    outputs_.erase(zero);
    if (static_cast<int>(program_.outputs.size()) * unit_.pack_bytes() > kMostZerosFirst) return;
    for (const auto& [stretch, places] : zeros_) store_zeros(places, 0);
    zeros_.clear();
}

void Assembler::give_zeros_beside(Value x) {
    const auto found = zeros_.empty() ? outputs_.end() : outputs_.find(x);
    if (found == outputs_.end()) return;
    for (const Place& place : found->second) {
        const auto zeros = zeros_.find(stretch_of(place));
        if (zeros == zeros_.end()) continue;
        store_zeros(zeros->second, take_register());
        zeros_.erase(zeros);
    }
}

void Assembler::store_zeros(const std::vector<Place>& places, int r) {
    code_->clear(r);
    for (std::size_t k = 0; k < places.size();) {
        std::size_t n = 1;
        const std::size_t most = unit_.is_wide ? 8 : 4;
        while (n < most && k + n < places.size() &&
               places[k + n].offset == places[k].offset + 8 * static_cast<int>(n)) {
            ++n;
        }
        const int width = n == 8 ? 8 : n >= 4 ? 4 : n >= 2 ? 2 : 1;
        code_->store(places[k], r, width);
        k += static_cast<std::size_t>(width);
    }
}

}  // namespace plucker::compiler
