// Calls of a robot's functions on a stream: which kernels, in which pieces, with which memory in between.
#pragma once

#include "launch_arguments.hpp"
#include "plans.hpp"
#include "plucker/gpu/gpu.hpp"
#include "streams.hpp"

namespace plucker::gpu {

// States [first, first + n).
template <class T>
batch::Matrices<T> part_of(batch::Matrices<T> x, long first, long n) {
    x.data += first * x.state_stride;
    x.count = n;
    return x;
}
// ... of a whole call; `forces` holds those from outside.
template <class T>
BatchOperands<T> part_of(BatchOperands<T> x, long first, long n, batch::ExternalForces<T>& forces) {
    const auto narrow = [&](auto& view) {
        view.data += first * view.state_stride;
        view.count = n;
    };
    for (int k = 0; k < x.num_inputs; ++k) narrow(x.inputs[static_cast<std::size_t>(k)]);
    for (int k = 0; k < x.num_outputs; ++k) narrow(x.outputs[static_cast<std::size_t>(k)]);
    if (!x.status.empty())
        x.status = x.status.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(n));
    if (x.external != nullptr) {
        forces = *x.external;
        if (!forces.places.empty()) narrow(forces.forces);
        x.external = &forces;
    }
    return x;
}

template <class T>
class Calls {
public:
    Calls(const Model& model, Device& device, const Options& options)
        : model_(model), device_(device), plans_(model, device, options), streams_(device) {}

    // On this stream. `flagged`, on the device, counts the states that have no result.
    void run(int row, const BatchOperands<T>& x, long count, Stream stream,
             unsigned long long* flagged);
    // Until all is done, on every stream.
    void wait() {
        streams_.wait();
        plans_.forget();
    }
    // Of the last.
    const KernelReport& report() const { return report_; }

    // --- For functions that are composed of others (compositions.hpp), within run() ---

    const Model& model() const { return model_; }
    Device& device() { return device_; }
    Stream stream() const { return stream_; }
    // Of each plane, for a call that needs so many bytes a state in between: those may take a part of the GPU's memory.
    long states_at_once(long bytes) const;
    void* reserve(std::size_t bytes) { return streams_.reserve(level_, bytes); }
    // On the device: the k-th of the nv unit vectors.
    const T* unit_vector(long k);
    // Nobody counts what it flags.
    void run_part(int row, const BatchOperands<T>& x, long count);
    // Any strides to any others.
    template <class U>
    void move(const batch::Matrices<U>& from, const batch::Matrices<T>& to);
    // A kernel that is no program, by `blocks` blocks.
    void launch(const PlainKernel& kernel, long blocks, LaunchArguments& arguments) {
        device_.launch(plans_.plain(kernel), {static_cast<unsigned>(blocks), kernel.threads, 0},
                       arguments.pointers(), stream_);
    }

private:
    const Model& model_;
    Device& device_;
    Plans<T> plans_;
    DeviceMemory unit_vectors_;
    Streams streams_;  // waits before all that is given back
    Stream stream_ = nullptr;
    int level_ = 0;  // of parts
    KernelReport report_;

    // One of several that share the work of a call, and its memory.
    struct Piece {
        long first, count;  // states
        long plane;         // numbers of one
        T* memory;          // for planes
    };
    static constexpr long kMostOfLaunch = 1L << 30;  // states: threads are counted in 32 bits
    static constexpr long kBytesOfPlanes =
        24L << 20;  // what the GPU's cache holds, if a state is small

    void run(Plan& plan, int row, const BatchOperands<T>& x, long count,
             unsigned long long* flagged);
    void run_program(Plan& plan, int row, const BatchOperands<T>& x, long count,
                     unsigned long long* flagged);
    void launch(Plan& plan, const CallArrays<T>& arrays, const BatchOperands<T>& x,
                const Piece& piece, unsigned long long* flagged);
};

}  // namespace plucker::gpu
