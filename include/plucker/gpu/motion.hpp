// Contact-free motion of many robots of one kind on a GPU: the smooth part of a simulator's step.
//
//     gpu::Motion<float> robots(model, 100000, {.step = 1e-3});
//     robots.set_states(q, v);                       // the host's arrays: one row per robot
//     for (int k = 0; k < 1000; ++k) robots.step(tau);   // views of the GPU's memory
//     robots.states(q, v);
//
// A step of length h is semi-implicit, with implicit viscous joint friction D, as in Simulator:
//
//     (M + h D) (v⁺ - v) = h (τ + J^T f - c - D v),    q⁺ = q ⊕ h v⁺
//
// There is no dry friction, no limits and no contact; robots with constraints are refused. States stay on the GPU; a state
// without a successor is kept and flagged.
#pragma once

#include "plucker/gpu/gpu.hpp"

namespace plucker::gpu {

struct MotionOptions {
    double step = 1e-3;  // seconds
    Options gpu{};       // `wait` has no effect: steps never wait
};

template <class T>
class Motion {
public:
    // Throws Error for a step that is not positive, fewer robots than one, and constraints beyond the tree.
    Motion(const Model& model, long count, const MotionOptions& options = {});
    ~Motion();
    Motion(Motion&&) noexcept;
    Motion& operator=(Motion&&) noexcept;

    const Model& model() const;
    long size() const;
    double time() const;
    Device& device() const;
    // On which the next steps are done: after all earlier ones, which are waited for.
    void set_stream(Stream stream);

    // Of the host.
    void set_states(const batch::States<const T>& q, const batch::States<const T>& v);
    void states(const batch::States<T>& q, const batch::States<T>& v);
    // On the GPU, with the numbers of an entry side by side.
    batch::States<T> q() const;
    batch::States<T> v() const;
    std::span<const Status> status() const;  // of the last step, on the GPU

    // Under joint torques, and forces from outside, of the GPU's memory. They return before they are done.
    void step();
    void step(const batch::States<const T>& tau);
    void step(const batch::States<const T>& tau, const batch::ExternalForces<T>& external);
    // Waits. How many steps of robots failed since the last time.
    long synchronize();

private:
    struct Work;
    std::unique_ptr<Work> work_;
};

extern template class Motion<double>;
extern template class Motion<float>;

}  // namespace plucker::gpu
