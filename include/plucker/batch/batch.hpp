// Every algorithm of the table over many states, on SIMD lanes and all cores.
//
//     batch::Evaluator<double> robot(model);
//     inverse_dynamics(robot, q, v, a, tau);      // q: N × nq; v, a, tau: N × nv
//
// Arguments are views (algorithms/views.hpp) of the caller's arrays, in double or in float: one row per state. The functions
// are those of single calls, run on packs of states. Functions that read the workspace's kinematics take q, v and a
// instead: frame_velocity(robot, q, v, frame, reference, velocity). An output that is also an input is read in place:
// inverse_mass_matrix_times(robot, q, b).
//
// A state with a number that is not finite, a quaternion without direction, or a singular mass matrix where that matters
// is flagged in the optional status after the outputs, and its results are NaN. It does not affect the other states: with
// the same instruction set a state's result has the same bits in any batch, at any place in it, on any number of threads.
// Each function returns how many states were flagged.
//
// The first call of a function makes machine code for this robot (docs/compiler.md), which takes milliseconds; later calls
// do not allocate. One Evaluator serves one caller at a time. An output may be the very same array as an input; any other
// sharing of memory is rejected. The full contract is in docs/contract.md.
#pragma once

#include <memory>

#include "plucker/algorithms/table.hpp"
#include "plucker/scalar/isa.hpp"

namespace plucker::batch {

using plucker::name_of;
using plucker::Status;

struct Options {
    int threads = 0;  // 0: as many as the machine has cores
    // Each function as machine code for this robot, made at its first call, which takes milliseconds; of one that takes a
    // frame, external forces or a list of what is given, at the first call with these. Otherwise by kernels for any robot.
    bool compile = true;
};

template <class T>
class Evaluator {
public:
    explicit Evaluator(const Model& model, Options options = {});
    ~Evaluator();
    Evaluator(Evaluator&&) noexcept;
    Evaluator& operator=(Evaluator&&) noexcept;

    const Model& model() const;
    Isa isa() const;
    int lanes() const;
    // How many there are: fewer than asked for where the system refuses more. Small batches use only some of them.
    int threads() const;
    int threads_of_last_call() const;

    // The algorithm in that row of the table. Its function calls this: inverse_dynamics(evaluator, …).
    long perform(int row, BatchOperands<T>& x);

private:
    struct Crew;
    std::unique_ptr<Crew> crew_;
};

extern template class Evaluator<double>;
extern template class Evaluator<float>;

}  // namespace plucker::batch
