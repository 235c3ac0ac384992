// The arrays of a kernel, in its text: its arguments, and how it reaches their entries.
#pragma once

#include <string>
#include <vector>

#include "plucker/compiler/cuda.hpp"

namespace plucker::compiler {

class KernelArrays {
public:
    // Those that are read, then those that are written. `number` is the type of an entry.
    KernelArrays(const Program& program, const KernelOptions& options, std::string number);

    // "const float* const in_q, ...": of each the pointer, and its strides.
    std::string arguments() const;
    // Of state n, lines that say where it begins in each.
    std::vector<std::string> beginnings() const;
    // Of state n, all entries of all results become nan.
    std::vector<std::string> without_results() const;

    // The k-th input, or output, of the program, in memory.
    std::string input(std::size_t k) const;
    std::string output(std::size_t k) const;
    // Where the k-th output stands in its array, which has entries 0, 1, ... side by side; -1 in an array with any strides.
    struct Place {
        std::size_t array;
        int at;
    };
    Place place_of_output(std::size_t k) const;
    // The entry there, whose number is an expression.
    std::string entry_at(std::size_t array, const std::string& at) const;
    // Whether it goes from slice to slice.
    bool keeps_input(std::size_t k) const { return is_kept(inputs_[k].array); }
    bool keeps_output(std::size_t k) const { return is_kept(outputs_[k].array); }

    std::size_t num_inputs() const { return inputs_.size(); }

private:
    struct Array {
        Group group;
        KernelArray how;
        std::string name;
    };
    struct Entry {
        std::size_t array;
        int entry;
    };

    std::string number_;
    bool is_slice_, keeps_;
    std::size_t num_read_;
    std::vector<Array> arrays_;
    std::vector<Entry> inputs_, outputs_;

    void add(const std::vector<Group>& groups, const std::vector<KernelArray>& how,
             const std::string& prefix, std::vector<Entry>& entries);
    bool is_input(std::size_t array) const { return array < num_read_; }
    // What slices hand on is the last array that is read, and the last that is written.
    bool is_kept(std::size_t array) const {
        return keeps_ && (array + 1 == num_read_ || array + 1 == arrays_.size());
    }
    std::string constness(std::size_t array) const { return is_input(array) ? "const " : ""; }
    int place_of(const Entry& entry) const;
    std::string text_of(const Entry& entry) const;
};

}  // namespace plucker::compiler
