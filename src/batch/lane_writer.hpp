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

    // A result from its factors. `rows` has room for it, where not all lanes are used, or neither its rows nor its columns stand
    // side by side.
    void multiply(const S* factors, const ProductsOfFactors& products, int k, S* rows,
                  const Lanes& lanes, const Matrices<T>& to) {
        constexpr long kBytes = sizeof(T);
        const auto by_rows = products.by_rows[static_cast<std::size_t>(k)];
        const auto by_columns = products.by_columns[static_cast<std::size_t>(k)];
        T* const first = to.data + lanes.first * to.state_stride;
        S sum;
        if (lanes.used == kLanes && to.column_stride == 1) {
            by_rows(factors, first, kBytes * to.state_stride, kBytes * to.row_stride, &sum);
        } else if (lanes.used == kLanes && to.row_stride == 1) {
            by_columns(factors, first, kBytes * to.state_stride, kBytes * to.column_stride, &sum);
        } else {
            const long size = to.rows * to.columns;
            by_rows(factors, rows, kBytes * size, kBytes * to.columns, &sum);
            const T* from = reinterpret_cast<const T*>(rows);
            for (int lane = 0; lane < lanes.used; ++lane) {
                for_numbers(to, lanes.first + lane, [&](T& x) { x = *from++; });
            }
        }
        // Only of states with large numbers, or some that are not finite, is the sum not finite.
        const auto look = sum * S(0) != S(0);
        if (!any(look)) return;
        for (int lane = 0; lane < lanes.used; ++lane) {
            if (!look[lane]) continue;
            T check(0);
            for_numbers(to, lanes.first + lane, [&](const T& x) { check += x * T(0); });
            result_check_.set(lane, result_check_[lane] + check);
        }
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
        for_numbers(to, state, [](T& x) { x = std::numeric_limits<T>::quiet_NaN(); });
    }
    // Calls f with each of a state's numbers, row by row.
    template <class F>
    static void for_numbers(const Matrices<T>& to, long state, const F& f) {
        for (long r = 0; r < to.rows; ++r) {
            for (long c = 0; c < to.columns; ++c)
                f(to.data[state * to.state_stride + r * to.row_stride + c * to.column_stride]);
        }
    }
};

}  // namespace plucker::batch
