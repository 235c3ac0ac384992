#include "buffers.hpp"

#include <bit>

namespace plucker::view {

static_assert(std::endian::native == std::endian::little, "the page reads little-endian numbers");

nlohmann::ordered_json Buffers::put(const void* numbers, std::size_t count, std::size_t size,
                                    const char* type) {
    constexpr std::size_t kAlignment = 8;  // a typed array may begin at a multiple of its size only
    bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment, '\0');
    const std::size_t at = bytes_.size();
    bytes_.append(static_cast<const char*>(numbers), count * size);
    return {{"at", at}, {"count", count}, {"type", type}};
}

std::string Buffers::base64() const {
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes_.size() + 2) / 3 * 4);
    for (std::size_t k = 0; k < bytes_.size(); k += 3) {
        const auto byte = [&](std::size_t i) -> std::uint32_t {
            return i < bytes_.size() ? static_cast<unsigned char>(bytes_[i]) : 0U;
        };
        const std::uint32_t triple = byte(k) << 16U | byte(k + 1) << 8U | byte(k + 2);
        out += kDigits[triple >> 18U];
        out += kDigits[triple >> 12U & 63U];
        out += k + 1 < bytes_.size() ? kDigits[triple >> 6U & 63U] : '=';
        out += k + 2 < bytes_.size() ? kDigits[triple & 63U] : '=';
    }
    return out;
}

}  // namespace plucker::view
