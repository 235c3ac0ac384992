// Evaluates a range of states, a pack at a time: loads lanes, calls the kernel, stores lanes.
//
// This file is compiled once for each instruction set, in files that differ in their compiler flags only. What it
// instantiates must be templates on the pack's type (see ../scalar/isa_code.hpp).
#pragma once

#include <algorithm>
#include <limits>

#include "../scalar/isa_code.hpp"
#include "job.hpp"
#include "transpose.hpp"

namespace plucker::batch {

// Calls a kernel with everything that it calls compiled into it: a pack that is handed over goes through memory.
template <class Row, class S>
[[gnu::flatten, gnu::noinline]] void run_inlined(Workspace<S>& ws, Operands<S>& x) {
    Row::run(ws, x);
}
template <class Row, class S>
constexpr Kernel<S> lane_kernel() {
    if constexpr (Row::kAlgorithm.is_hot) return run_inlined<Row, S>;
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

    explicit LaneWorker(const Model& model) : ws_(model), external_(model) {
        const long nv = model.nv();
        const long bodies = model.num_bodies();
        for (auto& in : in_) in.resize(static_cast<std::size_t>(std::max(model.nq(), 6)));
        reserve(0, std::max({nv, 12 * bodies, 6 * (bodies + 1), 6 * nv, long{model.nq()}, 12L}));
        reserve(1, 6 * nv);
        reserve(2, 6 * nv);
        if (nv <= kMatricesFromTheStart) {
            reserve(0, nv * nv);
            reserve(1, nv * nv);
        }
        for (std::size_t k = 0; k < out_.size(); ++k) places_[k].index.reserve(out_[k].size());
    }

    void prepare(const Job<T>& job) {
        const Algorithm& row = algorithms()[static_cast<std::size_t>(job.row)];
        for (int k = 0; k < job.x.num_outputs; ++k) {
            const bool in_blocks = row.outputs[k].kind == Kind::kChristoffelSymbols;
            const Matrices<T>& out = job.x.outputs[k];
            const long size = out.rows * (in_blocks ? out.rows : out.columns);
            reserve(k, size);
            places_[k].index.reserve(static_cast<std::size_t>(size));
        }
        if (job.x.external != nullptr) external_.reserve(job.x.external->places.size());
    }

    long run(const Job<T>& job, long begin, long end) noexcept {
        long flagged = 0;
        for (long first = begin; first < end; first += kLanes) {
            flagged += run_pack(job, {first, std::min<long>(kLanes, end - first), end});
        }
        return flagged;
    }

private:
    // Beyond this many coordinates scratch memory for nv × nv packs is made when it is first needed.
    static constexpr long kMatricesFromTheStart = 256;

    // How a result stands in scratch memory.
    enum class Layout {
        kColumns,    // column by column
        kSymmetric,  // the same, and row by row as well
        kRows,       // row by row
        kTree,   // above the diagonal, without the zeros of the tree: see kernel::upper_mass_matrix
        kPoses,  // a row of the result after the other: R column by column, then p
    };
    // Where the entries of a result, row by row, stand in scratch memory.
    struct Places {
        long rows = 0, columns = 0;
        Layout layout = Layout::kColumns;
        std::vector<int> index;
    };

    Workspace<S> ws_;
    plucker::ExternalForces<S> external_;
    std::array<std::vector<S>, BatchOperands<T>::kMostInputs> in_;
    std::array<std::vector<S>, BatchOperands<T>::kMostOutputs> out_;
    std::array<Places, BatchOperands<T>::kMostOutputs> places_;
    S input_check_, result_check_;  // zero, or NaN in lanes that met a number that is not finite
    typename S::Mask no_attitude_;  // lanes with a quaternion that has no direction

    // Zero, or NaN in lanes that met a number that is not finite. Several sums, so that none waits for another.
    struct FiniteCheck {
        S sum[4] = {S(0), S(0), S(0), S(0)};
        void add(int k, const S& x) { sum[k % 4] += x * S(0); }
        S total() const { return (sum[0] + sum[1]) + (sum[2] + sum[3]); }
    };

    // The lanes beyond the last state repeat it, so that they compute something harmless.
    struct Lanes {
        long first;
        long used;
        long end;  // of this worker's states; others may be writing those beyond
        long state(int lane) const { return first + std::min<long>(lane, used - 1); }
    };

    // With one place more, for the zero that Layout::kTree reads.
    void reserve(int output, long size) {
        auto& scratch = out_[output];
        if (static_cast<long>(scratch.size()) <= size) {
            scratch.resize(static_cast<std::size_t>(size) + 1);
        }
    }

    long run_pack(const Job<T>& job, const Lanes& lanes) {
        static constexpr auto kKernels = lane_kernels<S>(table::All{});
        const Algorithm& row = algorithms()[static_cast<std::size_t>(job.row)];
        input_check_ = result_check_ = S(0);
        no_attitude_ = S(0) != S(0);
        Operands<S> x;
        load_inputs(row, job.x, lanes, x);
        load_outputs(row, job.x, lanes, x);
        x.external = load_forces(job.x, lanes);
        x.frame = job.x.frame;
        x.reference = job.x.reference;
        x.root = job.x.root;
        x.given = job.x.given;

        ws_.coordinates.pivots = {};
        if (row.kinematics != Kinematics::kNone) fill_kinematics(row.kinematics);
        if (row.outputs[0].kind == Kind::kChristoffelSymbols) {
            run_in_blocks(kKernels[job.row], job.x.outputs[0], lanes, x);
        } else {
            kKernels[job.row](ws_, x);
            for (int k = 0; k < job.x.num_outputs; ++k) {
                store(x.outputs[k].data, lanes, job.x.outputs[k], layout_of(row.outputs[k].kind),
                      places_[k]);
            }
        }
        return report(job.x, lanes);
    }

    void load_inputs(const Algorithm& row, const BatchOperands<T>& from, const Lanes& lanes,
                     Operands<S>& x) {
        // Kinematics stand for q, v, a; whoever reads them has no other vectors.
        int vectors = 0;
        for (int k = 0; k < row.num_states(); ++k) {
            load_vector(from.inputs[k], lanes, k == 0, in_[k]);
        }
        for (const Argument& argument : row.inputs) {
            if (is_option(argument.kind)) continue;
            const int k = vectors++;
            load_vector(from.inputs[k], lanes, argument.kind == Kind::kConfiguration, in_[k]);
            x.inputs[k] = {in_[k].data(), from.inputs[k].size, 1, from.inputs[k].size};
        }
    }
    // Scratch memory for the results and, where they are read, what stands there. Entries that an algorithm writes
    // rather than reads may hold anything.
    void load_outputs(const Algorithm& row, const BatchOperands<T>& from, const Lanes& lanes,
                      Operands<S>& x) {
        for (int k = 0; k < from.num_outputs; ++k) {
            const Matrices<T>& to = from.outputs[k];
            x.outputs[k] = {out_[k].data(), to.rows, to.columns, to.rows};
            const Argument& argument = row.outputs[k];
            if (argument.reads == Reads::kNothing) continue;
            load({to.data, to.count, to.rows, to.state_stride, to.row_stride}, lanes,
                 out_[k].data());
            check_what_is_read(argument, from.given, out_[k].data(), to.rows);
            if (argument.kind == Kind::kConfiguration) check_attitudes(out_[k].data());
        }
    }
    void check_what_is_read(const Argument& argument, std::span<const Given> given, const S* x,
                            long size) {
        if (argument.reads == Reads::kAll) check_finite(x, size);
        if (argument.reads == Reads::kJoints) check_finite(x + 6, size - 6);
        if (argument.reads != Reads::kGiven) return;
        const Given read =
            argument.kind == Kind::kAcceleration ? Given::kAcceleration : Given::kTorque;
        for (int i = 1; i <= ws_.num_bodies(); ++i) {
            const auto& body = ws_.body(i);
            if (!body.mimic && given[static_cast<std::size_t>(i)] == read)
                check_finite(x + body.v_index, body.nv);
        }
    }
    void load_vector(const States<const T>& from, const Lanes& lanes, bool is_configuration,
                     std::vector<S>& to) {
        load(from, lanes, to.data());
        check_finite(to.data(), from.size);
        if (is_configuration) check_attitudes(to.data());
    }
    void check_attitudes(const S* q) {
        for (const int i : ws_.model().bodies_with_quaternion()) {
            const auto& body = ws_.body(i);
            no_attitude_ =
                no_attitude_ | !plucker::detail::has_direction(q + body.q_index + body.nq - 4);
        }
    }

    const plucker::ExternalForces<S>* load_forces(const BatchOperands<T>& from,
                                                  const Lanes& lanes) {
        if (from.external == nullptr || from.external->places.empty()) return nullptr;
        external_.clear();
        S six[6];
        States<const T> at = from.external->forces;
        at.size = 6;
        for (const auto& place : from.external->places) {
            load(at, lanes, six);
            check_finite(six, 6);
            external_.add(place.frame, {{six[0], six[1], six[2]}, {six[3], six[4], six[5]}},
                          place.expressed_in);
            at.data += 6 * at.entry_stride;
        }
        return &external_;
    }

    // Of the kinematics each level once, compiled for all algorithms that read them.
    [[gnu::flatten, gnu::noinline]] void fill_positions() {
        kernel::position_kinematics(ws_, ws_.kinematics, in_[0].data());
    }
    [[gnu::flatten, gnu::noinline]] void fill_velocities() {
        kernel::velocity_kinematics(ws_, ws_.kinematics, in_[1].data());
    }
    void fill_kinematics(Kinematics level) {
        fill_positions();
        if (level >= Kinematics::kVelocity) fill_velocities();
        if (level >= Kinematics::kAcceleration) {
            kernel::acceleration_kinematics(ws_, ws_.kinematics, in_[1].data(), in_[2].data());
        }
    }

    // A result that is too large for scratch memory: one nv × nv block after another.
    void run_in_blocks(Kernel<S> kernel, const Matrices<T>& to, const Lanes& lanes,
                       Operands<S>& x) {
        struct Taker {
            LaneWorker& worker;
            const Lanes& lanes;
            Matrices<T> block;
        } taker{*this, lanes, to};
        taker.block.columns = to.rows;
        x.taker = &taker;
        x.take_block = [](void* context, int) {
            auto& [worker, at, block] = *static_cast<Taker*>(context);
            worker.store(worker.out_[0].data(), at, block, Layout::kColumns, worker.places_[0]);
            block.data += block.rows * block.column_stride;
        };
        kernel(ws_, x);
    }

    // --- Memory to lanes ---

    void load(const States<const T>& from, const Lanes& lanes, S* to) {
        const long size = from.size;
        long k = 0;
        if (from.entry_stride == 1 && lanes.used == kLanes) {
            for (; k + kLanes <= size; k += kLanes) load_block(from, lanes, k, to + k, kLanes);
            const bool last = lanes.first + kLanes >= lanes.end;
            if (k < size && size >= kLanes) {
                // The rest of each row, with some of what is already there.
                load_block(from, lanes, size - kLanes, to + size - kLanes, kLanes);
                k = size;
            } else if (k < size && from.state_stride == size && !last && 2 * size >= kLanes) {
                // A short row, with the beginning of the next.
                load_block(from, lanes, 0, to, static_cast<int>(size));
                k = size;
            }
        }
        for (; k < size; ++k) {
            S pack;
            for (int lane = 0; lane < kLanes; ++lane) {
                pack.set(lane,
                         from.data[lanes.state(lane) * from.state_stride + k * from.entry_stride]);
            }
            to[k] = pack;
        }
    }
    void check_finite(const S* x, long size) {
        FiniteCheck finite;
        long k = 0;
        for (; k + 4 <= size; k += 4) {
            for (int i = 0; i < 4; ++i) finite.add(i, x[k + i]);
        }
        for (; k < size; ++k) finite.add(0, x[k]);
        input_check_ += finite.total();
    }

    // Entries [k, k + kept) of all lanes.
    static void load_block(const States<const T>& from, const Lanes& lanes, long k, S* to,
                           int kept) {
        std::array<S, kLanes> rows;
        for (int lane = 0; lane < kLanes; ++lane) {
            rows[lane] = S::load(from.data + (lanes.first + lane) * from.state_stride + k);
        }
        transpose(rows);
        for (int i = 0; i < kept; ++i) to[i] = rows[i];
    }

    // --- Lanes to memory ---

    Layout layout_of(Kind kind) const {
        switch (kind) {
            case Kind::kBodyPoses:
                return Layout::kPoses;
            case Kind::kJointForces:
                return Layout::kRows;
            case Kind::kMassMatrix:
                return ws_.model().has_mimic_joints() ? Layout::kSymmetric : Layout::kTree;
            case Kind::kSymmetricMatrix:
                return Layout::kSymmetric;
            default:
                return Layout::kColumns;
        }
    }

    void store(S* from, const Lanes& lanes, const Matrices<T>& to, Layout layout, Places& places) {
        const long size = to.rows * to.columns;
        const bool by_columns =
            to.row_stride == 1 && (to.columns == 1 || to.column_stride == to.rows);
        const bool by_rows = to.column_stride == 1 && (to.rows == 1 || to.row_stride == to.columns);
        if (layout == Layout::kTree) from[size] = S(0);  // where all zeros are read from
        if ((by_columns && (layout == Layout::kColumns || layout == Layout::kSymmetric)) ||
            (by_rows && (layout == Layout::kRows || layout == Layout::kSymmetric))) {
            store_dense(lanes, to.data, to.state_stride, size, [&](long e) { return from[e]; });
            return;
        }
        const int* place = index_of(places, to.rows, to.columns, layout);
        if (by_rows || (by_columns && layout == Layout::kTree)) {
            store_dense(lanes, to.data, to.state_stride, size,
                        [&](long e) { return from[place[e]]; });
            return;
        }
        for (long r = 0; r < to.rows; ++r) {
            for (long c = 0; c < to.columns; ++c) {
                const S pack = from[*place++];
                result_check_ += pack * S(0);
                for (int lane = 0; lane < lanes.used; ++lane) {
                    to.data[(lanes.first + lane) * to.state_stride + r * to.row_stride +
                            c * to.column_stride] = pack[lane];
                }
            }
        }
    }

    // The places of a result's entries: those of the last call, where nothing has changed.
    const int* index_of(Places& places, long rows, long columns, Layout layout) {
        if (rows == places.rows && columns == places.columns && layout == places.layout) {
            return places.index.data();
        }
        places.rows = rows;
        places.columns = columns;
        places.layout = layout;
        places.index.resize(static_cast<std::size_t>(rows * columns));
        const auto set = [&](long r, long c, long place) {
            places.index[static_cast<std::size_t>(r * columns + c)] = static_cast<int>(place);
        };
        if (layout == Layout::kTree) {
            std::fill(places.index.begin(), places.index.end(), static_cast<int>(rows * rows));
            const auto parent = ws_.model().coordinate_parent();
            for (int k = 0; k < rows; ++k) {
                for (int j = k; j >= 0; j = parent[j]) {
                    set(j, k, j + k * rows);
                    set(k, j, j + k * rows);
                }
            }
            return places.index.data();
        }
        for (long r = 0; r < rows; ++r) {
            for (long c = 0; c < columns; ++c) {
                // Column c of a pose is 4 R's row + R's column.
                set(r, c,
                    layout == Layout::kPoses  ? 12 * r + c / 4 + 3 * (c % 4)
                    : layout == Layout::kRows ? r * columns + c
                                              : r + c * rows);
            }
        }
        return places.index.data();
    }

    // `size` numbers in a row for each state; entry(e) is the pack of the e-th.
    template <class Entry>
    void store_dense(const Lanes& lanes, T* to, long state_stride, long size, const Entry& entry) {
        T* first = to + lanes.first * state_stride;
        FiniteCheck finite;
        if (lanes.used == kLanes && size >= kLanes) {
            for (long e = 0; e + kLanes <= size; e += kLanes) {
                store_block(first + e, state_stride, e, entry, finite);
            }
            // The rest of each row, with some of what is already there.
            if (size % kLanes != 0) {
                store_block(first + size - kLanes, state_stride, size - kLanes, entry, finite);
            }
            result_check_ += finite.total();
            return;
        }
        for (long e = 0; e < size; ++e) {
            const S pack = entry(e);
            result_check_ += pack * S(0);
            for (int lane = 0; lane < lanes.used; ++lane)
                first[lane * state_stride + e] = pack[lane];
        }
    }
    // Entries [e, e + kLanes) of all lanes.
    template <class Entry>
    static void store_block(T* to, long state_stride, long e, const Entry& entry,
                            FiniteCheck& finite) {
        std::array<S, kLanes> rows;
        for (int lane = 0; lane < kLanes; ++lane) {
            __builtin_prefetch(to + lane * state_stride + 3 * kLanes, 1);
        }
        for (int i = 0; i < kLanes; ++i) {
            rows[i] = entry(e + i);
            finite.add(i, rows[i]);
        }
        transpose(rows);
        for (int lane = 0; lane < kLanes; ++lane) rows[lane].store(to + lane * state_stride);
    }

    // --- Status ---

    long report(const BatchOperands<T>& x, const Lanes& lanes) {
        const auto bad_input = input_check_ != S(0);
        const auto bad_result = result_check_ != S(0);
        if (!x.status.empty()) {
            std::fill_n(x.status.data() + lanes.first, lanes.used, Status::kOk);
        }
        if (!any(bad_input | bad_result | no_attitude_ | ws_.coordinates.pivots.singular)) return 0;
        long flagged = 0;
        for (int lane = 0; lane < lanes.used; ++lane) {
            Status status = Status::kOk;
            if (bad_result[lane]) status = Status::kNonFiniteResult;
            if (ws_.coordinates.pivots.singular[lane]) status = Status::kSingularMassMatrix;
            if (no_attitude_[lane]) status = Status::kNoAttitude;
            if (bad_input[lane]) status = Status::kNonFiniteInput;
            if (status == Status::kOk) continue;
            ++flagged;
            if (!x.status.empty()) x.status[static_cast<std::size_t>(lanes.first + lane)] = status;
            for (int k = 0; k < x.num_outputs; ++k) erase(x.outputs[k], lanes.first + lane);
        }
        return flagged;
    }
    static void erase(const Matrices<T>& to, long state) {
        for (long r = 0; r < to.rows; ++r) {
            for (long c = 0; c < to.columns; ++c) {
                to.data[state * to.state_stride + r * to.row_stride + c * to.column_stride] =
                    std::numeric_limits<T>::quiet_NaN();
            }
        }
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
