#include "bind_compile.hpp"

#include <pybind11/stl.h>

#include <algorithm>

#include "archive.hpp"
#include "bind.hpp"
#include "convert.hpp"

namespace plucker::python {
namespace {

using compiler::ProgramParameter;

py::dict parameters_of(const Robot& robot) {
    py::dict out;
    if (!robot.has_parameters()) return out;
    const Compilation& x = *robot.compilation();
    for (std::size_t k = 0; k < x.numbers.size(); ++k) {
        out[py::str(x.options.parameters[k])] =
            to_array(x.numbers[k].data(), static_cast<npy_intp>(x.numbers[k].size()));
    }
    return out;
}

std::vector<double> numbers_from(const std::string& name, const py::handle& value,
                                 std::size_t size) {
    if (py::isinstance<MassProperties>(value) && size == MassProperties::kNumbers) {
        const auto numbers = py::cast<const MassProperties&>(value).numbers();
        return {numbers.begin(), numbers.end()};
    }
    const std::string what = "'" + name + "'";
    const Owned array =
        as_numbers(number_array("with_parameters", what.c_str(), value.ptr()).array(), NPY_DOUBLE);
    if (PyArray_NDIM(array.array()) != 1 ||
        PyArray_DIM(array.array(), 0) != static_cast<npy_intp>(size)) {
        throw Error::because("with_parameters: ", what, " has shape ", shape_text(array.array()),
                             ", expected (", size, size == 3 ? ",)" : ",), or MassProperties");
    }
    const Owned dense = made(PyArray_Ravel(array.array(), NPY_CORDER));
    const auto* at = static_cast<const double*>(PyArray_DATA(dense.array()));
    return {at, at + size};
}

std::shared_ptr<Robot> with_parameters(const Robot& robot, const py::dict& values) {
    if (!robot.has_parameters()) {
        throw Error(
            "with_parameters: this robot was compiled without any; "
            "compile(parameters=['payload:tool'])");
    }
    Compilation x = *robot.compilation();
    for (const auto& [key, value] : values) {
        if (!PyUnicode_Check(key.ptr()))
            throw wrong_type("with_parameters", "a key", key.ptr(), "the name of a parameter");
        const auto name = text_from("with_parameters", "a key", key.ptr());
        const std::vector<std::string>& names = x.options.parameters;
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end()) {
            throw Error::because("with_parameters: ",
                                 unknown_name("parameter", name, names).what());
        }
        std::vector<double>& numbers = x.numbers[static_cast<std::size_t>(found - names.begin())];
        numbers = numbers_from(name, value, numbers.size());
    }
    auto out = std::make_shared<Robot>(std::move(x), robot.findings());
    out->set_origin(robot.origin());
    return out;
}

void bind_function(py::module_& module) {
    py::class_<CompiledFunction>(
        module, "CompiledFunction",
        "What became of a function: Robot.compiled_functions.\n\n"
        ">>> fast = robot.compile(['mass_matrix', 'inverse_dynamics'])\n"
        ">>> all(f.operations < f.asked for f in fast.compiled_functions)\nTrue\n")
        .def_readonly("name", &CompiledFunction::name,
                      "Its name; of one that takes a frame: 'frame_jacobian(tool, world)'.")
        .def_readonly("compiled", &CompiledFunction::compiled,
                      "Whether there is code; otherwise the library's is used.")
        .def_readonly("asked", &CompiledFunction::asked,
                      "How many operations the library's code takes; 0: too many to count.")
        .def_readonly("operations", &CompiledFunction::operations,
                      "How many are left with the robot's constants.")
        .def_readonly("steps", &CompiledFunction::steps, "How many instructions these are.")
        .def_readonly("spills", &CompiledFunction::spills,
                      "How many numbers went to memory for want of a register.")
        .def_readonly("bytes", &CompiledFunction::bytes, "How many bytes of machine code.")
        .def_readonly("milliseconds", &CompiledFunction::milliseconds, "Until it was compiled.")
        .def(pickled<CompiledFunction>())
        .def("__repr__", [](const CompiledFunction& f) {
            return "<CompiledFunction '" + f.name + "': " + std::to_string(f.asked) +
                   " operations asked for, " + std::to_string(f.operations) + " left" +
                   (f.compiled ? ">" : ", not compiled>");
        });
}

}  // namespace

std::shared_ptr<Robot> compiled(const Model& model, const CompileOptions& options,
                                compiler::ParameterNumbers<double> numbers,
                                std::vector<Diagnostic> findings) {
    Compilation x{model, options, std::move(numbers)};
    const auto parameters = compiler::parameters_named(model, options.parameters);
    if (x.numbers.empty()) {
        for (const ProgramParameter& parameter : parameters)
            x.numbers.push_back(parameter.defaults);
    }
    const bool fits = std::equal(x.numbers.begin(), x.numbers.end(), parameters.begin(),
                                 parameters.end(), [](const auto& given, const auto& parameter) {
                                     return given.size() == parameter.defaults.size();
                                 });
    if (!fits) throw Error("compile: the parameters do not have the sizes that they should");
    {
        const Unlocked released;
        x.model = compile(model, options, x.functions);
    }
    return std::make_shared<Robot>(std::move(x), std::move(findings));
}

void bind_compile(py::module_& module, RobotClass& robot) {
    bind_function(module);
    robot
        .def(
            "compile",
            [](const Robot& r, const std::vector<std::string>& functions,
               const std::vector<std::string>& parameters, const std::vector<std::string>& frames) {
                auto out = compiled(
                    r.model(), {.functions = functions, .parameters = parameters, .frames = frames},
                    {}, r.findings());
                out->set_origin(r.origin());
                return out;
            },
            py::arg("functions") = std::vector<std::string>{}, py::kw_only(),
            py::arg("parameters") = std::vector<std::string>{},
            py::arg("frames") = std::vector<std::string>{},
            "The same robot with its own machine code: single calls are two to six times faster. "
            "Compiles the named functions, or all that benefit. Frames and forces of one robot are "
            "valid for the other.\n\n"
            "parameters: constants of the robot that with_parameters may change without a new "
            "compilation: 'gravity', 'mass:LINK', 'payload:FRAME'. All others are folded.\n"
            "frames: the frames for which frame_jacobian and other functions of a frame are "
            "compiled.\n\n"
            "Source: docs/compiler.md.\n\n"
            ">>> fast = robot.compile(['mass_matrix'])\n"
            ">>> bool(abs(fast.mass_matrix(q) - robot.mass_matrix(q)).max() < 1e-12)\nTrue\n")
        .def_property_readonly(
            "compiled_functions",
            [](const Robot& r) {
                return r.compilation() ? r.compilation()->functions
                                       : std::vector<CompiledFunction>{};
            },
            "What became of each function that compile() was asked for: a list of "
            "CompiledFunction, empty where the processor has no AVX2.\n\n"
            ">>> left = {f.name: f.operations for f in robot.compile().compiled_functions}\n")
        .def_property_readonly(
            "compiled_parameters", &parameters_of,
            "The constants that compile() left variable, as a dictionary from names to numbers: "
            "gravity "
            "(3,); masses and payloads (10,), which are mass, centre x, y, z, and inertia about it "
            "xx, xy, xz, yy, yz, zz.\n\n"
            ">>> plucker.robots.arm().compile(parameters=['gravity']).compiled_parameters\n"
            "{'gravity': array([ 0.  ,  0.  , -9.81])}\n")
        .def("with_parameters", &with_parameters, py::arg("values"),
             "The same robot with other numbers for some of its compiled_parameters: {'gravity': "
             "(0, 0, -1.62)}, or {'payload:tool': MassProperties}. Single calls use the code that "
             "is there; a batch makes its own at its first call, which takes milliseconds.\n\n"
             ">>> fast = plucker.robots.arm().compile(parameters=['payload:tool'])\n"
             ">>> load = plucker.MassProperties.sphere(2, 0.05)\n"
             ">>> round(fast.with_parameters({'payload:tool': load}).total_mass - fast.total_mass, "
             "9)\n2.0\n");
}

}  // namespace plucker::python
