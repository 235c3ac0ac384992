// Products of matrices with which a program ends (factored_kernels.hpp), of as many states at once as a register has lanes:
// straight-line code, which knows number by number what is zero, and is shared by all places that have the same zeros.
#pragma once

#include <compare>

#include "factored.hpp"

namespace plucker::compiler {

// A result is computed tile by tile, as large as its sums fit into registers: some lines, and some numbers side by side in each of
// them. Lines are the result's rows, or its columns where results stand column by column.
inline constexpr int kTileLines = 2, kTileNumbers = 4, kTileSums = kTileLines * kTileNumbers;
// Of some lines all tiles, then of as many others.
inline constexpr int kLinesTogether = 2 * kTileLines;

// A number of all states: which line of a tile it is for, or which of the numbers side by side, or which sum; and where it
// stands, in packs.
struct PlacedNumber {
    int of, pack;
    friend auto operator<=>(const PlacedNumber&, const PlacedNumber&) = default;
};
// What a tile computes. Packs are counted from two places, one for the numbers of lines and one for all others, so that tiles
// with the same terms differ in these two only.
struct TileSums {
    // A row of each factor: every number of one times every number of the other.
    struct Term {
        std::vector<PlacedNumber> of_lines, side_by_side;
        friend auto operator<=>(const Term&, const Term&) = default;
    };
    std::vector<PlacedNumber> begins;  // sums that do not begin with zero
    std::vector<Term> terms;
    friend auto operator<=>(const TileSums&, const TileSums&) = default;
};
struct LaneTile {
    int line, number;                   // of the result, where it begins
    int pack_of_lines, pack_of_others;  // from which packs are counted
    TileSums sums;
};
using LaneProduct = std::vector<LaneTile>;

struct LaneFactors {
    Program program;            // inputs are one group, and so are outputs
    std::vector<bool> is_read;  // which outputs are: all others are zeros, and may be anything
    // Of each output of the row, where its rows stand one after another, and where its columns do.
    std::vector<LaneProduct> by_rows, by_columns;
};
// Of a row that ends in products.
LaneFactors record_lane_factors(const Model& model, int row, const RecordOptions& options);

}  // namespace plucker::compiler
