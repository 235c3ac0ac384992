// 1 + Wᵀ K W, one matrix a lane, where each block has entries for the coordinates of a path or two alone. Not symmetric.
//
// Coordinates that a block moves meet, and from the last to the first each is eliminated from the equations of those that it
// meets, which then meet each other. The last of these is its parent here: it meets all others, so that a coordinate has entries
// for its parent's and the parent itself, as coordinates of a tree have along their paths. Where no limb touches another this is
// the robot's own tree. What is missing where another lane has an entry is zero, and stays so.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace plucker::impulses {

template <class S>
class PathMatrix {
public:
    int size() const { return n_; }
    void clear(int coordinates) {
        n_ = coordinates;
        const auto n = static_cast<std::size_t>(n_);
        meets_.assign(n * n, 0);
        inverse_.resize(n);
        depth_.resize(n);
        first_.resize(n);
        parent_.resize(n);
    }
    // These coordinates meet.
    void couple(std::span<const int> coordinates) {
        for (const int a : coordinates) {
            std::uint8_t* row = meets_.data() + static_cast<std::ptrdiff_t>(a) * n_;
            for (const int b : coordinates) row[b] = 1;
        }
    }
    // Once all are known: the matrix of no blocks.
    void begin() {
        const auto row = [&](int k) { return meets_.data() + static_cast<std::ptrdiff_t>(k) * n_; };
        for (int k = n_ - 1; k >= 0; --k) {
            int parent = k - 1;
            while (parent >= 0 && row(k)[parent] == 0) --parent;
            for (int b = 0; b < parent; ++b) row(parent)[b] |= row(k)[b];
            parent_[k] = parent;
        }
        path_.clear();
        for (int k = 0; k < n_; ++k) {
            const int parent = parent_[k];
            const auto first = path_.size();
            depth_[k] = parent < 0 ? 0 : depth_[parent] + 1;
            for (int i = 0; i < depth_[k]; ++i)
                path_.push_back(path_[static_cast<std::size_t>(first_[parent] + i)]);
            path_.push_back(k);
            first_[k] = static_cast<std::ptrdiff_t>(first);
        }
        if (entries_.size() < path_.size()) {
            for (std::vector<S>* x : {&entries_, &lower_, &upper_}) x->resize(path_.size());
        }
        std::fill_n(entries_.begin(), path_.size(), S(0));
        for (int k = 0; k < n_; ++k) entries_[first_[k] + depth_[k]] = S(1);
        has_changed_ = true;
    }

    // Of a block of one row.
    void add(std::span<const int> coordinates, const S* w, const S& stiffness) {
        has_changed_ = true;
        const std::size_t n = coordinates.size();
        for (std::size_t i = 0; i < n; ++i) {
            const S own = stiffness * w[i];
            const int a = coordinates[i];
            for (std::size_t j = 0; j <= i; ++j) entries_[at(a, coordinates[j])] += own * w[j];
        }
    }
    // Of three.
    void add(std::span<const int> coordinates, const S* w, const S& nn, const S& xx, const S& xy,
             const S& yy) {
        has_changed_ = true;
        const std::size_t n = coordinates.size();
        for (std::size_t i = 0; i < n; ++i) {
            const S* own = w + 3 * i;
            const S of_n = nn * own[0], of_x = xx * own[1] + xy * own[2],
                    of_y = xy * own[1] + yy * own[2];
            const int a = coordinates[i];
            const S* other = w;
            for (std::size_t j = 0; j <= i; ++j, other += 3) {
                S& entry = entries_[at(a, coordinates[j])];
                entry = entry + of_n * other[0] + of_x * other[1] + of_y * other[2];
            }
        }
    }
    // Whether what was added asks for other factors: these begin with it, take what slides, and are then eliminated.
    bool has_changed() const { return has_changed_; }
    void begin_factors() {
        has_changed_ = false;
        std::copy_n(entries_.begin(), path_.size(), lower_.begin());
        std::copy_n(entries_.begin(), path_.size(), upper_.begin());
    }
    // What the normal impulse adds along the tangents: that is not symmetric.
    void add_slide(std::span<const int> coordinates, const S* w, const S& xn, const S& yn) {
        const std::size_t n = coordinates.size();
        for (std::size_t i = 0; i < n; ++i) {
            const S own = xn * w[3 * i + 1] + yn * w[3 * i + 2];
            const int a = coordinates[i];
            for (std::size_t j = 0; j < n; ++j) {
                const int b = coordinates[j];
                (b <= a ? lower_ : upper_)[at(a, b)] += own * w[3 * j];
            }
        }
    }
    // Of coordinate k along its path: its row in `lower`, its column in `upper`, which is divided by the pivot.
    void eliminate() {
        for (int k = n_ - 1; k >= 0; --k) {
            const S inverse = inverse_[k] = S(1) / lower_[first_[k] + depth_[k]];
            S* column = upper_.data() + first_[k];
            for (int i = 0; i < depth_[k]; ++i) column[i] *= inverse;
            for (int i = 0; i < depth_[k]; ++i) take(k, i, path_[first_[k] + i]);
        }
    }
    // x ← A⁻¹ x, with these factors.
    void solve(S* x) {
        for (int k = n_ - 1; k >= 0; --k) {
            const S own = x[k];
            const S* column = upper_.data() + first_[k];
            const int* path = path_.data() + first_[k];
            for (int i = 0; i < depth_[k]; ++i) x[path[i]] -= column[i] * own;
        }
        for (int k = 0; k < n_; ++k) {
            const S* row = lower_.data() + first_[k];
            const int* path = path_.data() + first_[k];
            S sum = x[k];
            for (int i = 0; i < depth_[k]; ++i) sum -= row[i] * x[path[i]];
            x[k] = sum * inverse_[k];
        }
    }

private:
    // Of two that meet.
    std::ptrdiff_t at(int a, int b) const {
        return a > b ? first_[a] + depth_[b] : first_[b] + depth_[a];
    }

    // Takes k from the row and column of a, which is number i of its path. One coordinate after the other: two at a time are
    // rounded in another way, and which two follow each other is a matter of what other lanes touch.
    void take(int k, int i, int a) {
        const S *row = lower_.data() + first_[k], *column = upper_.data() + first_[k];
        S *lower = lower_.data() + first_[a], *upper = upper_.data() + first_[a];
        const S share = column[i], other = row[i];
        for (int j = 0; j < i; ++j) {
            lower[j] -= share * row[j];
            upper[j] -= column[j] * other;
        }
        lower[i] -= share * other;
    }

    int n_ = 0;
    std::vector<std::uint8_t> meets_;  // which coordinate meets which before it
    std::vector<int> parent_, depth_;
    std::vector<std::ptrdiff_t> first_;  // of a coordinate's entries, one for each on its path
    std::vector<int> path_;              // to itself
    std::vector<S> entries_;             // of the symmetric part
    std::vector<S> lower_, upper_, inverse_;
    bool has_changed_ = true;
};

}  // namespace plucker::impulses
