#include <pybind11/stl.h>

#include "archive.hpp"
#include "bind.hpp"
#include "convert.hpp"
#include "plucker/joints/joint.hpp"
#include "plucker/laws/report.hpp"

namespace plucker::python {
namespace {

std::string number_text(double x) { return py::cast<std::string>(py::repr(py::float_(x))); }

void bind_mass(py::module_& module) {
    const auto mass_from = [](double mass, const py::object& center,
                              const py::object& about_center) {
        return MassProperties{mass, vec3_from("MassProperties: center", center),
                              symmetric_from("MassProperties: about_center", about_center)};
    };
    const auto origin = py::make_tuple(0.0, 0.0, 0.0);
    py::class_<MassProperties>(module, "MassProperties",
                               "Mass, centre and rotational inertia of a link.\n\n"
                               ">>> plucker.MassProperties.point(2, (0, 0, 1)).mass\n2.0\n")
        .def(
            py::init(mass_from), py::arg("mass") = 0.0, py::arg("center") = origin,
            py::arg("about_center") = origin,
            "The rotational inertia is about the centre of mass: (3, 3), or (3,) for its diagonal.")
        .def_static(
            "point",
            [](double mass, const py::object& center) {
                return MassProperties::point(mass, vec3_from("point: center", center));
            },
            py::arg("mass"), py::arg("center") = origin,
            "All of the mass in one point.\n\n"
            ">>> plucker.MassProperties.point(2, (0, 0, 1)).center\n"
            "array([0., 0., 1.])\n")
        .def_static(
            "box",
            [](double mass, const py::object& size, const py::object& center) {
                return MassProperties::box(mass, vec3_from("box: size", size),
                                           vec3_from("box: center", center));
            },
            py::arg("mass"), py::arg("size"), py::arg("center") = origin,
            "A box of uniform density, by its edges along x, y, z.\n\n"
            ">>> plucker.MassProperties.box(12, (1, 2, 3)).about_center.diagonal()\n"
            "array([13., 10.,  5.])\n")
        .def_static(
            "sphere",
            [](double mass, double radius, const py::object& center) {
                return MassProperties::sphere(mass, radius, vec3_from("sphere: center", center));
            },
            py::arg("mass"), py::arg("radius"), py::arg("center") = origin,
            "A ball of uniform density.\n\n"
            ">>> plucker.MassProperties.sphere(10, 0.5).about_center.diagonal()\n"
            "array([1., 1., 1.])\n")
        .def_static(
            "cylinder",
            [](double mass, double radius, double length, const py::object& center) {
                return MassProperties::cylinder(mass, radius, length,
                                                vec3_from("cylinder: center", center));
            },
            py::arg("mass"), py::arg("radius"), py::arg("length"), py::arg("center") = origin,
            "A cylinder of uniform density along z.\n\n"
            ">>> plucker.MassProperties.cylinder(12, 1, 3).about_center.diagonal()\n"
            "array([12., 12.,  6.])\n")
        .def_readonly("mass", &MassProperties::mass, "In kilograms.")
        .def_property_readonly(
            "center", [](const MassProperties& m) { return to_array(m.center); },
            "The centre of mass in the link's frame: (3,).")
        .def_property_readonly(
            "about_center", [](const MassProperties& m) { return to_array(m.about_center); },
            "The rotational inertia about the centre, along the link's axes: (3, 3).")
        .def(
            "__eq__", [](const MassProperties& a, const MassProperties& b) { return a == b; },
            py::is_operator())
        .def("__repr__",
             [](const MassProperties& m) {
                 return "MassProperties(" + number_text(m.mass) + " kg at (" +
                        number_text(m.center.x) + ", " + number_text(m.center.y) + ", " +
                        number_text(m.center.z) + "))";
             })
        .def(pickled<MassProperties>());
}

// --- Joints ---------------------------------------------------------------------------------------

using Joint = JointDescription;

// A type with one axis, by its name.
void add_maker(py::module_& module, JointType type) {
    const char* name = plucker::name_of(type);
    const auto says = [name](const std::string& more, const std::string& arguments) {
        return std::string("A ") + name + " joint, for Builder.body." + more + "\n\n>>> plucker." +
               name + "('wrist'" + arguments + ").type\n'" + name + "'\n";
    };
    if (number_of_axes(type) == 0) {
        module.def(
            name, [type](const std::string& joint) { return joint_of_type(type, joint); },
            py::arg("name"), says("", "").c_str());
    } else if (type == JointType::kUniversal) {
        module.def(
            name,
            [](const std::string& joint, const py::object& first, const py::object& second) {
                return universal(joint, vec3_from("universal: first", first),
                                 vec3_from("universal: second", second));
            },
            py::arg("name"), py::arg("first"), py::arg("second"),
            says("", ", (0, 1, 0), (0, 0, 1)").c_str());
    } else if (type == JointType::kHelical) {
        module.def(
            name,
            [](const std::string& joint, const py::object& axis, double pitch) {
                return helical(joint, vec3_from("helical: axis", axis), pitch);
            },
            py::arg("name"), py::arg("axis"), py::arg("pitch"),
            says(" The pitch is in metres per radian.", ", (0, 0, 1), 0.01").c_str());
    } else {
        module.def(
            name,
            [type](const std::string& joint, const py::object& axis) {
                return joint_of_type(type, joint, vec3_from("axis", axis));
            },
            py::arg("name"), py::arg("axis"), says("", ", (0, 0, 1)").c_str());
    }
}

void bind_joint(py::module_& module) {
    py::class_<Joint> joint(
        module, "Joint",
        "A joint as it is described: made by revolute(name, axis) and its like.\n\n"
        ">>> plucker.revolute('knee', (0, 1, 0)).at((0, 0, "
        "-0.4)).with_damping(0.1).damping\n0.1\n");
    joint.def_readonly("name", &Joint::name, "Its name.")
        .def_property_readonly(
            "type", [](const Joint& j) { return plucker::name_of(j.type); },
            "\"revolute\", …: see the functions of the same names.")
        .def_readonly("parent", &Joint::parent, "The link that carries it.")
        .def_readonly("child", &Joint::child, "The link that it moves.")
        .def_property_readonly(
            "placement", [](const Joint& j) { return to_array(j.placement); },
            "Its frame in the parent link: (3, 4), [R p].")
        .def_property_readonly(
            "axis", [](const Joint& j) { return to_array(j.axis); },
            "In its frame: (3,). Of a joint that has none, z.")
        .def_property_readonly(
            "second_axis", [](const Joint& j) { return to_array(j.second_axis); },
            "Of a universal joint: (3,).")
        .def_readonly("pitch", &Joint::pitch, "Of a helical joint: metres per radian.")
        .def_readonly("armature", &Joint::armature, "Rotor inertia, as felt at the joint.")
        .def_readonly("damping", &Joint::damping, "Viscous friction.")
        .def_readonly("friction", &Joint::friction, "Coulomb friction.")
        .def_property_readonly(
            "limits", [](const Joint& j) { return py::make_tuple(j.limits.lower, j.limits.upper); },
            "Of its position: (lower, upper), infinite where there are none.")
        .def_property_readonly(
            "velocity_limit", [](const Joint& j) { return j.limits.velocity; }, "Of its speed.")
        .def_property_readonly(
            "effort_limit", [](const Joint& j) { return j.limits.effort; },
            "Of its torque or force.")
        .def_property_readonly(
            "mimic",
            [](const Joint& j) -> py::object {
                if (!j.mimic) return py::none();
                return py::make_tuple(j.mimic->joint, j.mimic->multiplier, j.mimic->offset);
            },
            "(joint, multiplier, offset) of a joint that follows another; otherwise None.")
        .def(
            "at",
            [](const Joint& j, const py::object& pose) {
                return j.at(pose_from("at: placement", pose));
            },
            py::arg("placement"),
            "The same at another place in its parent: (3,), or [R p].\n\n"
            ">>> plucker.revolute('j', (0, 0, 1)).at((0, 0, 1)).placement[:, 3]\n"
            "array([0., 0., 1.])\n")
        .def("with_armature", &Joint::with_armature, py::arg("armature"),
             "The same with a rotor.\n\n"
             ">>> plucker.revolute('j', (0, 0, 1)).with_armature(0.1).armature\n"
             "0.1\n")
        .def("with_damping", &Joint::with_damping, py::arg("damping"),
             "The same with viscous friction.\n\n"
             ">>> plucker.revolute('j', (0, 0, 1)).with_damping(0.5).damping\n"
             "0.5\n")
        .def("with_friction", &Joint::with_friction, py::arg("friction"),
             "The same with Coulomb friction.\n\n"
             ">>> plucker.revolute('j', (0, 0, 1)).with_friction(0.2).friction\n"
             "0.2\n")
        .def(
            "with_limits",
            [](const Joint& j, double lower, double upper, double velocity, double effort) {
                return j.with_limits({lower, upper, velocity, effort});
            },
            py::arg("lower") = -std::numeric_limits<double>::infinity(),
            py::arg("upper") = std::numeric_limits<double>::infinity(),
            py::arg("velocity") = std::numeric_limits<double>::infinity(),
            py::arg("effort") = std::numeric_limits<double>::infinity(),
            "The same with limits.\n\n"
            ">>> plucker.revolute('j', (0, 0, 1)).with_limits(-1, 1).limits\n"
            "(-1.0, 1.0)\n")
        .def("mimicking", &Joint::mimicking, py::arg("joint"), py::arg("multiplier") = 1.0,
             py::arg("offset") = 0.0,
             "The same, following another joint.\n\n"
             ">>> plucker.revolute('j', (0, 0, 1)).mimicking('other', 2).mimic\n"
             "('other', 2.0, 0.0)\n")
        .def("__repr__",
             [](const Joint& j) {
                 return std::string("Joint('") + j.name + "', " + plucker::name_of(j.type) + ")";
             })
        .def(pickled<Joint>());
    for_each_joint_type([&](auto type) { add_maker(module, decltype(type)::kType); });
}

void bind_findings(py::module_& module) {
    py::class_<Diagnostic>(
        module, "Finding",
        "Something that is odd about a robot, or wrong.\n\n"
        ">>> odd = plucker.loads('<robot name=\"a\"><link name=\"b\"><inertial><mass "
        "value=\"1\"/></inertial></link></robot>', base='floating')\n"
        ">>> odd.findings[0].severity\n"
        "'warning'\n")
        .def_property_readonly(
            "severity", [](const Diagnostic& d) { return plucker::name_of(d.severity); },
            "\"note\", \"warning\" or \"error\".")
        .def_property_readonly(
            "file", [](const Diagnostic& d) { return d.at.file; },
            "Where it was written; empty for a robot that was built in code.")
        .def_property_readonly(
            "line", [](const Diagnostic& d) { return d.at.line; }, "In which line.")
        .def_readonly("element", &Diagnostic::element, "\"joint 'knee'\".")
        .def_readonly("message", &Diagnostic::message, "What is odd, and what would be right.")
        .def("__str__", [](const Diagnostic& d) { return to_string(d); })
        .def("__repr__", [](const Diagnostic& d) { return "<Finding " + to_string(d) + ">"; })
        .def(pickled<Diagnostic>());
    py::class_<laws::Residual>(module, "Residual",
                               "How well a law of mechanics holds: Robot.verify.\n\n"
                               ">>> law = arm.verify(samples=1)[0]\n"
                               ">>> law.holds, law.value < law.tolerance\n"
                               "(True, True)\n")
        .def_readonly("law", &laws::Residual::law, "The law.")
        .def_readonly("value", &laws::Residual::value,
                      "How far its two sides are apart, relative to what was added up.")
        .def_readonly("tolerance", &laws::Residual::tolerance, "What rounding explains.")
        .def_readonly("not_checked", &laws::Residual::not_checked,
                      "Why this robot has no such law; empty: it was checked.")
        .def_property_readonly("holds", &laws::Residual::holds, "It was checked, and holds.")
        .def_property_readonly("fails", &laws::Residual::fails,
                               "It was checked, and does not hold.")
        .def(pickled<laws::Residual>())
        .def("__repr__", [](const laws::Residual& r) {
            return "<Residual '" + r.law + "': " +
                   (r.checked() ? number_text(r.value) + (r.holds() ? ", holds>" : ", FAILS>")
                                : "not checked, " + r.not_checked + ">");
        });
}

}  // namespace

void bind_parts(py::module_& module) {
    bind_mass(module);
    bind_joint(module);
    bind_findings(module);
}

}  // namespace plucker::python
