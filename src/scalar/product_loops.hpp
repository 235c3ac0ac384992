// What multiply_factors (products.hpp) points to, for one instruction set.
#pragma once

#include <algorithm>

#include "isa_code.hpp"

namespace plucker::detail {

template <class S>
class ProductLoops {
public:
    using T = typename S::Lane;

    static void run(const Products& products, const T* factors, T* result, long stride) {
        const ProductBlock* const end = products.blocks + products.num_blocks;
        for (const ProductBlock* block = products.blocks; block != end; ++block) {
            T* const to = result + block->row * stride + block->column;
            const T* const left = factors + block->left;
            const T* const right = factors + block->right;
            const int* const terms = products.terms + block->first_term;
            int row = 0;
            for (; row + kRows <= block->rows; row += kRows)
                columns<kRows>(*block, left + row, right, terms, to + row * stride, stride);
            rest<kRows - 1>(block->rows - row, *block, left + row, right, terms, to + row * stride,
                            stride);
        }
        for (int k = 0; k < products.num_copies; ++k) {
            const ProductCopy& copy = products.copies[k];
            result[copy.row * stride + copy.column] = factors[copy.from];
        }
    }

private:
    // As many sums as there are registers for, beside what is multiplied: of 32 or 16.
    static constexpr bool kHasManyRegisters = sizeof(typename S::Vector) == 64;
    static constexpr int kRows = kHasManyRegisters ? ProductBlock::kMostRows : 4;
    static constexpr int kVectors = kHasManyRegisters ? ProductBlock::kMostVectors : 2;

    // Fewer rows than that are left.
    template <int kMost>
    PLUCKER_ALWAYS_INLINE static void rest(int rows, const ProductBlock& block, const T* left,
                                           const T* right, const int* terms, T* to, long stride) {
        if constexpr (kMost > 0) {
            if (rows == kMost) {
                columns<kMost>(block, left, right, terms, to, stride);
            } else {
                rest<kMost - 1>(rows, block, left, right, terms, to, stride);
            }
        }
    }
    template <int kR>
    PLUCKER_ALWAYS_INLINE static void columns(const ProductBlock& block, const T* left,
                                              const T* right, const int* terms, T* to,
                                              long stride) {
        const int n = block.num_terms;
        if (block.vectors == 1) {
            sum<kR, 1>(left, right, terms, n, block.last, to, stride);
        } else if (block.vectors == 2) {
            sum<kR, 2>(left, right, terms, n, block.last, to, stride);
        } else if constexpr (kVectors >= 3) {
            sum<kR, 3>(left, right, terms, n, block.last, to, stride);
        } else {
            sum<kR, 2>(left, right, terms, n, S::kLanes, to, stride);
            sum<kR, 1>(left, right + block.last, terms, n, 0, to + block.last, stride);
        }
    }
    template <int kR, int kV>
    PLUCKER_ALWAYS_INLINE static void sum(const T* left, const T* right, const int* terms, int n,
                                          int last, T* to, long stride) {
        // Where each register begins: one after another, but the last.
        const auto at = [last](int v) { return v == kV - 1 ? last : v * S::kLanes; };
        S sums[kR][kV];
#pragma GCC unroll 6
        for (int r = 0; r < kR; ++r) {
#pragma GCC unroll 3
            for (int v = 0; v < kV; ++v) sums[r][v] = S(T(0));
        }
        for (int k = 0; k < n; ++k) {
            const T* const u = left + terms[k];
            const T* const x = right + terms[k];
            S columns[kV];
#pragma GCC unroll 3
            for (int v = 0; v < kV; ++v) columns[v] = S::load(x + at(v));
#pragma GCC unroll 6
            for (int r = 0; r < kR; ++r) {
                const S row(u[r]);
#pragma GCC unroll 3
                for (int v = 0; v < kV; ++v) sums[r][v] += row * columns[v];
            }
        }
#pragma GCC unroll 6
        for (int r = 0; r < kR; ++r) {
#pragma GCC unroll 3
            for (int v = 0; v < kV; ++v) sums[r][v].store(to + r * stride + at(v));
        }
    }
};

}  // namespace plucker::detail
