// Memory of the device, and pinned memory of the host, that is given back with its owner.
#pragma once

#include <utility>

#include "plucker/gpu/driver.hpp"

namespace plucker::gpu {

enum class Where : bool { kDevice, kPinned };

template <Where where>
class Memory {
public:
    Memory() = default;
    Memory(Device& device, std::size_t bytes)
        : device_(&device),
          data_(where == Where::kDevice ? device.allocate(bytes) : device.allocate_pinned(bytes)),
          bytes_(bytes) {}
    ~Memory() { release(); }
    Memory(Memory&& other) noexcept { *this = std::move(other); }
    Memory& operator=(Memory&& other) noexcept {
        if (this == &other) return *this;
        release();
        device_ = other.device_;
        data_ = std::exchange(other.data_, nullptr);
        bytes_ = std::exchange(other.bytes_, 0);
        return *this;
    }

    template <class T>
    T* as() const {
        return static_cast<T*>(data_);
    }
    std::size_t bytes() const { return bytes_; }

private:
    Device* device_ = nullptr;
    void* data_ = nullptr;
    std::size_t bytes_ = 0;

    void release() noexcept {
        if (data_ == nullptr) return;
        where == Where::kDevice ? device_->release(data_) : device_->release_pinned(data_);
    }
};
using DeviceMemory = Memory<Where::kDevice>;
using PinnedMemory = Memory<Where::kPinned>;

}  // namespace plucker::gpu
