#include <pybind11/stl.h>

#include "archive.hpp"
#include "bind.hpp"
#include "convert.hpp"
#include "plucker/constraints/close_loops.hpp"

namespace plucker::python {
namespace {

using Tie = ConstraintDescription;

const char* kind_of(const Tie& c) {
    switch (c.kind) {
        case ConstraintKind::kFrames:
            return "frames";
        case ConstraintKind::kDistance:
            return "distance";
        case ConstraintKind::kCoupling:
            break;
    }
    return "coupling";
}

py::object matrix_array(const MatrixX<double>& m) {
    const MatrixX<double> transposed = m.transpose();
    const py::object numbers = to_array(transposed.data(), transposed.size());
    return numbers.attr("reshape")(m.rows(), m.cols());
}

py::tuple at_origin() { return py::make_tuple(0.0, 0.0, 0.0); }

void bind_ties(py::module_& module) {
    py::class_<Tie>(module, "Constraint",
                    "A tie beyond the tree: made by weld, connect, rod and gear.\n\n"
                    ">>> plucker.rod('bar', 'crank', 'piston', 0.4).distance\n0.4\n")
        .def(pickled<Tie>())
        .def_readonly("name", &Tie::name, "Its name.")
        .def_property_readonly("kind", &kind_of, "'frames', 'distance' or 'coupling'.")
        .def_readonly("frame_a", &Tie::frame_a, "The first link or frame.")
        .def_readonly("frame_b", &Tie::frame_b, "The second.")
        .def_property_readonly(
            "placement_a", [](const Tie& c) { return to_array(c.placement_a); },
            "The place on the first: (3, 4), [R p].")
        .def_property_readonly(
            "placement_b", [](const Tie& c) { return to_array(c.placement_b); },
            "The place on the second: (3, 4), [R p].")
        .def_property_readonly(
            "axes",
            [](const Tie& c) {
                return py::make_tuple(c.axes[0], c.axes[1], c.axes[2], c.axes[3], c.axes[4],
                                      c.axes[5]);
            },
            "Which ways to differ are prevented, in the axes of the second: turning about x, y, z, "
            "moving along x, y, z.")
        .def_readonly("distance", &Tie::distance, "Of a rod, in metres.")
        .def_readonly("joint_a", &Tie::joint_a, "Of a coupling: the joint that follows.")
        .def_readonly("joint_b", &Tie::joint_b, "... the joint that it follows; empty: none.")
        .def_property_readonly(
            "polynomial",
            [](const Tie& c) {
                return to_array(c.polynomial.data(), static_cast<npy_intp>(c.polynomial.size()));
            },
            "... the coefficients of 1, q, …, q⁴: (5,).")
        .def("__repr__", [](const Tie& c) {
            return "<plucker.Constraint '" + c.name + "': " + kind_of(c) + ">";
        });

    module.def(
        "weld",
        [](const std::string& name, const std::string& frame_a, const std::string& frame_b,
           const py::object& placement_a, const py::object& placement_b,
           const std::array<bool, 6>& axes) {
            Tie c = weld(name, frame_a, frame_b);
            c.placement_a = pose_from("weld: placement_a", placement_a);
            c.placement_b = pose_from("weld: placement_b", placement_b);
            c.axes = axes;
            return c;
        },
        py::arg("name"), py::arg("frame_a"), py::arg("frame_b"),
        py::arg("placement_a") = at_origin(), py::arg("placement_b") = at_origin(),
        py::arg("axes") = std::array<bool, 6>{true, true, true, true, true, true},
        "Two frames that coincide, along the chosen axes: turning about x, y, z, moving along x, "
        "y, z. For Builder.constraint.\n\n"
        ">>> plucker.weld('w', 'link7', 'link1').kind\n"
        "'frames'\n");
    module.def(
        "connect",
        [](const std::string& name, const std::string& frame_a, const std::string& frame_b,
           const py::object& placement_a, const py::object& placement_b) {
            Tie c = connect(name, frame_a, frame_b);
            c.placement_a = pose_from("connect: placement_a", placement_a);
            c.placement_b = pose_from("connect: placement_b", placement_b);
            return c;
        },
        py::arg("name"), py::arg("frame_a"), py::arg("frame_b"),
        py::arg("placement_a") = at_origin(), py::arg("placement_b") = at_origin(),
        "Two points that coincide: a ball joint. For Builder.constraint.\n\n"
        ">>> plucker.connect('c', 'link7', 'link1').axes\n"
        "(False, False, False, True, True, True)\n");
    module.def(
        "rod",
        [](const std::string& name, const std::string& frame_a, const std::string& frame_b,
           double length, const py::object& placement_a, const py::object& placement_b) {
            Tie c = rod(name, frame_a, frame_b, length);
            c.placement_a = pose_from("rod: placement_a", placement_a);
            c.placement_b = pose_from("rod: placement_b", placement_b);
            return c;
        },
        py::arg("name"), py::arg("frame_a"), py::arg("frame_b"), py::arg("length"),
        py::arg("placement_a") = at_origin(), py::arg("placement_b") = at_origin(),
        "Two points that stay at a distance. For Builder.constraint.\n\n"
        ">>> plucker.rod('r', 'link7', 'link1', 0.5).distance\n"
        "0.5\n");
    module.def("gear", &gear, py::arg("name"), py::arg("joint_a"), py::arg("joint_b"),
               py::arg("ratio"), py::arg("offset") = 0.0,
               "q_a = ratio q_b + offset. For Builder.constraint.\n\n"
               ">>> plucker.gear('g', 'joint2', 'joint1', -2).polynomial\n"
               "array([ 0., -2.,  0.,  0.,  0.])\n");
}

}  // namespace

void bind_constraints(py::module_& module, RobotClass& robot) {
    bind_ties(module);
    robot
        .def_property_readonly(
            "constraints", [](const Robot& r) { return r.model().description().constraints; },
            "Closed loops and other ties beyond its tree: a list of Constraint.\n\n"
            ">>> robot.constraints\n"
            "[]\n")
        .def_property_readonly(
            "num_constraint_rows", [](const Robot& r) { return r.model().num_constraint_rows(); },
            "How many equations these are.")
        .def(
            "constraint_errors",
            [](const Robot& r, const py::object& q) {
                return to_array(constraint_errors(
                    r.model(),
                    coordinates_from("constraint_errors", "q", q, r.model().nq(), "nq")));
            },
            py::arg("q"),
            "By how much each equation is not met, in m or rad: (rows,).\n\n"
            ">>> robot.constraint_errors(q).shape\n"
            "(0,)\n")
        .def(
            "constraint_jacobian",
            [](const Robot& r, const py::object& q) {
                return matrix_array(constraint_jacobian(
                    r.model(),
                    coordinates_from("constraint_jacobian", "q", q, r.model().nq(), "nq")));
            },
            py::arg("q"),
            "The errors' rates are this times v: (rows, nv).\n\n"
            ">>> robot.constraint_jacobian(q).shape\n"
            "(0, 36)\n")
        .def(
            "close_loops",
            [](const Robot& r, const py::object& q, const std::vector<std::string>& held) {
                CloseLoopsOptions options;
                options.held = held;
                const ClosedLoops found = close_loops(
                    r.model(), coordinates_from("close_loops", "q", q, r.model().nq(), "nq"),
                    options);
                if (!found.closed) throw Error("close_loops: " + found.message);
                return to_array(found.q);
            },
            py::arg("q"), py::arg("held") = std::vector<std::string>{},
            "A configuration near q that meets all constraints; joints that are held stay as they "
            "are. An Error says which constraint cannot be closed.\n\n"
            ">>> np.array_equal(robot.close_loops(q), q)\n"
            "True\n")
        .def(
            "constrained_forward_dynamics_derivatives",
            [](Robot& r, const py::object& q, const py::object& v, const py::object& tau) {
                constexpr const char* kName = "constrained_forward_dynamics_derivatives";
                const long nv = r.model().nv();
                const ConstrainedDerivatives found = constrained_forward_dynamics_derivatives(
                    r.model(), coordinates_from(kName, "q", q, r.model().nq(), "nq"),
                    coordinates_from(kName, "v", v, nv, "nv"),
                    coordinates_from(kName, "tau", tau, nv, "nv"));
                py::dict out;
                out["da_dq"] = matrix_array(found.da_dq);
                out["da_dv"] = matrix_array(found.da_dv);
                out["da_dtau"] = matrix_array(found.da_dtau);
                out["dlambda_dq"] = matrix_array(found.dlambda_dq);
                out["dlambda_dv"] = matrix_array(found.dlambda_dv);
                out["dlambda_dtau"] = matrix_array(found.dlambda_dtau);
                return out;
            },
            py::arg("q"), py::arg("v"), py::arg("tau"),
            "How accelerations and forces under the constraints change with q (along the tangent), "
            "v and tau: a dictionary of da_dq, da_dv, da_dtau (nv, nv) and dlambda_dq, dlambda_dv, "
            "dlambda_dtau (rows, nv). Where constraints are redundant, moves that break them have "
            "no derivative.\n\n"
            ">>> arm = plucker.robots.arm()\n"
            ">>> zero = np.zeros(arm.nv)\n"
            ">>> slope = arm.constrained_forward_dynamics_derivatives(arm.neutral(), zero, zero)\n"
            ">>> np.allclose(slope['da_dtau'], arm.inverse_mass_matrix(arm.neutral()))\nTrue\n")
        .def(
            "constrained_forward_dynamics",
            [](Robot& r, const py::object& q, const py::object& v, const py::object& tau) {
                constexpr const char* kName = "constrained_forward_dynamics";
                const long nv = r.model().nv();
                const ConstrainedAccelerations found = constrained_forward_dynamics(
                    r.model(), coordinates_from(kName, "q", q, r.model().nq(), "nq"),
                    coordinates_from(kName, "v", v, nv, "nv"),
                    coordinates_from(kName, "tau", tau, nv, "nv"));
                return py::make_tuple(to_array(found.a), to_array(found.lambda));
            },
            py::arg("q"), py::arg("v"), py::arg("tau"),
            "(a, λ): accelerations under the constraints, and a force for each of their "
            "equations. One state at a time.\n\n"
            ">>> a, forces = robot.constrained_forward_dynamics(q, v, tau)\n"
            ">>> a.shape, forces.shape\n"
            "((36,), (0,))\n");
}

}  // namespace plucker::python
