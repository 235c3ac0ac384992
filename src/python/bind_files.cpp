#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "archive.hpp"
#include "bind.hpp"
#include "bind_compile.hpp"
#include "convert.hpp"
#include "plucker/io/evaluate.hpp"
#include "plucker/io/load.hpp"
#include "plucker/io/urdf_writer.hpp"
#include "plucker/io/write_state.hpp"
#include "plucker/model/suspicions.hpp"

namespace plucker::python {
namespace {

LoadOptions load_options(const std::string& base, const std::string& fixed_joints,
                         const std::string& physics, const std::vector<std::string>& package_paths,
                         const std::string& model) {
    return {.base = word_from<Base>("load: base", base, {"fixed", "floating"}),
            .fixed_joints =
                word_from<FixedJoints>("load: fixed_joints", fixed_joints, {"merge", "keep"}),
            .physics = word_from<Physics>("load: physics", physics, {"strict", "lenient"}),
            .package_paths = package_paths,
            .model = model};
}

// As load() does with a file.
std::shared_ptr<Robot> compiled_from(ReadResult read) {
    for (const Diagnostic& d : read.diagnostics) {
        if (d.severity == Severity::kError) throw Error(to_string(d));
    }
    return std::make_shared<Robot>(Model(std::move(read.description)), std::move(read.diagnostics));
}

void bind_readers(py::module_& module) {
    const char* options_say =
        "base: 'fixed' or 'floating'. fixed_joints: 'merge', or 'keep' for separate bodies. "
        "physics: 'lenient', or 'strict' to reject impossible inertias. package_paths: folders to "
        "search for package://NAME. model: the one to read from an SDF file with several.";
    const std::string load_says =
        std::string(
            "Reads a robot from a file: URDF, SDF or MJCF, recognised by its content.\n\n") +
        options_say +
        "\n\n>>> problems = arm.write_urdf_file('arm.urdf')\n"
        ">>> plucker.load('arm.urdf').nv\n7\n";
    const std::string loads_says = std::string(
                                       "Reads a robot from text; file is its name in messages, and "
                                       "the start of relative paths.\n\n") +
                                   options_say +
                                   "\n\n>>> plucker.loads('<robot name=\"stone\"><link "
                                   "name=\"stone\"/></robot>').name\n'stone'\n";
    module.def(
        "load",
        [](const std::filesystem::path& path, const std::string& base,
           const std::string& fixed_joints, const std::string& physics,
           const std::vector<std::string>& package_paths, const std::string& model) {
            std::shared_ptr<Robot> robot = compiled_from(read_robot(
                path.string(), load_options(base, fixed_joints, physics, package_paths, model)));
            RecordingHeader origin;
            origin.model = path.string();
            origin.floating = base == "floating";
            origin.package_paths = package_paths;
            origin.which = model;
            robot->set_origin(std::move(origin));
            return robot;
        },
        py::arg("path"), py::kw_only(), py::arg("base") = "fixed",
        py::arg("fixed_joints") = "merge", py::arg("physics") = "lenient",
        py::arg("package_paths") = std::vector<std::string>{}, py::arg("model") = "",
        load_says.c_str());
    module.def(
        "loads",
        [](const std::string& text, const std::string& file, const std::string& base,
           const std::string& fixed_joints, const std::string& physics,
           const std::vector<std::string>& package_paths, const std::string& model) {
            return compiled_from(read_robot_text(
                text, file, load_options(base, fixed_joints, physics, package_paths, model)));
        },
        py::arg("text"), py::kw_only(), py::arg("file") = "text", py::arg("base") = "fixed",
        py::arg("fixed_joints") = "merge", py::arg("physics") = "lenient",
        py::arg("package_paths") = std::vector<std::string>{}, py::arg("model") = "",
        loads_says.c_str());
}

VectorX<double> vector_from(const char* argument, const py::object& object, int size,
                            const VectorX<double>& otherwise) {
    if (object.is_none()) return otherwise;
    const Owned array =
        as_numbers(number_array("write_state", argument, object.ptr()).array(), NPY_DOUBLE);
    if (PyArray_NDIM(array.array()) != 1 || PyArray_DIM(array.array(), 0) != size) {
        throw Error::because("write_state: ", argument, " has shape ", shape_text(array.array()),
                             ", expected (", size, ",)");
    }
    const npy_intp stride =
        PyArray_STRIDE(array.array(), 0) / static_cast<npy_intp>(sizeof(double));
    const auto* at = static_cast<const double*>(PyArray_DATA(array.array()));
    return Eigen::Map<const VectorX<double>, 0, Eigen::InnerStride<>>(at, size,
                                                                      Eigen::InnerStride<>(stride));
}

std::string state_text(const Robot& robot, const py::object& q, const py::object& v,
                       const py::object& a, const py::object& tau) {
    const Model& model = robot.model();
    const VectorX<double> zero = VectorX<double>::Zero(model.nv());
    return write_state(model, vector_from("q", q, model.nq(), {}),
                       vector_from("v", v, model.nv(), zero), vector_from("a", a, model.nv(), zero),
                       vector_from("tau", tau, model.nv(), zero));
}

std::string evaluated(const Robot& r, const std::string& states,
                      const std::vector<std::string>& quantities,
                      const std::vector<std::string>& frames, const std::string& order) {
    EvaluateOptions options;
    options.quantities = quantities;
    options.frames = frames;
    options.order = convention_named(order);
    const Unlocked released;
    return evaluate(r.model(), states, "states", options);
}

// Arrays, and numbers from them, as lists and numbers of Python's own.
std::string json_text(const py::module_& json, const py::object& states) {
    const py::object plain = py::cpp_function([](const py::object& x) {
        if (!py::hasattr(x, "tolist")) {
            throw py::type_error(std::string("evaluate: a state has ") + Py_TYPE(x.ptr())->tp_name +
                                 "; expected numbers, lists and arrays by name");
        }
        return py::object(x.attr("tolist")());
    });
    try {
        return py::cast<std::string>(
            json.attr("dumps")(states, py::arg("default") = plain, py::arg("allow_nan") = false));
    } catch (py::error_already_set& error) {
        // Python says so of NaN and infinity, and "Circular reference detected" of what contains itself.
        if (std::string(error.what()).find("not JSON compliant") == std::string::npos) throw;
        throw Error("evaluate: a number of the states is nan or infinite; all must be finite");
    }
}

void bind_json(RobotClass& robot) {
    robot
        .def(
            "evaluate_json", &evaluated, py::arg("states"), py::kw_only(),
            py::arg("quantities") = std::vector<std::string>{"all"},
            py::arg("frames") = std::vector<std::string>{}, py::arg("order") = "file",
            "What `plucker eval` computes, from states in JSON to answers in JSON (docs/files.md). "
            "order: "
            "'plucker', 'file', 'pinocchio' or 'mujoco'.\n\n"
            ">>> arm.evaluate_json('{\"q\": [0, 0, 0, 0, 0, 0, 0]}', "
            "quantities=['gravity_torque'])[:8]\n"
            "'{\"model\"'\n")
        .def(
            "evaluate",
            [](const Robot& r, const py::object& states, const std::vector<std::string>& quantities,
               const std::vector<std::string>& frames, const std::string& order) {
                const auto json = py::module_::import("json");
                const std::string text = json_text(json, states);
                return json.attr("loads")(evaluated(r, text, quantities, frames, order));
            },
            py::arg("states"), py::arg("quantities") = std::vector<std::string>{"all"},
            py::kw_only(), py::arg("frames") = std::vector<std::string>{},
            py::arg("order") = "file",
            "The same from a dictionary, or a list of them, to a dictionary; arrays are "
            "welcome.\n\n"
            ">>> robot.evaluate(robot.state(q), ['potential_energy'])['potential_energy'] == "
            "robot.potential_energy(q)\nTrue\n")
        .def(
            "state",
            [](const Robot& r, const py::object& q, const py::object& v, const py::object& a,
               const py::object& tau) {
                return py::module_::import("json").attr("loads")(state_text(r, q, v, a, tau));
            },
            py::arg("q"), py::arg("v") = py::none(), py::arg("a") = py::none(),
            py::arg("tau") = py::none(),
            "A state by the names of its joints, as evaluate takes it; what is left out is "
            "zero.\n\n"
            ">>> tau = arm.evaluate(arm.state(np.zeros(7)), "
            "['gravity_torque'])['gravity_torque']\n");
}

void bind_writers(RobotClass& robot) {
    robot
        .def(
            "write_urdf", [](const Robot& r) { return write_urdf(r.model().description()); },
            "The robot as URDF. Throws where it has a joint that URDF lacks.\n\n"
            ">>> plucker.loads(arm.write_urdf()).joint_names == arm.joint_names\n"
            "True\n")
        .def(
            "write_urdf_file",
            [](const Robot& r, const std::filesystem::path& path) {
                std::vector<Diagnostic> lost;
                write_urdf_file(r.model().description(), path.string(), &lost);
                return lost;
            },
            py::arg("path"),
            "The same into a file. Returns a list of what URDF cannot say.\n\n"
            ">>> arm.write_urdf_file('arm.urdf')\n"
            "[]\n");
}

void bind_pickle(RobotClass& robot) {
    robot.def(py::pickle(
        [](const Robot& r) {
            const std::optional<Compilation>& compiled = r.compilation();
            if (!compiled)
                return py::bytes(to_bytes<Archived>({r.model().description(), r.findings()}));
            return py::bytes(to_bytes<Archived>({compiled->model.description(), r.findings(),
                                                 compiled->options, compiled->numbers}));
        },
        [](const py::bytes& bytes) {
            auto read = from_bytes<Archived>(bytes);
            const Model model(std::move(read.description));
            if (!read.compiled) return std::make_shared<Robot>(model, std::move(read.findings));
            return compiled(model, *read.compiled, read.parameters, std::move(read.findings));
        }));
}

}  // namespace

void bind_files(py::module_& module, RobotClass& robot) {
    bind_readers(module);
    bind_json(robot);
    bind_writers(robot);
    bind_pickle(robot);
}

}  // namespace plucker::python
