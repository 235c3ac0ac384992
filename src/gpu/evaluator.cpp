#include <algorithm>

#include "../batch/check_operands.hpp"
#include "plans.hpp"
#include "plucker/gpu/gpu.hpp"

namespace plucker::gpu {
namespace {

// The values of a kernel's parameters, and pointers to them.
class LaunchArguments {
public:
    explicit LaunchArguments(long count) { add(count); }

    template <class T>
    void add_pointer(T* pointer) {
        add(reinterpret_cast<std::uintptr_t>(pointer));
    }
    // Of the array that begins with state `first`.
    template <class T>
    void add_array(compiler::KernelArray how, const batch::Matrices<T>& x, long first) {
        add_pointer(x.data + first * x.state_stride);
        if (how.layout == compiler::ArrayLayout::kPlanes) {
            const bool by_columns = how.order == compiler::EntryOrder::kByColumns;
            const bool no_inner = by_columns ? x.rows == 1 : x.columns == 1;
            add((by_columns == no_inner ? x.column_stride : x.row_stride) *
                static_cast<long>(sizeof(T)));
        }
        if (how.layout == compiler::ArrayLayout::kAnything) {
            add(x.state_stride);
            add(x.row_stride);
            add(x.column_stride);
        }
    }
    template <class T>
    void add_strides(const batch::Matrices<T>& x) {
        add_pointer(x.data);
        add(x.state_stride);
        add(x.row_stride);
        add(x.column_stride);
    }
    void** pointers() {
        pointers_.clear();
        for (std::uint64_t& value : values_) pointers_.push_back(&value);
        return pointers_.data();
    }

    template <class V>
    void add(V value) {
        values_.push_back(static_cast<std::uint64_t>(value));
    }

private:
    std::vector<std::uint64_t> values_;  // narrower ones begin with their lowest byte
    std::vector<void*> pointers_;
};

// States [first, first + n).
template <class T>
batch::Matrices<T> part_of(batch::Matrices<T> x, long first, long n) {
    x.data += first * x.state_stride;
    x.count = n;
    return x;
}
// Whether neighbours in memory are neighbours in a column.
template <class T>
bool lies_by_columns(const batch::Matrices<T>& x) {
    return x.columns == 1 || (x.row_stride == 1 && x.column_stride != 1);
}
template <class T>
batch::Matrices<T> transposed(batch::Matrices<T> x) {
    std::swap(x.rows, x.columns);
    std::swap(x.row_stride, x.column_stride);
    return x;
}

}  // namespace

template <class T>
struct Evaluator<T>::Work {
    Model model;
    std::shared_ptr<Device> device;
    Stream stream;
    bool wait;
    Plans<T> plans;
    unsigned long long* flagged;  // on the device
    unsigned long long* told;     // here, in pinned memory
    KernelReport last;
    struct Planes {
        Stream stream;
        void* memory;
        std::size_t bytes;
    };
    std::vector<Planes> planes;

    static constexpr long kMostOfLaunch = 1L << 30;  // states: threads are counted in 32 bits
    static constexpr long kBytesOfPlanes =
        24L << 20;  // what the GPU's cache holds, if a state is small

    Work(const Model& model_, const Options& options)
        : model(model_),
          device(options.on != nullptr ? options.on : open_device(options.device)),
          stream(options.stream),
          wait(options.wait),
          plans(model, *device, options),
          flagged(static_cast<unsigned long long*>(device->allocate(sizeof(unsigned long long)))),
          told(static_cast<unsigned long long*>(
              device->allocate_pinned(sizeof(unsigned long long)))) {
        device->clear(flagged, sizeof(*flagged), stream);
        device->synchronize(stream);
    }
    ~Work() {
        device->release(flagged);
        for (const Planes& p : planes) device->release(p.memory);
        device->release_pinned(told);
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    void begin(int row, const BatchOperands<T>& x, long count) {
        Plan& plan = plans.find(row, x);
        last = plan.report;
        const CallArrays<T> arrays(algorithms()[static_cast<std::size_t>(row)], x);
        // Numbers of a state that go through planes.
        long numbers = 0;
        const auto count_numbers = [&](const auto& array) {
            if (goes_through_planes(array)) numbers += array.rows * array.columns;
        };
        for (const auto& array : arrays.inputs) count_numbers(array);
        for (const auto& array : arrays.outputs) count_numbers(array);
        long piece = kMostOfLaunch;
        if (numbers > 0) {
            piece = std::clamp(kBytesOfPlanes / (numbers * static_cast<long>(sizeof(T))), 1L << 16,
                               1L << 20);
        }
        // What kernels hand on may take a part of the device's memory.
        const long kept = (plan.num_kept * static_cast<long>(sizeof(T))) + 1;
        if (plan.is_sliced()) {
            const auto memory = static_cast<long>(device->info().memory / 16);
            piece = std::min(piece, std::clamp(memory / kept, 1L << 16, 1L << 24));
        }
        T* memory = nullptr;
        if (numbers > 0 || plan.is_sliced()) {
            piece = std::min(piece, (count + kTile - 1) / kTile * kTile);
            numbers += plan.num_kept;
            memory = reserve(static_cast<std::size_t>(numbers * piece) * sizeof(T) +
                             static_cast<std::size_t>(piece));
        }
        for (long first = 0; first < count; first += piece)
            launch(plan, arrays, x, {first, std::min(piece, count - first), piece, memory});
    }
    struct Piece {
        long first, count;  // states
        long plane;         // numbers of one
        T* memory;          // for planes
    };
    void launch(Plan& plan, const CallArrays<T>& arrays, const BatchOperands<T>& x,
                const Piece& piece) {
        const long first = piece.first, n = piece.count, plane = piece.plane;
        LaunchArguments arguments(n);
        T* next = piece.memory;
        const auto planes_for = [&](long rows, long columns) {
            const batch::Matrices<T> out(next, n, rows, columns, 1, columns * plane, plane);
            next += rows * columns * plane;
            return out;
        };
        constexpr compiler::KernelArray kPlanes{};
        batch::Matrices<T> kept{};
        if (plan.num_kept > 0) kept = planes_for(plan.num_kept, 1);
        for (std::size_t k = 0; k < arrays.inputs.size(); ++k) {
            const auto from = part_of(arrays.inputs[k], first, n);
            if (!goes_through_planes(from)) {
                arguments.add_array(plan.layouts.inputs[k], from, 0);
                continue;
            }
            const batch::Matrices<T> there = planes_for(from.rows, from.columns);
            move(from, there, lies_by_columns(from));
            arguments.add_array(plan.layouts.inputs[k], there, 0);
        }
        if (plan.num_kept > 0) arguments.add_array(kPlanes, kept, 0);
        std::vector<std::pair<batch::Matrices<T>, batch::Matrices<T>>> results;
        for (std::size_t k = 0; k < arrays.outputs.size(); ++k) {
            const auto to = part_of(arrays.outputs[k], first, n);
            if (!goes_through_planes(to)) {
                arguments.add_array(plan.layouts.outputs[k], to, 0);
                continue;
            }
            const batch::Matrices<T> there = planes_for(to.rows, to.columns);
            results.emplace_back(there, to);
            arguments.add_array(plan.layouts.outputs[k], there, 0);
        }
        if (plan.num_kept > 0) arguments.add_array(kPlanes, kept, 0);
        arguments.add_pointer(x.status.empty() ? nullptr : x.status.data() + first);
        arguments.add_pointer(flagged);
        if (plan.is_sliced()) arguments.add_pointer(next);  // a byte a state
        for (const PlannedKernel& kernel : plan.kernels) {
            const long blocks = (n + kernel.states - 1) / kernel.states;
            device->launch(*kernel.kernel,
                           {static_cast<unsigned>(blocks), static_cast<unsigned>(kernel.threads),
                            kernel.shared_memory},
                           arguments.pointers(), stream);
        }
        for (const auto& [from, to] : results) move(from, to, lies_by_columns(to));
    }
    // The side that is no planes says in which order entries are counted.
    template <class U>
    void move(const batch::Matrices<U>& from, const batch::Matrices<T>& to, bool by_columns) {
        const batch::Matrices<U> source = by_columns ? transposed(from) : from;
        const batch::Matrices<T> target = by_columns ? transposed(to) : to;
        const long size = source.rows * source.columns;
        LaunchArguments arguments(source.count);
        arguments.add(size);
        arguments.add(source.columns);
        arguments.add_strides(source);
        arguments.add_strides(target);
        const long tiles = (source.count + kTile - 1) / kTile * ((size + kTile - 1) / kTile);
        device->launch(plans.transpose(), {static_cast<unsigned>(tiles), kTransposeThreads, 0},
                       arguments.pointers(), stream);
    }
    // Planes of this stream: others may be at work on theirs.
    T* reserve(std::size_t bytes) {
        auto found = std::find_if(planes.begin(), planes.end(),
                                  [&](const Planes& p) { return p.stream == stream; });
        if (found == planes.end()) found = planes.insert(found, Planes{stream, nullptr, 0});
        if (found->bytes < bytes) {
            device->synchronize(stream);
            device->release(found->memory);
            *found = {stream, nullptr, 0};
            found->memory = device->allocate(bytes);
            found->bytes = bytes;
        }
        return static_cast<T*>(found->memory);
    }
    long finish() {
        device->copy_out(told, flagged, sizeof(*told), stream);
        device->clear(flagged, sizeof(*flagged), stream);
        device->synchronize(stream);
        return static_cast<long>(*told);
    }
};

template <class T>
Evaluator<T>::Evaluator(const Model& model, Options options)
    : work_(std::make_unique<Work>(model, options)) {}
template <class T>
Evaluator<T>::~Evaluator() = default;
template <class T>
Evaluator<T>::Evaluator(Evaluator&&) noexcept = default;
template <class T>
Evaluator<T>& Evaluator<T>::operator=(Evaluator&&) noexcept = default;

template <class T>
const Model& Evaluator<T>::model() const {
    return work_->model;
}
template <class T>
Device& Evaluator<T>::device() const {
    return *work_->device;
}
template <class T>
Stream Evaluator<T>::stream() const {
    return work_->stream;
}
template <class T>
void Evaluator<T>::set_stream(Stream stream) {
    work_->stream = stream;
}
template <class T>
long Evaluator<T>::synchronize() {
    return work_->finish();
}
template <class T>
const KernelReport& Evaluator<T>::kernel() const {
    return work_->last;
}
template <class T>
long Evaluator<T>::perform(int row, BatchOperands<T>& x) {
    const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
    const long count = batch::OperandsCheck<T>(algorithm, model(), x).count();
    work_->begin(row, x, count);
    return work_->wait ? work_->finish() : 0;
}

template class Evaluator<double>;
template class Evaluator<float>;

}  // namespace plucker::gpu
