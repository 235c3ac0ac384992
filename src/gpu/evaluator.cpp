#include "../batch/check_operands.hpp"
#include "plans.hpp"
#include "plucker/gpu/gpu.hpp"

namespace plucker::gpu {
namespace {

// The values of a kernel's parameters, and pointers to them.
class LaunchArguments {
public:
    explicit LaunchArguments(unsigned count) { add(count); }

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
            add(by_columns == no_inner ? x.column_stride : x.row_stride);
        }
        if (how.layout == compiler::ArrayLayout::kAnything) {
            add(x.state_stride);
            add(x.row_stride);
            add(x.column_stride);
        }
    }
    template <class T>
    void add_array(compiler::KernelArray how, const batch::States<const T>& x, long first) {
        add_array(how, batch::Matrices<const T>(x), first);
    }
    void** pointers() {
        pointers_.clear();
        for (std::uint64_t& value : values_) pointers_.push_back(&value);
        return pointers_.data();
    }

private:
    std::vector<std::uint64_t> values_;  // narrower ones begin with their lowest byte
    std::vector<void*> pointers_;

    template <class V>
    void add(V value) {
        values_.push_back(static_cast<std::uint64_t>(value));
    }
};

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
        device->release_pinned(told);
    }
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    void begin(int row, const BatchOperands<T>& x, long count) {
        const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
        Plan& plan = plans.find(row, x);
        last = plan.report;
        constexpr long kMost = 1L << 30;  // of one launch: threads are counted in 32 bits
        for (long first = 0; first < count; first += kMost) {
            const long n = std::min(kMost, count - first);
            LaunchArguments arguments(static_cast<unsigned>(n));
            std::size_t k = 0;
            for (int i = 0; i < x.num_inputs; ++i)
                arguments.add_array(plan.layouts.inputs[k++], x.inputs[static_cast<std::size_t>(i)],
                                    first);
            for (int o = 0; o < x.num_outputs; ++o) {
                if (algorithm.outputs[o].reads != Reads::kNothing)
                    arguments.add_array(plan.layouts.inputs[k++],
                                        x.outputs[static_cast<std::size_t>(o)], first);
            }
            if (k < plan.layouts.inputs.size())
                arguments.add_array(plan.layouts.inputs[k], x.external->forces, first);
            for (int o = 0; o < x.num_outputs; ++o) {
                const batch::Matrices<T>& to = x.outputs[static_cast<std::size_t>(o)];
                arguments.add_array(plan.layouts.outputs[static_cast<std::size_t>(o)],
                                    is_transposed(algorithm.outputs[o].kind) ? transposed(to) : to,
                                    first);
            }
            arguments.add_pointer(x.status.empty() ? nullptr : x.status.data() + first);
            arguments.add_pointer(flagged);
            const long blocks = (n + plan.states - 1) / plan.states;
            device->launch(*plan.kernel,
                           {static_cast<unsigned>(blocks), static_cast<unsigned>(plan.threads),
                            plan.shared_memory},
                           arguments.pointers(), stream);
        }
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
