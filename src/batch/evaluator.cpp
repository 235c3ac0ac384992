#include "plucker/batch/batch.hpp"

#include <algorithm>
#include <atomic>

#include "../threads/thread_crew.hpp"
#include "check_operands.hpp"
#include "job.hpp"
#include "plans.hpp"
#include "plucker/compiler/compile.hpp"

namespace plucker::batch {

namespace {

const IsaCode& code_for(Isa isa) {
    switch (isa) {
#ifdef PLUCKER_WITH_GENERIC
        case Isa::kGeneric:
            return kGenericCode;
#endif
#ifdef PLUCKER_WITH_AVX2
        case Isa::kAvx2:
            return kAvx2Code;
#endif
#ifdef PLUCKER_WITH_AVX512
        case Isa::kAvx512:
            return kAvx512Code;
#endif
        default:
            throw plucker::detail::not_built(isa);
    }
}

template <class T>
Worker<T> make_worker_for(Isa isa, const Model& model) {
    if constexpr (std::is_same_v<T, double>) {
        return code_for(isa).make_worker_double(model);
    } else {
        return code_for(isa).make_worker_float(model);
    }
}

}  // namespace

// The threads, and a worker (a workspace) for each.
template <class T>
struct Evaluator<T>::Crew {
    Model model;
    Isa isa = active_isa();
    ThreadCrew threads;
    std::vector<Worker<T>> workers;
    Plans<T> plans;

    Crew(const Model& model_, const Options& options)
        : model(model_),
          threads(number_of_threads("batch::Evaluator", options.threads)),
          plans(model, isa, options.compile && can_compile()) {
        workers.reserve(static_cast<std::size_t>(threads.size()));
        try {
            for (int i = 0; i < threads.size(); ++i) {
                workers.push_back(make_worker_for<T>(isa, model));
            }
        } catch (...) {  // a worker for which there is no memory
            destroy_workers();
            throw;
        }
    }
    ~Crew() { destroy_workers(); }
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    // Code and memory are made here, on the caller's thread, where a failure can be thrown.
    long run(int row, const BatchOperands<T>& x, long count) {
        const Job<T> job{row, x, count, plans.find(row, x)};
        // Blocks of whole packs, taken in turn: fine enough to even out, coarse enough to be cheap.
        const long lanes = lanes_of<T>(isa);
        const long packs = (job.count + lanes - 1) / lanes;
        const long wanted =
            std::max(1L, std::min<long>(threads.size(), packs / kPacksWorthAThread));
        const int members = static_cast<int>(wanted);
        for (int i = 0; i < members; ++i) {
            const Worker<T>& worker = workers[static_cast<std::size_t>(i)];
            worker.prepare(worker.state, job);
        }
        last_members = members;
        if (members == 1) return workers[0].run(workers[0].state, job, 0, job.count);
        const long block = lanes * std::clamp(packs / (8L * members), 1L, 64L);
        std::atomic<long> next = 0;
        std::atomic<long> flagged = 0;
        auto task = [&](int member) {
            const Worker<T>& worker = workers[static_cast<std::size_t>(member)];
            for (long begin; (begin = next.fetch_add(block)) < job.count;) {
                flagged += worker.run(worker.state, job, begin, std::min(begin + block, job.count));
            }
        };
        threads.run(members, task);
        return flagged;
    }

    int last_members = 0;

private:
    static constexpr long kPacksWorthAThread = 4;

    void destroy_workers() {
        for (const Worker<T>& worker : workers) worker.destroy(worker.state);
    }
};

template <class T>
Evaluator<T>::Evaluator(const Model& model, Options options)
    : crew_(std::make_unique<Crew>(model, options)) {}
template <class T>
Evaluator<T>::~Evaluator() = default;
template <class T>
Evaluator<T>::Evaluator(Evaluator&&) noexcept = default;
template <class T>
Evaluator<T>& Evaluator<T>::operator=(Evaluator&&) noexcept = default;

template <class T>
const Model& Evaluator<T>::model() const {
    return crew_->model;
}
template <class T>
Isa Evaluator<T>::isa() const {
    return crew_->isa;
}
template <class T>
int Evaluator<T>::lanes() const {
    return lanes_of<T>(crew_->isa);
}
template <class T>
int Evaluator<T>::threads() const {
    return crew_->threads.size();
}
template <class T>
int Evaluator<T>::threads_of_last_call() const {
    return crew_->last_members;
}

template <class T>
long Evaluator<T>::perform(int row, BatchOperands<T>& x) {
    const Algorithm& algorithm = algorithms()[static_cast<std::size_t>(row)];
    const long count = OperandsCheck<T>(algorithm, model(), x).count();
    return crew_->run(row, x, count);
}

template class Evaluator<double>;
template class Evaluator<float>;

}  // namespace plucker::batch
