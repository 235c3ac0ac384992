// A GPU whose blocks have less shared memory than it has: as others are.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "plucker/gpu/driver.hpp"

namespace plucker::test {

class LimitedDevice : public gpu::Device {
public:
    std::size_t most_shared = 0;  // that a kernel was run with, in bytes

    LimitedDevice(std::shared_ptr<gpu::Device> whole, std::size_t shared_memory)
        : whole_(std::move(whole)), info_(whole_->info()) {
        info_.shared_memory = shared_memory;
    }
    const gpu::DeviceInfo& info() const override { return info_; }
    void launch(gpu::Kernel& kernel, const gpu::Grid& grid, void** arguments,
                gpu::Stream stream) override {
        most_shared = std::max(most_shared, grid.shared_memory);
        whole_->launch(kernel, grid, arguments, stream);
    }

    std::string compile(const std::string& text) override { return whole_->compile(text); }
    std::unique_ptr<gpu::Kernel> load(const std::string& binary, const std::string& name) override {
        return whole_->load(binary, name);
    }
    void* allocate(std::size_t bytes) override { return whole_->allocate(bytes); }
    void release(void* memory) noexcept override { whole_->release(memory); }
    void* allocate_pinned(std::size_t bytes) override { return whole_->allocate_pinned(bytes); }
    void release_pinned(void* memory) noexcept override { whole_->release_pinned(memory); }
    void copy_in(void* to, const void* from, std::size_t bytes, gpu::Stream stream) override {
        whole_->copy_in(to, from, bytes, stream);
    }
    void copy_out(void* to, const void* from, std::size_t bytes, gpu::Stream stream) override {
        whole_->copy_out(to, from, bytes, stream);
    }
    void clear(void* memory, std::size_t bytes, gpu::Stream stream) override {
        whole_->clear(memory, bytes, stream);
    }
    gpu::Stream make_stream() override { return whole_->make_stream(); }
    void release_stream(gpu::Stream stream) noexcept override { whole_->release_stream(stream); }
    void synchronize(gpu::Stream stream) override { whole_->synchronize(stream); }
    gpu::Event make_event() override { return whole_->make_event(); }
    void release_event(gpu::Event event) noexcept override { whole_->release_event(event); }
    void record(gpu::Event event, gpu::Stream stream) override { whole_->record(event, stream); }
    bool is_done(gpu::Event event) override { return whole_->is_done(event); }
    void wait(gpu::Event event) override { whole_->wait(event); }
    void wait(gpu::Stream stream, gpu::Event event) override { whole_->wait(stream, event); }
    double seconds_of(gpu::Stream stream, void (*work)(void*), void* context) override {
        return whole_->seconds_of(stream, work, context);
    }

private:
    std::shared_ptr<gpu::Device> whole_;
    gpu::DeviceInfo info_;
};

}  // namespace plucker::test
