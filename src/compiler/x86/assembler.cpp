#include "assembler.hpp"

#include <algorithm>

#include "plucker/scalar/scalar.hpp"

namespace plucker::compiler {
namespace {

bool computes_four_numbers_at_once(const Program& program) {
    return std::any_of(program.nodes.begin(), program.nodes.end(),
                       [](const Node& n) { return n.lanes == 4; });
}

std::size_t num_outputs(const Program& program, const BesideProgram& beside) {
    const std::size_t results =
        beside.function != nullptr ? beside.num_results : program.output_groups.size();
    return results + (program.singular >= 0 ? 1 : 0);
}

constexpr int kLine = 64;  // bytes

}  // namespace

Assembler::Assembler(const Program& program, const VectorUnit& unit, const BesideProgram& beside)
    : program_(program),
      beside_(beside),
      plan_(schedule(program)),
      unit_(unit),
      constants_(unit),
      storage_(program, plan_, unit, constants_),
      code_(
          make_instructions(unit, program.input_groups.size(), num_outputs(program, beside),
                            !unit.has_limbs_in_lanes() || computes_four_numbers_at_once(program))) {
    if (beside.function != nullptr) {
        const int bytes = static_cast<int>(program.outputs.size()) * unit.pack_bytes();
        factors_ = storage_.reserve((bytes + kLine - 1) / kLine * kLine);
    }
    for (const int bytes : beside.written_later) lines_ += (bytes + kLine - 1) / kLine;
    find_outputs();
    find_halves();
}

void Assembler::generate(const void* sin_cos) {
    code_->begin();
    give_zeros();
    for (int k = 0; k < instructions(); ++k) {
        storage_.go_to_step(k);
        const Scheduled& s = plan_.steps[static_cast<std::size_t>(k)];
        if (s.step == Step::kSinesAndCosines) {
            compute_sines(plan_.rounds[static_cast<std::size_t>(s.round)], sin_cos);
        } else {
            compute(s);
        }
        ask_for_memory(k);
    }
    storage_.go_to_step(instructions());
    give_rest();
    if (beside_.function != nullptr)
        code_->call_at_end(beside_.function, beside_.argument, factors_);
    code_->end(stack());
}

// --- Steps ---

void Assembler::compute(const Scheduled& s) {
    storage_.unpin_all();
    set_width(node(s.node).lanes);
    for (int k = 0; k < s.num_operands; ++k) {  // what stands in registers stays there
        const Value x = s.operands[static_cast<std::size_t>(k)];
        if (storage_.is_in_register(x)) storage_.pin(storage_.reg_of(x));
    }
    give_zeros_beside(s.node);
    if (is_lane_to_give(s.node)) {
        give_lane(s);
        storage_.bury(s.operands[0]);
        return;
    }
    const int to = s.step == Step::kOperation ? compute_operation(s) : compute_fused(s);
    for (int k = 0; k < s.num_operands; ++k) {
        const Value x = s.operands[static_cast<std::size_t>(k)];
        if (storage_.reg_of(x) == to) storage_.release(to);  // it was written over
        storage_.bury(x);
    }
    storage_.settle(to, s.node);
    give(s.node, to);
    if (storage_.is_used_up(s.node)) storage_.release(to);
}

// Some lines a step, in the order in which they will be written: memory answers while the program computes.
void Assembler::ask_for_memory(int step) {
    const auto due = static_cast<int>(static_cast<long>(lines_) * (step + 1) / instructions());
    for (; asked_ < due; ++asked_) {
        int line = asked_;
        std::size_t k = 0;
        for (;; ++k) {
            const int lines = (beside_.written_later[k] + kLine - 1) / kLine;
            if (line < lines) break;
            line -= lines;
        }
        code_->ask_for(2 + k, line * kLine);
    }
}

void Assembler::set_width(int width) {
    width_ = width;
    code_->set_width(width);
}

bool Assembler::is_mask(Value x) const {
    while (is_half(node(x).op)) x = node(x).operands[0];
    return compiler::is_mask(node(x).op);
}

// All angles of a round by one call. Its results stay where it leaves them.
void Assembler::compute_sines(const Round& round, const void* sin_cos) {
    const int n = static_cast<int>(round.angles.size());
    const int pack = unit_.pack_bytes();
    // Results of single numbers come in blocks: room for the last.
    const int rounded =
        unit_.has_limbs_in_lanes() ? (n + kAngleBlock - 1) / kAngleBlock * kAngleBlock : n;
    const Place results = storage_.reserve(2 * rounded * pack);
    // Inputs one after another are read where they are.
    Place angles = storage_.place_of(round.angles.front());
    if (!storage_.are_inputs_in_a_row(round.angles)) {
        angles = storage_.reserve(rounded * pack);
        collect_angles(round, angles);
    }
    for (int r = 0; r < unit_.num_registers(); ++r) spill(r);
    code_->call_sin_cos(sin_cos, angles, n, results);
    const auto keep = [&](Value x, int k) {
        if (x >= 0) storage_.set_place(x, {Place::In::kStack, 0, results.offset + k * pack});
    };
    for (int k = 0; k < n; ++k) {
        keep(round.sines[static_cast<std::size_t>(k)], 2 * k);
        keep(round.cosines[static_cast<std::size_t>(k)], 2 * k + 1);
    }
}

void Assembler::collect_angles(const Round& round, const Place& angles) {
    const auto place = [&](std::size_t k) {
        Place out = angles;
        out.offset += static_cast<int>(k) * unit_.pack_bytes();
        return out;
    };
    // First those that stand in registers: this is their use, and a register may be taken from them now.
    std::vector<std::size_t> in_memory;
    for (std::size_t k = 0; k < round.angles.size(); ++k) {
        const int r = storage_.reg_of(round.angles[k]);
        if (r >= 0) {
            code_->store(place(k), r, 1);
        } else {
            in_memory.push_back(k);
        }
    }
    for (const std::size_t k : in_memory) {
        storage_.unpin_all();
        code_->store(place(k), in_register(round.angles[k]), 1);
    }
    storage_.unpin_all();
}

// --- Operands ---

int Assembler::take_register() {
    const int r = storage_.cheapest_register();
    spill(r);
    return r;
}

void Assembler::spill(int r) {
    const Place place = storage_.place_to_keep(r);
    if (place.in != Place::In::kNowhere) {
        code_->store(place, r, node(storage_.held_by(r)).lanes);
        ++spills_;
    }
    storage_.release(r);
}

void Assembler::load(int r, Value x) { code_->load(r, storage_.place_of(x), node(x).lanes); }

int Assembler::in_register(Value x) {
    int r = storage_.reg_of(x);
    if (r < 0) {
        r = take_register();
        load(r, x);
        storage_.settle(r, x);
    }
    storage_.pin(r);
    return r;
}

Source Assembler::source(Value x) {
    if (storage_.is_in_register(x) || storage_.is_worth_loading(x)) return {in_register(x), {}};
    return {-1, storage_.place_of(x)};
}

Source Assembler::second_source(Value b, Value a, int reg_of_a) {
    return a == b ? Source{reg_of_a, {}} : source(b);
}

int Assembler::target(std::initializer_list<int> of_operands, const Scheduled& s) {
    for (const int r : of_operands) {
        if (r < 0) continue;
        const Value x = storage_.held_by(r);
        for (int k = 0; k < s.num_operands; ++k) {
            if (s.operands[static_cast<std::size_t>(k)] == x && storage_.dies(x)) return r;
        }
    }
    return take_register();
}

int Assembler::bits_in_register(std::uint64_t wide, std::uint32_t narrow) {
    const int r = take_register();
    code_->load_bits(
        r, {Place::In::kConstants, 0, constants_.add_bits(unit_.is_narrow() ? narrow : wide)});
    storage_.pin(r);
    return r;
}

}  // namespace plucker::compiler
