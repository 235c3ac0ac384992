// Products of -M⁻¹ with the derivatives of torques: most of the time that the derivatives of forward dynamics take.
//
// The columns are sparse: a torque changes along a coordinate only where one of the two hangs on the other. Many rows and a few columns are
// summed at once, in the processor's vectors, so that the sums stay in registers. Cost: O(n² · depth).
#pragma once

#include <algorithm>
#include <array>
#include <cstring>

#include "plucker/algorithms/operands.hpp"
#include "plucker/model/workspace.hpp"

namespace plucker::kernel {

// Some columns of matrices of derivatives, with entries only between coordinates one of which hangs on the other: in the rows
// [begin, end), and `above` with all that it hangs on.
template <class S, int kColumns>
struct SomeColumns {
    const int* parent;
    int above, begin, end;
    std::array<S*, kColumns> columns;
    S* x;  // these entries, those of a row side by side

    template <class F>
    PLUCKER_ALWAYS_INLINE void for_rows(const F& f) const {
        for (int k = above; k >= 0; k = parent[k]) f(k);
        for (int k = begin; k < end; ++k) f(k);
    }
    // Makes them -M⁻¹ times what they were.
    PLUCKER_ALWAYS_INLINE void multiply(detail::MatrixView<const S> Minv, int n) const {
        S* to = x;
        for_rows([&](int k) {
            for (int c = 0; c < kColumns; ++c) *to++ = columns[static_cast<std::size_t>(c)][k];
        });
        if (n < 4) {
            for (int r = 0; r < n; ++r) multiply_row(Minv, r);
            return;
        }
        const int fours = (n + 3) / 4;
        int four = 0;
        for (; four + 3 <= fours; four += 3) multiply_fours<3>(Minv, n, four);
        if (four + 2 == fours) multiply_fours<2>(Minv, n, four);
        if (four + 1 == fours) multiply_fours<1>(Minv, n, four);
    }

private:
    // kFours times four rows from four `four` on: with four columns, as many sums as sixteen registers hold beside what is
    // multiplied. The last four end with row n - 1: some rows of a matrix whose size is no multiple of four are computed
    // twice. Loops that are not unrolled when the compiler first looks leave the sums in memory, which takes twice the time.
    template <int kFours>
    PLUCKER_ALWAYS_INLINE void multiply_fours(detail::MatrixView<const S> Minv, int n,
                                              int four) const {
        using Four [[gnu::vector_size(4 * sizeof(S))]] = S;
        Four sum[kFours][kColumns] = {};
        int row[kFours];
        for (int r = 0; r < kFours; ++r) row[r] = std::min(4 * (four + r), n - 4);
        const S* from = x;
        for_rows([&](int k) {
            Four column[kFours];
#pragma GCC unroll 4
            for (int r = 0; r < kFours; ++r)
                std::memcpy(&column[r], &Minv(row[r], k), sizeof(Four));
#pragma GCC unroll 4
            for (int c = 0; c < kColumns; ++c) {
#pragma GCC unroll 4
                for (int r = 0; r < kFours; ++r) sum[r][c] -= from[c] * column[r];
            }
            from += kColumns;
        });
#pragma GCC unroll 4
        for (int c = 0; c < kColumns; ++c) {
#pragma GCC unroll 4
            for (int r = 0; r < kFours; ++r)
                std::memcpy(columns[static_cast<std::size_t>(c)] + row[r], &sum[r][c],
                            sizeof(Four));
        }
    }
    void multiply_row(detail::MatrixView<const S> Minv, int row) const {
        for (int c = 0; c < kColumns; ++c) {
            S sum(0);
            const S* from = x + c;
            for_rows([&](int k) {
                sum -= *from * Minv(row, k);
                from += kColumns;
            });
            columns[static_cast<std::size_t>(c)][row] = sum;
        }
    }
};

// A = -M⁻¹ A and B = -M⁻¹ B; with a free base, of its columns the first three of B alone. Inlined, because out of line it
// would be code for any processor.
template <class S>
PLUCKER_ALWAYS_INLINE void multiply_by_minus_inverse(Workspace<S>& ws,
                                                     detail::MatrixView<const S> Minv,
                                                     bool free_base, detail::MatrixView<S> A,
                                                     detail::MatrixView<S> B) {
    const Model& model = ws.model();
    const int n = model.nv();
    const int* parent = model.coordinate_parent().data();
    const bool is_tree = !model.has_mimic_joints();
    S* const x = ws.coordinates.four.data();
    if (free_base) {
        SomeColumns<S, 3>{parent, -1, 0, n, {&B(0, 0), &B(0, 1), &B(0, 2)}, x}.multiply(Minv, n);
    }
    int next = free_base ? 6 : 0;  // column
    for (int i = 1; i <= ws.num_bodies(); ++i) {
        const auto& body = ws.body(i);
        if (body.mimic) continue;
        int above = -1, begin = 0, end = n;
        if (is_tree) {
            const auto& last = ws.body(body.subtree_end - 1);
            begin = body.v_index;
            end = last.v_index + last.nv;
            above = body.nv > 0 ? parent[begin] : -1;
        }
        // Two columns of each matrix at a time, where the second has entries in no other rows: its coordinate hangs on the
        // first's.
        while (next < body.v_index + body.nv) {
            const int c = next++;
            S *const a = &A(0, c), *const b = &B(0, c);
            if (next < n && (parent[next] == c || !is_tree)) {
                SomeColumns<S, 4>{parent, above, begin, end, {a, b, &A(0, next), &B(0, next)}, x}
                    .multiply(Minv, n);
                ++next;
            } else {
                SomeColumns<S, 2>{parent, above, begin, end, {a, b}, x}.multiply(Minv, n);
            }
        }
    }
}

}  // namespace plucker::kernel
