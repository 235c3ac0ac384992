// Threads that wait for work, so that a call starts them in microseconds and allocates nothing.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "plucker/error.hpp"

namespace plucker::batch {

// How many threads are meant by the argument `threads` of `who`: 0 stands for as many as the machine has cores.
inline int number_of_threads(const char* who, int threads) {
    if (threads < 0) {
        throw Error::because(who, ": threads is ", threads,
                             "; it must be positive, or 0 for as many as there are cores");
    }
    constexpr int kMost = 1024;
    if (threads > kMost) {
        throw Error::because(who, ": threads is ", threads, "; at most ", kMost,
                             " are started, and 0 starts as many as there are cores");
    }
    if (threads > 0) return threads;
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

class ThreadCrew {
public:
    // The caller is one of them: `threads` - 1 are started, or as many as the system lets us.
    explicit ThreadCrew(int threads) {
        threads_.reserve(static_cast<std::size_t>(threads - 1));
        try {
            for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { serve(i); });
        } catch (const std::system_error&) {
            // A limit on threads: those that are there do the work.
        } catch (...) {  // no memory: those that are there must end before what they wait on does
            stop();
            throw;
        }
    }
    ~ThreadCrew() { stop(); }
    ThreadCrew(const ThreadCrew&) = delete;
    ThreadCrew& operator=(const ThreadCrew&) = delete;

    int size() const { return static_cast<int>(threads_.size()) + 1; }

    // Calls task(member) once on each of the first `members` threads, and waits for all of them. The
    // task must not throw.
    template <class Task>
    void run(int members, Task& task) {
        if (members > 1) {
            const std::lock_guard lock(mutex_);
            call_ = [](void* context, int member) { (*static_cast<Task*>(context))(member); };
            context_ = &task;
            members_ = members;
            running_ = members - 1;
            ++round_;
            start_.notify_all();
        }
        task(0);
        if (members > 1) {
            std::unique_lock lock(mutex_);
            done_.wait(lock, [this] { return running_ == 0; });
        }
    }

private:
    std::vector<std::thread> threads_;
    std::mutex mutex_;
    std::condition_variable start_, done_;
    void (*call_)(void*, int) = nullptr;
    void* context_ = nullptr;
    int members_ = 0;
    int running_ = 0;
    long round_ = 0;
    bool stopping_ = false;

    void stop() {
        {
            const std::lock_guard lock(mutex_);
            stopping_ = true;
        }
        start_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }
    void serve(int member) {
        long seen = 0;
        std::unique_lock lock(mutex_);
        while (true) {
            start_.wait(lock, [&] { return stopping_ || round_ != seen; });
            if (stopping_) return;
            seen = round_;
            if (member >= members_) continue;
            lock.unlock();
            call_(context_, member);
            lock.lock();
            if (--running_ == 0) done_.notify_one();
        }
    }
};

}  // namespace plucker::batch
