#include "streams.hpp"

#include <algorithm>

#include "plucker/error.hpp"

namespace plucker::gpu {

Streams::~Streams() {
    for (const Known& each : known_) {
        try {
            device_.wait(each.event);
        } catch (const Error&) {  // it will not be done any more
        }
        device_.release_event(each.event);
    }
}

void Streams::begin(Stream stream) {
    current_ = place_for(stream);
    known_[current_].stream = stream;
    // Of another that had the same number.
    device_.wait(stream, known_[current_].event);
}

// The stream's own, a new one, or one whose work is done.
std::size_t Streams::place_for(Stream stream) {
    const auto found = std::find_if(known_.begin(), known_.end(),
                                    [&](const Known& each) { return each.stream == stream; });
    if (found != known_.end()) return static_cast<std::size_t>(found - known_.begin());
    if (known_.size() < kMost) {
        Known fresh;
        fresh.event = device_.make_event();
        known_.push_back(std::move(fresh));
        return known_.size() - 1;
    }
    const auto idle = std::find_if(known_.begin(), known_.end(),
                                   [&](const Known& each) { return device_.is_done(each.event); });
    if (idle != known_.end()) return static_cast<std::size_t>(idle - known_.begin());
    const std::size_t oldest = (current_ + 1) % kMost;
    device_.wait(known_[oldest].event);
    return oldest;
}

void Streams::end() noexcept {
    try {
        device_.record(known_[current_].event, known_[current_].stream);
    } catch (const Error&) {  // what comes next will say it again
    }
}

void* Streams::reserve(int level, std::size_t bytes) {
    Known& here = known_[current_];
    DeviceMemory& memory = here.memory[level];
    if (memory.bytes() < bytes) {
        device_.synchronize(here.stream);
        memory = {};
        memory = DeviceMemory(device_, bytes);
    }
    return memory.as<void>();
}

void Streams::wait() {
    for (const Known& each : known_) device_.wait(each.event);
}

}  // namespace plucker::gpu
