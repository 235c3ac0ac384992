// Ctrl-C, in work that takes long.
#pragma once

#include <chrono>

#include "lock.hpp"

namespace plucker::python {

// Hears Ctrl-C while the lock is released, some twenty times a second.
class Interrupts {
public:
    void hear() {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(50)) return;
        last_ = now;
        const Locked locked;
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace plucker::python
