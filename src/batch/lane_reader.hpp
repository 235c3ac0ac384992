// From the caller's memory to lanes, with a look at every number.
#pragma once

#include <vector>

#include "job.hpp"
#include "lanes.hpp"
#include "transpose.hpp"

namespace plucker::batch {

template <class S>
class LaneReader {
public:
    using T = typename S::Lane;
    static constexpr int kLanes = S::kLanes;

    explicit LaneReader(const Model& model) : model_(model) {}

    // How many numbers of a state a call reads.
    static long size(const Algorithm& row, const BatchOperands<T>& x) {
        long n = 0;
        for (int k = 0; k < x.num_inputs; ++k) n += x.inputs[k].size;
        for (int k = 0; k < x.num_outputs; ++k) {
            if (row.outputs[k].reads != Reads::kNothing) n += x.outputs[k].rows;
        }
        return n + 6 * num_forces(x);
    }
    static long num_forces(const BatchOperands<T>& x) {
        return x.external == nullptr ? 0 : static_cast<long>(x.external->places.size());
    }

    // Reads them, one after another, in the order of a program's inputs (compiler/record.hpp).
    void read(const Algorithm& row, const BatchOperands<T>& x, const Lanes& lanes, S* to) {
        input_check_ = S(0);
        no_attitude_ = S(0) != S(0);
        to = read_vectors(row, x, lanes, to);
        to = read_outputs(row, x, lanes, to);
        read_forces(x, lanes, to);
    }

    // Lanes with a number that is not finite, and with a quaternion that has no direction.
    typename S::Mask bad_input() const { return input_check_ != S(0); }
    typename S::Mask no_attitude() const { return no_attitude_; }

private:
    const Model& model_;
    S input_check_;
    typename S::Mask no_attitude_;

    S* read_vectors(const Algorithm& row, const BatchOperands<T>& x, const Lanes& lanes, S* to) {
        int k = 0;
        for (; k < row.num_states(); ++k) {  // the first is q
            to = read_vector(x.inputs[k], lanes, k == 0, to);
        }
        if (k > 0) return to;  // whoever is given kinematics has no other vectors
        for (const Argument& argument : row.inputs) {
            if (is_option(argument.kind)) continue;
            to = read_vector(x.inputs[k++], lanes, argument.kind == Kind::kConfiguration, to);
        }
        return to;
    }
    S* read_vector(const States<const T>& from, const Lanes& lanes, bool is_configuration, S* to) {
        load(from, lanes, to);
        check_finite(to, from.size);
        if (is_configuration) check_attitudes(to);
        return to + from.size;
    }
    // Entries of outputs that an algorithm writes rather than reads may hold anything.
    S* read_outputs(const Algorithm& row, const BatchOperands<T>& x, const Lanes& lanes, S* to) {
        for (int k = 0; k < x.num_outputs; ++k) {
            const Argument& argument = row.outputs[k];
            if (argument.reads == Reads::kNothing) continue;
            const Matrices<T>& from = x.outputs[k];
            load({from.data, from.count, from.rows, from.state_stride, from.row_stride}, lanes, to);
            check_what_is_read(argument, x.given, to, from.rows);
            if (argument.kind == Kind::kConfiguration) check_attitudes(to);
            to += from.rows;
        }
        return to;
    }
    void read_forces(const BatchOperands<T>& x, const Lanes& lanes, S* to) {
        const long n = 6 * num_forces(x);
        if (n == 0) return;
        States<const T> from = x.external->forces;
        from.size = n;
        load(from, lanes, to);
        check_finite(to, n);
    }

    void check_what_is_read(const Argument& argument, std::span<const Given> given, S* x,
                            long size) {
        if (argument.reads == Reads::kAll) check_finite(x, size);
        if (argument.reads == Reads::kJoints) check_finite(x + 6, size - 6);
        if (argument.reads != Reads::kGiven) return;
        const Given read =
            argument.kind == Kind::kAcceleration ? Given::kAcceleration : Given::kTorque;
        for (int i = 1; i <= model_.num_bodies(); ++i) {
            const auto& body = model_.body(i);
            if (!body.mimic && given[static_cast<std::size_t>(i)] == read)
                check_finite(x + body.v_index, body.nv);
        }
    }
    void check_attitudes(const S* q) {
        for (const int i : model_.bodies_with_quaternion()) {
            const auto& body = model_.body(i);
            no_attitude_ =
                no_attitude_ | !plucker::detail::has_direction(q + body.q_index + body.nq - 4);
        }
    }
    void check_finite(const S* x, long size) {
        FiniteCheck<S> finite;
        long k = 0;
        for (; k + 4 <= size; k += 4) {
            for (int i = 0; i < 4; ++i) finite.add(i, x[k + i]);
        }
        for (; k < size; ++k) finite.add(0, x[k]);
        input_check_ += finite.total();
    }

    static constexpr int kChunk = 16 / static_cast<int>(sizeof(T));

    [[gnu::noinline]] static void load(const States<const T>& from, const Lanes& lanes, S* to) {
        const long size = from.size;
        if (from.entry_stride == 1 && lanes.used == kLanes && size >= kChunk) {
            long e = 0;
            for (; e + kChunk <= size; e += kChunk) load_block(from, lanes, e, to + e);
            // The rest of each row, with some of what is already there.
            if (e < size) load_block(from, lanes, size - kChunk, to + size - kChunk);
            return;
        }
        for (long k = 0; k < size; ++k) {
            S pack;
            for (int lane = 0; lane < kLanes; ++lane) {
                pack.set(lane,
                         from.data[lanes.state(lane) * from.state_stride + k * from.entry_stride]);
            }
            to[k] = pack;
        }
    }
    // Entries [e, e + kChunk) of all lanes: sixteen bytes of a row at a time, which are put together as they are read.
    static void load_block(const States<const T>& from, const Lanes& lanes, long e, S* to) {
        const T* first = from.data + lanes.first * from.state_stride + e;
        std::array<S, kChunk> rows;
        for (int i = 0; i < kChunk; ++i) {
            rows[i] = S(load_chunks<S, kLanes / kChunk>(first + i * from.state_stride,
                                                        kChunk * from.state_stride));
        }
        transpose(rows);
        for (int i = 0; i < kChunk; ++i) to[i] = rows[i];
    }
};

}  // namespace plucker::batch
