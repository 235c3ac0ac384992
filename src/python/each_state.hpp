// Functions beside the table's, at one state or at many: arrays whose leading dimensions are states, one state after the other.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "forces.hpp"
#include "interrupts.hpp"
#include "plucker/scalar/eigen.hpp"

namespace plucker::python {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// An array by rows, of which each state has a part.
struct StateArray {
    Owned array;
    std::vector<npy_intp> leading;  // the dimensions that are states
    long rows = 0, columns = 1;     // of a part

    double* part(npy_intp k) const {
        return static_cast<double*>(PyArray_DATA(array.array())) + k * rows * columns;
    }
};

// Takes the arguments of a function, gives memory for its results, and calls it for each state.
class EachState {
public:
    // Of a matrix, as many rows as there are.
    static constexpr long kAny = -1;

    explicit EachState(const char* function) : function_(function) {}
    const char* function() const { return function_; }

    // Vectors (..., size), or matrices (..., rows, columns); `meaning` is that of the last dimension, and may be empty. All come
    // before the first result.
    int take(const char* argument, const py::object& object, long size, const char* meaning);
    int take_matrix(const char* argument, const py::object& object, long rows, long columns,
                    const char* meaning);
    int add_result(long size);
    int add_result(long rows, long columns);

    bool is_single() const { return leading_.empty(); }
    long rows(int k) const { return argument(k).rows; }

    // Of the state that is computed.
    Eigen::Map<const VectorX<double>> vector(int k) const;
    Eigen::Map<const RowMajor> matrix(int k) const;
    Eigen::Map<VectorX<double>> result(int k) const;
    Eigen::Map<RowMajor> result_matrix(int k) const;

    // f(workspace) for each state, without the interpreter's lock where there are many. It returns a status, which of many
    // states goes to the robot's last_status; of one, a failure throws.
    template <class F>
    void compute(Robot& robot, const F& f);
    // f() for each state. What it throws says which state it was.
    template <class F>
    void each(const F& f);

    py::object returned(int k);

private:
    const StateArray& argument(int k) const { return arguments_[static_cast<std::size_t>(k)]; }
    const double* part(int argument) const;
    npy_intp count() const;
    int take_array(const char* argument, const py::object& object, std::vector<long> core,
                   const char* meaning);
    int add_result_array(std::vector<npy_intp> core);
    void broadcast(const std::vector<npy_intp>& leading);
    Owned new_array(const std::vector<npy_intp>& core, int type) const;
    Error of_state(const Error& error) const;
    // What came of the state: what overflowed is no result.
    Status checked(Status status) const;

    const char* function_;
    std::vector<npy_intp> leading_;  // of all together
    std::vector<StateArray> arguments_, results_;
    npy_intp state_ = 0;  // the one that is computed
};

template <class F>
void EachState::compute(Robot& robot, const F& f) {
    if (is_single()) {
        const auto workspace = robot.workspace();
        (void)f(*workspace);
        return;
    }
    Owned statuses = new_array({}, NPY_UINT8);
    auto* const status = static_cast<std::uint8_t*>(PyArray_DATA(statuses.array()));
    const npy_intp states = count();
    {
        const Unlocked released;
        Interrupts interrupts;
        Workspace<double> workspace(robot.model(), OnFailure::kReport);
        for (state_ = 0; state_ < states; ++state_) {
            if (state_ % 16 == 0) interrupts.hear();
            status[state_] = static_cast<std::uint8_t>(checked(f(workspace)));
        }
    }
    robot.last_status = py::reinterpret_steal<py::object>(statuses.release());
}

template <class F>
void EachState::each(const F& f) {
    if (is_single()) return f();
    const npy_intp states = count();
    const Unlocked released;
    Interrupts interrupts;
    for (state_ = 0; state_ < states; ++state_) {
        if (state_ % 16 == 0) interrupts.hear();
        try {
            f();
        } catch (const Error& error) {
            throw of_state(error);
        }
    }
}

// External forces, which may be None.
class ForcesOfStates {
public:
    ForcesOfStates(EachState& many, const Robot& robot, const py::object& external);
    // Of the state that is computed; null: none.
    MaybeForces<double> here();

private:
    EachState& many_;
    const Forces* forces_ = nullptr;
    int argument_ = -1;
    std::optional<plucker::ExternalForces<double>> here_;
};

}  // namespace plucker::python
