#include "calls.hpp"

#include <algorithm>
#include <chrono>

#include "compositions.hpp"

namespace plucker::gpu {
namespace {

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
void Calls<T>::run(int row, const BatchOperands<T>& x, long count, Stream stream,
                   unsigned long long* flagged) {
    if (plans_.has_forgotten()) wait();
    stream_ = stream;
    const Streams::Scope scope(streams_, stream);
    Plan& plan = plans_.find(row, x);
    level_ = 0;
    report_ = plan.report;
    if (plan.report.is_composed) report_.seconds = 0;
    run(plan, row, x, count, flagged);
    // Parts are made in the first call.
    if (plan.report.is_composed && plan.report.seconds == 0) plan.report.seconds = report_.seconds;
    report_.seconds = plan.report.seconds;
}

template <class T>
void Calls<T>::run(Plan& plan, int row, const BatchOperands<T>& x, long count,
                   unsigned long long* flagged) {
    if (plan.report.is_composed) {
        compose(*this, row, x, count, flagged);
    } else {
        run_program(plan, row, x, count, flagged);
    }
}

template <class T>
void Calls<T>::run_part(int row, const BatchOperands<T>& x, long count) {
    const auto begin = std::chrono::steady_clock::now();
    Plan& plan = plans_.find(row, x);
    report_.seconds +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report_.from_cache = report_.from_cache && plan.report.from_cache;
    report_.operations += plan.report.operations;
    report_.kernels += plan.report.kernels;
    report_.bytes_kept += plan.report.bytes_kept;
    report_.registers = std::max(report_.registers, plan.report.registers);
    report_.local_memory = std::max(report_.local_memory, plan.report.local_memory);
    ++level_;
    run(plan, row, x, count, nullptr);
    --level_;
}

template <class T>
long Calls<T>::states_at_once(long bytes) const {
    constexpr long kShare = 16;
    const long most = static_cast<long>(device_.info().memory) / kShare / bytes;
    return std::max(kTile, most / kTile * kTile);
}

// A one between zeros: where one begins to read says which vector it is.
template <class T>
const T* Calls<T>::unit_vector(long k) {
    const auto n = static_cast<std::size_t>(model_.nv());
    if (unit_vectors_.bytes() == 0) {
        std::vector<T> numbers(2 * n - 1);
        numbers[n - 1] = 1;
        DeviceMemory memory(device_, numbers.size() * sizeof(T));
        device_.copy_in(memory.as<void>(), numbers.data(), memory.bytes(), stream_);
        device_.synchronize(stream_);
        unit_vectors_ = std::move(memory);
    }
    return unit_vectors_.as<const T>() + (model_.nv() - 1 - k);
}

template <class T>
void Calls<T>::run_program(Plan& plan, int row, const BatchOperands<T>& x, long count,
                           unsigned long long* flagged) {
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
    T* memory = nullptr;
    if (numbers > 0 || plan.is_sliced()) {
        numbers += plan.num_kept;
        const long bytes = numbers * static_cast<long>(sizeof(T)) + 1;
        piece = std::min({piece, states_at_once(bytes), (count + kTile - 1) / kTile * kTile});
        memory = static_cast<T*>(streams_.reserve(level_, static_cast<std::size_t>(bytes * piece)));
    }
    for (long first = 0; first < count; first += piece)
        launch(plan, arrays, x, {first, std::min(piece, count - first), piece, memory}, flagged);
}

template <class T>
void Calls<T>::launch(Plan& plan, const CallArrays<T>& arrays, const BatchOperands<T>& x,
                      const Piece& piece, unsigned long long* flagged) {
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
            arguments.add_array(plan.layouts.inputs[k], from);
            continue;
        }
        const batch::Matrices<T> there = planes_for(from.rows, from.columns);
        move(from, there);
        arguments.add_array(plan.layouts.inputs[k], there);
    }
    if (plan.num_kept > 0) arguments.add_array(kPlanes, kept);
    std::vector<std::pair<batch::Matrices<T>, batch::Matrices<T>>> results;
    for (std::size_t k = 0; k < arrays.outputs.size(); ++k) {
        const auto to = part_of(arrays.outputs[k], first, n);
        if (!goes_through_planes(to)) {
            arguments.add_array(plan.layouts.outputs[k], to);
            continue;
        }
        const batch::Matrices<T> there = planes_for(to.rows, to.columns);
        results.emplace_back(there, to);
        arguments.add_array(plan.layouts.outputs[k], there);
    }
    if (plan.num_kept > 0) arguments.add_array(kPlanes, kept);
    arguments.add_pointer(x.status.empty() ? nullptr : x.status.data() + first);
    arguments.add_pointer(flagged);
    if (plan.is_sliced()) arguments.add_pointer(next);  // a byte a state
    for (const PlannedKernel& kernel : plan.kernels) {
        const long blocks = (n + kernel.states - 1) / kernel.states;
        device_.launch(*kernel.kernel,
                       {static_cast<unsigned>(blocks), static_cast<unsigned>(kernel.threads),
                        kernel.shared_memory},
                       arguments.pointers(), stream_);
    }
    for (const auto& [from, to] : results) move(from, to);
}

// The side that is no planes says in which order entries are counted.
template <class T>
template <class U>
void Calls<T>::move(const batch::Matrices<U>& from, const batch::Matrices<T>& to) {
    const bool by_columns = from.state_stride == 1 ? lies_by_columns(to) : lies_by_columns(from);
    const batch::Matrices<U> source = by_columns ? transposed(from) : from;
    const batch::Matrices<T> target = by_columns ? transposed(to) : to;
    const long size = source.rows * source.columns;
    LaunchArguments arguments(source.count);
    arguments.add(size);
    arguments.add(source.columns);
    arguments.add_strides(source);
    arguments.add_strides(target);
    const long tiles = (source.count + kTile - 1) / kTile * ((size + kTile - 1) / kTile);
    launch(kTranspose, tiles, arguments);
}

template class Calls<double>;
template class Calls<float>;
template void Calls<double>::move(const batch::Matrices<double>&, const batch::Matrices<double>&);
template void Calls<double>::move(const batch::Matrices<const double>&,
                                  const batch::Matrices<double>&);
template void Calls<float>::move(const batch::Matrices<float>&, const batch::Matrices<float>&);
template void Calls<float>::move(const batch::Matrices<const float>&,
                                 const batch::Matrices<float>&);

}  // namespace plucker::gpu
