#include <pybind11/stl.h>

#include <cmath>

#include "archive.hpp"
#include "bind.hpp"
#include "plucker/algorithms/table.hpp"
#include "simulation.hpp"

namespace plucker::python {
namespace {

RecordingHeader header_of(const Robot& robot, const World& world, double step) {
    RecordingHeader header = robot.origin();
    header.step = step;
    header.integrator = "euler";
    describe_world(world, header);
    return header;
}

class PythonSimulator {
public:
    PythonSimulator(std::shared_ptr<Robot> of, const World& world, const SimulatorOptions& options)
        : robot(std::move(of)),
          header(header_of(*robot, world, options.step)),
          simulator(robot->model(), world, options),
          ws(robot->model()) {}

    std::shared_ptr<Robot> robot;
    RecordingHeader header;
    Simulator simulator;
    Workspace<double> ws;
    std::vector<Push> pushes;
    bool taken = false;

    int nq() const { return robot->model().nq(); }
    int nv() const { return robot->model().nv(); }

    // τ: what the controller has said; springs add to it.
    RecordedInstant instant(const VectorX<double>& tau, std::optional<double> residual) {
        RecordedInstant out;
        out.time = simulator.time();
        out.q = simulator.q();
        out.v = simulator.v();
        out.tau = tau + simulator.holding_torque();
        out.energy = {simulator.kinetic_energy(), simulator.potential_energy()};
        out.contacts = recorded_contacts(simulator.contacts(), simulator.shapes());
        if (!pushes.empty()) forward_kinematics(ws, out.q);
        for (const Push& push : pushes) {
            out.pushes.push_back(
                {push.link, frame_pose(ws, push.frame).position, push.force.linear});
        }
        out.residual = residual;
        return out;
    }
};
using Sim = PythonSimulator;

// What a controller says to a state.
VectorX<double> torque_of(const py::object& controller, const Sim& sim) {
    const py::object tau =
        controller(sim.simulator.time(), to_array(sim.simulator.q()), to_array(sim.simulator.v()));
    return vector_or_zero("run", "what the controller returned", tau, sim.nv(), "nv, or None");
}

PythonRecording run(Sim& sim, double duration, const py::object& controller, long every) {
    const double step = sim.simulator.step_length();
    positive("run", "duration", duration, "10");
    if (duration / step > 1e9) {
        throw Error::because("run: a duration of ", duration, " s in steps of ", step,
                             " s takes more than a billion steps");
    }
    if (every < 1) throw Error::because("run: every is ", every, "; it must be 1 or more");
    if (!controller.is_none() && PyCallable_Check(controller.ptr()) == 0)
        throw wrong_type("run", "controller", controller.ptr(), "a function (t, q, v) -> tau");
    // As the tool counts them.
    const long steps = std::lround(std::ceil(duration / step - 1e-9));
    PythonRecording out{sim.robot, {sim.header, {}, false}};
    VectorX<double> tau = VectorX<double>::Zero(sim.nv());
    const auto begin = [&] { out.content.instants.push_back(sim.instant(tau, {})); };
    const auto note = [&](long k, const StepReport& report) {
        if (k % every != 0 && k != steps) return;
        out.content.instants.push_back(sim.instant(tau, report.solver.certificate.worst()));
    };
    if (controller.is_none()) {
        begin();
        const Turn turn("run", sim.taken);
        const Unlocked released;
        Interrupts interrupts;
        for (long k = 1; k <= steps; ++k) {
            note(k, sim.simulator.step());
            interrupts.hear();
        }
    } else {
        // The lock is held: a controller may push the robot, or look at its contacts.
        for (long k = 1; k <= steps; ++k) {
            tau = torque_of(controller, sim);
            const Turn turn("run", sim.taken);
            if (k == 1) begin();
            note(k, sim.simulator.step(tau));
            if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        }
    }
    return out;
}

void bind_report(py::module_& module) {
    py::class_<StepReport>(module, "StepReport",
                           "How a step went: Simulator.step.\n\n"
                           ">>> report = sim.step()\n"
                           ">>> report.converged, report.certificate < 1e-6\n"
                           "(True, True)\n")
        .def(pickled<StepReport>())
        .def_property_readonly(
            "certificate", [](const StepReport& r) { return r.solver.certificate.worst(); },
            "How exactly the laws of contact and friction are met, in m/s: the worst of the three.")
        .def_property_readonly(
            "primal", [](const StepReport& r) { return r.solver.certificate.primal; },
            "The largest velocity that goes where it must not.")
        .def_property_readonly(
            "dual", [](const StepReport& r) { return r.solver.certificate.dual; },
            "The largest part of an impulse outside of its cone, as the velocity that it causes.")
        .def_property_readonly(
            "complementarity",
            [](const StepReport& r) { return r.solver.certificate.complementarity; },
            "The largest violation of what ties the two together.")
        .def_property_readonly(
            "converged", [](const StepReport& r) { return r.solver.converged; },
            "Whether the certificate is below 1e-6 m/s.")
        .def_property_readonly(
            "by", [](const StepReport& r) { return plucker::name_of(r.solver.by); },
            "What led to the impulses: the solver's method.")
        .def_property_readonly(
            "iterations", [](const StepReport& r) { return r.solver.iterations; },
            "How many the solver took.")
        .def_readonly("deepest", &StepReport::deepest,
                      "How far anything was inside anything else before the step, in metres.")
        .def_readonly("beyond_limits", &StepReport::beyond_limits,
                      "How far a joint was beyond its limit before the step, in m or rad.")
        .def("__repr__", [](const StepReport& r) {
            const auto text = [](double x) {
                return py::cast<std::string>(py::repr(py::float_(x)));
            };
            return "StepReport(certificate=" + text(r.solver.certificate.worst()) +
                   ", converged=" + (r.solver.converged ? "True" : "False") + ", by='" +
                   plucker::name_of(r.solver.by) +
                   "', iterations=" + std::to_string(r.solver.iterations) +
                   ", deepest=" + text(r.deepest) + ")";
        });
}

// `act`, in a turn of its own.
template <class Act>
auto in_turn(const char* function, Sim& sim, const Act& act) {
    const Turn turn(function, sim.taken);
    return act(sim.simulator);
}

void bind_motors(py::class_<Sim>& simulator) {
    simulator
        .def(
            "hold",
            [](Sim& s, const py::object& q, const py::object& kp, const py::object& kd) {
                in_turn("hold", s, [&](Simulator& x) {
                    x.hold(coordinates_from("hold", "q", q, s.nq(), "nq"),
                           gains_from("hold", "kp", kp, s.nv()),
                           gains_from("hold", "kd", kd, s.nv()));
                });
            },
            py::arg("q"), py::arg("kp"), py::arg("kd"),
            "Adds springs and dampers at the joints, which pull towards q; kp and kd are a number "
            "or (nv,). They are implicit, so any gains are stable. They do not act on a floating "
            "base.\n\n"
            ">>> sim.hold(np.full(7, 0.3), kp=100, kd=10)\n"
            ">>> report = sim.step()\n"
            ">>> sim.v[0] > 0\n"
            "True\n")
        .def(
            "aim",
            [](Sim& s, const py::object& q, const py::object& v) {
                in_turn("aim", s, [&](Simulator& x) {
                    x.aim(coordinates_from("aim", "q", q, s.nq(), "nq"),
                          vector_or_zero("aim", "v", v, s.nv(), "nv"));
                });
            },
            py::arg("q"), py::arg("v") = py::none(),
            "Sets the target of the springs.\n\n"
            ">>> sim.hold(np.zeros(7), kp=100, kd=10)\n"
            ">>> sim.aim(np.full(7, 0.3))\n")
        .def(
            "release", [](Sim& s) { in_turn("release", s, [](Simulator& x) { x.release(); }); },
            "Removes the springs.\n\n"
            ">>> sim.hold(np.zeros(7), kp=100, kd=10)\n"
            ">>> sim.release()\n")
        .def_property_readonly(
            "holding_torque",
            [](Sim& s) {
                return in_turn("holding_torque", s,
                               [](Simulator& x) { return to_array(x.holding_torque()); });
            },
            "The torques of the springs in the last step: (nv,).")
        .def(
            "prescribe",
            [](Sim& s, const std::string& joint, const py::object& velocity) {
                in_turn("prescribe", s, [&](Simulator& x) {
                    const Model& model = x.model();
                    x.prescribe(joint, gains_from("prescribe", "velocity", velocity,
                                                  model.body(model.joint_index(joint)).nv));
                });
            },
            py::arg("joint"), py::arg("velocity"),
            "Prescribes the velocity of a joint, whatever torque that takes: a number, or one for "
            "each of its coordinates.\n\n"
            ">>> sim.prescribe('joint1', 0.5)\n"
            ">>> report = sim.step()\n"
            ">>> round(sim.v[0], 9)\n"
            "0.5\n")
        .def(
            "free",
            [](Sim& s, const std::string& joint) {
                in_turn("free", s, [&](Simulator& x) { x.free(joint); });
            },
            py::arg("joint"),
            "Releases a prescribed joint.\n\n"
            ">>> sim.prescribe('joint1', 0.5)\n"
            ">>> sim.free('joint1')\n")
        .def(
            "push",
            [](Sim& s, const py::object& link, const py::object& force) {
                const Push push = push_from("push", *s.robot, link, force);
                in_turn("push", s, [&](Simulator& x) {
                    x.forces().add(push.frame, push.force, ReferenceFrame::kWorldAligned);
                    s.pushes.push_back(push);
                });
            },
            py::arg("link"), py::arg("force"),
            "Applies a force to a link, along the world's axes at its origin, in every step until "
            "clear_pushes: (3,), or (6,) with the moment first.\n\n"
            ">>> sim.push('link7', (0, 0, 10))\n"
            ">>> report = sim.step()\n")
        .def(
            "clear_pushes",
            [](Sim& s) {
                in_turn("clear_pushes", s, [&](Simulator& x) {
                    x.forces().clear();
                    s.pushes.clear();
                });
            },
            "Removes all pushes.\n\n"
            ">>> sim.push('link7', (0, 0, 10))\n"
            ">>> sim.clear_pushes()\n");
}

void bind_state(py::class_<Sim>& simulator) {
    const auto number = [&](const char* name, auto get, const char* says) {
        simulator.def_property_readonly(
            name,
            [name, get](Sim& s) {
                return in_turn(name, s, [&](Simulator& x) { return (x.*get)(); });
            },
            says);
    };
    number("time", &Simulator::time, "In seconds.");
    number("step_length", &Simulator::step_length, "In seconds.");
    number("kinetic_energy", &Simulator::kinetic_energy, "In joules.");
    number("potential_energy", &Simulator::potential_energy, "In joules.");
    const auto vector = [&](const char* name, VectorView<double> (Simulator::*get)() const,
                            const char* says) {
        simulator.def_property_readonly(
            name,
            [name, get](Sim& s) {
                return in_turn(name, s, [&](Simulator& x) { return to_array((x.*get)()); });
            },
            says);
    };
    vector("q", &Simulator::q, "The configuration now: (nq,), a copy.");
    vector("v", &Simulator::v, "The velocity now: (nv,), a copy.");
    simulator
        .def_property_readonly(
            "robot", [](const Sim& s) { return s.robot; }, "The robot.")
        .def_property_readonly(
            "contacts",
            [](Sim& s) {
                return in_turn("contacts", s, [](Simulator& x) {
                    return recorded_contacts(x.contacts(), x.shapes());
                });
            },
            "The contacts of the last step: a list of Contact.")
        .def_property_readonly(
            "overlaps",
            [](Sim& s) {
                return in_turn("overlaps", s, [](Simulator& x) { return x.overlaps(); });
            },
            "Pairs of links that do not collide because they overlapped at the start "
            "(ignore_overlaps).")
        .def(
            "set_state",
            [](Sim& s, const py::object& q, const py::object& v, double time) {
                in_turn("set_state", s, [&](Simulator& x) {
                    x.set_state(coordinates_from("set_state", "q", q, s.nq(), "nq"),
                                vector_or_zero("set_state", "v", v, s.nv(), "nv"), time);
                });
            },
            py::arg("q"), py::arg("v") = py::none(), py::arg("time") = 0.0,
            "Sets the state, at rest unless v is given. Raises an Error that names shapes deep "
            "inside each other, a joint far beyond its limit, or a constraint that q or v violates."
            "\n\n"
            ">>> sim.set_state(0.3 * np.eye(7)[0], time=2)\n"
            ">>> sim.time\n"
            "2.0\n");
}

}  // namespace

void bind_simulator(py::module_& module, RobotClass& robot) {
    bind_report(module);
    const SimulatorOptions usual;
    py::class_<Sim> simulator(
        module, "Simulator",
        "A simulation of one robot with contact and friction; made by Robot.simulator.\n\n"
        ">>> sim = plucker.robots.quadruped().simulator(plucker.World.flat(), step=0.005)\n"
        ">>> sim.set_state(sim.q + np.eye(sim.robot.nq)[2])    # a metre up\n"
        ">>> sim.step().converged\nTrue\n");
    bind_state(simulator);
    bind_motors(simulator);
    simulator.def("__repr__", [](const Sim& s) {
        return "<plucker.Simulator of '" + s.robot->model().name() + "', at " +
               std::to_string(s.simulator.time()) + " s>";
    });
    simulator
        .def(
            "step",
            [](Sim& s, const py::object& tau) {
                const VectorX<double> torque = vector_or_zero("step", "tau", tau, s.nv(), "nv");
                return in_turn("step", s, [&](Simulator& x) { return x.step(torque); });
            },
            py::arg("tau") = py::none(),
            "Takes one step under the joint torques tau, (nv,), or none, and returns a StepReport. "
            "An Error leaves the state unchanged.\n\n"
            ">>> sim.step().converged\n"
            "True\n")
        .def("run", &run, py::arg("duration"), py::arg("controller") = py::none(),
             py::arg("every") = 1,
             "Simulates duration seconds, in whole steps, so that the last one may end later, and "
             "returns a Recording of every `every`-th step and of the first and last instant. "
             "controller: any function (t, q, v) -> tau, or None for "
             "no torques; without one, other threads can run.\n\n"
             ">>> sim.run(0.1, lambda t, q, v: -3 * v, every=10).q.shape\n"
             "(11, 7)\n");
    robot.def(
        "simulator",
        [](const std::shared_ptr<Robot>& r, const py::object& world, double step, bool joint_limits,
           bool joint_friction, double compliance, bool ignore_overlaps) {
            SimulatorOptions options;
            options.step = step;
            options.joint_limits = joint_limits;
            options.joint_friction = joint_friction;
            options.compliance = compliance;
            options.ignore_overlaps = ignore_overlaps;
            return std::make_unique<Sim>(r, world_from("simulator", world), options);
        },
        py::arg("world") = py::none(), py::arg("step") = usual.step, py::kw_only(),
        py::arg("joint_limits") = usual.joint_limits,
        py::arg("joint_friction") = usual.joint_friction, py::arg("compliance") = usual.compliance,
        py::arg("ignore_overlaps") = usual.ignore_overlaps,
        "A Simulator of this robot in a World, or without one, starting at the neutral "
        "configuration, or at limits that leave it out. compliance: of each contact, in m/N. "
        "ignore_overlaps: links that overlap at the start do not collide, those of a fixed base "
        "neither. See docs/simulation.md.\n\n"
        ">>> arm.simulator(plucker.World.flat(friction=0.8), step=0.005).step_length\n"
        "0.005\n");
}

}  // namespace plucker::python
