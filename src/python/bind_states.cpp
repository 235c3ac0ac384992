#include <pybind11/stl.h>

#include "bind.hpp"
#include "convert.hpp"
#include "interrupts.hpp"
#include "plucker/laws/laws.hpp"

namespace plucker::python {
namespace {

py::object random_configurations(const Robot& robot, py::ssize_t count, std::uint32_t seed) {
    if (count < 0) {
        throw Error::because("random_configurations: n is ", count, "; it must not be negative");
    }
    const Model& model = robot.model();
    const npy_intp shape[] = {count, model.nq()};
    Owned out = made(PyArray_EMPTY(2, shape, NPY_DOUBLE, 0));
    auto* to = static_cast<double*>(PyArray_DATA(out.array()));
    {
        const Unlocked released;
        std::mt19937 generator(seed);
        Interrupts interrupts;
        for (npy_intp k = 0; k < count; ++k) {
            if (k % 256 == 0) interrupts.hear();
            const VectorX<double> q = random_configuration(model, generator);
            to = std::copy(q.begin(), q.end(), to);
        }
    }
    return py::reinterpret_steal<py::object>(out.release());
}

std::vector<laws::Residual> verify(const Robot& robot, int samples, std::uint32_t seed) {
    const Unlocked released;
    Interrupts interrupts;
    return laws::verify(robot.model(), samples, seed, [&](int) { interrupts.hear(); });
}

}  // namespace

void bind_states(RobotClass& robot) {
    robot
        .def(
            "neutral",
            [](const Robot& r) {
                const VectorX<double> q = neutral_configuration(r.model());
                return to_array(q.data(), q.size());
            },
            "All angles and displacements zero, no rotation: (nq,).\n\n"
            ">>> robot.neutral().shape == (robot.nq,)\nTrue\n")
        .def("random_configurations", &random_configurations, py::arg("n"), py::arg("seed") = 1,
             "n configurations at random, the same for the same seed: (n, nq). Attitudes are "
             "uniform, "
             "joints within their limits (a hinge in one turn of them), else angles in ±π and "
             "displacements in ±1.\n\n"
             ">>> robot.random_configurations(3, seed=1).shape == (3, robot.nq)\nTrue\n")
        .def("verify", &verify, py::arg("samples") = 10, py::arg("seed") = 1,
             "Checks every law of mechanics on this robot at random states: a list of Residual.\n\n"
             ">>> any(law.fails for law in plucker.robots.pendulum().verify(samples=2))\nFalse\n");
}

}  // namespace plucker::python
