#include "constant_pool.hpp"

#include <bit>
#include <cstring>

namespace plucker::compiler {

int ConstantPool::add(double x) {
    return add_bits(unit_.lanes == Lanes::kManyF32
                        ? std::bit_cast<std::uint32_t>(static_cast<float>(x))
                        : std::bit_cast<std::uint64_t>(x));
}

int ConstantPool::add_bits(std::uint64_t bits) {
    const auto [known, is_new] = known_.try_emplace(bits, static_cast<int>(bytes_.size()));
    if (is_new) {
        const auto size = static_cast<std::size_t>(unit_.number_bytes());
        const int copies = unit_.has_limbs_in_lanes() || unit_.broadcasts()
                               ? 1
                               : unit_.pack_bytes() / unit_.number_bytes();
        for (int k = 0; k < copies; ++k) {
            bytes_.resize(bytes_.size() + size);
            std::memcpy(bytes_.data() + bytes_.size() - size, &bits, size);
        }
    }
    return known->second;
}

int ConstantPool::add_pack(const Lanes4& numbers, int n) {
    const std::size_t size = 8 * static_cast<std::size_t>(n);
    const std::size_t offset = (bytes_.size() + size - 1) / size * size;
    bytes_.resize(offset + size);
    std::memcpy(bytes_.data() + offset, numbers.data(), size);
    return static_cast<int>(offset);
}

}  // namespace plucker::compiler
