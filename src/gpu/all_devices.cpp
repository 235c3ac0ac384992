#include <future>

#include "../batch/check_operands.hpp"
#include "calls.hpp"
#include "plucker/gpu/gpu.hpp"

namespace plucker::gpu {

template <class T>
struct AllDevices<T>::Work {
    std::vector<std::unique_ptr<HostEvaluator<T>>> evaluators;

    Work(const Model& model, Options options, std::vector<std::shared_ptr<Device>> devices) {
        if (devices.empty()) {
            // The first says what is missing, where there is none.
            devices.push_back(open_device(0));
            for (int k = 1; k < num_devices(); ++k) devices.push_back(open_device(k));
        }
        for (const std::shared_ptr<Device>& device : devices) {
            options.on = device;
            evaluators.push_back(std::make_unique<HostEvaluator<T>>(model, options));
        }
    }

    // States [first, first + n).
    long run(HostEvaluator<T>& evaluator, int row, const BatchOperands<T>& x, long first,
             long n) const {
        batch::ExternalForces<T> forces;
        BatchOperands<T> share = part_of(x, first, n, forces);
        return evaluator.perform(row, share);
    }
    // Each device its share, in the order of the devices.
    long run(int row, const BatchOperands<T>& x, long count) {
        const auto shares = static_cast<long>(evaluators.size());
        std::vector<std::future<long>> flagged;
        for (long k = 0; k < shares; ++k) {
            const long first = count * k / shares, end = count * (k + 1) / shares;
            if (first == end) continue;
            flagged.push_back(std::async(std::launch::async, [this, row, &x, k, first, end] {
                return run(*evaluators[static_cast<std::size_t>(k)], row, x, first, end - first);
            }));
        }
        long all = 0;
        for (auto& each : flagged) all += each.get();
        return all;
    }
};

template <class T>
AllDevices<T>::AllDevices(const Model& model, Options options,
                          std::vector<std::shared_ptr<Device>> devices)
    : work_(std::make_unique<Work>(model, std::move(options), std::move(devices))) {}
template <class T>
AllDevices<T>::~AllDevices() = default;
template <class T>
AllDevices<T>::AllDevices(AllDevices&&) noexcept = default;
template <class T>
AllDevices<T>& AllDevices<T>::operator=(AllDevices&&) noexcept = default;

template <class T>
const Model& AllDevices<T>::model() const {
    return work_->evaluators.front()->model();
}
template <class T>
int AllDevices<T>::size() const {
    return static_cast<int>(work_->evaluators.size());
}
template <class T>
long AllDevices<T>::perform(int row, BatchOperands<T>& x) {
    const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
    const long count = batch::OperandsCheck<T>(algorithm, model(), x).count();
    return work_->run(row, x, count);
}

template class AllDevices<double>;
template class AllDevices<float>;

}  // namespace plucker::gpu
