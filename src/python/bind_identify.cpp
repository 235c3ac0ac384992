#include <pybind11/stl.h>

#include "archive.hpp"
#include "bind.hpp"
#include "convert.hpp"
#include "interrupts.hpp"
#include "plucker/identify/base_parameters.hpp"
#include "plucker/identify/excite.hpp"
#include "plucker/identify/identify.hpp"

namespace plucker::python {
namespace {

py::object rows_of(const ResultMatrix<double>& m) {
    npy_intp shape[] = {m.rows(), m.cols()};
    Owned out = made(PyArray_SimpleNew(2, shape, NPY_DOUBLE));
    auto* at = static_cast<double*>(PyArray_DATA(out.array()));
    Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        at, m.rows(), m.cols()) = m;
    return py::reinterpret_steal<py::object>(out.release());
}
py::object rows_of(const ResultVector<double>& x) { return python::to_array(x.data(), x.size()); }

// One row per sample; nothing where it is None.
MatrixX<double> matrix_from(const char* function, const char* argument, const py::object& object) {
    if (object.is_none()) return {};
    const Owned array =
        as_numbers(number_array(function, argument, object.ptr()).array(), NPY_DOUBLE);
    if (PyArray_NDIM(array.array()) != 2) {
        throw Error::because(function, ": ", argument, " has ", PyArray_NDIM(array.array()),
                             " dimensions; expected 2, one row per sample");
    }
    const npy_intp* shape = PyArray_DIMS(array.array());
    const Owned flat = made(PyArray_Ravel(array.array(), NPY_CORDER));
    const auto* at = static_cast<const double*>(PyArray_DATA(flat.array()));
    return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
        at, shape[0], shape[1]);
}
VectorX<double> numbers_from(const char* function, const char* argument, const py::object& object) {
    const Owned array =
        as_numbers(number_array(function, argument, object.ptr()).array(), NPY_DOUBLE);
    const Owned flat = made(PyArray_Ravel(array.array(), NPY_CORDER));
    const auto* at = static_cast<const double*>(PyArray_DATA(flat.array()));
    return Eigen::Map<const VectorX<double>>(at, PyArray_SIZE(flat.array()));
}

void bind_classes(py::module_& module) {
    py::class_<MotionLog>(module, "MotionLog",
                          "Samples of a motion, a row each: Robot.excite.\n\n"
                          ">>> log = arm.excite(duration=2, trials=2).log\n"
                          ">>> log.time.shape, log.q.shape, log.tau.shape\n"
                          "((201,), (201, 7), (201, 7))\n")
        .def(pickled<MotionLog>())
        .def_property_readonly(
            "time", [](const MotionLog& x) { return rows_of(x.time); }, "(n,), seconds.")
        .def_property_readonly(
            "q", [](const MotionLog& x) { return rows_of(x.q); }, "(n, nq).")
        .def_property_readonly(
            "v", [](const MotionLog& x) { return rows_of(x.v); }, "(n, nv).")
        .def_property_readonly(
            "a", [](const MotionLog& x) { return rows_of(x.a); }, "(n, nv).")
        .def_property_readonly(
            "tau", [](const MotionLog& x) { return rows_of(x.tau); }, "(n, nv).")
        .def("__repr__", [](const MotionLog& x) {
            return "<plucker.MotionLog: " + std::to_string(x.size()) + " samples>";
        });
    py::class_<Excitation>(module, "Excitation",
                           "A motion that shows a robot's parameters: Robot.excite.\n\n"
                           ">>> motion = arm.excite(duration=2, trials=2)\n"
                           ">>> motion.condition_number <= motion.first_condition_number\n"
                           "True\n")
        .def(pickled<Excitation>())
        .def_readonly("log", &Excitation::log, "The motion, with the torques that the robot says.")
        .def_readonly("condition_number", &Excitation::condition_number,
                      "Of the regressor along it, without what it never shows.")
        .def_readonly("num_unseen", &Excitation::num_unseen,
                      "Combinations of parameters that it never shows, such as a held base's.")
        .def_readonly("first_condition_number", &Excitation::first_condition_number,
                      "Of the first motion that was tried.")
        .def("__repr__", [](const Excitation& x) {
            return "<plucker.Excitation: " + std::to_string(x.log.size()) +
                   " samples, condition number " + std::to_string(x.condition_number) + ">";
        });
    py::class_<BaseParameters>(
        module, "BaseParameters",
        "What torques depend on: Robot.base_parameters.\n\n"
        ">>> base = arm.base_parameters()\n"
        ">>> base.combination.shape == (len(base.columns), arm.num_parameters)\n"
        "True\n")
        .def(pickled<BaseParameters>())
        .def_readonly("columns", &BaseParameters::columns,
                      "Columns of the regressor that are independent.")
        .def_property_readonly(
            "combination", [](const BaseParameters& x) { return rows_of(x.combination); },
            "(len(columns), num_parameters): from all parameters to these.")
        .def_readonly("names", &BaseParameters::names, "What is joined in each.")
        .def("__repr__", [](const BaseParameters& x) {
            return "<plucker.BaseParameters: " + std::to_string(x.columns.size()) + " of " +
                   std::to_string(x.combination.cols()) + " parameters>";
        });
    py::class_<IdentifiedParameter>(
        module, "IdentifiedParameter",
        "A number that was sought: Robot.identify.\n\n"
        ">>> log = arm.excite(duration=2, trials=2).log\n"
        ">>> found = arm.identify(log.time, log.q, log.tau, log.v, log.a)\n"
        ">>> found.parameters[0].name == arm.parameter_names[0]\n"
        "True\n")
        .def(pickled<IdentifiedParameter>())
        .def_readonly("name", &IdentifiedParameter::name, "Its name.")
        .def_readonly("before", &IdentifiedParameter::before, "The robot's own.")
        .def_readonly("value", &IdentifiedParameter::value, "The one found.")
        .def_readonly("deviation", &IdentifiedParameter::deviation, "Its standard deviation.")
        .def_readonly("prior", &IdentifiedParameter::prior, "What that was before; 0: it was kept.")
        .def_property_readonly("is_told_by_data", &IdentifiedParameter::is_told_by_data,
                               "Whether it is known at least twice as well as before.")
        .def("__repr__", [](const IdentifiedParameter& x) {
            return "<IdentifiedParameter '" + x.name + "': " + std::to_string(x.value) + " ± " +
                   std::to_string(x.deviation) + ">";
        });
    py::class_<IdentifiedJoint>(module, "IdentifiedJoint",
                                "Root mean squares of a joint's torques: Robot.identify.\n\n"
                                ">>> log = arm.excite(duration=2, trials=2).log\n"
                                ">>> found = arm.identify(log.time, log.q, log.tau, log.v, log.a)\n"
                                ">>> joint = found.joints[0]\n"
                                ">>> joint.name, joint.after < joint.torque\n"
                                "('joint1', True)\n")
        .def(pickled<IdentifiedJoint>())
        .def_readonly("name", &IdentifiedJoint::name, "The coordinate.")
        .def_readonly("torque", &IdentifiedJoint::torque, "What was measured.")
        .def_readonly("before", &IdentifiedJoint::before, "What the robot leaves unexplained.")
        .def_readonly("after", &IdentifiedJoint::after, "What the identified one does.")
        .def("__repr__", [](const IdentifiedJoint& x) {
            return "<IdentifiedJoint '" + x.name + "': " + std::to_string(x.torque) +
                   ", unexplained " + std::to_string(x.before) + " before, " +
                   std::to_string(x.after) + " after>";
        });
    py::class_<Identified>(module, "Identified",
                           "What a log tells of a robot: Robot.identify.\n\n"
                           ">>> log = arm.excite(duration=2, trials=2).log\n"
                           ">>> found = arm.identify(log.time, log.q, log.tau, log.v, log.a)\n"
                           ">>> found.robot.nv, found.torques_after.shape\n"
                           "(7, (201, 7))\n")
        .def(py::pickle(
            [](const Identified& x) {
                return py::bytes(to_bytes<ArchivedIdentification>(
                    {x.model.description(), x.parameters, x.combinations, x.joints,
                     x.condition_number, x.num_told, x.remarks, x.log, x.torques_before,
                     x.torques_after}));
            },
            [](const py::bytes& bytes) {
                auto x = from_bytes<ArchivedIdentification>(bytes);
                return Identified{Model(std::move(x.description)),
                                  x.parameters,
                                  x.combinations,
                                  x.joints,
                                  x.condition_number,
                                  x.num_told,
                                  x.remarks,
                                  x.log,
                                  x.torques_before,
                                  x.torques_after};
            }))
        .def_property_readonly(
            "robot", [](const Identified& x) { return new_robot(x.model); },
            "The robot with the parameters that were found.")
        .def_readonly("parameters", &Identified::parameters,
                      "Of each dynamic parameter, as parameter_names.")
        .def_readonly("combinations", &Identified::combinations, "Of each base parameter.")
        .def_readonly("joints", &Identified::joints, "Of each coordinate, as velocity_names.")
        .def_readonly("condition_number", &Identified::condition_number,
                      "Of the weighted regressor.")
        .def_readonly("num_told", &Identified::num_told, "How many combinations the data tell.")
        .def_readonly(
            "remarks", &Identified::remarks,
            "What was kept, what hardly moved, which links have no extent, which motion the "
            "filter takes away, and what no robot like this explains.")
        .def_readonly("log", &Identified::log, "The samples that were used.")
        .def_property_readonly(
            "torques_before", [](const Identified& x) { return rows_of(x.torques_before); },
            "What the robot says to them.")
        .def_property_readonly(
            "torques_after", [](const Identified& x) { return rows_of(x.torques_after); },
            "What the identified one does.")
        .def("__repr__", [](const Identified& x) {
            return "<plucker.Identified of '" + x.model.name() + "': the data tell " +
                   std::to_string(x.num_told) + " of " + std::to_string(x.combinations.size()) +
                   " combinations>";
        });
}

}  // namespace

void bind_identify(py::module_& module, RobotClass& robot) {
    bind_classes(module);
    const ExciteOptions excitement;
    const IdentifyOptions wishes;
    robot
        .def(
            "base_parameters", [](const Robot& r) { return base_parameters(r.model()); },
            "Which combinations of its dynamic parameters torques depend on.\n\n"
            ">>> plucker.robots.pendulum().base_parameters().names[2]\n'rod.Iyy + "
            "hinge.armature'\n")
        .def(
            "excite",
            [](const Robot& r, double duration, double rate, int harmonics, int trials,
               double margin, double reach, double velocity, unsigned seed) {
                const Unlocked released;
                Interrupts interrupts;
                return excite(r.model(), {duration, rate, harmonics, trials, margin, reach,
                                          velocity, seed, [&] { interrupts.hear(); }});
            },
            py::arg("duration") = excitement.duration, py::kw_only(),
            py::arg("rate") = excitement.rate, py::arg("harmonics") = excitement.harmonics,
            py::arg("trials") = excitement.trials, py::arg("margin") = excitement.margin,
            py::arg("reach") = excitement.reach, py::arg("velocity") = excitement.velocity,
            py::arg("seed") = excitement.seed,
            "A motion within the limits of the joints, and of those that mimic them, of so many "
            "seconds, from which identify can find its parameters.\n\n"
            ">>> arm.excite(duration=2, trials=2).log.q.shape\n"
            "(201, 7)\n")
        .def(
            "identify",
            [](const Robot& r, const py::object& time, const py::object& q, const py::object& tau,
               const py::object& v, const py::object& a, double cutoff, double prior, bool friction,
               bool rotors, const std::vector<std::string>& links) {
                const MotionLog log{
                    numbers_from("identify", "time", time), matrix_from("identify", "q", q),
                    matrix_from("identify", "v", v), matrix_from("identify", "a", a),
                    matrix_from("identify", "tau", tau)};
                const Unlocked released;
                Interrupts interrupts;
                return identify(r.model(), log, {cutoff, prior, friction, rotors, links, [&] {
                                                     interrupts.hear();
                                                 }});
            },
            py::arg("time"), py::arg("q"), py::arg("tau"), py::arg("v") = py::none(),
            py::arg("a") = py::none(), py::kw_only(), py::arg("cutoff") = wishes.cutoff,
            py::arg("prior") = wishes.prior, py::arg("friction") = wishes.friction,
            py::arg("rotors") = wishes.rotors, py::arg("links") = wishes.links,
            "Its masses and friction from measured positions and torques, one row per sample. v "
            "and a "
            "are found from q where "
            "they are left out, behind a low-pass filter; prior says how far its masses may be "
            "off, links whose are "
            "sought. See docs/identification.md.\n\n"
            ">>> log = arm.excite(duration=2, trials=2).log\n"
            ">>> arm.identify(log.time, log.q, log.tau, log.v, log.a).num_told > 0\n"
            "True\n");
}

}  // namespace plucker::python
