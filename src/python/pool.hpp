// Things that are dear to make and serve one caller at a time: workspaces and evaluators.
//
// The interpreter's lock guards the list: it is held whenever something is taken or given back, so that there is no other
// lock, and none that a fork could leave locked.
#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace plucker::python {

template <class Thing>
class Pool {
public:
    // One of those that wait and `fits`, or a new one.
    template <class Fits, class Make>
    std::unique_ptr<Thing> take(const Fits& fits, const Make& make) {
        for (std::size_t k = waiting_.size(); k-- > 0;) {
            if (!fits(*waiting_[k])) continue;
            std::swap(waiting_[k], waiting_.back());
            std::unique_ptr<Thing> found = std::move(waiting_.back());
            waiting_.pop_back();
            return found;
        }
        return make();
    }
    void give_back(std::unique_ptr<Thing> thing) {
        if (waiting_.size() == kMost) waiting_.erase(waiting_.begin());
        waiting_.push_back(std::move(thing));
    }
    // Forgets them without destroying them.
    void abandon() {
        for (auto& thing : waiting_) thing.release();  // NOLINT(bugprone-unused-return-value)
        waiting_.clear();
    }

private:
    // As many as wait; there may be more in use.
    static constexpr std::size_t kMost = 8;
    std::vector<std::unique_ptr<Thing>> waiting_;
};

// What was taken from a pool, until the end of the scope.
template <class Thing>
class Lease {
public:
    Lease(Pool<Thing>& pool, std::unique_ptr<Thing> thing)
        : pool_(pool), thing_(std::move(thing)) {}
    ~Lease() { pool_.give_back(std::move(thing_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;

    Thing& operator*() const { return *thing_; }
    Thing* operator->() const { return thing_.get(); }

private:
    Pool<Thing>& pool_;
    std::unique_ptr<Thing> thing_;
};

}  // namespace plucker::python
