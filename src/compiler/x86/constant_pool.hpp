// The numbers that code reads beside its inputs, each once, or once a lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "plucker/compiler/program.hpp"
#include "vector_unit.hpp"

namespace plucker::compiler {

class ConstantPool {
public:
    explicit ConstantPool(const VectorUnit& unit) : unit_(unit) {}

    // Where each stands, in bytes.
    int add(double x);
    int add_bits(std::uint64_t bits);
    // Several that are read at once.
    int add_pack(const Lanes4& numbers, int n);

    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    VectorUnit unit_;
    std::map<std::uint64_t, int> known_;
    std::vector<std::byte> bytes_;
};

}  // namespace plucker::compiler
