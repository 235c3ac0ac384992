// The interface to a GPU: hold memory, copy, compile kernels and run them.
//
// The implementation for NVIDIA GPUs loads the driver (libcuda) and the run-time compiler (libnvrtc) on demand: building does
// not need CUDA, and machines without a GPU need not have it installed. Tests replace this implementation by another.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace plucker::gpu {

struct DeviceInfo {
    std::string name;          // "NVIDIA H200"
    std::string architecture;  // that kernels are compiled for: "sm_90"
    std::string toolchain;     // versions of driver and compiler: other ones compile anew
    int multiprocessors = 0;
    std::size_t memory = 0;                  // bytes
    std::size_t shared_memory = 48U << 10U;  // bytes that a block can have: less is none's
};

// Work on one stream is done in order. Null: the device's own.
using Stream = void*;
// A point in the work of a stream, for others to wait for. It outlives the stream.
using Event = void*;

// A kernel that is loaded. Its device must outlive it.
class Kernel {
public:
    virtual ~Kernel() = default;
    int registers = 0;             // of a thread
    std::size_t local_memory = 0;  // bytes of a thread that no register holds
};

// How many threads a kernel is run by.
struct Grid {
    unsigned blocks = 0;
    unsigned threads = 0;           // of a block
    std::size_t shared_memory = 0;  // bytes of a block
};

class Device {
public:
    virtual ~Device() = default;
    virtual const DeviceInfo& info() const = 0;

    // From text to what can be loaded, and from that to a kernel. Errors are thrown with what the compiler says.
    virtual std::string compile(const std::string& text) = 0;
    virtual std::unique_ptr<Kernel> load(const std::string& binary, const std::string& name) = 0;
    // `arguments` point to the values of the kernel's parameters.
    virtual void launch(Kernel& kernel, const Grid& grid, void** arguments, Stream stream) = 0;

    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) noexcept = 0;
    // Memory of the host that can be copied while something else is done.
    virtual void* allocate_pinned(std::size_t bytes) = 0;
    virtual void release_pinned(void* memory) noexcept = 0;
    // These return before they are done; synchronize() waits.
    virtual void copy_in(void* device, const void* host, std::size_t bytes, Stream stream) = 0;
    virtual void copy_out(void* host, const void* device, std::size_t bytes, Stream stream) = 0;
    virtual void clear(void* memory, std::size_t bytes, Stream stream) = 0;

    virtual Stream make_stream() = 0;
    virtual void release_stream(Stream stream) noexcept = 0;
    virtual void synchronize(Stream stream) = 0;
    virtual Event make_event() = 0;
    virtual void release_event(Event event) noexcept = 0;
    // All that was begun on the stream by now.
    virtual void record(Event event, Stream stream) = 0;
    virtual bool is_done(Event event) = 0;
    // Who waits: the caller, or what is begun on a stream from now on.
    virtual void wait(Event event) = 0;
    virtual void wait(Stream stream, Event event) = 0;
    // Runs `work`, and tells how long the device took for it, in seconds.
    virtual double seconds_of(Stream stream, void (*work)(void*), void* context) = 0;
};

// How many there are; 0 also where there is no driver.
int num_devices();
// Throws Error where there is none, or the driver or the compiler is missing: it says which.
std::shared_ptr<Device> open_device(int number = 0);

}  // namespace plucker::gpu
