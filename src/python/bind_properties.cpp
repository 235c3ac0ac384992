#include <pybind11/stl.h>

#include "bind.hpp"
#include "convert.hpp"
#include "plucker/model/conventions.hpp"
#include "plucker/model/dynamic_parameters.hpp"
#include "plucker/model/fixed_mass.hpp"
#include "plucker/simulate/start.hpp"

namespace plucker::python {
namespace {

py::list body_names(const Robot& robot, bool of_joints) {
    const Model& model = robot.model();
    py::list out;
    for (int i = 1; i <= model.num_bodies(); ++i)
        out.append(of_joints ? model.joint(i).name : model.body_name(i));
    return out;
}

// One number per coordinate of q (or of v): what the joint's limits say, of joints with one coordinate.
py::object limits(const Robot& robot, double JointLimits::*member, double without, bool of_q) {
    const Model& model = robot.model();
    std::vector<double> out(static_cast<std::size_t>(of_q ? model.nq() : model.nv()), without);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic || (of_q && body.nq != 1)) continue;
        const int first = of_q ? body.q_index : body.v_index;
        for (int k = 0; k < (of_q ? 1 : body.nv); ++k)
            out[static_cast<std::size_t>(first + k)] = model.joint(i).limits.*member;
    }
    return to_array(out.data(), static_cast<npy_intp>(out.size()));
}

py::object numbers(std::span<const double> x) {
    return to_array(x.data(), static_cast<npy_intp>(x.size()));
}

const MassProperties& mass_of(const Robot& robot, const std::string& link) {
    std::vector<std::string> known;
    for (const LinkDescription& x : robot.model().description().links) {
        if (x.name == link) return x.mass;
        known.push_back(x.name);
    }
    throw unknown_name("link", link, known);
}

void bind_sizes(RobotClass& robot) {
    robot
        .def_property_readonly(
            "name", [](const Robot& r) { return r.model().name(); },
            "Its name.\n\n"
            ">>> arm.name\n"
            "'arm'\n")
        .def_property_readonly(
            "nq", [](const Robot& r) { return r.model().nq(); },
            "How many numbers a configuration has.")
        .def_property_readonly(
            "nv", [](const Robot& r) { return r.model().nv(); },
            "How many freedoms it has: numbers of a velocity.")
        .def_property_readonly(
            "num_bodies", [](const Robot& r) { return r.model().num_bodies(); },
            "How many moving bodies it has.")
        .def_property_readonly(
            "num_parameters", [](const Robot& r) { return num_dynamic_parameters(r.model()); },
            "How many dynamic parameters it has: the columns of its regressors.")
        .def_property_readonly(
            "dynamic_parameters",
            [](const Robot& r) {
                const VectorX<double> x = dynamic_parameters(r.model());
                return to_array(x.data(), x.size());
            },
            "(num_parameters,): the numbers that its regressors are multiplied with, see "
            "parameter_names.\n\n"
            ">>> robot.dynamic_parameters.shape == (robot.num_parameters,)\n"
            "True\n")
        .def_property_readonly(
            "gravity", [](const Robot& r) { return to_array(r.model().gravity()); },
            "(3,), in the world.\n\n"
            ">>> arm.gravity\n"
            "array([ 0.  ,  0.  , -9.81])\n")
        .def_property_readonly(
            "total_mass", [](const Robot& r) { return r.model().total_mass(); },
            "Of the moving bodies, in kilograms.")
        .def_property_readonly(
            "fixed_mass", [](const Robot& r) { return fixed_mass(r.model()); },
            "Of the links that do not move, such as a base bolted to the floor: a MassProperties "
            "in "
            "the world.\n\n"
            ">>> arm.fixed_mass.mass + arm.total_mass == sum(x.mass for x in arm.links.values())\n"
            "True\n")
        .def_property_readonly(
            "has_floating_base", [](const Robot& r) { return r.model().has_floating_base(); },
            "Whether its root link moves freely.\n\n"
            ">>> robot.has_floating_base, arm.has_floating_base\n"
            "(True, False)\n")
        .def_property_readonly(
            "postures",
            [](const Robot& r) {
                py::dict out;
                for (const std::string& name : posture_names(r.model())) {
                    const VectorX<double> q = posture(r.model(), name);
                    out[py::str(name)] = to_array(q.data(), q.size());
                }
                return out;
            },
            "Configurations (nq,) that its file has names for: keyframes of MJCF, and 'file', "
            "where "
            "the file has its free bodies.\n\n"
            ">>> arm.postures\n"
            "{}\n")
        .def_property_readonly("is_compiled", &Robot::is_compiled,
                               "Whether it came from compile().\n\n"
                               ">>> arm.is_compiled\nFalse\n")
        .def_property_readonly(
            "last_status", [](const Robot& r) { return r.last_status; },
            "Of each state of the last batch a plucker.Status, as an array of uint8; None before "
            "the "
            "first. Where several threads compute with one robot, use status= instead.\n\n"
            ">>> M = arm.mass_matrix(np.array([[0.0] * 7, [np.nan] * 7]))\n"
            ">>> arm.last_status\n"
            "array([0, 1], dtype=uint8)\n")
        .def_property_readonly("findings", &Robot::findings,
                               "What is odd about it: a list of Finding.\n\n"
                               ">>> arm.findings\n"
                               "[]\n");
}

void bind_names(RobotClass& robot) {
    robot
        .def_property_readonly(
            "parameter_names", [](const Robot& r) { return dynamic_parameter_names(r.model()); },
            "Of its dynamic parameters: 'link.m', 'link.mx' …, 'link.Ixx' … of every link that "
            "moves, about the link's "
            "origin; then 'joint.armature', 'joint.damping' and 'joint.friction' of every "
            "coordinate.\n\n"
            ">>> arm.parameter_names[:4]\n"
            "['link1.m', 'link1.mx', 'link1.my', 'link1.mz']\n")
        .def_property_readonly(
            "body_names", [](const Robot& r) { return body_names(r, false); },
            "The links that move, in the order of the bodies.\n\n"
            ">>> arm.body_names[:2]\n"
            "['link1', 'link2']\n")
        .def_property_readonly(
            "joint_names", [](const Robot& r) { return body_names(r, true); },
            "The joint of each body.\n\n"
            ">>> arm.joint_names[:2]\n"
            "['joint1', 'joint2']\n")
        .def_property_readonly(
            "frame_names",
            [](const Robot& r) {
                py::list out;
                for (const Frame& frame : r.model().frames()) out.append(frame.name);
                return out;
            },
            "All that a frame argument may be: every link, and the named frames.\n\n"
            ">>> arm.frame_names[-1]\n"
            "'tool'\n")
        .def_property_readonly(
            "configuration_names",
            [](const Robot& r) { return Coordinates(r.model(), Convention::kPlucker).q_names(); },
            "Of each number of a configuration.\n\n"
            ">>> robot.configuration_names[2:4]\n"
            "['base.position.z', 'base.quaternion.x']\n")
        .def_property_readonly(
            "velocity_names", [](const Robot& r) { return r.model().velocity_names(); },
            "Of each number of a velocity.\n\n"
            ">>> robot.velocity_names[2:4]\n"
            "['base.angular.z', 'base.linear.x']\n")
        .def(
            "q_index", [](const Robot& r, const std::string& j) { return r.model().q_index(j); },
            py::arg("joint"),
            "Where a joint's numbers start in q.\n\n"
            ">>> robot.q_index(joints[0])\n"
            "7\n")
        .def(
            "v_index", [](const Robot& r, const std::string& j) { return r.model().v_index(j); },
            py::arg("joint"),
            "Where a joint's numbers start in v.\n\n"
            ">>> robot.v_index(joints[0])\n"
            "6\n")
        .def(
            "body_index",
            [](const Robot& r, const std::string& link) { return r.model().body_index(link); },
            py::arg("link"),
            "The number of the body that a link names: a row of reaction_forces.\n\n"
            ">>> arm.body_index('link3')\n"
            "3\n");
}

void bind_tree(RobotClass& robot) {
    robot
        .def_property_readonly(
            "joints", [](const Robot& r) { return r.model().description().joints; },
            "Its joints as they were described, in that order: a list of Joint.\n\n"
            ">>> arm.joints[0].limits\n"
            "(-2.8, 2.8)\n")
        .def_property_readonly(
            "links",
            [](const Robot& r) {
                py::dict out;
                for (const LinkDescription& link : r.model().description().links)
                    out[py::str(link.name)] = link.mass;
                return out;
            },
            "The MassProperties of every link, by its name.\n\n"
            ">>> arm.links['link3'].mass\n"
            "3.0\n")
        .def("inertia", &mass_of, py::arg("link"),
             "The MassProperties of a link.\n\n"
             ">>> arm.inertia('link3').mass\n"
             "3.0\n")
        .def(
            "body_of_frame",
            [](const Robot& r, const py::object& frame) {
                return r.model().frame(r.frame("body_of_frame", frame.ptr())).body;
            },
            py::arg("frame"),
            "The number of the body that carries a frame; 0: the world.\n\n"
            ">>> arm.body_of_frame('tool')\n"
            "7\n")
        .def("__str__",
             [](const py::object& self) {
                 return py::module_::import("plucker._tree").attr("text")(self);
             })
        .def("_repr_html_",
             [](const py::object& self) {
                 return py::module_::import("plucker._tree").attr("html")(self);
             })
        .def("__repr__", [](const Robot& r) {
            return "<plucker.Robot '" + r.model().name() + "': nq " +
                   std::to_string(r.model().nq()) + ", nv " + std::to_string(r.model().nv()) + ">";
        });
}

void bind_limits(RobotClass& robot) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    robot
        .def_property_readonly(
            "lower_limits",
            [=](const Robot& r) { return limits(r, &JointLimits::lower, -kInfinity, true); },
            "Of each number of q: (nq,); infinite where there is none.\n\n"
            ">>> arm.lower_limits[:2]\n"
            "array([-2.8, -1.7])\n")
        .def_property_readonly(
            "upper_limits",
            [=](const Robot& r) { return limits(r, &JointLimits::upper, kInfinity, true); },
            "Of each number of q: (nq,); infinite where there is none.\n\n"
            ">>> arm.upper_limits[:2]\n"
            "array([2.8, 1.7])\n")
        .def_property_readonly(
            "velocity_limits",
            [=](const Robot& r) { return limits(r, &JointLimits::velocity, kInfinity, false); },
            "Of each number of v: (nv,).\n\n"
            ">>> arm.velocity_limits[:2]\n"
            "array([2.2, 2.2])\n")
        .def_property_readonly(
            "effort_limits",
            [=](const Robot& r) { return limits(r, &JointLimits::effort, kInfinity, false); },
            "Of each torque: (nv,).\n\n"
            ">>> arm.effort_limits[:2]\n"
            "array([90., 90.])\n")
        .def_property_readonly(
            "armature", [](const Robot& r) { return numbers(r.model().armature()); },
            "Rotor inertia at each freedom: (nv,).\n\n"
            ">>> arm.armature.shape\n"
            "(7,)\n")
        .def_property_readonly(
            "damping", [](const Robot& r) { return numbers(r.model().damping()); },
            "Viscous friction at each freedom: (nv,).\n\n"
            ">>> arm.damping.shape\n"
            "(7,)\n")
        .def_property_readonly(
            "friction", [](const Robot& r) { return numbers(r.model().friction()); },
            "Coulomb friction at each freedom: (nv,).\n\n"
            ">>> arm.friction.shape\n"
            "(7,)\n");
}

}  // namespace

void bind_properties(RobotClass& robot) {
    bind_sizes(robot);
    bind_names(robot);
    bind_tree(robot);
    bind_limits(robot);
}

}  // namespace plucker::python
