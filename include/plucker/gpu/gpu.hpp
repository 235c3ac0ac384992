// Every algorithm of the table over many states, on a GPU: one thread per state.
//
//     gpu::Evaluator<float> robot(model);
//     inverse_dynamics(robot, q, v, a, tau);      // views of arrays in the GPU's memory
//
// The functions and their arguments are those of batches (batch/batch.hpp), but every pointer, including that of the status,
// points to the GPU's memory. Arrays with the states side by side (state_stride 1: N numbers of each entry) are fastest, then
// dense rows; any other strides work.
//
// The first call of a function compiles a kernel for this robot, which takes seconds, and stores it in the user's cache
// folder. As in batches, a state without a result is flagged, and its results are NaN; results differ from those of batches
// by rounding.
//
// HostEvaluator takes arrays in the host's memory. It copies them in pieces through pinned memory, so that one piece is copied
// while another is computed.
#pragma once

#include <memory>
#include <optional>

#include "plucker/algorithms/table.hpp"
#include "plucker/compiler/cuda.hpp"
#include "plucker/gpu/driver.hpp"

namespace plucker::gpu {

using batch::BatchOperands;

struct Options {
    int device = 0;
    // On which the work is done; of somebody else's, or Device::make_stream's.
    Stream stream = nullptr;
    // Otherwise a function returns 0 at once, and synchronize() tells how many states were flagged.
    bool wait = true;
    // Where kernels are kept; empty: plucker in the user's cache folder. "none": nowhere.
    std::string cache_folder{};
    // Null: the one with that number.
    std::shared_ptr<Device> on{};
    // How programs are laid out; by default as was measured to be fastest (docs/gpu.md).
    std::optional<compiler::KernelShape> shape{};
    // How long a program may be: beyond, a compiler takes many minutes. What is longer is composed of other functions, and
    // loops over matrices, where that can be done (docs/gpu.md); else an Error says so.
    std::size_t most_nodes = 100000;
};

// A kernel that was made.
struct KernelReport {
    std::string name;
    bool from_cache = false;
    double seconds = 0;                      // to make it
    int operations = 0;                      // a state: sums, products, …
    long bytes_read = 0, bytes_written = 0;  // a state, status included
    int kernels = 1;                         // that do it, one after another
    bool is_composed = false;                // of other functions, and loops over matrices
    long bytes_kept = 0;                     // a state, that these hand on to each other
    int registers = 0;                       // of the one that has most
    std::size_t local_memory = 0;
};

template <class T>
class Evaluator {
public:
    explicit Evaluator(const Model& model, Options options = {});
    ~Evaluator();
    Evaluator(Evaluator&&) noexcept;
    Evaluator& operator=(Evaluator&&) noexcept;

    const Model& model() const;
    Device& device() const;
    Stream stream() const;
    void set_stream(Stream stream);
    // Waits for what was begun. How many states were flagged since the last time.
    long synchronize();
    // Of the last call.
    const KernelReport& kernel() const;

    // The algorithm in that row of the table. Its function calls this: inverse_dynamics(evaluator, …).
    long perform(int row, BatchOperands<T>& x);

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

template <class T>
class HostEvaluator {
public:
    explicit HostEvaluator(const Model& model, Options options = {});
    ~HostEvaluator();
    HostEvaluator(HostEvaluator&&) noexcept;
    HostEvaluator& operator=(HostEvaluator&&) noexcept;

    const Model& model() const;
    Device& device() const;
    const KernelReport& kernel() const;
    long perform(int row, BatchOperands<T>& x);

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

// Arrays in the host's memory, a share of the states to each GPU of the machine.
template <class T>
class AllDevices {
public:
    // On these; none: all that there are. `options` names no other.
    explicit AllDevices(const Model& model, Options options = {},
                        std::vector<std::shared_ptr<Device>> devices = {});
    ~AllDevices();
    AllDevices(AllDevices&&) noexcept;
    AllDevices& operator=(AllDevices&&) noexcept;

    const Model& model() const;
    int size() const;  // devices
    long perform(int row, BatchOperands<T>& x);

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

extern template class AllDevices<double>;
extern template class AllDevices<float>;
extern template class Evaluator<double>;
extern template class Evaluator<float>;
extern template class HostEvaluator<double>;
extern template class HostEvaluator<float>;

}  // namespace plucker::gpu
