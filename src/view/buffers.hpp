// The numbers of a page: one long row of bytes, in base64, and where in it each array begins.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace plucker::view {

class Buffers {
public:
    // Each adds an array, and returns what the page finds it by: {"at": bytes, "count": numbers, "type": "f32"}.
    nlohmann::ordered_json add(std::span<const float> numbers) {
        return put(numbers.data(), numbers.size(), sizeof(float), "f32");
    }
    nlohmann::ordered_json add(std::span<const double> numbers) {
        return put(numbers.data(), numbers.size(), sizeof(double), "f64");
    }
    nlohmann::ordered_json add(std::span<const std::uint32_t> numbers) {
        return put(numbers.data(), numbers.size(), sizeof(std::uint32_t), "u32");
    }

    std::string base64() const;

private:
    nlohmann::ordered_json put(const void* numbers, std::size_t count, std::size_t size,
                               const char* type);

    std::string bytes_;
};

}  // namespace plucker::view
