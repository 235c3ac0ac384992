// From lanes to the caller's memory, with a look at every number; and what a call reports of each state.
#pragma once

#include <limits>

#include "job.hpp"
#include "lanes.hpp"
#include "transpose.hpp"

namespace plucker::batch {

template <class S>
class LaneWriter {
public:
    using T = typename S::Lane;
    static constexpr int kLanes = S::kLanes;

    void begin() { result_check_ = S(0); }

    void write(const S* from, const Places& places, const Lanes& lanes, const Matrices<T>& to) {
        const long size = to.rows * to.columns;
        if (to.row_stride == 1 && (to.columns == 1 || to.column_stride == to.rows)) {
            write_dense(from, places.by_columns, lanes, to, size);
        } else if (to.column_stride == 1 && (to.rows == 1 || to.row_stride == to.columns)) {
            write_dense(from, places.by_rows, lanes, to, size);
        } else {
            write_anywhere(from, places.by_rows, lanes, to);
        }
    }

    static constexpr int kTogether = FactoredResults::lanes_together(kLanes);

    // Factors of the lanes from `first_lane` on: only what is not always zero.
    void write_factors(const S* from, const FactoredResults& factored, int first_lane, T* to) {
        using Some = typename FewerLanes<S, kTogether>::Type;
        FiniteCheck<Some> finite;
        const int* place = factored.places;
        for (int k = 0; k < factored.num_blocks; ++k, place += kTogether) {
            std::array<Some, kTogether> rows;
            for (int i = 0; i < kTogether; ++i) {
                rows[i] = Some::load(reinterpret_cast<const T*>(from + place[i]) + first_lane);
                finite.add(i, rows[i]);
            }
            transpose(rows);
            T* const block = to + factored.blocks[k];
            for (int i = 0; i < kTogether; ++i) rows[i].store(block + i * factored.num_numbers);
        }
        const Some total = finite.total();
        for (int i = 0; i < kTogether; ++i)
            result_check_.set(first_lane + i, result_check_[first_lane + i] + total[i]);
    }
    // One result of one state. `dense` has room for it, where neither its rows nor its columns stand side by side.
    void multiply(const FactoredResults& factored, int k, const T* factors, T* dense,
                  const Lanes& lanes, int lane, const Matrices<T>& to) {
        // Far enough for memory to answer; but the nearest cache must hold it.
        constexpr long kAhead = 4608 / sizeof(T);
        T* const first = to.data + (lanes.first + lane) * to.state_stride;
        const bool is_dense = to.state_stride == to.rows * to.columns;
        const long ahead = is_dense && lanes.first + lane + 1 < to.count ? kAhead : 0;
        const auto& by_rows = factored.by_rows[static_cast<std::size_t>(k)];
        const auto& by_columns = factored.by_columns[static_cast<std::size_t>(k)];
        const auto multiply = factored.multiply<T>();
        T check;
        if (to.column_stride == 1) {
            check = multiply(by_rows, factors, first, to.row_stride, ahead);
        } else if (to.row_stride == 1) {
            check = multiply(by_columns, factors, first, to.column_stride, ahead);
        } else {
            check = multiply(by_rows, factors, dense, to.columns, 0);
            for (long r = 0; r < to.rows; ++r) {
                for (long c = 0; c < to.columns; ++c)
                    first[r * to.row_stride + c * to.column_stride] = dense[r * to.columns + c];
            }
        }
        result_check_.set(lane, result_check_[lane] + check);
    }

    // Writes the status of each state, and NaN over the results of those that have none. How many those are.
    struct Masks {
        typename S::Mask bad_input, no_attitude, singular;
    };
    long report(const BatchOperands<T>& x, const Lanes& lanes, const Masks& masks) {
        const auto bad_result = result_check_ != S(0);
        if (!x.status.empty()) std::fill_n(x.status.data() + lanes.first, lanes.used, Status::kOk);
        if (!any(masks.bad_input | bad_result | masks.no_attitude | masks.singular)) return 0;
        long flagged = 0;
        for (int lane = 0; lane < lanes.used; ++lane) {
            Status status = Status::kOk;
            if (bad_result[lane]) status = Status::kNonFiniteResult;
            if (masks.singular[lane]) status = Status::kSingularMassMatrix;
            if (masks.no_attitude[lane]) status = Status::kNoAttitude;
            if (masks.bad_input[lane]) status = Status::kNonFiniteInput;
            if (status == Status::kOk) continue;
            ++flagged;
            if (!x.status.empty()) x.status[static_cast<std::size_t>(lanes.first + lane)] = status;
            for (int k = 0; k < x.num_outputs; ++k) erase(x.outputs[k], lanes.first + lane);
        }
        return flagged;
    }

private:
    static constexpr int kChunk = 16 / static_cast<int>(sizeof(T));

    S result_check_;

    // Numbers in a row for each state.
    void write_dense(const S* from, const int* place, const Lanes& lanes, const Matrices<T>& to,
                     long size) {
        T* first = to.data + lanes.first * to.state_stride;
        FiniteCheck<S> finite;
        if (lanes.used == kLanes && size >= kChunk && size < 3 * kLanes) {
            write_short_rows(from, place, first, to.state_stride, static_cast<int>(size), finite);
        } else if (lanes.used == kLanes && size >= kLanes) {
            for (long e = 0; e + kLanes <= size; e += kLanes)
                write_block(from, place + e, first + e, to.state_stride, finite);
            // The rest of each row, with some of what is already there.
            if (size % kLanes != 0) {
                const long e = size - kLanes;
                write_block(from, place + e, first + e, to.state_stride, finite);
            }
        } else {
            for (long e = 0; e < size; ++e) {
                const S pack = from[place[e]];
                finite.add(0, pack);
                for (int lane = 0; lane < lanes.used; ++lane)
                    first[lane * to.state_stride + e] = pack[lane];
            }
        }
        result_check_ += finite.total();
    }
    // As many entries of all lanes as there are lanes.
    static void write_block(const S* from, const int* place, T* to, long state_stride,
                            FiniteCheck<S>& finite) {
        std::array<S, kLanes> rows;
        for (int lane = 0; lane < kLanes; ++lane)
            __builtin_prefetch(to + lane * state_stride + 3 * kLanes, 1);
        for (int i = 0; i < kLanes; ++i) {
            rows[i] = from[place[i]];
            finite.add(i, rows[i]);
        }
        transpose(rows);
        for (int lane = 0; lane < kLanes; ++lane) rows[lane].store(to + lane * state_stride);
    }
    // Sixteen bytes of a row at a time, which takes fewer shuffles and more stores; the last, with some of what is already
    // there.
    static void write_short_rows(const S* from, const int* place, T* to, long state_stride,
                                 int size, FiniteCheck<S>& finite) {
        for (int next = 0; next < size; next += kChunk) {
            const int e = std::min(next, size - kChunk);
            std::array<S, kChunk> rows;
            for (int i = 0; i < kChunk; ++i) {
                rows[i] = from[place[e + i]];
                finite.add(i, rows[i]);
            }
            transpose(rows);
            for (int i = 0; i < kChunk; ++i) {
                store_chunks(rows[i], to + i * state_stride + e, kChunk * state_stride,
                             std::make_integer_sequence<int, kLanes / kChunk>{});
            }
        }
    }
    void write_anywhere(const S* from, const int* place, const Lanes& lanes,
                        const Matrices<T>& to) {
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
    static void erase(const Matrices<T>& to, long state) {
        for (long r = 0; r < to.rows; ++r) {
            for (long c = 0; c < to.columns; ++c) {
                to.data[state * to.state_stride + r * to.row_stride + c * to.column_stride] =
                    std::numeric_limits<T>::quiet_NaN();
            }
        }
    }
};

}  // namespace plucker::batch
