// The door of batches: every argument of a call is checked here, once (docs/contract.md).
#pragma once

#include "overlap.hpp"
#include "plucker/algorithms/batch_operands.hpp"
#include "plucker/algorithms/door.hpp"

namespace plucker::batch {

template <class T>
class OperandsCheck {
public:
    OperandsCheck(const Algorithm& row, const Model& model, const BatchOperands<T>& x)
        : row_(row), model_(model), x_(x) {
        plucker::detail::require_floating_base(row, model);
        constexpr Argument kStates[] = {table::q, table::v, table::a};
        int vectors = 0;
        for (int k = 0; k < row.num_states(); ++k) check_input(kStates[k], vectors++);
        for (const Argument& argument : row.inputs) {
            if (is_option(argument.kind)) {
                check_option(argument.kind);
            } else {
                check_input(argument, vectors++);
            }
        }
        if (row.needs_mass) plucker::detail::require_subtree(row, model, x.root);
        for (int k = 0; k < row.outputs.size(); ++k) check_output(row.outputs[k], x.outputs[k]);
        check_memory();
        if (!x.status.empty()) count_of("status", static_cast<long>(x.status.size()));
    }

    long count() const { return count_; }

private:
    const Algorithm& row_;
    const Model& model_;
    const BatchOperands<T>& x_;
    long count_ = 0;
    const char* counted_ = nullptr;  // the argument that fixed the number of states
    std::array<const char*, kMostInputs> input_names_{};

    void count_of(const char* name, long n) {
        if (counted_ == nullptr) {
            count_ = n;
            counted_ = name;
        } else if (n != count_) {
            throw Error::because(row_.name, ": ", name, " has ", n, " states, but ", counted_,
                                 " has ", count_);
        }
    }
    void check_extent(const Argument& argument, long rows, long columns) {
        const Extent extent = extent_of(argument.kind, model_);
        const long expected = extent.columns == kAnyColumns ? 1 : extent.columns;
        if (rows == extent.rows && columns == expected) return;
        throw plucker::detail::wrong_operand(row_.name, argument, model_, rows, columns);
    }
    void check_input(const Argument& argument, int k) {
        const States<const T>& x = x_.inputs[static_cast<std::size_t>(k)];
        input_names_[static_cast<std::size_t>(k)] = argument.name;
        count_of(argument.name, x.count);
        check_extent(argument, x.size, 1);
    }
    void check_output(const Argument& argument, const Matrices<T>& x) {
        count_of(argument.name, x.count);
        check_extent(argument, x.rows, x.columns);
    }

    void check_option(Kind kind) {
        if (kind == Kind::kForces) check_forces();
        if (kind == Kind::kFrame) check_frame(x_.frame);
        if (kind == Kind::kGiven) plucker::detail::require_given(row_, model_, x_.given);
    }
    void check_forces() {
        if (x_.external == nullptr || x_.external->places.empty()) return;
        count_of("forces", x_.external->forces.count);
        check_size(row_.name, "forces", x_.external->forces.size,
                   6 * static_cast<long>(x_.external->places.size()), "6 for each place");
        for (const auto& place : x_.external->places) check_frame(place.frame);
    }
    void check_frame(FrameId frame) { plucker::detail::require_frame(row_, model_, frame); }

    // An output may be the very same array as an input; any other sharing would be read after it was written.
    void check_memory() const {
        constexpr auto kSize = static_cast<long>(sizeof(T));
        for (int o = 0; o < x_.num_outputs; ++o) {
            const Lattice out(x_.outputs[static_cast<std::size_t>(o)]);
            const char* name = row_.outputs[o].name;
            for (int i = 0; i < x_.num_inputs; ++i) {
                const Lattice in(x_.inputs[static_cast<std::size_t>(i)]);
                if (!are_the_same(in, out) && share_memory(in, out, kSize)) {
                    throw Error::because(row_.name, ": the output ", name,
                                         " shares memory with the input ",
                                         input_names_[static_cast<std::size_t>(i)],
                                         "; give it its own, or the very same array");
                }
            }
            if (row_.inputs.has(Kind::kForces) && x_.external != nullptr &&
                share_memory(Lattice(x_.external->forces), out, kSize)) {
                throw Error::because(row_.name, ": the output ", name,
                                     " shares memory with the external forces; give it its own");
            }
            for (int other = 0; other < o; ++other) {
                if (share_memory(Lattice(x_.outputs[static_cast<std::size_t>(other)]), out,
                                 kSize)) {
                    throw plucker::detail::shared_output(row_.name, row_.outputs[other].name, name);
                }
            }
            if (overlaps_itself(out)) {
                throw Error::because(row_.name, ": by its strides the output ", name,
                                     " has two of its numbers in one place; give each its own");
            }
        }
    }
};

}  // namespace plucker::batch
