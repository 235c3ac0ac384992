// Evaluates a range of states, a pack at a time: reads lanes, computes, writes lanes. What computes is machine code made for
// the robot or, where there is none, the algorithm's kernel.
//
// This file is compiled once for each instruction set, in files that differ in their compiler flags only. What it
// instantiates must be templates on the pack's type (see ../scalar/isa_code.hpp).
#pragma once

#include "../scalar/isa_code.hpp"
#include "lane_reader.hpp"
#include "lane_writer.hpp"

namespace plucker::batch {

// Where machine code takes their place, kernels are compiled for small code. Where they are all there is, each is compiled
// with everything that it calls inside: a pack that is handed over goes through memory.
#ifdef PLUCKER_WITH_ASSEMBLER
#define PLUCKER_KERNEL_OF_PACKS gnu::noinline
#else
#define PLUCKER_KERNEL_OF_PACKS gnu::flatten, gnu::noinline
#endif
template <class Row, class S>
[[PLUCKER_KERNEL_OF_PACKS]] void run_hot(Workspace<S>& ws, Operands<S>& x) {
    Row::run(ws, x);
}
template <class Row, class S>
constexpr Kernel<S> lane_kernel() {
    if constexpr (Row::kAlgorithm.is_hot) return run_hot<Row, S>;
    return Row::template run<S>;
}
template <class S, class... Rows>
constexpr std::array<Kernel<S>, sizeof...(Rows)> lane_kernels(table::List<Rows...>) {
    return {lane_kernel<Rows, S>()...};
}

template <class S>
class LaneWorker {
public:
    using T = typename S::Lane;
    static constexpr int kLanes = S::kLanes;

    explicit LaneWorker(const Model& model) : ws_(model), external_(model), reader_(ws_.model()) {}

    void prepare(const Job<T>& job) {
        reserve(in_, LaneReader<S>::size(row_of(job), job.x));
        reserve(out_, job.plan.num_results + 1);  // and a pack for what is singular
        external_.reserve(static_cast<std::size_t>(LaneReader<S>::num_forces(job.x)));
        if (job.plan.products.by_rows[0] != nullptr)
            reserve(rows_, job.x.outputs[0].rows * job.x.outputs[0].columns);
    }

    long run(const Job<T>& job, long begin, long end) noexcept {
        long flagged = 0;
        for (long first = begin; first < end; first += kLanes) {
            const Lanes lanes{first, std::min<long>(kLanes, end - first)};
            reader_.read(row_of(job), job.x, lanes, in_.data());
            writer_.begin();
            const auto singular =
                job.plan.entry != nullptr ? run_code(job, lanes) : run_kernel(job, lanes);
            flagged += writer_.report(job.x, lanes,
                                      {reader_.bad_input(), reader_.no_attitude(), singular});
        }
        return flagged;
    }

private:
    Workspace<S> ws_;
    plucker::ExternalForces<S> external_;
    LaneReader<S> reader_;
    LaneWriter<S> writer_;
    std::vector<S> in_;
    std::vector<S> out_;
    std::vector<S>
        rows_;  // a result of all lanes, one state after another, where it is not computed in its place

    static const Algorithm& row_of(const Job<T>& job) {
        return algorithms()[static_cast<std::size_t>(job.row)];
    }
    static void reserve(std::vector<S>& scratch, long size) {
        if (static_cast<long>(scratch.size()) < size)
            scratch.resize(static_cast<std::size_t>(size));
    }

    // --- By machine code. Both return the lanes whose mass matrix is singular, where that matters. ---

    typename S::Mask run_code(const Job<T>& job, const Lanes& lanes) {
        const void* const inputs[] = {in_.data()};
        S& singular = out_[static_cast<std::size_t>(job.plan.num_results)];
        std::array<void*, 2 + kMostOutputs> outputs{out_.data(), &singular};
        for (int k = 0; k < job.x.num_outputs; ++k)
            outputs[static_cast<std::size_t>(2 + k)] = written_later(job.x.outputs[k], lanes);
        singular = S(0);
        job.plan.entry(inputs, outputs.data());
        if (job.plan.products.by_rows[0] != nullptr) {
            for (int k = 0; k < job.x.num_outputs; ++k)
                writer_.multiply(out_.data(), job.plan.products, k, rows_.data(), lanes,
                                 job.x.outputs[k]);
        } else {
            write(job, lanes);
        }
        return singular != S(0);
    }
    // What the code asks for: results of all lanes, where they stand one after another; else what is in a cache anyway.
    void* written_later(const Matrices<T>& to, const Lanes& lanes) {
        const bool is_dense = to.state_stride == to.rows * to.columns && lanes.used == kLanes;
        return is_dense ? static_cast<void*>(to.data + lanes.first * to.state_stride)
                        : static_cast<void*>(out_.data());
    }
    void write(const Job<T>& job, const Lanes& lanes) {
        for (int k = 0; k < job.x.num_outputs; ++k)
            writer_.write(out_.data(), job.plan.places[k], lanes, job.x.outputs[k]);
    }

    // --- By the kernel ---

    typename S::Mask run_kernel(const Job<T>& job, const Lanes& lanes) {
        static constexpr auto kKernels = lane_kernels<S>(table::All{});
        const Algorithm& row = row_of(job);
        Operands<S> x;
        x.frame = job.x.frame;
        x.reference = job.x.reference;
        x.root = job.x.root;
        x.given = job.x.given;
        arrange(row, job.x, x);
        ws_.coordinates.pivots = {};
        fill_kinematics(row.kinematics, job.x);
        const Kernel<S> kernel = kKernels[job.row];
        if (comes_in_blocks(row.outputs[0].kind)) {
            run_in_blocks(kernel, job, lanes, x);
        } else {
            kernel(ws_, x);
            write(job, lanes);
        }
        return ws_.coordinates.pivots.singular;
    }
    // Gives each argument its part of what was read, and its memory.
    void arrange(const Algorithm& row, const BatchOperands<T>& from, Operands<S>& x) {
        const S* read = in_.data();
        for (int k = 0; k < from.num_inputs; ++k) {
            const long size = from.inputs[k].size;
            x.inputs[k] = {read, size, 1, size};
            read += size;
        }
        S* out = out_.data();
        for (int k = 0; k < from.num_outputs; ++k) {
            const Matrices<T>& to = from.outputs[k];
            x.outputs[k] = {out, to.rows, to.columns, to.rows};
            if (row.outputs[k].reads != Reads::kNothing) {
                std::copy_n(read, to.rows, out);
                read += to.rows;
            }
            out += to.rows * to.columns;
        }
        if (LaneReader<S>::num_forces(from) == 0) return;
        external_.clear();
        for (const ForcePlace& place : from.external->places) {
            external_.add(place.frame, {{read[0], read[1], read[2]}, {read[3], read[4], read[5]}},
                          place.expressed_in);
            read += 6;
        }
        x.external = &external_;
    }
    // Of the kinematics each level once, compiled for all algorithms that read them.
    [[gnu::noinline]] void fill_positions(const S* q) {
        kernel::position_kinematics(ws_, ws_.kinematics, q);
    }
    [[gnu::noinline]] void fill_velocities(const S* v) {
        kernel::velocity_kinematics(ws_, ws_.kinematics, v);
    }
    void fill_kinematics(Kinematics level, const BatchOperands<T>& x) {
        if (level == Kinematics::kNone) return;
        const S* q = in_.data();
        fill_positions(q);
        if (level == Kinematics::kPosition) return;
        const S* v = q + x.inputs[0].size;
        fill_velocities(v);
        if (level == Kinematics::kVelocity) return;
        kernel::acceleration_kinematics(ws_, ws_.kinematics, v, v + x.inputs[1].size);
    }
    // Results that are too large for scratch memory: one nv × nv block of each after another.
    void run_in_blocks(Kernel<S> kernel, const Job<T>& job, const Lanes& lanes, Operands<S>& x) {
        struct Taker {
            LaneWorker& worker;
            const Job<T>& job;
            const Lanes& lanes;
            std::array<Matrices<T>, kMostOutputs> blocks;
        } taker{*this, job, lanes, job.x.outputs};
        S* out = out_.data();
        for (int k = 0; k < job.x.num_outputs; ++k) {
            Matrices<T>& block = taker.blocks[static_cast<std::size_t>(k)];
            block.columns = block.rows;
            x.outputs[static_cast<std::size_t>(k)].data = out;
            out += block.rows * block.columns;
        }
        x.taker = &taker;
        x.take_block = [](void* context, int) {
            Taker& to = *static_cast<Taker*>(context);
            for (int k = 0; k < to.job.x.num_outputs; ++k) {
                Matrices<T>& block = to.blocks[static_cast<std::size_t>(k)];
                to.worker.writer_.write(to.worker.out_.data(), to.job.plan.places[k], to.lanes,
                                        block);
                block.data += block.rows * block.column_stride;
            }
        };
        kernel(ws_, x);
    }
};

template <class S>
Worker<typename S::Lane> make_worker(const Model& model) {
    using T = typename S::Lane;
    return {
        new LaneWorker<S>(model),
        [](void* state, const Job<T>& job) { static_cast<LaneWorker<S>*>(state)->prepare(job); },
        [](void* state, const Job<T>& job, long begin, long end) noexcept {
            return static_cast<LaneWorker<S>*>(state)->run(job, begin, end);
        },
        [](void* state) { delete static_cast<LaneWorker<S>*>(state); }};
}

template <class ThisIsa>
constexpr IsaCode code_of_this_file() {
    return {make_worker<plucker::detail::RegisterOf<double, ThisIsa>>,
            make_worker<plucker::detail::RegisterOf<float, ThisIsa>>};
}

}  // namespace plucker::batch
