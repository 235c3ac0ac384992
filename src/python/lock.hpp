// The interpreter's lock, which what takes long lets go.
#pragma once

#include <cxxabi.h>
#include <unistd.h>

#include <optional>

#include "numpy.hpp"

namespace plucker::python {

// When Python ends, it ends other threads as they ask for the lock, by unwinding their stacks; C++ takes that for an exception that
// leaves a destructor, and aborts. Such a thread waits here instead, until the process is gone.
template <class Take>
void take_or_wait_for_the_end(const Take& take) {
#ifdef __GLIBCXX__
    try {
        take();
    } catch (abi::__forced_unwind&) {
        while (true) pause();
    }
#else
    take();
#endif
}

// Others may run Python while it lives.
class Unlocked {
public:
    Unlocked() : state_(PyEval_SaveThread()) {}
    ~Unlocked() {
        take_or_wait_for_the_end([&] { PyEval_RestoreThread(state_); });
    }
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;

private:
    PyThreadState* state_;
};

// In between, on whatever thread.
class Locked {
public:
    Locked() {
        take_or_wait_for_the_end([&] { lock_.emplace(); });
    }

private:
    std::optional<py::gil_scoped_acquire> lock_;
};

}  // namespace plucker::python
