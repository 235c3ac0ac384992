#include <pybind11/stl.h>
#include <unistd.h>

#include "archive.hpp"
#include "bind.hpp"
#include "plucker/io/read_mesh.hpp"
#include "plucker/simulate/batch_simulator.hpp"
#include "simulation.hpp"

namespace plucker::python {
namespace {

using Rows = batch::Simulator::Rows;

py::object rows_array(const Rows& rows) {
    const npy_intp shape[] = {rows.rows(), rows.cols()};
    Owned out = made(PyArray_EMPTY(2, shape, NPY_DOUBLE, 0));
    std::copy_n(rows.data(), rows.size(), static_cast<double*>(PyArray_DATA(out.array())));
    return py::reinterpret_steal<py::object>(out.release());
}

// (count, n), or (n,) for all.
Rows rows_from(const char* function, const char* argument, const py::object& object, int count,
               int n) {
    const Owned array =
        as_numbers(number_array(function, argument, object.ptr()).array(), NPY_DOUBLE);
    const int ndim = PyArray_NDIM(array.array());
    const npy_intp* shape = PyArray_DIMS(array.array());
    const bool is_one = ndim == 1 && shape[0] == n;
    if (!is_one && !(ndim == 2 && shape[0] == count && shape[1] == n)) {
        throw Error::because(function, ": ", argument, " has shape ", shape_text(array.array()),
                             ", expected (", count, ", ", n, "), one row per robot, or (", n,
                             ",) for all");
    }
    const Owned flat = made(PyArray_Ravel(array.array(), NPY_CORDER));
    const auto* at = static_cast<const double*>(PyArray_DATA(flat.array()));
    const Rows given = Eigen::Map<const Rows>(at, is_one ? 1 : count, n);
    return is_one ? Rows(given.replicate(count, 1)) : given;
}

// Numbers are refused: they would be indices, and mean something else.
std::vector<std::uint8_t> mask_from(const py::object& object) {
    const Owned given = made(PyArray_FROM_O(object.ptr()));
    if (PyArray_TYPE(given.array()) != NPY_BOOL || PyArray_NDIM(given.array()) != 1)
        throw wrong_type("reset", "mask", object.ptr(), "an array of bool, one per robot");
    const Owned mask = made(PyArray_Ravel(given.array(), NPY_CORDER));
    const auto* at = static_cast<const std::uint8_t*>(PyArray_DATA(mask.array()));
    return {at, at + PyArray_SIZE(mask.array())};
}

class PythonBatch {
public:
    PythonBatch(std::shared_ptr<Robot> of, std::unique_ptr<batch::Simulator> made_of)
        : robot(std::move(of)), simulator(std::move(made_of)), process_(getpid()) {
        World nothing;
        nothing.read_mesh = read_mesh;
        const CollisionShapes shapes(robot->model(), nothing);
        shapes_.assign(shapes.shapes().begin(), shapes.shapes().end());
    }
    // A forked process has the simulator but not its threads: to wait for these would be to wait for ever.
    ~PythonBatch() {
        if (getpid() != process_) (void)simulator.release();
    }
    PythonBatch(const PythonBatch&) = delete;
    PythonBatch& operator=(const PythonBatch&) = delete;

    std::shared_ptr<Robot> robot;
    std::unique_ptr<batch::Simulator> simulator;
    bool taken = false;

    int size() const { return simulator->size(); }
    int nq() const { return robot->model().nq(); }
    int nv() const { return robot->model().nv(); }
    // Those of the robot; what comes after them is the world's.
    std::span<const CollisionShape> shapes() const { return shapes_; }
    void check_process(const char* function) const {
        if (getpid() == process_) return;
        throw Error::because(function,
                             ": the simulator was made before this process was forked, and its "
                             "threads are not here; make another one");
    }

private:
    std::vector<CollisionShape> shapes_;
    pid_t process_;
};
using Many = PythonBatch;

// What the reports of all robots say, an array each.
struct BatchReport {
    std::vector<StepReport> of;
};

template <class T, class Value>
py::object array_of_reports(const BatchReport& reports, int numpy_type, const Value& value) {
    const auto n = static_cast<npy_intp>(reports.of.size());
    Owned out = made(PyArray_EMPTY(1, &n, numpy_type, 0));
    auto* to = static_cast<T*>(PyArray_DATA(out.array()));
    for (const StepReport& report : reports.of) *to++ = static_cast<T>(value(report));
    return py::reinterpret_steal<py::object>(out.release());
}

void bind_reports(py::module_& module) {
    using Report = const StepReport&;
    py::class_<BatchReport>(module, "BatchReport",
                            "How the last step of each robot went, an array each: "
                            "BatchSimulator.step.\n\n"
                            ">>> report = many.step()\n"
                            ">>> report.status, report.converged.all()\n"
                            "(array([0, 0, 0, 0], dtype=uint8), True)\n")
        .def(py::pickle([](const BatchReport& r) { return py::bytes(to_bytes(r.of)); },
                        [](const py::bytes& bytes) {
                            return BatchReport{from_bytes<std::vector<StepReport>>(bytes)};
                        }))
        .def_property_readonly(
            "status",
            [](const BatchReport& r) {
                return array_of_reports<std::uint8_t>(
                    r, NPY_UINT8, [](Report x) { return static_cast<std::uint8_t>(x.status); });
            },
            "(N,): plucker.Status; a robot that is not OK kept its state.")
        .def_property_readonly(
            "certificate",
            [](const BatchReport& r) {
                return array_of_reports<double>(
                    r, NPY_DOUBLE, [](Report x) { return x.solver.certificate.worst(); });
            },
            "(N,): how exactly the laws of contact and friction are met, in m/s.")
        .def_property_readonly(
            "converged",
            [](const BatchReport& r) {
                return array_of_reports<npy_bool>(
                    r, NPY_BOOL, [](Report x) { return x.solver.converged ? 1 : 0; });
            },
            "(N,): whether the certificate is below 1e-6 m/s.")
        .def_property_readonly(
            "iterations",
            [](const BatchReport& r) {
                return array_of_reports<std::int32_t>(r, NPY_INT32,
                                                      [](Report x) { return x.solver.iterations; });
            },
            "(N,): how many the solver took.")
        .def_property_readonly(
            "by",
            [](const BatchReport& r) {
                py::list out;
                for (Report x : r.of) out.append(plucker::name_of(x.solver.by));
                return out;
            },
            "A list of N names: what led to the impulses.")
        .def_property_readonly(
            "deepest",
            [](const BatchReport& r) {
                return array_of_reports<double>(r, NPY_DOUBLE, [](Report x) { return x.deepest; });
            },
            "(N,): how far anything was inside anything else before the step, in metres.")
        .def_property_readonly(
            "beyond_limits",
            [](const BatchReport& r) {
                return array_of_reports<double>(r, NPY_DOUBLE,
                                                [](Report x) { return x.beyond_limits; });
            },
            "(N,): how far a joint was beyond its limit before the step, in m or rad.")
        .def("__len__", [](const BatchReport& r) { return r.of.size(); })
        .def("__repr__", [](const BatchReport& r) {
            const auto failed = std::count_if(r.of.begin(), r.of.end(),
                                              [](Report x) { return x.status != Status::kOk; });
            return "<plucker.BatchReport of " + std::to_string(r.of.size()) + " robots, " +
                   std::to_string(failed) + " failed>";
        });
}

BatchReport step(Many& many, const py::object& tau, int steps) {
    if (steps < 1) throw Error::because("step: steps is ", steps, "; it must be 1 or more");
    many.check_process("step");
    const Rows torques = tau.is_none() ? Rows(Rows::Zero(many.size(), many.nv()))
                                       : rows_from("step", "tau", tau, many.size(), many.nv());
    const Turn turn("step", many.taken);
    const Unlocked released;
    Interrupts interrupts;
    // In portions, so that Ctrl-C is heard between them. A robot that failed would fail the same again.
    constexpr int kPortion = 8;
    for (int k = 0; k < steps; k += kPortion) {
        many.simulator->step(torques, std::min(kPortion, steps - k));
        interrupts.hear();
    }
    const auto reports = many.simulator->reports();
    return {{reports.begin(), reports.end()}};
}

std::unique_ptr<Many> make(const std::shared_ptr<Robot>& robot, int count, const py::object& world,
                           const SimulatorOptions& options, int threads) {
    std::unique_ptr<batch::Simulator> made_of;
    if (py::isinstance<py::sequence>(world)) {
        std::vector<World> worlds;
        for (const py::handle each : world)
            worlds.push_back(
                world_from("batch_simulator", py::reinterpret_borrow<py::object>(each)));
        check_size("batch_simulator", "world", static_cast<long>(worlds.size()), count,
                   "count, one per robot");
        made_of = std::make_unique<batch::Simulator>(robot->model(), worlds, options, threads);
    } else {
        if (count < 1) {
            throw Error::because("batch_simulator: count is ", count, "; it must be 1 or more");
        }
        made_of = std::make_unique<batch::Simulator>(
            robot->model(), world_from("batch_simulator", world), count, options, threads);
    }
    return std::make_unique<Many>(robot, std::move(made_of));
}

void bind_acts(py::class_<Many>& many) {
    many.def(
            "set_states",
            [](Many& m, const py::object& q, const py::object& v) {
                const Turn turn("set_states", m.taken);
                m.simulator->set_states(rows_from("set_states", "q", q, m.size(), m.nq()),
                                        v.is_none()
                                            ? Rows(Rows::Zero(m.size(), m.nv()))
                                            : rows_from("set_states", "v", v, m.size(), m.nv()));
            },
            py::arg("q"), py::arg("v") = py::none(),
            "Restarts all robots at time 0: (N, nq) and (N, nv), or one state for all; at rest, "
            "unless v is given.\n\n"
            ">>> many.set_states(0.3 * np.eye(7)[0])\n"
            ">>> many.q.shape\n"
            "(4, 7)\n")
        .def(
            "reset",
            [](Many& m, const py::object& mask, const py::object& q, const py::object& v) {
                const Turn turn("reset", m.taken);
                m.simulator->reset(mask_from(mask), rows_from("reset", "q", q, m.size(), m.nq()),
                                   v.is_none() ? Rows(Rows::Zero(m.size(), m.nv()))
                                               : rows_from("reset", "v", v, m.size(), m.nv()));
            },
            py::arg("mask"), py::arg("q"), py::arg("v") = py::none(),
            "Restarts the robots whose mask, (N,) of bool, is true; the other rows are ignored.\n\n"
            ">>> many.reset([True, False, False, False], 0.3 * np.eye(7)[0])\n"
            ">>> many.q[:2, 0].tolist()\n"
            "[0.3, 0.0]\n")
        .def(
            "hold",
            [](Many& m, const py::object& kp, const py::object& kd) {
                const Turn turn("hold", m.taken);
                m.simulator->hold(gains_from("hold", "kp", kp, m.nv()),
                                  gains_from("hold", "kd", kd, m.nv()));
            },
            py::arg("kp"), py::arg("kd"),
            "Springs and dampers at the joints of all robots, which pull to where each one is now, "
            "unless aim says otherwise: numbers, or (nv,).\n\n"
            ">>> many.hold(100, 10)\n")
        .def(
            "aim",
            [](Many& m, const py::object& q, const py::object& v) {
                const Turn turn("aim", m.taken);
                m.simulator->aim(rows_from("aim", "q", q, m.size(), m.nq()),
                                 v.is_none() ? Rows(Rows::Zero(m.size(), m.nv()))
                                             : rows_from("aim", "v", v, m.size(), m.nv()));
            },
            py::arg("q"), py::arg("v") = py::none(),
            "Where the springs pull to from now on.\n\n"
            ">>> many.hold(100, 10)\n"
            ">>> many.aim(np.full(7, 0.3))\n")
        .def(
            "release",
            [](Many& m) {
                const Turn turn("release", m.taken);
                m.simulator->release();
            },
            "No springs any more.\n\n"
            ">>> many.hold(100, 10)\n"
            ">>> many.release()\n")
        .def(
            "push",
            [](Many& m, const py::object& link, const py::object& force) {
                const Turn turn("push", m.taken);
                const FrameId frame = pushed_frame("push", *m.robot, link);
                const Rows f = rows_from("push", "force", force, m.size(), 3);
                if (!f.allFinite()) throw Error("push: a force is not finite");
                for (int i = 0; i < m.size(); ++i) {
                    m.simulator->forces(i).add(frame, {{}, {f(i, 0), f(i, 1), f(i, 2)}},
                                               ReferenceFrame::kWorldAligned);
                }
            },
            py::arg("link"), py::arg("force"),
            "A force on a link of each robot, along the world's axes at its origin, in every step "
            "until clear_pushes: (N, 3), or (3,) for all.\n\n"
            ">>> many.push('link7', [(0, 0, 10), (0, 0, 20), (0, 0, 30), (0, 0, 40)])\n")
        .def(
            "clear_pushes",
            [](Many& m) {
                const Turn turn("clear_pushes", m.taken);
                for (int i = 0; i < m.size(); ++i) m.simulator->forces(i).clear();
            },
            "Removes all pushes.\n\n"
            ">>> many.push('link7', (0, 0, 10))\n"
            ">>> many.clear_pushes()\n")
        .def("step", &step, py::arg("tau") = py::none(), py::arg("steps") = 1,
             "Takes `steps` steps under the same torques, (N, nv), or (nv,) for all, and returns a "
             "BatchReport. Other Python threads can run meanwhile.\n\n"
             ">>> many.step(steps=10).status\n"
             "array([0, 0, 0, 0], dtype=uint8)\n");
}

}  // namespace

void bind_batch_simulator(py::module_& module, RobotClass& robot) {
    bind_reports(module);
    py::class_<Many> many(
        module, "BatchSimulator",
        "Many robots of one kind at once, on all cores: Robot.batch_simulator. Each moves as "
        "in a Simulator, but for rounding.\n\n"
        ">>> many = plucker.robots.arm().batch_simulator(100)\n"
        ">>> many.step(steps=10).converged.all(), many.q.shape\n(True, (100, 7))\n");
    bind_acts(many);
    many.def_property_readonly(
            "robot", [](const Many& m) { return m.robot; }, "The robot.")
        .def("__len__", [](const Many& m) { return m.size(); })
        .def("__repr__",
             [](const Many& m) {
                 return "<plucker.BatchSimulator of " + std::to_string(m.size()) + " times '" +
                        m.robot->model().name() + "'>";
             })
        .def_property_readonly(
            "threads", [](const Many& m) { return m.simulator->threads(); },
            "How many threads step it.")
        .def_property_readonly(
            "q",
            [](Many& m) {
                const Turn turn("q", m.taken);
                return rows_array(m.simulator->q());
            },
            "The configurations now: (N, nq), a copy.")
        .def_property_readonly(
            "v",
            [](Many& m) {
                const Turn turn("v", m.taken);
                return rows_array(m.simulator->v());
            },
            "The velocities now: (N, nv), a copy.")
        .def_property_readonly(
            "time",
            [](Many& m) {
                const Turn turn("time", m.taken);
                VectorX<double> out(m.size());
                for (int i = 0; i < m.size(); ++i) out[i] = m.simulator->time(i);
                return to_array(out);
            },
            "Of each robot: (N,), seconds.")
        .def(
            "contacts",
            [](Many& m, int number) {
                const Turn turn("contacts", m.taken);
                return recorded_contacts(m.simulator->contacts(number), m.shapes());
            },
            py::arg("robot"),
            "Those of one robot's last step: a list of Contact.\n\n"
            ">>> many.contacts(0)\n"
            "[]\n");
    const SimulatorOptions usual;
    robot.def(
        "batch_simulator",
        [](const std::shared_ptr<Robot>& r, int count, const py::object& world, double step_length,
           int threads, bool joint_limits, bool joint_friction, double compliance,
           bool ignore_overlaps) {
            SimulatorOptions options;
            options.step = step_length;
            options.joint_limits = joint_limits;
            options.joint_friction = joint_friction;
            options.compliance = compliance;
            options.ignore_overlaps = ignore_overlaps;
            return make(r, count, world, options, threads);
        },
        py::arg("count"), py::arg("world") = py::none(), py::arg("step") = usual.step,
        py::kw_only(), py::arg("threads") = 0, py::arg("joint_limits") = usual.joint_limits,
        py::arg("joint_friction") = usual.joint_friction, py::arg("compliance") = usual.compliance,
        py::arg("ignore_overlaps") = usual.ignore_overlaps,
        "So many of it, each on its own: a BatchSimulator. world: one for all, or a list with one "
        "a robot. threads: 0, all cores; the bits do not depend on it. ignore_overlaps: as for "
        "simulator.\n\n"
        ">>> arm.batch_simulator(100, step=0.002).q.shape\n"
        "(100, 7)\n");
}

}  // namespace plucker::python
