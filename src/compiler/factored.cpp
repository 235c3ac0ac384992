#include "factored.hpp"

#include <algorithm>
#include <limits>

#include "record_factors.hpp"

namespace plucker::compiler {
namespace {

// The registers side by side in a block of a result: each begins where the one before it ends, but the last of a row.
struct Tile {
    int column, vectors, last;
    std::vector<bool> has;  // which rows of the right factor have a number there
};
using Tiling = std::vector<Tile>;

// Finds the blocks that take the least time.
class BlockFinder {
public:
    BlockFinder(const BlocksOfProduct::Factor& left, const BlocksOfProduct::Factor& right, int size,
                int stride, int lanes)
        : left_(left), right_(right), size_(size), stride_(stride), lanes_(lanes) {
        Tiling none;
        find_tilings(0, none);
    }

    struct Rows {
        int begin, count;
        const Tiling* tiling;
    };
    std::vector<Rows> run() const {
        std::vector<double> least(index(size_ + 1), std::numeric_limits<double>::infinity());
        std::vector<Rows> best(index(size_ + 1));
        least[0] = 0;
        for (int end = 1; end <= size_; ++end) {
            for (int n = 1; n <= std::min(end, detail::ProductBlock::kMostRows); ++n) {
                for (const Tiling& tiling : tilings_) {
                    const double cost = least[index(end - n)] + cost_of(end - n, n, tiling);
                    if (cost >= least[index(end)]) continue;
                    least[index(end)] = cost;
                    best[index(end)] = {end - n, n, &tiling};
                }
            }
        }
        std::vector<Rows> out;
        for (int end = size_; end > 0; end -= best[index(end)].count)
            out.push_back(best[index(end)]);
        std::reverse(out.begin(), out.end());
        return out;
    }
    // Calls f with each row of the factors that has a term in the block.
    template <class F>
    void for_terms(int row, int rows, const Tile& tile, const F& f) const {
        for (int j = 0; j < size_; ++j) {
            if (!tile.has[index(j)]) continue;
            bool has = false;
            for (int r = row; r < row + rows; ++r) has = has || left_.has[index(j * stride_ + r)];
            if (has) f(j);
        }
    }

private:
    // Of rows with more registers only even tilings are looked at.
    static constexpr int kFewRegisters = 6;

    const BlocksOfProduct::Factor &left_, &right_;
    int size_, stride_, lanes_;
    std::vector<Tiling> tilings_;

    static std::size_t index(int k) { return static_cast<std::size_t>(k); }
    void find_tilings(int first, Tiling& begun) {
        const int all = (size_ + lanes_ - 1) / lanes_;
        if (first == all) {
            tilings_.push_back(begun);
            return;
        }
        const int most = std::min(all - first, detail::ProductBlock::kMostVectors);
        for (int vectors = most; vectors >= (all > kFewRegisters ? most : 1); --vectors) {
            begun.push_back(tile(first, vectors));
            find_tilings(first + vectors, begun);
            begun.pop_back();
        }
    }
    Tile tile(int first, int vectors) const {
        const auto begin = [&](int vector) { return std::min(vector * lanes_, size_ - lanes_); };
        const int column = begin(first);
        Tile out{column, vectors, begin(first + vectors - 1) - column,
                 std::vector<bool>(index(size_))};
        for (int j = 0; j < size_; ++j) {
            for (int c = column; c < column + out.last + lanes_; ++c)
                out.has[index(j)] = out.has[index(j)] || right_.has[index(j * stride_ + c)];
        }
        return out;
    }
    // In cycles, about: two multiply-adds in each, what a block takes to begin and end, and what a term takes to be found.
    double cost_of(int row, int rows, const Tiling& tiling) const {
        constexpr double kBlock = 16, kTerm = 1;
        double cost = 0;
        for (const Tile& tile : tiling) {
            cost += kBlock;
            for_terms(row, rows, tile, [&](int) { cost += kTerm + 0.5 * rows * tile.vectors; });
        }
        return cost;
    }
};

// The numbers of the factors, one matrix after another.
class Layout {
public:
    Layout(const Program& recorded, int size, int lanes)
        : factors_(recorded, size),
          size_(size),
          lanes_(lanes),
          stride_((size + lanes - 1) / lanes * lanes),
          out_{recorded, 0, size, lanes, {}} {
        out_.program.outputs.clear();
        zero_ = zero_of(out_.program);
    }

    Factored run(int num_results) {
        const Matrix left = take(0);
        for (int k = 0; k < num_results; ++k) {
            const Matrix right = factors_.is_left(1 + 2 * k) ? left : take(1 + 2 * k);
            const BlocksOfProduct::Factor u{left.has, left.begin}, v{right.has, right.begin};
            out_.products.emplace_back(v, u, size_, stride_, lanes_);
            take_rest(2 + 2 * k);
        }
        std::vector<Value>& outputs = out_.program.outputs;
        while (outputs.size() % static_cast<std::size_t>(lanes_) != 0) outputs.push_back(zero_);
        out_.program.output_groups = {{"factors", static_cast<int>(outputs.size())}};
        return std::move(out_);
    }

private:
    struct Matrix {
        std::vector<bool> has;
        int begin;
    };
    RecordedFactors factors_;
    int size_, lanes_, stride_;
    Factored out_;
    Value zero_ = 0;

    Matrix take(int matrix) {
        Matrix out{{}, static_cast<int>(out_.program.outputs.size())};
        for (int j = 0; j < size_; ++j) {
            for (int c = 0; c < stride_; ++c) {
                const bool has = c < size_ && !factors_.is_zero(factors_.at(matrix, j, c));
                out_.program.outputs.push_back(has ? factors_.at(matrix, j, c) : zero_);
                out.has.push_back(has);
            }
        }
        return out;
    }
    void take_rest(int matrix) {
        for (int c = 0; c < size_; ++c) {
            for (int r = 0; r < size_; ++r) {
                const Value x = factors_.at(matrix, r, c);
                if (factors_.is_zero(x)) continue;
                const auto from = static_cast<int>(out_.program.outputs.size());
                out_.program.outputs.push_back(x);
                out_.products.back().copy({c, r, from});
            }
        }
        // The next matrix begins at a multiple, too.
        while (out_.program.outputs.size() % static_cast<std::size_t>(lanes_) != 0)
            out_.program.outputs.push_back(zero_);
    }
};

}  // namespace

BlocksOfProduct::BlocksOfProduct(const Factor& left, const Factor& right, int size, int stride,
                                 int lanes) {
    const BlockFinder finder(left, right, size, stride, lanes);
    for (const auto& [row, rows, tiling] : finder.run()) {
        for (const Tile& tile : *tiling) {
            detail::ProductBlock block{};
            block.row = row;
            block.column = tile.column;
            block.rows = rows;
            block.vectors = tile.vectors;
            block.last = tile.last;
            block.left = left.begin + row;
            block.right = right.begin + tile.column;
            block.first_term = static_cast<int>(terms_.size());
            finder.for_terms(row, rows, tile, [&](int j) { terms_.push_back(j * stride); });
            block.num_terms = static_cast<int>(terms_.size()) - block.first_term;
            blocks_.push_back(block);
        }
    }
}

Factored record_factors(const Model& model, int row, const RecordOptions& options, int lanes) {
    const Recorded recorded = record_factors(model, row, options);
    Factored out = Layout(recorded.program, model.nv(), lanes)
                       .run(algorithms()[static_cast<std::size_t>(row)].outputs.size());
    out.asked = recorded.num_asked;
    return out;
}

}  // namespace plucker::compiler
