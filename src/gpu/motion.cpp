#include "plucker/gpu/motion.hpp"

#include <utility>

#include "memory.hpp"
#include "plans.hpp"
#include "plucker/algorithms/configuration.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/batch/batch.hpp"
#include "plucker/model/model.hpp"

namespace plucker::gpu {
namespace {

// With a rotor at each joint that is as hard to accelerate as its friction is to overcome in a step; and no dry friction.
Model with_implicit_friction(const Model& model, double step) {
    Description description = model.description();
    for (JointDescription& joint : description.joints) {
        joint.armature += step * joint.damping;
        joint.friction = 0;
    }
    return Model(std::move(description));
}

}  // namespace

template <class T>
struct Motion<T>::Work {
    Model model;
    long count;
    double step, time = 0;
    std::shared_ptr<Device> device;
    Stream stream;
    long failed_before = 0;  // on other streams
    Plans<T> plans;
    std::vector<DeviceMemory> memory;
    T *q, *v, *a, *far, *still;
    Status* status;
    Evaluator<T> evaluator;  // waits for the steps before their memory is given back

    Work(const Model& model_, long count_, const MotionOptions& options)
        : model(checked(model_)),
          count(checked(count_)),
          step(checked(options.step)),
          device(options.gpu.on != nullptr ? options.gpu.on : open_device(options.gpu.device)),
          stream(options.gpu.stream),
          plans(model, *device, options.gpu),
          q(numbers(model.nq())),
          v(numbers(model.nv())),
          a(numbers(model.nv())),
          far(numbers(model.nv())),
          still(numbers(model.nv())),
          status(static_cast<Status*>(bytes(static_cast<std::size_t>(count)))),
          evaluator(with_implicit_friction(model, step), of_evaluator(options.gpu)) {
        device->clear(still, size_of(model.nv()), stream);
        device->clear(v, size_of(model.nv()), stream);
        device->clear(status, static_cast<std::size_t>(count), stream);
        const VectorX<double> neutral = neutral_configuration<double>(model);
        std::vector<T> all(static_cast<std::size_t>(count * model.nq()));
        for (long k = 0; k < model.nq(); ++k) {
            std::fill_n(all.begin() + k * count, count, static_cast<T>(neutral[k]));
        }
        device->copy_in(q, all.data(), size_of(model.nq()), stream);
        device->synchronize(stream);
    }

    static const Model& checked(const Model& model) {
        if (model.constraints().empty()) return model;
        throw Error::because("gpu::Motion: robot '", model.name(), "' has constraint '",
                             model.constraints()[0].name,
                             "', which these steps would not keep; use Simulator");
    }
    static long checked(long count) {
        if (count < 1)
            throw Error::because("gpu::Motion: ", count, " robots; there must be at least one");
        return count;
    }
    static double checked(double step) {
        if (!(step > 0) || !(step < 1e300))
            throw Error::because("gpu::Motion: the step is ", step,
                                 " s; it must be a positive number");
        return step;
    }
    Options of_evaluator(Options options) const {
        options.on = device;
        options.wait = false;
        return options;
    }
    void* bytes(std::size_t size) {
        memory.emplace_back(*device, size);
        return memory.back().template as<void>();
    }
    std::size_t size_of(long n) const { return static_cast<std::size_t>(count * n) * sizeof(T); }
    T* numbers(long n) { return static_cast<T*>(bytes(size_of(n))); }
    batch::States<T> planes(T* data, long n) const { return {data, count, n, 1, count}; }
    batch::States<const T> read(const T* data, long n) const { return {data, count, n, 1, count}; }

    void take(const batch::States<const T>& from, T* to, long n, const char* what) {
        if (from.count != count || from.size != n) {
            throw Error::because("gpu::Motion: ", what, " is of ", from.count, " robots with ",
                                 from.size, " numbers each; expected ", count, " with ", n);
        }
        std::vector<T> all(static_cast<std::size_t>(count * n));
        for (long k = 0; k < n; ++k) {
            for (long i = 0; i < count; ++i)
                all[static_cast<std::size_t>(k * count + i)] =
                    from.data[i * from.state_stride + k * from.entry_stride];
        }
        device->copy_in(to, all.data(), size_of(n), stream);
        device->synchronize(stream);
    }
    void give(const T* from, const batch::States<T>& to, long n) {
        std::vector<T> all(static_cast<std::size_t>(count * n));
        device->copy_out(all.data(), from, size_of(n), stream);
        device->synchronize(stream);
        for (long k = 0; k < n; ++k) {
            for (long i = 0; i < count; ++i)
                to.data[i * to.state_stride + k * to.entry_stride] =
                    all[static_cast<std::size_t>(k * count + i)];
        }
    }
    void go(const batch::States<const T>& tau, const batch::ExternalForces<T>* external) {
        const long nq = model.nq(), nv = model.nv();
        const std::span<Status> found(status, static_cast<std::size_t>(count));
        if (external != nullptr) {
            // At the same places of the robot that the evaluator knows.
            batch::ExternalForces<T> there = *external;
            for (ForcePlace& place : there.places)
                place.frame = evaluator.model().frame_id(model.frame(place.frame).name);
            forward_dynamics(evaluator, read(q, nq), read(v, nv), tau, there, planes(a, nv), found);
        } else {
            forward_dynamics(evaluator, read(q, nq), read(v, nv), tau, planes(a, nv), found);
        }
        auto states = static_cast<unsigned>(count), size = static_cast<unsigned>(nv);
        void* arguments[] = {&states, &size, &step, &a, &v, &far, &status};
        const unsigned threads = kAdvance.threads;
        device->launch(plans.plain(kAdvance), {(states + threads - 1) / threads, threads, 0},
                       arguments, stream);
        integrate(evaluator, read(q, nq), read(far, nv), planes(q, nq));
        time += step;
    }
};

template <class T>
Motion<T>::Motion(const Model& model, long count, const MotionOptions& options)
    : work_(std::make_unique<Work>(model, count, options)) {}
template <class T>
Motion<T>::~Motion() = default;
template <class T>
Motion<T>::Motion(Motion&&) noexcept = default;
template <class T>
Motion<T>& Motion<T>::operator=(Motion&&) noexcept = default;

template <class T>
const Model& Motion<T>::model() const {
    return work_->model;
}
template <class T>
long Motion<T>::size() const {
    return work_->count;
}
template <class T>
double Motion<T>::time() const {
    return work_->time;
}
template <class T>
Device& Motion<T>::device() const {
    return *work_->device;
}
template <class T>
void Motion<T>::set_stream(Stream stream) {
    if (stream == work_->stream) return;
    work_->failed_before += work_->evaluator.synchronize();
    work_->stream = stream;
    work_->evaluator.set_stream(stream);
}
template <class T>
void Motion<T>::set_states(const batch::States<const T>& q, const batch::States<const T>& v) {
    work_->take(q, work_->q, work_->model.nq(), "q");
    work_->take(v, work_->v, work_->model.nv(), "v");
    work_->time = 0;
}
template <class T>
void Motion<T>::states(const batch::States<T>& q, const batch::States<T>& v) {
    work_->give(work_->q, q, work_->model.nq());
    work_->give(work_->v, v, work_->model.nv());
}
template <class T>
batch::States<T> Motion<T>::q() const {
    return work_->planes(work_->q, work_->model.nq());
}
template <class T>
batch::States<T> Motion<T>::v() const {
    return work_->planes(work_->v, work_->model.nv());
}
template <class T>
std::span<const Status> Motion<T>::status() const {
    return {work_->status, static_cast<std::size_t>(work_->count)};
}
template <class T>
void Motion<T>::step() {
    work_->go(work_->read(work_->still, work_->model.nv()), nullptr);
}
template <class T>
void Motion<T>::step(const batch::States<const T>& tau) {
    work_->go(tau, nullptr);
}
template <class T>
void Motion<T>::step(const batch::States<const T>& tau, const batch::ExternalForces<T>& external) {
    work_->go(tau, &external);
}
template <class T>
long Motion<T>::synchronize() {
    return std::exchange(work_->failed_before, 0) + work_->evaluator.synchronize();
}

template class Motion<double>;
template class Motion<float>;

}  // namespace plucker::gpu
