#include "bind.hpp"
#include "forces.hpp"

namespace plucker::python {
namespace {

py::list entries_of(const Forces& forces) {
    py::list out;
    for (const Forces::Entry& entry : forces.entries())
        out.append(
            py::make_tuple(entry.frame, entry.force, python::name_of(entry.place.expressed_in)));
    return out;
}

}  // namespace

void bind_forces(py::module_& module) {
    py::class_<Forces>(
        module, "ExternalForces",
        "Forces from outside on a robot's bodies, for the functions that take external=.\n\n"
        ">>> forces = plucker.ExternalForces(robot)\n"
        ">>> forces.add(frame, [0, 0, 0, 0, 0, 9.81], 'world_aligned')\n"
        ">>> robot.inverse_dynamics(q, v, a, forces).shape == (robot.nv,)\nTrue\n")
        .def(py::init<std::shared_ptr<Robot>>(), py::arg("robot"), "None yet, for this robot.")
        .def("add", &Forces::add, py::arg("frame"), py::arg("force"), py::arg("expressed_in"),
             "A force (moment; force) on the body that carries the frame: (6,), or (..., 6) for "
             "one a "
             "state. It is expressed in the frame ('body'), in the world with its moment about the "
             "origin ('world'), or along the world's axes at the frame's origin "
             "('world_aligned').\n\n"
             ">>> forces = plucker.ExternalForces(arm)\n"
             ">>> forces.add('tool', [0, 0, 0, 0, 0, -20], 'world_aligned')\n"
             ">>> len(forces.entries)\n"
             "1\n")
        .def("clear", &Forces::clear,
             "Forgets all forces.\n\n"
             ">>> forces = plucker.ExternalForces(arm)\n"
             ">>> forces.add('tool', [0, 0, 0, 0, 0, -20], 'world_aligned')\n"
             ">>> forces.clear()\n"
             ">>> forces.entries\n"
             "[]\n")
        .def_property_readonly("robot", &Forces::robot, "The robot that they act on.")
        .def("__len__", [](const Forces& f) { return f.entries().size(); })
        .def("__repr__",
             [](const Forces& f) {
                 std::string out = "<ExternalForces on '" + f.robot()->model().name() + "':";
                 for (const Forces::Entry& entry : f.entries())
                     out += " " + entry.frame + " (" + name_of(entry.place.expressed_in) + ")";
                 return out + ">";
             })
        .def_property_readonly("entries", &entries_of,
                               "What was added: (frame, force, expressed_in) of each.")
        .def(py::pickle([](const Forces& f) { return py::make_tuple(f.robot(), entries_of(f)); },
                        [](const py::tuple& state) {
                            Forces out(state[0].cast<std::shared_ptr<Robot>>());
                            for (const py::handle entry : state[1]) {
                                const auto e = py::cast<py::tuple>(entry);
                                out.add(e[0], e[1], e[2]);
                            }
                            return out;
                        }));
}

}  // namespace plucker::python
