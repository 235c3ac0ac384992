#include <pybind11/stl.h>

#include "bind.hpp"
#include "convert.hpp"
#include "plucker/model/dynamic_parameters.hpp"
#include "plucker/model/edit.hpp"

namespace plucker::python {
namespace {

std::map<std::string, std::vector<double>> joint_values(const py::dict& values) {
    std::map<std::string, std::vector<double>> out;
    for (const auto& [joint, value] : values) {
        if (!PyUnicode_Check(joint.ptr()))
            throw wrong_type("lock_joints", "a key", joint.ptr(), "the name of a joint");
        const Owned array =
            as_numbers(number_array("lock_joints", "a value", value.ptr()).array(), NPY_DOUBLE);
        const Owned flat = made(PyArray_Ravel(array.array(), NPY_CORDER));
        const auto* at = static_cast<const double*>(PyArray_DATA(flat.array()));
        out[text_from("lock_joints", "a key", joint.ptr())] = {at, at + PyArray_SIZE(flat.array())};
    }
    return out;
}

}  // namespace

void bind_edits(RobotClass& robot) {
    const auto origin = py::make_tuple(0.0, 0.0, 0.0);
    robot
        .def(
            "lock_joints",
            [](const Robot& r, const py::dict& values) {
                return new_robot(lock_joints(r.model(), joint_values(values)));
            },
            py::arg("values"),
            "The same robot with some joints held: {'knee': 0.4}, or all coordinates of a joint "
            "that "
            "has several. Links stay as frames.\n\n"
            ">>> plucker.robots.arm().lock_joints({'joint1': 0.5}).nv\n6\n")
        .def(
            "attach",
            [](const Robot& r, const std::string& frame, const Robot& part,
               const py::object& placement, const std::string& prefix) {
                return new_robot(attach(r.model(), frame, part.model(),
                                        pose_from("attach: placement", placement), prefix));
            },
            py::arg("frame"), py::arg("part"), py::arg("placement") = origin,
            py::arg("prefix") = "",
            "This robot with the part's root link fixed to a frame. All names of the part get the "
            "prefix, without which the two may have none in common.\n\n"
            ">>> arm.attach('tool', plucker.robots.pendulum(), (0, 0, 0.1), 'hanging_').nv\n"
            "8\n")
        .def(
            "with_base",
            [](const Robot& r, const std::string& base) {
                return new_robot(with_base(
                    r.model(), word_from<Base>("with_base: base", base, {"fixed", "floating"})));
            },
            py::arg("base"),
            "The same robot standing 'fixed', or 'floating'.\n\n"
            ">>> arm.with_base('floating').nv\n"
            "13\n")
        .def(
            "with_gravity",
            [](const Robot& r, const py::object& gravity) {
                return new_robot(
                    with_gravity(r.model(), vec3_from("with_gravity: gravity", gravity)));
            },
            py::arg("gravity"),
            "The same robot under another gravity.\n\n"
            ">>> arm.with_gravity((0, 0, 0)).gravity_torque(arm.neutral()).tolist()\n"
            "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]\n")
        .def(
            "with_friction",
            [](const Robot& r, bool on) { return new_robot(with_friction(r.model(), on)); },
            py::arg("on"),
            "The same robot with its friction, viscous and Coulomb, or without.\n\n"
            ">>> arm.with_friction(False).damping.max()\n"
            "0.0\n")
        .def(
            "with_mass",
            [](const Robot& r, const std::string& link, const MassProperties& mass) {
                return new_robot(with_mass(r.model(), link, mass));
            },
            py::arg("link"), py::arg("mass"),
            "The same robot with another mass for one link.\n\n"
            ">>> arm.with_mass('link7', plucker.MassProperties.sphere(9, "
            "0.1)).inertia('link7').mass\n"
            "9.0\n")
        .def(
            "with_dynamic_parameters",
            [](const Robot& r, const py::object& parameters) {
                const Owned array = as_numbers(
                    number_array("with_dynamic_parameters", "parameters", parameters.ptr()).array(),
                    NPY_DOUBLE);
                const Owned flat = made(PyArray_Ravel(array.array(), NPY_CORDER));
                const auto* at = static_cast<const double*>(PyArray_DATA(flat.array()));
                return new_robot(with_dynamic_parameters(
                    r.model(), Eigen::Map<const VectorX<double>>(at, PyArray_SIZE(flat.array()))));
            },
            py::arg("parameters"),
            "The same robot with other dynamic parameters, as parameter_names lists them.\n\n"
            ">>> same = arm.with_dynamic_parameters(arm.dynamic_parameters)\n"
            ">>> np.allclose(same.mass_matrix(np.ones(7)), arm.mass_matrix(np.ones(7)))\n"
            "True\n")
        .def(
            "with_payload",
            [](const Robot& r, const std::string& frame, const MassProperties& load,
               const std::string& name) {
                return new_robot(with_payload(r.model(), frame, load, name));
            },
            py::arg("frame"), py::arg("load"), py::arg("name") = "payload",
            "The same robot carrying a load at a frame, in that frame's coordinates.\n\n"
            ">>> round(arm.with_payload('tool', plucker.MassProperties.point(2)).total_mass - "
            "arm.total_mass, 9)\n"
            "2.0\n");
}

}  // namespace plucker::python
