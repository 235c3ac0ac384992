#include <pybind11/stl.h>

#include "archive.hpp"
#include "bind.hpp"
#include "convert.hpp"
#include "each_state.hpp"
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

// --- Functions ---

// The arguments that they have in common.
struct States : EachState {
    Robot& robot;
    long nq, nv, rows;

    States(const char* function, Robot& r)
        : EachState(function),
          robot(r),
          nq(r.model().nq()),
          nv(r.model().nv()),
          rows(r.model().num_constraint_rows()) {}
    int q(const py::object& x) { return take("q", x, nq, "nq"); }
    int v(const py::object& x) { return take("v", x, nv, "nv"); }
    int tau(const py::object& x) { return take("tau", x, nv, "nv"); }
};

py::object errors_at(Robot& r, const py::object& q) {
    States s("constraint_errors", r);
    const int at = s.q(q), out = s.add_result(s.rows);
    s.compute(r, [&](Workspace<double>& ws) {
        s.result(out) = constraint_errors(ws, s.vector(at));
        return ws.status();
    });
    return s.returned(out);
}

py::object jacobian_at(Robot& r, const py::object& q) {
    States s("constraint_jacobian", r);
    const int at = s.q(q), out = s.add_result(s.rows, s.nv);
    s.compute(r, [&](Workspace<double>& ws) {
        s.result_matrix(out) = constraint_jacobian(ws, s.vector(at));
        return ws.status();
    });
    return s.returned(out);
}

py::object bias_at(Robot& r, const py::object& q, const py::object& v) {
    States s("constraint_bias", r);
    const int at = s.q(q), moving = s.v(v), out = s.add_result(s.rows);
    s.compute(r, [&](Workspace<double>& ws) {
        s.result(out) = constraint_bias(ws, s.vector(at), s.vector(moving));
        return ws.status();
    });
    return s.returned(out);
}

py::object delassus_at(Robot& r, const py::object& q) {
    States s("delassus_matrix", r);
    const int at = s.q(q), out = s.add_result(s.rows, s.rows);
    s.compute(r, [&](Workspace<double>& ws) {
        s.result_matrix(out) = delassus_matrix(ws, s.vector(at));
        return ws.status();
    });
    return s.returned(out);
}

py::object inverse_inertia_at(Robot& r, const py::object& q, const py::object& frames,
                              const py::object& reference) {
    States s("inverse_inertia_of_frames", r);
    const ReferenceFrame in = reference_named(s.function(), "reference", reference.ptr());
    if (PyUnicode_Check(frames.ptr()) || !py::isinstance<py::iterable>(frames))
        throw wrong_type(s.function(), "frames", frames.ptr(), "a list of frame names");
    std::vector<FrameId> ids;
    for (const py::handle name : py::reinterpret_borrow<py::iterable>(frames))
        ids.push_back(r.frame(s.function(), name.ptr()));
    const auto size = 6 * static_cast<long>(ids.size());
    const int at = s.q(q), out = s.add_result(size, size);
    s.compute(r, [&](Workspace<double>& ws) {
        s.result_matrix(out) = inverse_inertia_of_frames(ws, s.vector(at), ids, in);
        return ws.status();
    });
    return s.returned(out);
}

py::tuple dynamics_at(Robot& r, const py::object& q, const py::object& v, const py::object& tau,
                      const py::object& external) {
    States s("constrained_forward_dynamics", r);
    const int at = s.q(q), moving = s.v(v), pushed = s.tau(tau);
    ForcesOfStates forces(s, r, external);
    const int a = s.add_result(s.nv), lambda = s.add_result(s.rows);
    s.compute(r, [&](Workspace<double>& ws) {
        return constrained_forward_dynamics(ws, s.vector(at), s.vector(moving), s.vector(pushed),
                                            forces.here(), s.result(a), s.result(lambda))
            .status;
    });
    return py::make_tuple(s.returned(a), s.returned(lambda));
}

py::dict derivatives_at(Robot& r, const py::object& q, const py::object& v, const py::object& tau,
                        const py::object& external) {
    States s("constrained_forward_dynamics_derivatives", r);
    const int at = s.q(q), moving = s.v(v), pushed = s.tau(tau);
    ForcesOfStates forces(s, r, external);
    using Derivatives = ConstrainedDerivatives;
    constexpr std::pair<const char*, ResultMatrix<double> Derivatives::*> kParts[] = {
        {"da_dq", &Derivatives::da_dq},           {"da_dv", &Derivatives::da_dv},
        {"da_dtau", &Derivatives::da_dtau},       {"dlambda_dq", &Derivatives::dlambda_dq},
        {"dlambda_dv", &Derivatives::dlambda_dv}, {"dlambda_dtau", &Derivatives::dlambda_dtau}};
    std::vector<int> outs;
    while (outs.size() < std::size(kParts))
        outs.push_back(s.add_result(outs.size() < 3 ? s.nv : s.rows, s.nv));
    VectorX<double> a(s.nv), lambda(s.rows);
    s.compute(r, [&](Workspace<double>& ws) {
        // What makes a state invalid for these makes it invalid for the derivatives, which throw.
        if (!s.is_single()) {
            const Status status =
                constrained_forward_dynamics(ws, s.vector(at), s.vector(moving), s.vector(pushed),
                                             forces.here(), a, lambda)
                    .status;
            if (status != Status::kOk) return status;
        }
        const Derivatives found = constrained_forward_dynamics_derivatives(
            r.model(), s.vector(at), s.vector(moving), s.vector(pushed), forces.here());
        for (std::size_t k = 0; k < outs.size(); ++k)
            s.result_matrix(outs[k]) = found.*(kParts[k].second);
        return Status::kOk;
    });
    py::dict out;
    for (std::size_t k = 0; k < outs.size(); ++k) out[kParts[k].first] = s.returned(outs[k]);
    return out;
}

py::tuple impulse_at(Robot& r, const py::object& q, double restitution, const py::object& v) {
    States s("constraint_impulse", r);
    const int at = s.q(q), before = s.v(v);
    const int after = s.add_result(s.nv), impulse = s.add_result(s.rows);
    if (!(restitution >= 0 && restitution <= 1)) {
        throw Error::because(s.function(), ": restitution is ", restitution,
                             "; it must be from 0 to 1");
    }
    s.compute(r, [&](Workspace<double>& ws) {
        s.result(after) = s.vector(before);
        return constraint_impulse(ws, s.vector(at), restitution, s.result(after), s.result(impulse))
            .status;
    });
    return py::make_tuple(s.returned(after), s.returned(impulse));
}

py::object projected_velocity(Robot& r, const py::object& q, const py::object& v) {
    States s("project_velocity", r);
    const int at = s.q(q), before = s.v(v), out = s.add_result(s.nv);
    s.compute(r, [&](Workspace<double>& ws) {
        s.result(out) = s.vector(before);
        return project_velocity(ws, s.vector(at), s.result(out)).status;
    });
    return s.returned(out);
}

py::object projected_configuration(Robot& r, const py::object& q, double tolerance) {
    States s("project_configuration", r);
    const int at = s.q(q), out = s.add_result(s.nq);
    if (!(tolerance >= 0)) {
        throw Error::because(s.function(), ": tolerance is ", tolerance,
                             "; it must not be negative");
    }
    s.compute(r, [&](Workspace<double>& ws) {
        s.result(out) = s.vector(at);
        return project_configuration(ws, s.result(out), tolerance).status;
    });
    return s.returned(out);
}

// By its name or its number. Of a coupling there is no force, which constraint_force says.
int constraint_from(const Robot& r, const char* function, const py::object& constraint) {
    if (PyUnicode_Check(constraint.ptr()))
        return r.model().constraint_index(text_from(function, "constraint", constraint.ptr()));
    if (!PyIndex_Check(constraint.ptr()))
        throw wrong_type(function, "constraint", constraint.ptr(),
                         "the name or number of a constraint");
    int overflows = 0;  // what is too large is no constraint's number either
    const long number = PyLong_AsLongAndOverflow(py::int_(constraint).ptr(), &overflows);
    return number == static_cast<int>(number) ? static_cast<int>(number) : -1;
}

py::object force_at(Robot& r, const py::object& q, const py::object& constraint,
                    const py::object& multipliers, const py::object& reference) {
    States s("constraint_force", r);
    const int k = constraint_from(r, s.function(), constraint);
    const ReferenceFrame in = reference_named(s.function(), "reference", reference.ptr());
    const int at = s.q(q);
    const int lambda = s.take("multipliers", multipliers, s.rows, "num_constraint_rows");
    const int out = s.add_result(6);
    const auto ties = r.model().constraints();
    const bool has_force = k >= 0 && k < static_cast<int>(ties.size()) &&
                           ties[static_cast<std::size_t>(k)].kind != ConstraintKind::kCoupling;
    if (!has_force) {  // says why
        Workspace<double> ws(r.model());
        const VectorX<double> still = neutral_configuration(r.model());
        (void)constraint_force(ws, still, k, VectorX<double>::Zero(s.rows).eval(), in);
    }
    s.compute(r, [&](Workspace<double>& ws) {
        const Force<double> f = constraint_force(ws, s.vector(at), k, s.vector(lambda), in);
        s.result(out) << f.angular.x, f.angular.y, f.angular.z, f.linear.x, f.linear.y, f.linear.z;
        return ws.status();
    });
    return s.returned(out);
}

py::object closed(Robot& r, const py::object& q, const std::vector<std::string>& held,
                  double tolerance, int iterations, int tries) {
    States s("close_loops", r);
    const CloseLoopsOptions options{held, tolerance, iterations, tries};
    const int at = s.q(q), out = s.add_result(s.nq);
    s.each([&] {
        const ClosedLoops found = close_loops(r.model(), s.vector(at), options);
        if (!found.closed) throw Error("close_loops: " + found.message);
        s.result(out) = found.q;
    });
    return s.returned(out);
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
        .def("constraint_errors", &errors_at, py::arg("q"),
             "By how much each equation is not met, in m or rad: (..., rows).\n\n"
             ">>> robot.constraint_errors(q).shape\n"
             "(0,)\n")
        .def("constraint_jacobian", &jacobian_at, py::arg("q"),
             "The errors' rates are this times v: (..., rows, nv).\n\n"
             ">>> robot.constraint_jacobian(q).shape\n"
             "(0, 36)\n")
        .def("constraint_bias", &bias_at, py::arg("q"), py::arg("v"),
             "The errors' second rates where nothing accelerates, the rate of the Jacobian times "
             "v: (..., rows).\n\n"
             ">>> robot.constraint_bias(q, v).shape\n"
             "(0,)\n")
        .def("delassus_matrix", &delassus_at, py::arg("q"),
             "J M⁻¹ Jᵀ, with J the constraints' Jacobian: (..., rows, rows).\n\n"
             ">>> robot.delassus_matrix(q).shape\n"
             "(0, 0)\n")
        .def("inverse_inertia_of_frames", &inverse_inertia_at, py::arg("q"), py::arg("frames"),
             py::arg("reference") = "body",
             "What a force on one of k frames does to the acceleration of another: (..., 6k, "
             "6k).\n\n"
             ">>> robot.inverse_inertia_of_frames(q, [frame]).shape\n"
             "(6, 6)\n")
        .def("close_loops", &closed, py::arg("q"), py::arg("held") = std::vector<std::string>{},
             py::arg("tolerance") = CloseLoopsOptions{}.tolerance,
             py::arg("iterations") = CloseLoopsOptions{}.iterations,
             py::arg("tries") = CloseLoopsOptions{}.tries,
             "A configuration near q that meets all constraints; joints that are held stay as they "
             "are. An Error says which constraint cannot be closed, and of many states at which "
             "one. The tolerance is that of the largest error, in m or rad; iterations are those "
             "of each try.\n\n"
             ">>> np.array_equal(robot.close_loops(q), q)\n"
             "True\n")
        .def("project_configuration", &projected_configuration, py::arg("q"),
             py::arg("tolerance") = 1e-13,
             "q with small errors of the constraints taken out, such as a simulation's drift, by "
             "the smallest steps in the norm of M. From a rough guess: close_loops.\n\n"
             ">>> np.array_equal(robot.project_configuration(q), q)\n"
             "True\n")
        .def("project_velocity", &projected_velocity, py::arg("q"), py::arg("v"),
             "The velocity nearest to v, in the norm of M, that the constraints allow.\n\n"
             ">>> np.array_equal(robot.project_velocity(q, v), v)\n"
             "True\n")
        .def("constraint_impulse", &impulse_at, py::arg("q"), py::arg("restitution"), py::arg("v"),
             "(v⁺, impulse): the velocity after the constraints have struck, J v⁺ = "
             "-restitution J v, and the impulse of each equation. With restitution 1 the kinetic "
             "energy stays.\n\n"
             ">>> after, impulse = robot.constraint_impulse(q, 0.0, v)\n"
             ">>> after.shape, impulse.shape\n"
             "((36,), (0,))\n")
        .def("constrained_forward_dynamics", &dynamics_at, py::arg("q"), py::arg("v"),
             py::arg("tau"), py::arg("external") = py::none(),
             "(a, λ): accelerations under the constraints, and a force for each of their "
             "equations, which constraint_force makes a force on a frame of.\n\n"
             ">>> a, multipliers = robot.constrained_forward_dynamics(q, v, tau)\n"
             ">>> a.shape, multipliers.shape\n"
             "((36,), (0,))\n")
        .def("constrained_forward_dynamics_derivatives", &derivatives_at, py::arg("q"),
             py::arg("v"), py::arg("tau"), py::arg("external") = py::none(),
             "How accelerations and forces under the constraints change with q (along the "
             "tangent), v and tau: a dictionary of da_dq, da_dv, da_dtau (..., nv, nv) and "
             "dlambda_dq, dlambda_dv, dlambda_dtau (..., rows, nv). Where constraints are "
             "redundant, moves that break them have no derivative.\n\n"
             ">>> zero = np.zeros(arm.nv)\n"
             ">>> slope = arm.constrained_forward_dynamics_derivatives(arm.neutral(), zero, zero)\n"
             ">>> np.allclose(slope['da_dtau'], arm.inverse_mass_matrix(arm.neutral()))\nTrue\n")
        .def("constraint_force", &force_at, py::arg("q"), py::arg("constraint"),
             py::arg("multipliers"), py::arg("reference") = "body",
             "The force (..., 6) that a constraint, by its name or number, puts on its first "
             "frame, with λ of a call above at this q; as much acts on the second the other way. A "
             "coupling has torques instead.\n\n"
             ">>> try:\n...     robot.constraint_force(q, 0, [])\n"
             "... except plucker.Error as error:\n...     print(error)\n"
             "constraint_force: there is no constraint 0; robot 'humanoid' has 0\n");
}

}  // namespace plucker::python
