// Functions that end with products of matrices, of a single state: a program computes the factors, loops the results. Of many
// states: lane_products.hpp.
#pragma once

#include "../scalar/products.hpp"
#include "plucker/compiler/record.hpp"

namespace plucker::compiler {

// Whether the row is such a function, for this robot: it has so many coordinates that loops are worth it.
bool ends_in_products(const Model& model, int row);

// What loops make of a program's numbers: the blocks of one result.
class BlocksOfProduct {
public:
    // Of the factors' rows, each `size` long and `stride` after the one before: whether there is a number in row j and column
    // c; and where they begin. For registers of so many lanes.
    struct Factor {
        const std::vector<bool>& has;
        int begin;
    };
    BlocksOfProduct(const Factor& left, const Factor& right, int size, int stride, int lanes);

    void copy(const detail::ProductCopy& x) { copies_.push_back(x); }
    detail::Products products() const {
        return {blocks_.data(), terms_.data(), copies_.data(), static_cast<int>(blocks_.size()),
                static_cast<int>(copies_.size())};
    }
    // Calls f with all numbers that are read.
    template <class F>
    void for_numbers(int lanes, const F& f) const {
        for (const detail::ProductBlock& block : blocks_) {
            for (int k = 0; k < block.num_terms; ++k) {
                const int at = terms_[static_cast<std::size_t>(block.first_term + k)];
                for (int r = 0; r < block.rows; ++r) f(block.left + at + r);
                for (int c = 0; c < block.last + lanes; ++c) f(block.right + at + c);
            }
        }
        for (const detail::ProductCopy& x : copies_) f(x.from);
    }

private:
    std::vector<detail::ProductBlock> blocks_;
    std::vector<int> terms_;
    std::vector<detail::ProductCopy> copies_;
};

struct Factored {
    // Its outputs are one group. Of each matrix the rows stand one after another, each from a multiple of `lanes` on.
    Program program;
    long asked = 0;  // operations of the kernel
    int size = 0;    // of the matrices
    int lanes = 0;
    std::vector<BlocksOfProduct>
        products;  // of each output of the row, transposed: its columns stand one after another
};
// The program of a row that ends in products, for loops with registers of so many lanes.
Factored record_factors(const Model& model, int row, const RecordOptions& options, int lanes);

}  // namespace plucker::compiler
