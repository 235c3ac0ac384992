#include "storage.hpp"

#include <algorithm>

namespace plucker::compiler {

Storage::Storage(const Program& program, const Schedule& plan, const VectorUnit& unit,
                 ConstantPool& constants)
    : program_(program),
      pack_bytes_(unit.pack_bytes()),
      where_(program.nodes.size()),
      uses_of_(program.nodes.size()),
      registers_(static_cast<std::size_t>(unit.num_registers())) {
    find_uses(plan);
    find_places(constants);
}

void Storage::find_uses(const Schedule& plan) {
    // All steps that use a value stand one after another: counted, then noted.
    const auto for_uses = [&plan](const auto& use) {
        for (int k = 0; k < static_cast<int>(plan.steps.size()); ++k) {
            const Scheduled& s = plan.steps[static_cast<std::size_t>(k)];
            if (s.step == Step::kSinesAndCosines) {
                for (const Value x : plan.rounds[static_cast<std::size_t>(s.round)].angles)
                    use(x, k);
            }
            for (int i = 0; i < s.num_operands; ++i)
                use(s.operands[static_cast<std::size_t>(i)], k);
        }
    };
    for_uses([this](Value x, int) { ++uses_of_[index(x)].end; });
    std::size_t end = 0;
    for (Uses& uses : uses_of_) {
        end += uses.end;
        uses.next = uses.end = end - uses.end;
    }
    uses_.resize(end);
    for_uses([this](Value x, int k) { uses_[uses_of_[index(x)].end++] = k; });
}

void Storage::find_places(ConstantPool& constants) {
    std::vector<Place> inputs;
    for (std::size_t g = 0; g < program_.input_groups.size(); ++g) {
        for (int k = 0; k < program_.input_groups[g].size(); ++k)
            inputs.push_back({Place::In::kInput, static_cast<int>(g), k * pack_bytes_});
    }
    for (std::size_t k = 0; k < program_.nodes.size(); ++k) {
        const Node& n = program_.nodes[k];
        if (n.op == Op::kInput) {
            where_[k].place = inputs[static_cast<std::size_t>(n.constant)];
        } else if (n.op == Op::kConstant) {
            const int offset =
                n.lanes == 1 ? constants.add(n.constant)
                             : constants.add_pack(
                                   program_.packs[index(static_cast<Value>(n.constant))], n.lanes);
            where_[k].place = {Place::In::kConstants, 0, offset};
        }
    }
}

// --- Where values are ---

bool Storage::stand_side_by_side(Value a, Value b) const {
    const Place &one = place_of(a), &other = place_of(b);
    return one.in != Place::In::kNowhere && one.in == other.in && one.group == other.group &&
           one.offset + pack_bytes_ == other.offset;
}

bool Storage::are_inputs_in_a_row(const std::vector<Value>& values) const {
    Place expected = place_of(values.front());
    if (expected.in != Place::In::kInput) return false;
    for (const Value x : values) {
        if (place_of(x) != expected) return false;
        expected.offset += pack_bytes_;
    }
    return true;
}

// --- When they are needed ---

int Storage::next_use(Value x) {
    Uses& uses = uses_of_[index(x)];
    while (uses.next < uses.end && uses_[uses.next] <= step_) ++uses.next;
    return uses.next == uses.end ? kNever : uses_[uses.next];
}

bool Storage::is_worth_loading(Value x) {
    constexpr int kEnough = 3;
    const int next = next_use(x);
    if (next == kNever) return false;
    int free = 0;
    for (Register& r : registers_) {
        if (next_use_of(r) > next && ++free > kEnough) return true;
    }
    return false;
}

// --- Registers ---

void Storage::settle(int r, Value x) {
    Register& to = registers_[static_cast<std::size_t>(r)];
    to.value = x;
    to.next_use = -1;
    where_[index(x)].reg = r;
}

void Storage::release(int r) {
    Value& x = registers_[static_cast<std::size_t>(r)].value;
    if (x < 0) return;
    where_[index(x)].reg = -1;
    x = -1;
}

int Storage::next_use_of(Register& r) {
    if (r.value < 0) return kNever;
    if (r.next_use <= step_) r.next_use = next_use(r.value);
    return r.next_use;
}

int Storage::cheapest_register() {
    int best = -1, furthest = -1;
    for (int r = 0; r < static_cast<int>(registers_.size()); ++r) {
        if (pinned_[static_cast<std::size_t>(r)]) continue;
        const int next = next_use_of(registers_[static_cast<std::size_t>(r)]);
        if (next == kNever) return r;
        if (next > furthest) {
            furthest = next;
            best = r;
        }
    }
    return best;
}

// --- The stack ---

Place Storage::place_to_keep(int r) {
    const Value x = held_by(r);
    if (x < 0 || dies(x) || place_of(x).in != Place::In::kNowhere) return {};
    set_place(x, {Place::In::kStack, 0, new_slot(bytes_of(x))});
    return place_of(x);
}

void Storage::bury(Value x) {
    if (!dies(x)) return;
    if (is_in_register(x)) release(reg_of(x));
    if (place_of(x).in == Place::In::kStack && has_slot(x)) {
        free_slots_[bytes_of(x)].push_back(place_of(x).offset);
        set_place(x, {});
    }
}

Place Storage::reserve(int bytes) {
    const Place out{Place::In::kStack, 0, frame_};
    frame_ += bytes;
    return out;
}

int Storage::new_slot(int bytes) {
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

// Sines and cosines stand in a block of results.
bool Storage::has_slot(Value x) const {
    const Op op = program_.nodes[index(x)].op;
    return op != Op::kSin && op != Op::kCos;
}

}  // namespace plucker::compiler
