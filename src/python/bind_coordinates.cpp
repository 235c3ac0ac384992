#include <pybind11/stl.h>

#include "bind.hpp"
#include "convert.hpp"
#include "each_state.hpp"
#include "plucker/model/conventions.hpp"

namespace plucker::python {
namespace {

// Converts each state.
class Conversion {
public:
    Conversion(const char* function, const Robot& robot) : many_(function), model_(robot.model()) {}

    Conversion& at(const py::object& q) { return of("q", q, model_.nq(), "nq"); }
    Conversion& at(const py::object& q, const py::object& v) {
        at(q);
        return of("v", v, model_.nv(), "nv");
    }
    Conversion& of(const char* argument, const py::object& x, long size, const char* meaning) {
        vectors_.push_back(many_.take(argument, x, size, meaning));
        return *this;
    }
    // A matrix, which is the last argument.
    Conversion& of_matrix(const char* argument, const py::object& x, long rows, long columns) {
        matrix_ = many_.take_matrix(argument, x, rows, columns, "nv");
        return *this;
    }

    // f(vectors): one of each, the converted one last.
    template <class F>
    py::object with(long size, const F& f) {
        const int out = many_.add_result(size);
        many_.each([&] { many_.result(out) = f(vectors()); });
        return many_.returned(out);
    }
    // f(vectors, matrix), to a matrix; 0 rows: as many as the matrix has.
    template <class F>
    py::object with(long rows, long columns, const F& f) {
        const int out = many_.add_result(rows == 0 ? many_.rows(matrix_) : rows, columns);
        many_.each([&] {
            const MatrixX<double> m =
                matrix_ < 0 ? MatrixX<double>() : MatrixX<double>(many_.matrix(matrix_));
            many_.result_matrix(out) = f(vectors(), m);
        });
        return many_.returned(out);
    }

private:
    std::vector<VectorX<double>> vectors() const {
        std::vector<VectorX<double>> out;
        for (const int k : vectors_) out.emplace_back(many_.vector(k));
        return out;
    }

    EachState many_;
    const Model& model_;
    std::vector<int> vectors_;
    int matrix_ = -1;
};

// Another library's coordinates of a robot.
struct Convert {
    std::shared_ptr<Robot> robot;
    Coordinates coordinates;

    Convert(std::shared_ptr<Robot> r, const std::string& convention,
            const std::string& mimic_joints)
        : robot(std::move(r)),
          coordinates(robot->model(), convention_named(convention),
                      word_from<MimicJoints>("coordinates: mimic_joints", mimic_joints,
                                             {"independent", "left_out"})) {}

    using X = std::vector<VectorX<double>>;
    using Matrix = MatrixX<double>;
    Conversion conversion(const char* function) const { return {function, *robot}; }
    int nq() const { return robot->model().nq(); }
    int nv() const { return robot->model().nv(); }

    py::object export_q(const py::object& q) const {
        return conversion("export_q").at(q).with(coordinates.nq(), [&](const X& x) {
            return coordinates.export_q(x[0]);
        });
    }
    py::object export_v(const py::object& q, const py::object& v) const {
        return conversion("export_v").at(q, v).with(coordinates.nv(), [&](const X& x) {
            return coordinates.export_v(x[0], x[1]);
        });
    }
    py::object export_a(const py::object& q, const py::object& v, const py::object& a) const {
        return conversion("export_a")
            .at(q, v)
            .of("a", a, nv(), "nv")
            .with(coordinates.nv(),
                  [&](const X& x) { return coordinates.export_a(x[0], x[1], x[2]); });
    }
    py::object export_tau(const py::object& q, const py::object& tau) const {
        return conversion("export_tau")
            .at(q)
            .of("tau", tau, nv(), "nv")
            .with(coordinates.nv(), [&](const X& x) { return coordinates.export_tau(x[0], x[1]); });
    }
    py::object import_q(const py::object& theirs) const {
        return conversion("import_q")
            .of("theirs", theirs, coordinates.nq(), "nq there")
            .with(nq(), [&](const X& x) { return coordinates.import_q(x[0]); });
    }
    py::object import_v(const py::object& q, const py::object& theirs) const {
        return conversion("import_v")
            .at(q)
            .of("theirs", theirs, coordinates.nv(), "nv there")
            .with(nv(), [&](const X& x) { return coordinates.import_v(x[0], x[1]); });
    }
    py::object import_a(const py::object& q, const py::object& v, const py::object& theirs) const {
        return conversion("import_a")
            .at(q, v)
            .of("theirs", theirs, coordinates.nv(), "nv there")
            .with(nv(), [&](const X& x) { return coordinates.import_a(x[0], x[1], x[2]); });
    }
    py::object import_tau(const py::object& q, const py::object& theirs) const {
        return conversion("import_tau")
            .at(q)
            .of("theirs", theirs, coordinates.nv(), "nv there")
            .with(nv(), [&](const X& x) { return coordinates.import_tau(x[0], x[1]); });
    }
    py::object export_matrix(const py::object& q, const py::object& M) const {
        return conversion("export_matrix")
            .at(q)
            .of_matrix("M", M, nv(), nv())
            .with(coordinates.nv(), coordinates.nv(),
                  [&](const X& x, const Matrix& m) { return coordinates.export_matrix(x[0], m); });
    }
    py::object export_jacobian(const py::object& q, const py::object& J) const {
        return conversion("export_jacobian")
            .at(q)
            .of_matrix("J", J, EachState::kAny, nv())
            .with(0, coordinates.nv(), [&](const X& x, const Matrix& m) {
                return coordinates.export_jacobian(x[0], m);
            });
    }
    py::object velocity_map(const py::object& q) const {
        return conversion("velocity_map")
            .at(q)
            .with(coordinates.nv(), nv(),
                  [&](const X& x, const Matrix&) { return coordinates.velocity_map(x[0]); });
    }
    py::object velocity_map_rate(const py::object& q, const py::object& v) const {
        return conversion("velocity_map_rate")
            .at(q, v)
            .with(coordinates.nv(), nv(), [&](const X& x, const Matrix&) {
                return coordinates.velocity_map_rate(x[0], x[1]);
            });
    }
};

// Of number k, which must be one of `count`.
auto of_number(bool (Coordinates::*says)(int) const, int (Coordinates::*count)() const) {
    return [says, count](const Convert& c, int k) {
        if (k < 0 || k >= (c.coordinates.*count)()) throw py::index_error(std::to_string(k));
        return (c.coordinates.*says)(k);
    };
}

void bind_convert(py::module_& module) {
    py::class_<Convert>(
        module, "Coordinates",
        "The coordinates of another library: names, and conversion of states; made by "
        "Robot.coordinates. Arrays may hold many states: (..., nq).\n\n"
        ">>> robot.coordinates('mujoco').export_q(q)[3:7]   # w first\narray([1., 0., 0., 0.])\n")
        .def_property_readonly(
            "nq", [](const Convert& c) { return c.coordinates.nq(); },
            "Numbers of a configuration there.")
        .def_property_readonly(
            "nv", [](const Convert& c) { return c.coordinates.nv(); },
            "Numbers of a velocity there.")
        .def_property_readonly(
            "q_names", [](const Convert& c) { return c.coordinates.q_names(); },
            "Of each number of a configuration there.")
        .def_property_readonly(
            "v_names", [](const Convert& c) { return c.coordinates.v_names(); },
            "Of each number of a velocity there.")
        .def_property_readonly(
            "velocity_order", [](const Convert& c) { return c.coordinates.velocity_order(); },
            "For each velocity there the number of ours, before any turn.")
        .def_property_readonly(
            "convention",
            [](const Convert& c) {
                return convention_names()[static_cast<std::size_t>(c.coordinates.convention())];
            },
            "'plucker', 'file', 'pinocchio' or 'mujoco'.")
        .def_property_readonly(
            "only_permutes", [](const Convert& c) { return c.coordinates.only_permutes(); },
            "Whether velocities there are ours in another order, and nothing else.")
        .def("q_differs", of_number(&Coordinates::q_differs, &Coordinates::nq), py::arg("k"),
             "Whether number k of a configuration there is another than ours of the same name.\n\n"
             ">>> robot.coordinates('mujoco').q_differs(0)\n"
             "False\n")
        .def("v_differs", of_number(&Coordinates::v_differs, &Coordinates::nv), py::arg("k"),
             "Whether number k of a velocity there is another than ours of the same name: along "
             "other axes.\n\n"
             ">>> there = robot.coordinates('mujoco')\n"
             ">>> [there.v_names[k] for k in range(there.nv) if there.v_differs(k)]\n"
             "['base.linear.x', 'base.linear.y', 'base.linear.z']\n")
        .def("export_q", &Convert::export_q, py::arg("q"),
             "Ours to theirs.\n\n"
             ">>> robot.coordinates('mujoco').export_q(q).shape\n"
             "(37,)\n")
        .def("export_v", &Convert::export_v, py::arg("q"), py::arg("v"),
             "Ours to theirs, at q.\n\n"
             ">>> robot.coordinates('mujoco').export_v(q, v).shape\n"
             "(36,)\n")
        .def("export_a", &Convert::export_a, py::arg("q"), py::arg("v"), py::arg("a"),
             "Ours to theirs, at q and v.\n\n"
             ">>> robot.coordinates('mujoco').export_a(q, v, a).shape\n"
             "(36,)\n")
        .def("export_tau", &Convert::export_tau, py::arg("q"), py::arg("tau"),
             "Ours to theirs, at q.\n\n"
             ">>> robot.coordinates('mujoco').export_tau(q, tau).shape\n"
             "(36,)\n")
        .def("import_q", &Convert::import_q, py::arg("theirs"),
             "Theirs to ours.\n\n"
             ">>> there = robot.coordinates('mujoco')\n"
             ">>> np.allclose(there.import_q(there.export_q(q)), q)\n"
             "True\n")
        .def("import_v", &Convert::import_v, py::arg("q"), py::arg("theirs"),
             "Theirs to ours; q is ours.\n\n"
             ">>> there = robot.coordinates('mujoco')\n"
             ">>> np.allclose(there.import_v(q, there.export_v(q, v)), v)\n"
             "True\n")
        .def("import_a", &Convert::import_a, py::arg("q"), py::arg("v"), py::arg("theirs"),
             "Theirs to ours; q and v are ours.\n\n"
             ">>> there = robot.coordinates('mujoco')\n"
             ">>> np.allclose(there.import_a(q, v, there.export_a(q, v, a)), a)\n"
             "True\n")
        .def("import_tau", &Convert::import_tau, py::arg("q"), py::arg("theirs"),
             "Theirs to ours; q is ours.\n\n"
             ">>> there = robot.coordinates('mujoco')\n"
             ">>> np.allclose(there.import_tau(q, there.export_tau(q, tau)), tau)\n"
             "True\n")
        .def("export_matrix", &Convert::export_matrix, py::arg("q"), py::arg("M"),
             "A matrix between velocities and forces (..., nv, nv), such as the mass matrix, from "
             "ours to theirs, at q. Not where mimic joints have numbers of their own.\n\n"
             ">>> robot.coordinates('mujoco').export_matrix(q, robot.mass_matrix(q)).shape\n"
             "(36, 36)\n")
        .def("export_jacobian", &Convert::export_jacobian, py::arg("q"), py::arg("J"),
             "A Jacobian (..., rows, nv) from ours to theirs, at q. Not where mimic joints have "
             "numbers of their own.\n\n"
             ">>> J = robot.frame_jacobian(q, frame)\n"
             ">>> robot.coordinates('mujoco').export_jacobian(q, J).shape\n"
             "(6, 36)\n")
        .def("velocity_map", &Convert::velocity_map, py::arg("q"),
             "T of v' = T v: (..., their nv, our nv).\n\n"
             ">>> there = robot.coordinates('mujoco')\n"
             ">>> np.allclose(there.velocity_map(q) @ v, there.export_v(q, v))\n"
             "True\n")
        .def("velocity_map_rate", &Convert::velocity_map_rate, py::arg("q"), py::arg("v"),
             "The rate of T: (..., their nv, our nv).\n\n"
             ">>> there = robot.coordinates('mujoco')\n"
             ">>> turned = there.velocity_map(q) @ a + there.velocity_map_rate(q, v) @ v\n"
             ">>> np.allclose(turned, there.export_a(q, v, a))\n"
             "True\n");
}

// Both ways between our (q, v) and theirs, in one call each.
void bind_pair(RobotClass& robot, const char* to, const char* from, const char* convention,
               const char* says_to, const char* says_from, const char* q_name, const char* v_name) {
    robot.def(
        to,
        [convention](const std::shared_ptr<Robot>& r, const py::object& q, const py::object& v) {
            const Convert c(r, convention, "independent");
            return py::make_tuple(c.export_q(q), c.export_v(q, v));
        },
        py::arg("q"), py::arg("v"), says_to);
    robot.def(
        from,
        [convention](const std::shared_ptr<Robot>& r, const py::object& q, const py::object& v) {
            const Convert c(r, convention, "independent");
            const py::object ours = c.import_q(q);
            return py::make_tuple(ours, c.import_v(ours, v));
        },
        py::arg(q_name), py::arg(v_name), says_from);
}

}  // namespace

void bind_coordinates(py::module_& module, RobotClass& robot) {
    bind_convert(module);
    robot.def(
        "coordinates",
        [](const std::shared_ptr<Robot>& r, const std::string& convention,
           const std::string& mimic_joints) { return Convert(r, convention, mimic_joints); },
        py::arg("convention"), py::arg("mimic_joints") = "independent",
        "The coordinates of this robot elsewhere: 'plucker', 'file', 'pinocchio' or 'mujoco'. "
        "Joints that "
        "mimic others have numbers of their own there, unless they are 'left_out'.\n\n"
        ">>> robot.coordinates('mujoco').q_names[:3]\n"
        "['base.position.x', 'base.position.y', 'base.position.z']\n");
    bind_pair(robot, "to_pinocchio_order", "from_pinocchio_order", "pinocchio",
              "(q, v) as Pinocchio has them for this URDF: order, linear first, (cos, sin).\n\n"
              ">>> theirs = robot.to_pinocchio_order(q, v)\n"
              ">>> all((a == b).all() for a, b in zip(robot.from_pinocchio_order(*theirs), (q, "
              "v)))\nTrue\n",
              "Our (q, v) from Pinocchio's.\n\n"
              ">>> q, v = robot.from_pinocchio_order(*robot.to_pinocchio_order(q, v))\n",
              "q", "v");
    bind_pair(robot, "to_mujoco_state", "from_mujoco_state", "mujoco",
              "(qpos, qvel): quaternions w x y z, a free base's linear velocity in the world.\n\n"
              ">>> qpos, qvel = robot.to_mujoco_state(q, v)\n"
              ">>> qpos[3:7]\narray([1., 0., 0., 0.])\n",
              "Our (q, v) from MuJoCo's.\n\n"
              ">>> q, v = robot.from_mujoco_state(*robot.to_mujoco_state(q, v))\n",
              "qpos", "qvel");
}

}  // namespace plucker::python
