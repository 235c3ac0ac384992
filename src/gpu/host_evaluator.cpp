#include <algorithm>
#include <cstring>
#include <utility>

#include "../batch/check_operands.hpp"
#include "memory.hpp"
#include "plucker/gpu/gpu.hpp"

namespace plucker::gpu {

// An array in memory of its own, which grows as it must: here, pinned, and on the device.
class Staging {
public:
    explicit Staging(Device& device) : device_(device) {}

    void reserve(std::size_t bytes) {
        if (bytes <= there_.bytes()) return;
        here_ = {};
        there_ = {};
        here_ = PinnedMemory(device_, bytes);
        there_ = DeviceMemory(device_, bytes);
    }
    char* here() const { return here_.as<char>(); }
    char* there() const { return there_.as<char>(); }

private:
    Device& device_;
    PinnedMemory here_;
    DeviceMemory there_;
};

namespace {

// Dense rows, and back.
template <class T>
bool is_dense(const batch::Matrices<T>& x) {
    return x.state_stride == x.rows * x.columns && (x.columns == 1 || x.column_stride == 1) &&
           x.row_stride == (x.columns == 1 ? 1 : x.columns);
}
template <class T, class U, class Copy>
void for_each_entry(const batch::Matrices<T>& x, long first, long n, U* dense, const Copy& copy) {
    for (long i = first; i < first + n; ++i) {
        T* const state = x.data + i * x.state_stride;
        for (long r = 0; r < x.rows; ++r) {
            for (long c = 0; c < x.columns; ++c)
                copy(state[r * x.row_stride + c * x.column_stride], *dense++);
        }
    }
}
template <class T>
void gather(const batch::Matrices<T>& from, long first, long n, std::remove_const_t<T>* to) {
    if (is_dense(from)) {
        std::memcpy(to, from.data + first * from.state_stride,
                    static_cast<std::size_t>(n * from.state_stride) * sizeof(T));
    } else {
        for_each_entry(from, first, n, to, [](const T& theirs, auto& ours) { ours = theirs; });
    }
}
template <class T>
void scatter(const T* from, const batch::Matrices<T>& to, long first, long n) {
    if (is_dense(to)) {
        std::memcpy(to.data + first * to.state_stride, from,
                    static_cast<std::size_t>(n * to.state_stride) * sizeof(T));
    } else {
        for_each_entry(to, first, n, from, [](T& theirs, const T& ours) { theirs = ours; });
    }
}

}  // namespace

// Pieces of a batch, on two streams in turn: while one is computed, the other is copied.
template <class T>
struct HostEvaluator<T>::Work {
    std::shared_ptr<Device> device;
    Evaluator<T> evaluator;

    struct Slot {
        Device& device;
        Stream stream;
        Staging memory;
        long first = 0, count = 0;  // the states that are under way
        std::size_t inputs = 0;     // bytes before the outputs
        explicit Slot(Device& device_)
            : device(device_), stream(device.make_stream()), memory(device_) {}
        ~Slot() {
            abandon();
            device.release_stream(stream);
        }
        // What is under way is waited for, and nobody has it.
        void abandon() noexcept {
            if (std::exchange(count, 0) == 0) return;
            try {
                device.synchronize(stream);
            } catch (const Error&) {  // it will not be done any more
            }
        }
        Slot(const Slot&) = delete;
        Slot& operator=(const Slot&) = delete;
    };
    Slot slots[2];

    Work(const Model& model, const Options& options)
        : device(options.on != nullptr ? options.on : open_device(options.device)),
          evaluator(model, with_device(options)),
          slots{Slot(*device), Slot(*device)} {}

    static long round_up(long bytes) { return (bytes + 255) / 256 * 256; }
    Options with_device(Options options) const {
        options.on = device;
        options.wait = false;
        return options;
    }

    // As many as keep a GPU busy, of functions with large results fewer: pinned memory is dear.
    static constexpr long kBytesOfAPiece = 32L << 20, kMostBytesOfAPiece = 256L << 20;
    static long states_of_a_piece(long numbers) {
        const long bytes = numbers * static_cast<long>(sizeof(T)) + 1;
        return std::min(std::clamp(kBytesOfAPiece / bytes, 1024L, 1L << 20),
                        std::max(kMostBytesOfAPiece / bytes, 1L));
    }

    long run(int row, const BatchOperands<T>& x, long count) try {
        const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
        long numbers = 0;
        for (int k = 0; k < x.num_inputs; ++k)
            numbers += x.inputs[static_cast<std::size_t>(k)].size;
        for (int k = 0; k < x.num_outputs; ++k) {
            const auto& to = x.outputs[static_cast<std::size_t>(k)];
            numbers += to.rows * to.columns;
        }
        if (has_forces(algorithm, x)) numbers += x.external->forces.size;
        const long piece = states_of_a_piece(numbers);
        int next = 0;
        for (long first = 0; first < count; first += piece) {
            Slot& slot = slots[next];
            next = 1 - next;
            finish(slot, x);
            begin(slot, row, x, first, std::min(piece, count - first));
        }
        for (int k = 0; k < 2; ++k) finish(slots[static_cast<std::size_t>((next + k) % 2)], x);
        return evaluator.synchronize();
    } catch (...) {
        // Of a call that failed nothing may come back with the next.
        for (Slot& slot : slots) slot.abandon();
        forget_flagged();
        throw;
    }
    void forget_flagged() noexcept {
        try {
            evaluator.synchronize();
        } catch (const Error&) {  // the GPU is gone
        }
    }

    static bool has_forces(const Algorithm& row, const BatchOperands<T>& x) {
        return row.inputs.has(Kind::kForces) && x.external != nullptr &&
               !x.external->places.empty();
    }

    // Copies states to the device, computes there, and copies back.
    void begin(Slot& slot, int row, const BatchOperands<T>& x, long first, long n) {
        const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
        BatchOperands<T> there = x;
        batch::ExternalForces<T> forces;
        const auto bytes_of = [&](long size) {
            return round_up(n * size * static_cast<long>(sizeof(T)));
        };
        long bytes = round_up(n);
        for (int k = 0; k < x.num_inputs; ++k)
            bytes += bytes_of(x.inputs[static_cast<std::size_t>(k)].size);
        for (int k = 0; k < x.num_outputs; ++k) {
            const auto& to = x.outputs[static_cast<std::size_t>(k)];
            bytes += bytes_of(to.rows * to.columns);
        }
        if (has_forces(algorithm, x)) bytes += bytes_of(x.external->forces.size);
        slot.memory.reserve(static_cast<std::size_t>(bytes));

        long at = 0;
        const auto take_states = [&](const batch::States<const T>& from) {
            gather(batch::Matrices<const T>(from), first, n,
                   reinterpret_cast<T*>(slot.memory.here() + at));
            const batch::States<const T> view(reinterpret_cast<const T*>(slot.memory.there() + at),
                                              n, from.size);
            at += bytes_of(from.size);
            return view;
        };
        for (int k = 0; k < x.num_inputs; ++k)
            there.inputs[static_cast<std::size_t>(k)] =
                take_states(x.inputs[static_cast<std::size_t>(k)]);
        if (has_forces(algorithm, x)) {
            forces.places = x.external->places;
            forces.forces = take_states(x.external->forces);
            there.external = &forces;
        }
        slot.inputs = static_cast<std::size_t>(at);
        long copied = at;
        for (int k = 0; k < x.num_outputs; ++k) {
            const batch::Matrices<T>& to = x.outputs[static_cast<std::size_t>(k)];
            there.outputs[static_cast<std::size_t>(k)] = batch::Matrices<T>(
                reinterpret_cast<T*>(slot.memory.there() + at), n, to.rows, to.columns);
            const long end = at + bytes_of(to.rows * to.columns);
            if (algorithm.outputs[k].reads != Reads::kNothing) {
                gather(to, first, n, reinterpret_cast<T*>(slot.memory.here() + at));
                copied = end;
            }
            at = end;
        }
        there.status = {reinterpret_cast<Status*>(slot.memory.there() + at),
                        static_cast<std::size_t>(n)};
        slot.first = first;
        slot.count = n;
        device->copy_in(slot.memory.there(), slot.memory.here(), static_cast<std::size_t>(copied),
                        slot.stream);
        evaluator.set_stream(slot.stream);
        evaluator.perform(row, there);
        device->copy_out(slot.memory.here() + slot.inputs, slot.memory.there() + slot.inputs,
                         static_cast<std::size_t>(bytes) - slot.inputs, slot.stream);
    }
    // Waits, and hands the results over.
    void finish(Slot& slot, const BatchOperands<T>& x) {
        if (slot.count == 0) return;
        device->synchronize(slot.stream);
        const char* at = slot.memory.here() + slot.inputs;
        for (int k = 0; k < x.num_outputs; ++k) {
            const batch::Matrices<T>& to = x.outputs[static_cast<std::size_t>(k)];
            scatter(reinterpret_cast<const T*>(at), to, slot.first, slot.count);
            at += round_up(slot.count * to.rows * to.columns * static_cast<long>(sizeof(T)));
        }
        if (!x.status.empty()) {
            std::memcpy(x.status.data() + slot.first, at, static_cast<std::size_t>(slot.count));
        }
        slot.count = 0;
    }
};

template <class T>
HostEvaluator<T>::HostEvaluator(const Model& model, Options options)
    : work_(std::make_unique<Work>(model, options)) {}
template <class T>
HostEvaluator<T>::~HostEvaluator() = default;
template <class T>
HostEvaluator<T>::HostEvaluator(HostEvaluator&&) noexcept = default;
template <class T>
HostEvaluator<T>& HostEvaluator<T>::operator=(HostEvaluator&&) noexcept = default;

template <class T>
const Model& HostEvaluator<T>::model() const {
    return work_->evaluator.model();
}
template <class T>
Device& HostEvaluator<T>::device() const {
    return *work_->device;
}
template <class T>
const KernelReport& HostEvaluator<T>::kernel() const {
    return work_->evaluator.kernel();
}
template <class T>
long HostEvaluator<T>::perform(int row, BatchOperands<T>& x) {
    const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
    const long count = batch::OperandsCheck<T>(algorithm, model(), x).count();
    return work_->run(row, x, count);
}

template class HostEvaluator<double>;
template class HostEvaluator<float>;

}  // namespace plucker::gpu
