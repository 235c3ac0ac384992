// The record of a function up to the products with which it ends (factored_kernels.hpp).
#pragma once

#include <algorithm>

#include "plucker/compiler/record.hpp"

namespace plucker::compiler {

// Outputs, nv × nv each: the left factor; and of each output of the row the right one, and the numbers that are no sums.
Recorded record_factors(const Model& model, int row, const RecordOptions& options);

// These matrices, by their numbers.
class RecordedFactors {
public:
    RecordedFactors(const Program& recorded, int size)
        : nodes_(recorded.nodes), outputs_(recorded.outputs), size_(size) {}

    int size() const { return size_; }
    Value at(int matrix, int row, int column) const {
        return outputs_[static_cast<std::size_t>((matrix * size_ + column) * size_ + row)];
    }
    bool is_zero(Value x) const {
        const Node& node = nodes_[static_cast<std::size_t>(x)];
        return node.op == Op::kConstant && node.constant == 0;
    }
    // A symmetric product, as of M⁻¹, has one factor twice.
    bool is_left(int matrix) const {
        const auto begin = outputs_.begin();
        const long all = static_cast<long>(size_) * size_;
        return std::equal(begin, begin + all, begin + matrix * all);
    }

private:
    const std::vector<Node>& nodes_;
    const std::vector<Value>& outputs_;
    int size_;
};

// A zero among the program's nodes, which gets one if it has none.
Value zero_of(Program& program);

}  // namespace plucker::compiler
