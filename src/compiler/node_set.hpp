// A set of a program's nodes.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace plucker::compiler {

class NodeSet {
public:
    explicit NodeSet(std::size_t nodes) : words_((nodes + 63) / 64) {}

    bool has(std::size_t k) const { return ((words_[k / 64] >> (k % 64)) & 1U) != 0; }
    void add(std::size_t k) { words_[k / 64] |= std::uint64_t{1} << (k % 64); }
    void remove(std::size_t k) { words_[k / 64] &= ~(std::uint64_t{1} << (k % 64)); }
    void add(const NodeSet& other) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= other.words_[w];
    }
    int size() const {
        int out = 0;
        for (const std::uint64_t word : words_) out += std::popcount(word);
        return out;
    }
    int size_with(const NodeSet& other) const {
        int out = 0;
        for (std::size_t w = 0; w < words_.size(); ++w)
            out += std::popcount(words_[w] | other.words_[w]);
        return out;
    }

private:
    std::vector<std::uint64_t> words_;
};

}  // namespace plucker::compiler
