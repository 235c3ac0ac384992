// Matrices that are products of others with many zeros, C = Uᵀ V: what a program of straight-line code leaves to loops.
//
// U and V are stored row by row, so that a term of the sum, u vᵀ of a row of each, adds to a block of C in the processor's
// vectors, whose sums stay in registers. Which blocks there are, and which rows have a term in each, is known beforehand.
#pragma once

#include "plucker/scalar/isa.hpp"

namespace plucker::detail {

// Rows of a result, and some registers full of its columns; or columns and rows, where results stand column by column.
struct ProductBlock {
    // At most so many. Instruction sets with fewer registers take them in several turns.
    static constexpr int kMostRows = 6, kMostVectors = 3;

    int row, column;  // where the block begins
    int rows, vectors;
    int last;  // from the block's first column to the first of its last register, which may overlap with the one before
    int left,
        right;  // where the block's rows begin in U's first row, and its columns in V's; in the numbers that are given
    int first_term, num_terms;
};
// Numbers of a result that are no sums.
struct ProductCopy {
    int row, column;
    int from;
};
// One result.
struct Products {
    const ProductBlock* blocks = nullptr;
    const int* terms = nullptr;  // of all blocks: where a row begins, from that of the first
    const ProductCopy* copies = nullptr;
    int num_blocks = 0, num_copies = 0;
};

// Computes a result, whose rows are `stride` numbers apart.
using MultiplyFactors = void (*)(const Products& products, const double* factors, double* result,
                                 long stride);
MultiplyFactors multiply_factors(Isa isa);

}  // namespace plucker::detail
