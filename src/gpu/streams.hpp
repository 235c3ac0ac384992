// What was begun on which stream: the memory that it uses in between, and when it is done.
//
// A stream may be somebody else's, and be gone before its work is done; another may then have its number. So what was begun
// is known by an event of our own.
#pragma once

#include <vector>

#include "memory.hpp"

namespace plucker::gpu {

class Streams {
public:
    explicit Streams(Device& device) : device_(device) {}
    ~Streams();  // waits
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    // What follows is begun on this stream, until the scope ends.
    class Scope {
    public:
        Scope(Streams& streams, Stream stream) : streams_(streams) { streams.begin(stream); }
        ~Scope() { streams_.end(); }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

    private:
        Streams& streams_;
    };

    // Memory for it: of a call (level 0), of its parts, of parts of these. It is there until more is asked for.
    static constexpr int kLevels = 3;
    void* reserve(int level, std::size_t bytes);
    // Until all of it is done, on every stream.
    void wait();
    std::size_t size() const { return known_.size(); }

private:
    struct Known {
        Stream stream = nullptr;
        Event event = nullptr;
        DeviceMemory memory[kLevels];
    };
    // More streams at once have to wait for each other.
    static constexpr std::size_t kMost = 8;

    Device& device_;
    std::vector<Known> known_;
    std::size_t current_ = 0;

    void begin(Stream stream);
    void end() noexcept;
    std::size_t place_for(Stream stream);
};

}  // namespace plucker::gpu
