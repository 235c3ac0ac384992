#include "lane_products.hpp"

#include <algorithm>

#include "record_factors.hpp"

namespace plucker::compiler {
namespace {

constexpr int kNoPack = -1;

// A square matrix: where each number stands among the packs, or kNoPack where it is zero.
class PlacedMatrix {
public:
    explicit PlacedMatrix(int size)
        : size_(size), packs_(static_cast<std::size_t>(size * size), kNoPack) {}
    int size() const { return size_; }
    int& operator()(int row, int column) {
        return packs_[static_cast<std::size_t>(row + column * size_)];
    }
    int operator()(int row, int column) const {
        return packs_[static_cast<std::size_t>(row + column * size_)];
    }
    PlacedMatrix transposed() const {
        PlacedMatrix out(size_);
        for (int c = 0; c < size_; ++c) {
            for (int r = 0; r < size_; ++r) out(c, r) = (*this)(r, c);
        }
        return out;
    }

private:
    int size_;
    std::vector<int> packs_;
};

// Some columns of a factor stand together, row by row without the rows that are zero in all factors: two places whose rows are
// not zero alike then differ in where they begin only.
constexpr int kColumnsTogether = 4;

struct PlacedFactor {
    PlacedMatrix numbers;
    std::vector<int> begins;  // of each group of columns: its first pack

    // From where a tile counts.
    int origin(int column) const {
        return begins[static_cast<std::size_t>(column / kColumnsTogether)] +
               column % kColumnsTogether;
    }
};

// The tiles of a result, each line of which has a column of one factor, and each number of a line a column of the other.
class Tiler {
public:
    Tiler(const PlacedFactor& of_lines, const PlacedFactor& side_by_side,
          const PlacedMatrix& begins)
        : of_lines_(of_lines), side_by_side_(side_by_side), begins_(begins) {}

    // A few lines after a few others, so that what was just read of the other factor is read again. At the end tiles overlap with
    // those before them.
    LaneProduct run() {
        const int size = begins_.size();
        for (int first = 0; first < size; first += kLinesTogether) {
            const int end = std::min(first + kLinesTogether, size);
            for (int number = 0; number < size; number += kTileNumbers) {
                for (int line = first; line < end; line += kTileLines) add(line, number);
            }
        }
        return std::move(out_);
    }

private:
    const PlacedFactor &of_lines_, &side_by_side_;
    const PlacedMatrix& begins_;
    LaneProduct out_;

    void add(int line, int number) {
        const int size = begins_.size();
        LaneTile tile{
            std::min(line, size - kTileLines), std::min(number, size - kTileNumbers), 0, 0, {}};
        tile.pack_of_lines = of_lines_.origin(tile.line);
        tile.pack_of_others = side_by_side_.origin(tile.number);
        for (int k = 0; k < kTileSums; ++k) {
            const int pack = begins_(tile.line + k / kTileNumbers, tile.number + k % kTileNumbers);
            if (pack != kNoPack) tile.sums.begins.push_back({k, pack - tile.pack_of_others});
        }
        for (int row = 0; row < size; ++row) {
            TileSums::Term term{
                numbers(of_lines_.numbers, row, tile.line, kTileLines, tile.pack_of_lines),
                numbers(side_by_side_.numbers, row, tile.number, kTileNumbers,
                        tile.pack_of_others)};
            if (!term.of_lines.empty() && !term.side_by_side.empty())
                tile.sums.terms.push_back(std::move(term));
        }
        out_.push_back(std::move(tile));
    }
    // Of a row of a factor those in some columns.
    static std::vector<PlacedNumber> numbers(const PlacedMatrix& factor, int row, int column,
                                             int count, int origin) {
        std::vector<PlacedNumber> out;
        for (int k = 0; k < count; ++k) {
            const int pack = factor(row, column + k);
            if (pack != kNoPack) out.push_back({k, pack - origin});
        }
        return out;
    }
};

class LaneLayout {
public:
    LaneLayout(const Program& recorded, int size)
        : factors_(recorded, size), size_(size), out_{recorded, {}, {}, {}} {
        out_.program.outputs.clear();
        zero_ = zero_of(out_.program);
    }

    LaneFactors run(int num_results) {
        find_rows(num_results);
        const PlacedFactor left = take_factor(0);
        for (int k = 0; k < num_results; ++k) {
            const PlacedFactor right = factors_.is_left(1 + 2 * k) ? left : take_factor(1 + 2 * k);
            const PlacedMatrix rest = take_rest(2 + 2 * k);
            out_.by_rows.push_back(Tiler(left, right, rest).run());
            out_.by_columns.push_back(Tiler(right, left, rest.transposed()).run());
        }
        Program& program = out_.program;
        program.input_groups = {{"inputs", program.num_inputs()}};
        program.output_groups = {{"factors", static_cast<int>(program.outputs.size())}};
        return std::move(out_);
    }

private:
    RecordedFactors factors_;
    int size_;
    LaneFactors out_;
    Value zero_ = 0;
    // Of each group of columns: its rows that are not zero in all factors.
    std::vector<std::vector<int>> rows_;

    void find_rows(int num_results) {
        const auto has = [&](int row, int column) {
            bool out = !factors_.is_zero(factors_.at(0, row, column));
            for (int k = 0; k < num_results; ++k)
                out = out || !factors_.is_zero(factors_.at(1 + 2 * k, row, column));
            return out;
        };
        for (int begin = 0; begin < size_; begin += kColumnsTogether) {
            rows_.emplace_back();
            for (int row = 0; row < size_; ++row) {
                bool any = false;
                for (int c = begin; c < std::min(begin + kColumnsTogether, size_); ++c)
                    any = any || has(row, c);
                if (any) rows_.back().push_back(row);
            }
        }
    }
    int place(Value x) {
        const bool is_read = !factors_.is_zero(x);
        out_.program.outputs.push_back(is_read ? x : zero_);
        out_.is_read.push_back(is_read);
        return is_read ? static_cast<int>(out_.is_read.size()) - 1 : kNoPack;
    }
    PlacedFactor take_factor(int matrix) {
        PlacedFactor out{PlacedMatrix(size_), {}};
        for (int begin = 0; begin < size_; begin += kColumnsTogether) {
            out.begins.push_back(static_cast<int>(out_.is_read.size()));
            for (const int row : rows_[static_cast<std::size_t>(begin / kColumnsTogether)]) {
                for (int c = begin; c < begin + kColumnsTogether; ++c) {
                    const int pack = place(c < size_ ? factors_.at(matrix, row, c) : zero_);
                    if (c < size_) out.numbers(row, c) = pack;
                }
            }
        }
        return out;
    }
    // Numbers of the result that are no sums.
    PlacedMatrix take_rest(int matrix) {
        PlacedMatrix out(size_);
        for (int c = 0; c < size_; ++c) {
            for (int r = 0; r < size_; ++r) {
                const Value x = factors_.at(matrix, r, c);
                if (!factors_.is_zero(x)) out(r, c) = place(x);
            }
        }
        return out;
    }
};

}  // namespace

LaneFactors record_lane_factors(const Model& model, int row, const RecordOptions& options) {
    const Recorded recorded = record_factors(model, row, options);
    return LaneLayout(recorded.program, model.nv())
        .run(algorithms()[static_cast<std::size_t>(row)].outputs.size());
}

}  // namespace plucker::compiler
