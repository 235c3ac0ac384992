// Integrators for motion without contact and without joint limits, to high accuracy.
//
//     FreeMotion motion(model, {.integrator = Integrator::kRk4, .step = 1e-3});
//     motion.set_state(q, v);
//     while (motion.time() < 10) motion.step();
//
// kRk4       the classical Runge–Kutta method, of order 4.
// kAdaptive  the Dormand–Prince pair of orders 5 and 4, whose steps follow from a tolerance; states between steps and
//            event times are of order 4. It is explicit: where dampers or springs are stiff its steps are about as short as
//            their time constants, however loose the tolerance. Simulator, which is implicit in both, has longer ones.
// kSymplectic  the variational midpoint rule, of order 2: without friction the energy error stays bounded for any duration,
//            and momenta are conserved. Implicit; each step is solved to rounding. It accepts dampers, but not dry
//            friction.
//
// All of them stay on the configuration manifold: within a step the coordinates are those of the tangent at its beginning,
// q ⊕ ξ, so that quaternions do not drift.
//
// Sources: Munthe-Kaas, High order Runge–Kutta methods on manifolds, 1999; Dormand and Prince 1980, with the interpolation
// of Hairer, Nørsett and Wanner, Solving Ordinary Differential Equations I, §II.6; Marsden and West, Discrete mechanics and
// variational integrators, 2001.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "plucker/model/external_forces.hpp"
#include "plucker/scalar/eigen.hpp"

namespace plucker {

enum class Integrator { kEuler, kRk4, kAdaptive, kSymplectic };
// "euler", "rk4", "adaptive", "symplectic".
const char* name_of(Integrator integrator);
std::optional<Integrator> integrator_named(const std::string& name);

// The torques of the joints; writes all nv of them.
using Controller = std::function<void(double time, const VectorX<double>& q,
                                      const VectorX<double>& v, VectorX<double>& tau)>;

class FreeMotion {
public:
    struct Options {
        Integrator integrator = Integrator::kRk4;
        double step = 1e-3;  // seconds; of kAdaptive, the first to try
        double tolerance =
            1e-9;  // of kAdaptive: the error of a step, relative to 1 and to the state
    };
    // Where an event happens, this changes its sign or comes to zero.
    using Event =
        std::function<double(double time, const VectorX<double>& q, const VectorX<double>& v)>;

    // Throws Error for a step or a tolerance that is not positive, for kEuler, which Simulator has, and for robots that
    // kSymplectic cannot take: with joints that mimic others, with constraints, with dry friction.
    explicit FreeMotion(const Model& model, const Options& options);
    explicit FreeMotion(const Model& model) : FreeMotion(model, Options{}) {}
    ~FreeMotion();
    FreeMotion(FreeMotion&&) noexcept;
    FreeMotion& operator=(FreeMotion&&) noexcept;

    const Model& model() const;
    double time() const;
    // Views of the state as it is, now and after the next steps.
    VectorView<double> q() const;
    VectorView<double> v() const;
    // Throws Error if sizes are wrong, numbers are not finite, or the position or the velocity violates a constraint.
    void set_state(const VectorX<double>& q, const VectorX<double>& v, double time = 0);

    // What the motors do; nothing, unless this says so. `alignment` is left as it is: how the caller's flags align the
    // vectors that the controller is given. Throws Error where the library's align them otherwise.
    void control(Controller controller, int alignment = EIGEN_MAX_ALIGN_BYTES);
    // Forces on links, until they are changed.
    ExternalForces<double>& forces();

    // One step; kAdaptive decides how long. Throws Error, with the state as it was, if the motion leaves the range of
    // numbers or a step cannot be made small enough.
    void step();
    // As many steps as lead to `time`, the last of them shortened to end there. Throws Error for a time before that of
    // the motion, by more than rounding.
    void advance_to(double time);
    // The same, but no further than to where `event` happens. Returns whether it did; one that begins at zero happens when
    // it comes back.
    bool advance_to(double time, const Event& event, int alignment = EIGEN_MAX_ALIGN_BYTES);
    // The state at a time within the last step of kAdaptive, without moving there.
    struct Instant {
        ResultVector<double> q, v;
    };
    Instant state_at(double time) const;

    double kinetic_energy();
    double potential_energy();
    int num_steps() const;     // taken so far
    int num_rejected() const;  // of kAdaptive

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace plucker
