#include "../batch/check_operands.hpp"
#include "calls.hpp"
#include "plucker/gpu/gpu.hpp"

namespace plucker::gpu {

namespace {

// A GPU that reads a number across the bounds of numbers is lost to the process.
template <class T>
void check_addresses(const Algorithm& row, const BatchOperands<T>& x) {
    const CallArrays<T> arrays(row, x);
    const auto check = [&](const auto& array) {
        if (reinterpret_cast<std::uintptr_t>(array.data) % sizeof(T) != 0)
            throw Error::because(row.name, ": the address ", static_cast<const void*>(array.data),
                                 " of an array is no multiple of ", sizeof(T),
                                 ", the bytes of its numbers");
    };
    for (const auto& array : arrays.inputs) check(array);
    for (const auto& array : arrays.outputs) check(array);
}

}  // namespace

template <class T>
struct Evaluator<T>::Work {
    Model model;
    std::shared_ptr<Device> device;
    Stream stream;
    bool wait;
    DeviceMemory flagged;  // how many states
    PinnedMemory told;     // the same, here
    Calls<T> calls;

    Work(const Model& model_, const Options& options)
        : model(model_),
          device(options.on != nullptr ? options.on : open_device(options.device)),
          stream(options.stream),
          wait(options.wait),
          flagged(*device, sizeof(unsigned long long)),
          told(*device, sizeof(unsigned long long)),
          calls(model, *device, options) {
        device->clear(flagged.template as<void>(), flagged.bytes(), stream);
        device->synchronize(stream);
    }
    long run(int row, const BatchOperands<T>& x, long count) try {
        calls.run(row, x, count, stream, flagged.template as<unsigned long long>());
        return wait ? finish() : 0;
    } catch (...) {
        if (wait) forget_flagged();  // of a call that failed half-way
        throw;
    }
    void forget_flagged() noexcept {
        try {
            finish();
        } catch (const Error&) {  // the GPU is gone
        }
    }
    // Other streams may be at work, too, and count.
    long finish() {
        calls.wait();
        device->copy_out(told.template as<void>(), flagged.template as<void>(), told.bytes(),
                         stream);
        device->clear(flagged.template as<void>(), flagged.bytes(), stream);
        device->synchronize(stream);
        return static_cast<long>(*told.template as<unsigned long long>());
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
    return work_->calls.report();
}
template <class T>
long Evaluator<T>::perform(int row, BatchOperands<T>& x) {
    const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
    const long count = batch::OperandsCheck<T>(algorithm, model(), x).count();
    check_addresses(algorithm, x);
    return work_->run(row, x, count);
}

template class Evaluator<double>;
template class Evaluator<float>;

}  // namespace plucker::gpu
