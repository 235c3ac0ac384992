#include "bind.hpp"
#include "convert.hpp"
#include "plucker/model/builder.hpp"

namespace plucker::python {

void bind_builder(py::module_& module) {
    const auto here = py::return_value_policy::reference_internal;
    const auto self = [](Builder& b) -> Builder& { return b; };
    py::class_<Builder>(
        module, "Builder",
        "Writes a robot down, link by link, in any order; build() checks the whole.\n\n"
        ">>> pendulum = (plucker.Builder('pendulum')\n"
        "...     .link('ground')\n"
        "...     .body('ground', plucker.revolute('hinge', (0, 1, 0)), 'rod',\n"
        "...           plucker.MassProperties.point(1, (0, 0, -1)))\n"
        "...     .build())\n"
        ">>> pendulum.nv\n1\n")
        .def(py::init<std::string>(), py::arg("name"), "An empty robot of that name.")
        .def(
            "gravity",
            [=](Builder& b, const py::object& g) -> Builder& {
                return self(b.gravity(vec3_from("Builder.gravity: gravity", g)));
            },
            here, py::arg("gravity"),
            "(0, 0, -9.81), unless said otherwise.\n\n"
            ">>> plucker.Builder('b').link('a').gravity((0, 0, -1.62)).build().gravity\n"
            "array([ 0.  ,  0.  , -1.62])\n")
        .def(
            "base",
            [=](Builder& b, const std::string& base) -> Builder& {
                return self(
                    b.base(word_from<Base>("Builder.base: base", base, {"fixed", "floating"})));
            },
            here, py::arg("base"),
            "How the root link stands in the world: 'fixed' or 'floating'.\n\n"
            ">>> mass = plucker.MassProperties.sphere(1, 0.1)\n"
            ">>> plucker.Builder('ball').link('ball', mass).base('floating').build().nv\n"
            "6\n")
        .def(
            "fixed_joints",
            [=](Builder& b, const std::string& choice) -> Builder& {
                return self(b.fixed_joints(word_from<FixedJoints>("Builder.fixed_joints: choice",
                                                                  choice, {"merge", "keep"})));
            },
            here, py::arg("choice"),
            "'keep' makes links on fixed joints bodies of their own.\n\n"
            ">>> b = plucker.Builder('b').link('a').body('a', plucker.fixed('bolt'), 'c', "
            "plucker.MassProperties.sphere(1, 0.1))\n"
            ">>> b.fixed_joints('keep').build().joint_names\n"
            "['bolt']\n")
        .def(
            "physics",
            [=](Builder& b, const std::string& choice) -> Builder& {
                return self(b.physics(
                    word_from<Physics>("Builder.physics: choice", choice, {"strict", "lenient"})));
            },
            here, py::arg("choice"),
            "'lenient' lets pass inertias that no body can have.\n\n"
            ">>> massless = plucker.Builder('b').link('a').body('a', plucker.revolute('j', (0, 0, "
            "1)), 'c')\n"
            ">>> massless.physics('lenient').build().nv\n"
            "1\n")
        .def(
            "link",
            [=](Builder& b, const std::string& name, const MassProperties& mass) -> Builder& {
                return self(b.link(name, mass));
            },
            here, py::arg("name"), py::arg("mass") = MassProperties{},
            "A link.\n\n"
            ">>> plucker.Builder('b').link('ground').build().frame_names\n"
            "['ground']\n")
        .def(
            "joint",
            [=](Builder& b, JointDescription joint, const std::string& parent,
                const std::string& child) -> Builder& {
                joint.parent = parent;
                joint.child = child;
                return self(b.joint(std::move(joint)));
            },
            here, py::arg("joint"), py::arg("parent"), py::arg("child"),
            "A joint between two links.\n\n"
            ">>> b = plucker.Builder('b').link('a').link('c', plucker.MassProperties.sphere(1, "
            "0.1))\n"
            ">>> b.joint(plucker.revolute('j', (0, 0, 1)), 'a', 'c').build().joint_names\n"
            "['j']\n")
        .def(
            "body",
            [=](Builder& b, const std::string& parent, const JointDescription& joint,
                const std::string& name, const MassProperties& mass) -> Builder& {
                return self(b.body(parent, joint, name, mass));
            },
            here, py::arg("parent"), py::arg("joint"), py::arg("name"),
            py::arg("mass") = MassProperties{},
            "A link, and the joint that connects it to its parent.\n\n"
            ">>> mass = plucker.MassProperties.sphere(1, 0.1)\n"
            ">>> plucker.Builder('b').link('a').body('a', plucker.revolute('j', (0, 0, 1)), 'c', "
            "mass).build().nv\n"
            "1\n")
        .def(
            "frame",
            [=](Builder& b, const std::string& name, const std::string& link,
                const py::object& placement) -> Builder& {
                return self(b.frame(name, link, pose_from("Builder.frame: placement", placement)));
            },
            here, py::arg("name"), py::arg("link"),
            py::arg("placement") = py::make_tuple(0.0, 0.0, 0.0),
            "A named frame on a link: at a position (3,), or [R p].\n\n"
            ">>> plucker.Builder('b').link('a').frame('tip', 'a', (0, 0, 1)).build().frame_names\n"
            "['a', 'tip']\n")
        .def(
            "constraint",
            [=](Builder& b, const ConstraintDescription& constraint) -> Builder& {
                return self(b.constraint(constraint));
            },
            here, py::arg("constraint"),
            "A tie beyond the tree: weld, connect, rod or gear.\n\n"
            ">>> b = plucker.Builder('b').link('a')\n"
            ">>> for name in ('l', 'r'):\n"
            "...     b = b.body('a', plucker.revolute(name, (0, 0, 1)), name + '_finger', "
            "plucker.MassProperties.sphere(1, 0.1))\n"
            ">>> b.constraint(plucker.gear('mesh', 'r', 'l', -1)).build().num_constraint_rows\n"
            "1\n")
        .def(
            "collision",
            [=](Builder& b, const std::string& link, const Shape& shape) -> Builder& {
                return self(b.collision(link, shape));
            },
            here, py::arg("link"), py::arg("shape"),
            "A shape of a link that touches other things in a simulation.\n\n"
            ">>> b = plucker.Builder('b').link('a', plucker.MassProperties.sphere(1, "
            "0.1)).collision('a', plucker.Shape.sphere(0.1))\n")
        .def(
            "build", [](const Builder& b) { return new_robot(b.build()); },
            "The robot, checked.\n\n"
            ">>> plucker.Builder('b').link('a').build().name\n"
            "'b'\n");
}

}  // namespace plucker::python
