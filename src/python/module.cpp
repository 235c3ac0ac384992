// The module plucker._plucker: what python/plucker makes a package of.
#include <pybind11/stl.h>

#include "bind.hpp"
#include "convert.hpp"
#include "methods.hpp"
#include "plucker/io/load.hpp"
#include "plucker/model/suspicions.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/version.hpp"
#include "rows.hpp"

namespace plucker::python {

std::shared_ptr<Robot> new_robot(const Model& model) {
    // What a lenient robot lets pass, first.
    std::vector<Diagnostic> findings = find_errors(model.description());
    for (Diagnostic& found : find_suspicions(model.description()))
        findings.push_back(std::move(found));
    return std::make_shared<Robot>(model, std::move(findings));
}

namespace {

void bind_status(py::module_& module) {
    py::dict names;
    for (int k = 0; k <= static_cast<int>(Status::kMisuse); ++k)
        names[py::int_(k)] = plucker::name_of(static_cast<Status>(k));
    module.attr("_status_names") = names;
}

void bind_module(py::module_& module) {
    import_numpy();
    guard_base();
    module.attr("__version__") = kVersion;
    // Lives as long as the interpreter.
    error_type = PyErr_NewExceptionWithDoc(
        "plucker.Error",
        "What a person got wrong, said so that they can put it right.\n\n"
        ">>> try:\n...     arm.q_index('jiont1')\n... except plucker.Error as error:\n"
        "...     print(error)\n"
        "unknown joint 'jiont1'; closest: 'joint1', 'joint2', 'joint3'\n",
        PyExc_ValueError, nullptr);
    module.attr("Error") = py::reinterpret_borrow<py::object>(error_type);
    py::register_exception_translator([](std::exception_ptr p) {
        try {
            if (p) std::rethrow_exception(p);
        } catch (const Error& e) {
            PyErr_SetString(error_type, e.what());
        }
    });

    module.def(
        "isa", [] { return plucker::name_of(active_isa()); },
        "The instruction set in use. PLUCKER_ISA in the environment forces another.\n\n"
        ">>> plucker.isa() in ('generic', 'avx2', 'avx512')\nTrue\n");
    module.def(
        "algorithms", &describe_rows,
        "The table of algorithms: of each a dictionary with its name, parameters and results.\n\n"
        ">>> plucker.algorithms()[0]['name']\n'inverse_dynamics'\n");
    module.def(
        "pose",
        [](const py::object& position, const py::object& rpy) {
            return to_array(Pose<double>::roll_pitch_yaw(vec3_from("pose: position", position),
                                                         vec3_from("pose: rpy", rpy)));
        },
        py::arg("position") = py::make_tuple(0.0, 0.0, 0.0),
        py::arg("rpy") = py::make_tuple(0.0, 0.0, 0.0),
        "A pose [R p], (3, 4), from a position and fixed-axis roll, pitch, yaw, as in URDF.\n\n"
        ">>> plucker.pose((1, 2, 3))[:, 3]\narray([1., 2., 3.])\n");
    module.def(
        "_robot_named",
        [](const std::string& name) {
            std::shared_ptr<Robot> robot = new_robot(robots::by_name(name));
            RecordingHeader origin;
            origin.model = "builtin:" + name;
            robot->set_origin(std::move(origin));
            return robot;
        },
        py::arg("name"), "A built-in robot: 'arm', 'chain(10)', …");
    module.def("_robot_names", &robots::names,
               "The names of the built-in robots.\n\n>>> 'arm' in plucker.robots.names()\nTrue\n");
    bind_status(module);

    add_result_types(module);
    bind_parts(module);
    RobotClass robot(
        module, "Robot",
        "A robot, immutable: made by load, loads, Builder, the functions of plucker.robots, or "
        "from another robot.\n\n"
        "The methods that compute take one state or many: leading dimensions of the arrays are "
        "states, and broadcast. out= is written to; threads= is how many compute a batch; status= "
        "takes what became of each state of a batch, as last_status does.\n\n"
        ">>> robot.mass_matrix(robot.random_configurations(5, seed=1)).shape == (5, robot.nv, "
        "robot.nv)\n"
        "True\n");
    bind_constraints(module, robot);
    bind_world(module);
    bind_builder(module);
    bind_properties(robot);
    bind_edits(robot);
    bind_compile(module, robot);
    bind_states(robot);
    bind_files(module, robot);
    bind_forces(module);
    bind_coordinates(module, robot);
    bind_identify(module, robot);
    bind_recording(module);
    bind_view(module, robot);
    bind_simulator(module, robot);
    bind_batch_simulator(module, robot);
    bind_free_motion(module, robot);
    bind_gpu(module, robot);
    add_methods(reinterpret_cast<PyTypeObject*>(robot.ptr()));
    guard_classes(module);
}

}  // namespace
}  // namespace plucker::python

PYBIND11_MODULE(_plucker, module) { plucker::python::bind_module(module); }
