#include <pybind11/stl.h>

#include <cmath>
#include <optional>

#include "bind.hpp"
#include "plucker/simulate/free_motion.hpp"
#include "simulation.hpp"

namespace plucker::python {
namespace {

class PythonMotion {
public:
    PythonMotion(std::shared_ptr<Robot> of, const FreeMotion::Options& options)
        : robot(std::move(of)), motion(robot->model(), options) {
        motion.control([this](double time, const VectorX<double>& q, const VectorX<double>& v,
                              VectorX<double>& tau) {
            if (interrupts) interrupts->hear();
            if (controller.is_none()) return;
            tau = vector_or_zero("controller", "what it returned",
                                 controller(time, to_array(q), to_array(v)), tau.size(),
                                 "nv, or None");
        });
    }
    PythonMotion(const PythonMotion&) = delete;
    PythonMotion& operator=(const PythonMotion&) = delete;

    std::shared_ptr<Robot> robot;
    FreeMotion motion;
    py::object controller = py::none();
    std::optional<Interrupts> interrupts;  // while the lock is released
    bool taken = false;

    // Moves, with the interpreter's lock released where nothing of Python's is called.
    template <class Act>
    void move(const char* function, const Act& act) {
        const Turn turn(function, taken);
        if (!controller.is_none()) return act();
        interrupts.emplace();
        try {
            const Unlocked released;
            act();
        } catch (...) {
            interrupts.reset();
            throw;
        }
        interrupts.reset();
    }
};
using Motion = PythonMotion;

py::object callable_or_none(const char* function, const char* argument, const py::object& object,
                            const char* expected) {
    if (!object.is_none() && PyCallable_Check(object.ptr()) == 0)
        throw wrong_type(function, argument, object.ptr(), expected);
    return object;
}

bool advance_to(Motion& m, double time, const py::object& event) {
    if (!std::isfinite(time)) throw Error::because("advance_to: time is ", time);
    callable_or_none("advance_to", "event", event, "a function (t, q, v) -> number");
    if (event.is_none()) {
        m.move("advance_to", [&] { m.motion.advance_to(time); });
        return false;
    }
    const Turn turn("advance_to", m.taken);
    return m.motion.advance_to(
        time, [&](double t, const VectorX<double>& q, const VectorX<double>& v) {
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
            return py::cast<double>(py::float_(event(t, to_array(q), to_array(v))));
        });
}

}  // namespace

void bind_free_motion(py::module_& module, RobotClass& robot) {
    py::class_<Motion> motion(
        module, "FreeMotion",
        "Motion without contact and without joint limits, to high accuracy: Robot.free_motion.\n\n"
        ">>> swing = plucker.robots.pendulum().free_motion('adaptive')\n"
        ">>> swing.set_state([1.0])\n"
        ">>> swing.advance_to(10, event=lambda t, q, v: q[0])    # where it hangs straight down\n"
        "True\n"
        ">>> abs(swing.q[0]) < 1e-9\nTrue\n");
    const auto number = [&](const char* name, auto get, const char* says) {
        motion.def_property_readonly(
            name,
            [name, get](Motion& m) {
                const Turn turn(name, m.taken);
                return (m.motion.*get)();
            },
            says);
    };
    motion.def("__repr__", [](const Motion& m) {
        return "<plucker.FreeMotion of '" + m.robot->model().name() + "', at " +
               std::to_string(m.motion.time()) + " s>";
    });
    number("time", &FreeMotion::time, "In seconds.");
    number("kinetic_energy", &FreeMotion::kinetic_energy, "In joules.");
    number("potential_energy", &FreeMotion::potential_energy, "In joules.");
    number("num_steps", &FreeMotion::num_steps, "How many steps were taken so far.");
    number("num_rejected", &FreeMotion::num_rejected,
           "How many 'adaptive' took back because their error was too large.");
    motion
        .def_property_readonly(
            "robot", [](const Motion& m) { return m.robot; }, "The robot.")
        .def_property_readonly(
            "q",
            [](Motion& m) {
                const Turn turn("q", m.taken);
                return to_array(m.motion.q());
            },
            "The configuration now: (nq,), a copy.")
        .def_property_readonly(
            "v",
            [](Motion& m) {
                const Turn turn("v", m.taken);
                return to_array(m.motion.v());
            },
            "The velocity now: (nv,), a copy.")
        .def(
            "set_state",
            [](Motion& m, const py::object& q, const py::object& v, double time) {
                const Turn turn("set_state", m.taken);
                const Model& model = m.robot->model();
                m.motion.set_state(coordinates_from("set_state", "q", q, model.nq(), "nq"),
                                   vector_or_zero("set_state", "v", v, model.nv(), "nv"), time);
            },
            py::arg("q"), py::arg("v") = py::none(), py::arg("time") = 0.0,
            "Where it begins; at rest, unless v is given. Raises an Error that names a constraint "
            "which q or v violates.\n\n"
            ">>> motion.set_state(np.full(7, 0.3))\n"
            ">>> motion.q[0]\n"
            "0.3\n")
        .def(
            "control",
            [](Motion& m, const py::object& controller) {
                const Turn turn("control", m.taken);
                m.controller = callable_or_none("control", "controller", controller,
                                                "a function (t, q, v) -> tau, or None");
            },
            py::arg("controller"),
            "Joint torques from any function (t, q, v) -> tau; None: no torques.\n\n"
            ">>> motion.control(lambda t, q, v: -3 * v)\n")
        .def(
            "push",
            [](Motion& m, const py::object& link, const py::object& force) {
                const Push push = push_from("push", *m.robot, link, force);
                const Turn turn("push", m.taken);
                m.motion.forces().add(push.frame, push.force, ReferenceFrame::kWorldAligned);
            },
            py::arg("link"), py::arg("force"),
            "A force on a link, along the world's axes at its origin, until clear_pushes: (3,), or "
            "(6,) with the moment first.\n\n"
            ">>> motion.push('link7', (0, 0, 10))\n")
        .def(
            "clear_pushes",
            [](Motion& m) {
                const Turn turn("clear_pushes", m.taken);
                m.motion.forces().clear();
            },
            "Forgets all pushes.\n\n"
            ">>> motion.push('link7', (0, 0, 10))\n"
            ">>> motion.clear_pushes()\n")
        .def(
            "step", [](Motion& m) { m.move("step", [&] { m.motion.step(); }); },
            "One step; 'adaptive' decides how long.\n\n"
            ">>> motion.step()\n"
            ">>> motion.time\n"
            "0.001\n")
        .def("advance_to", &advance_to, py::arg("time"), py::arg("event") = py::none(),
             "As many steps as lead to that time; with an event, a function (t, q, v) -> number, "
             "no further than to where that changes its sign. Returns whether it did.\n\n"
             ">>> motion.advance_to(0.05)\n"
             "False\n"
             ">>> round(motion.time, 9)\n"
             "0.05\n")
        .def(
            "state_at",
            [](Motion& m, double time) {
                const Turn turn("state_at", m.taken);
                const FreeMotion::Instant at = m.motion.state_at(time);
                return py::make_tuple(to_array(at.q), to_array(at.v));
            },
            py::arg("time"),
            "(q, v) at a time within the last step of 'adaptive', without moving there.\n\n"
            ">>> motion = arm.free_motion('adaptive')\n"
            ">>> motion.step()\n"
            ">>> motion.state_at(motion.time / 2)[0].shape\n"
            "(7,)\n");

    const FreeMotion::Options usual;
    robot.def(
        "free_motion",
        [](const std::shared_ptr<Robot>& r, const std::string& integrator, double step,
           double tolerance) {
            FreeMotion::Options options;
            // kEuler, the first of them, is the Simulator's.
            options.integrator =
                static_cast<Integrator>(1 + word_from<int>("free_motion: integrator", integrator,
                                                           {"rk4", "adaptive", "symplectic"}));
            options.step = step;
            options.tolerance = tolerance;
            return std::make_unique<Motion>(r, options);
        },
        py::arg("integrator") = plucker::name_of(usual.integrator), py::arg("step") = usual.step,
        py::kw_only(), py::arg("tolerance") = usual.tolerance,
        "It moves without contact and without joint limits: a FreeMotion. integrator: 'rk4'; "
        "'adaptive', which chooses its "
        "steps by the tolerance; 'symplectic', for very long runs.\n\n"
        ">>> arm.free_motion('adaptive', tolerance=1e-10).time\n"
        "0.0\n");
}

}  // namespace plucker::python
