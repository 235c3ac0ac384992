// How far a simulation is, for whoever waits at a terminal.
#pragma once

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "terminal.hpp"

namespace plucker::cli {

class Progress {
public:
    explicit Progress(double duration) : duration_(duration) {}
    void show(double time) {
        if (!shown_) return;
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(100)) return;
        last_ = now;
        const int done = static_cast<int>(30 * time / duration_);
        std::string bar(static_cast<std::size_t>(done), '#');
        bar.resize(30, '.');
        // Where steps are very short it is seen to go on all the same.
        const std::string now_at =
            time < 0.01 ? fmt::format("{:.1e}", time) : fmt::format("{:.2f}", time);
        complain("\r[{}] {} of {:.2f} s\033[K", bar, now_at, duration_);
    }
    void clear() const {
        if (shown_) complain("\r\033[K");
    }

private:
    double duration_;
    bool shown_ = isatty(STDERR_FILENO) == 1;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace plucker::cli
