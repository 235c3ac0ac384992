// Forces from outside: at named places, one for all states or one per state.
#pragma once

#include <memory>
#include <vector>

#include "arrays.hpp"
#include "robot.hpp"

namespace plucker::python {

ReferenceFrame reference_named(const char* function, const char* argument, PyObject* name);
const char* name_of(ReferenceFrame reference);

class Forces {
public:
    struct Entry {
        std::string frame;
        ForcePlace place;
        py::object force;  // an array (..., 6)
    };

    explicit Forces(std::shared_ptr<Robot> robot) : robot_(std::move(robot)) {}

    void add(py::object frame, py::object force, py::object expressed_in);
    void clear() { entries_.clear(); }

    const std::shared_ptr<Robot>& robot() const { return robot_; }
    const std::vector<Entry>& entries() const { return entries_; }
    bool is_single() const;   // no force differs from state to state
    bool is_float32() const;  // all numbers are
    // For calls of this robot; throws where it is another.
    void check_robot(const char* function, const Robot& robot) const;
    plucker::ExternalForces<double> single() const;
    // All forces side by side: (..., 6·places), with the leading dimensions that they have together.
    Owned stacked(const char* function, int numpy_type) const;

private:
    std::shared_ptr<Robot> robot_;
    std::vector<Entry> entries_;
};

}  // namespace plucker::python
