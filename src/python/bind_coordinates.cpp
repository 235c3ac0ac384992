#include <pybind11/stl.h>

#include "bind.hpp"
#include "convert.hpp"
#include "plucker/model/conventions.hpp"

namespace plucker::python {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Vectors, one per row, and the leading dimensions that they came with.
struct Vectors {
    std::vector<npy_intp> leading;
    Rows rows;
};
Vectors vectors_from(const char* function, const char* argument, const py::object& object,
                     int size) {
    const Owned any = number_array(function, argument, object.ptr());
    const Owned array = made(PyArray_FromArray(any.array(), PyArray_DescrFromType(NPY_DOUBLE),
                                               NPY_ARRAY_CARRAY_RO | NPY_ARRAY_FORCECAST));
    const int last = PyArray_NDIM(array.array()) - 1;
    if (last < 0 || PyArray_DIM(array.array(), last) != size) {
        throw Error::because(function, ": ", argument, " has shape ", shape_text(array.array()),
                             ", expected (..., ", size, ")");
    }
    const npy_intp* shape = PyArray_DIMS(array.array());
    const npy_intp count =
        size == 0 ? PyArray_MultiplyList(shape, last) : PyArray_SIZE(array.array()) / size;
    return {{shape, shape + last},
            Eigen::Map<const Rows>(static_cast<const double*>(PyArray_DATA(array.array())), count,
                                   size)};
}
py::object to_python(const std::vector<npy_intp>& leading, const Rows& rows) {
    std::vector<npy_intp> shape = leading;
    shape.push_back(rows.cols());
    Owned out = made(PyArray_EMPTY(static_cast<int>(shape.size()), shape.data(), NPY_DOUBLE, 0));
    std::copy_n(rows.data(), rows.size(), static_cast<double*>(PyArray_DATA(out.array())));
    return py::reinterpret_steal<py::object>(out.release());
}

// Converts each row, together with that of q and v where these are needed. One of these stands for all.
class Conversion {
public:
    Conversion(const char* function, const Robot& robot)
        : function_(function), model_(robot.model()) {}

    Conversion& at(const py::object& q) { return add("q", q, model_.nq()); }
    Conversion& at(const py::object& q, const py::object& v) {
        at(q);
        return add("v", v, model_.nv());
    }
    Conversion& of(const char* argument, const py::object& x, int size) {
        return add(argument, x, size);
    }

    // f(vectors): one of each, the converted one last.
    template <class F>
    py::object with(int size, const F& f) const {
        const Vectors& longest = *std::max_element(
            given_.begin(), given_.end(),
            [](const Vectors& a, const Vectors& b) { return a.rows.rows() < b.rows.rows(); });
        for (const Vectors& x : given_) {
            if (x.rows.rows() == 1 || x.leading == longest.leading) continue;
            throw Error::because(function_,
                                 ": the leading dimensions do not fit together: ", text(x.leading),
                                 " and ", text(longest.leading));
        }
        Rows out(longest.rows.rows(), size);
        std::vector<VectorX<double>> x(given_.size());
        for (long n = 0; n < out.rows(); ++n) {
            for (std::size_t k = 0; k < given_.size(); ++k)
                x[k] = given_[k].rows.row(given_[k].rows.rows() == 1 ? 0 : n).transpose();
            out.row(n) = f(x).transpose();
        }
        return to_python(longest.leading, out);
    }

private:
    static std::string text(const std::vector<npy_intp>& shape) {
        return shape_text(static_cast<int>(shape.size()), shape.data());
    }
    Conversion& add(const char* argument, const py::object& x, int size) {
        given_.push_back(vectors_from(function_, argument, x, size));
        return *this;
    }

    const char* function_;
    const Model& model_;
    std::vector<Vectors> given_;
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
            .of("a", a, nv())
            .with(coordinates.nv(),
                  [&](const X& x) { return coordinates.export_a(x[0], x[1], x[2]); });
    }
    py::object export_tau(const py::object& q, const py::object& tau) const {
        return conversion("export_tau")
            .at(q)
            .of("tau", tau, nv())
            .with(coordinates.nv(), [&](const X& x) { return coordinates.export_tau(x[0], x[1]); });
    }
    py::object import_q(const py::object& theirs) const {
        return conversion("import_q")
            .of("theirs", theirs, coordinates.nq())
            .with(nq(), [&](const X& x) { return coordinates.import_q(x[0]); });
    }
    py::object import_v(const py::object& q, const py::object& theirs) const {
        return conversion("import_v")
            .at(q)
            .of("theirs", theirs, coordinates.nv())
            .with(nv(), [&](const X& x) { return coordinates.import_v(x[0], x[1]); });
    }
    py::object import_a(const py::object& q, const py::object& v, const py::object& theirs) const {
        return conversion("import_a")
            .at(q, v)
            .of("theirs", theirs, coordinates.nv())
            .with(nv(), [&](const X& x) { return coordinates.import_a(x[0], x[1], x[2]); });
    }
    py::object import_tau(const py::object& q, const py::object& theirs) const {
        return conversion("import_tau")
            .at(q)
            .of("theirs", theirs, coordinates.nv())
            .with(nv(), [&](const X& x) { return coordinates.import_tau(x[0], x[1]); });
    }
};

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
