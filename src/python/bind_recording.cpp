#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cctype>
#include <cmath>

#include "archive.hpp"
#include "bind.hpp"
#include "plucker/io/load.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/view/page.hpp"
#include "simulation.hpp"

namespace plucker::python {
namespace {

// One number per instant, NaN where it was not recorded.
template <class Number>
py::object column_of(const PythonRecording& recording, const Number& number) {
    const auto& instants = recording.content.instants;
    VectorX<double> out(static_cast<Eigen::Index>(instants.size()));
    Eigen::Index k = 0;
    for (const RecordedInstant& instant : instants) out[k++] = number(instant);
    return to_array(out);
}

// One row per instant, NaN where it was not recorded.
py::object table_of(const PythonRecording& recording, ResultVector<double> RecordedInstant::*vector,
                    int columns) {
    const auto& instants = recording.content.instants;
    const npy_intp shape[] = {static_cast<npy_intp>(instants.size()), columns};
    Owned out = made(PyArray_EMPTY(2, shape, NPY_DOUBLE, 0));
    auto* to = static_cast<double*>(PyArray_DATA(out.array()));
    for (const RecordedInstant& instant : instants) {
        const ResultVector<double>& x = instant.*vector;
        to = x.size() == columns ? std::copy(x.begin(), x.end(), to)
                                 : std::fill_n(to, columns, std::nan(""));
    }
    return py::reinterpret_steal<py::object>(out.release());
}

double kinetic(const RecordedInstant& x) { return x.energy ? x.energy->kinetic : std::nan(""); }
double potential(const RecordedInstant& x) { return x.energy ? x.energy->potential : std::nan(""); }

std::shared_ptr<Robot> robot_of(RecordingHeader header, const std::string& path) {
    constexpr std::string_view kBuiltin = "builtin:";
    const char* remedy = "; give the robot: load_recording(path, robot)";
    if (header.model.empty()) {
        throw Error("load_recording: " + path + " does not say which file its robot is from" +
                    remedy);
    }
    if (!find_files(path, header)) {
        throw Error("load_recording: " + path + " is of the robot '" + header.model +
                    "', and there is no such file here or beside the recording" + remedy);
    }
    Description description;
    if (header.model.starts_with(kBuiltin)) {
        description = robots::by_name(header.model.substr(kBuiltin.size())).description();
        if (header.floating) description.base = Base::kFloating;
    } else {
        LoadOptions options;
        options.base = header.floating ? Base::kFloating : Base::kFixed;
        options.package_paths = header.package_paths;
        options.model = header.which;
        description = load(header.model, options).description();
    }
    if (header.no_friction) description = without_friction(std::move(description));
    if (header.gravity) description.gravity = *header.gravity;
    std::shared_ptr<Robot> robot = new_robot(Model(std::move(description)));
    RecordingHeader origin = header;
    origin.step.reset();
    origin.integrator.clear();
    origin.ground.reset();
    origin.shapes.clear();
    origin.terrain.clear();
    robot->set_origin(std::move(origin));
    return robot;
}

void save(const PythonRecording& recording, const std::filesystem::path& path,
          const std::optional<std::string>& model) {
    RecordingHeader header = recording.content.header;
    if (model) header.model = *model;
    const Unlocked released;
    std::string ending = path.extension().string();
    for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (ending == ".html" || ending == ".htm") {
        write_page(recording.robot->model(), {{path.stem().string(), &recording.content}},
                   path.string());
        return;
    }
    RecordingWriter writer(recording.robot->model(), path.string(), header);
    for (const RecordedInstant& instant : recording.content.instants) writer.add(instant);
    writer.finish();
}

void bind_contact(py::module_& module) {
    using Touch = RecordedContact;
    py::class_<Touch>(
        module, "Contact",
        "Where a link touches: Simulator.contacts. Vectors are along the world's axes.\n\n"
        ">>> ball = plucker.Builder('ball').base('floating').link('ball', "
        "plucker.MassProperties.sphere(1, 0.1))\n"
        ">>> ball = ball.collision('ball', plucker.Shape.sphere(0.1))\n"
        ">>> sim = ball.build().simulator(plucker.World.flat())\n"
        ">>> sim.set_state([0, 0, 0.1, 0, 0, 0, 1])\n"
        ">>> report = sim.step()\n"
        ">>> contact = sim.contacts[0]\n"
        ">>> contact.link, contact.mode, contact.normal\n"
        "('ball', 'stick', array([0., 0., 1.]))\n")
        .def(pickled<Touch>())
        .def_readonly("link", &Touch::link, "The link.")
        .def_readonly("other", &Touch::other, "The link that it touches; empty: the world.")
        .def_property_readonly(
            "position", [](const Touch& c) { return to_array(c.position); },
            "Midway between the two surfaces: (3,).")
        .def_property_readonly(
            "normal", [](const Touch& c) { return to_array(c.normal); },
            "Of unit length, out of the other, towards the link: (3,).")
        .def_property_readonly(
            "force", [](const Touch& c) { return to_array(c.force); },
            "On the link, its mean over the step: (3,).")
        .def_property_readonly(
            "mode", [](const Touch& c) { return plucker::name_of(c.mode); },
            "'open', 'stick' or 'slide'.")
        .def_readonly("friction", &Touch::friction,
                      "Coulomb's coefficient between the two; None: it was not recorded.")
        .def("__repr__", [](const Touch& c) {
            return "<plucker.Contact of '" + c.link + "' with " +
                   (c.other.empty() ? "the world" : "'" + c.other + "'") + ": " +
                   plucker::name_of(c.mode) + ">";
        });
}

}  // namespace

void bind_recording(py::module_& module) {
    bind_contact(module);
    using Tape = PythonRecording;
    py::class_<Tape>(
        module, "Recording",
        "A robot's states one after the other, with what acted on it: Simulator.run. "
        "Arrays have one row per instant, and NaN where something was not recorded.\n\n"
        ">>> recording = sim.run(0.1, every=10)\n"
        ">>> recording.time.shape, recording.q.shape\n"
        "((11,), (11, 7))\n")
        .def(py::pickle(
            [](const Tape& r) { return py::make_tuple(r.robot, py::bytes(to_bytes(r.content))); },
            [](const py::tuple& state) {
                return Tape{state[0].cast<std::shared_ptr<Robot>>(),
                            from_bytes<Recording>(state[1].cast<py::bytes>())};
            }))
        .def_property_readonly(
            "robot", [](const Tape& r) { return r.robot; }, "The robot.")
        .def_property_readonly(
            "time",
            [](const Tape& r) {
                return column_of(r, [](const RecordedInstant& x) { return x.time; });
            },
            "(n,), seconds.")
        .def_property_readonly(
            "q",
            [](const Tape& r) { return table_of(r, &RecordedInstant::q, r.robot->model().nq()); },
            "(n, nq).")
        .def_property_readonly(
            "v",
            [](const Tape& r) { return table_of(r, &RecordedInstant::v, r.robot->model().nv()); },
            "(n, nv).")
        .def_property_readonly(
            "tau",
            [](const Tape& r) { return table_of(r, &RecordedInstant::tau, r.robot->model().nv()); },
            "(n, nv): what the motors did, springs included; NaN where a file does not say.")
        .def_property_readonly(
            "kinetic_energy", [](const Tape& r) { return column_of(r, kinetic); }, "(n,), joules.")
        .def_property_readonly(
            "potential_energy", [](const Tape& r) { return column_of(r, potential); },
            "(n,), joules.")
        .def_property_readonly(
            "energy",
            [](const Tape& r) {
                return column_of(
                    r, [](const RecordedInstant& x) { return kinetic(x) + potential(x); });
            },
            "(n,), joules: both together.")
        .def_property_readonly(
            "residual",
            [](const Tape& r) {
                return column_of(
                    r, [](const RecordedInstant& x) { return x.residual.value_or(std::nan("")); });
            },
            "(n,), m/s: how exactly the laws of contact were met in the step that led there.")
        .def_property_readonly(
            "contacts",
            [](const Tape& r) {
                py::list out;
                for (const RecordedInstant& x : r.content.instants)
                    out.append(py::cast(x.contacts));
                return out;
            },
            "Of each instant, a list of Contact.")
        .def_property_readonly(
            "was_cut_off", [](const Tape& r) { return r.content.cut_off; },
            "Whether the last line of its file was not whole, and is left out.")
        .def(
            "save", &save, py::arg("path"), py::arg("model") = py::none(),
            "Into a file, as `plucker simulate` writes them: CSV if its name ends in .csv, a page "
            "to look at if in .html, JSON lines if in .jsonl, .json or .ndjson; no other ending is "
            "taken. model: which robot the file is to name, a path or 'builtin:NAME'; else the one "
            "that the robot was loaded from.\n\n"
            ">>> sim.run(0.01).save('run.jsonl')\n")
        .def(
            "view",
            [](const py::object& self, const py::args& others, const py::object& names,
               const std::string& title, int height) {
                return py::module_::import("plucker._page")
                    .attr("of_recording")(self, others, names, title, height);
            },
            py::arg("names") = py::none(), py::arg("title") = "", py::arg("height") = 560,
            "A Page that shows what the robot did. Other recordings of it are shown as ghosts; "
            "names: what to call them, this one first. A notebook shows the page; open() does in "
            "the browser, and save(path) writes it, as one file that needs nothing else.\n\n"
            ">>> page = sim.run(0.01).view(title='falls')\n"
            ">>> page.title\n"
            "'falls'\n")
        .def("__len__", [](const Tape& r) { return r.content.instants.size(); })
        .def("__repr__", [](const Tape& r) {
            const auto& instants = r.content.instants;
            const auto text = [](double x) {
                return py::cast<std::string>(py::repr(py::float_(x)));
            };
            std::string out = "<plucker.Recording of '" + r.robot->model().name() +
                              "': " + std::to_string(instants.size()) + " instants";
            if (!instants.empty()) {
                out +=
                    ", " + text(instants.front().time) + " to " + text(instants.back().time) + " s";
            }
            return out + ">";
        });
    module.def(
        "load_recording",
        [](const std::filesystem::path& path, std::shared_ptr<Robot> robot) {
            if (!robot) robot = robot_of(read_recording_header(path.string()), path.string());
            Recording content;
            {
                const Unlocked released;
                content = read_recording(robot->model(), path.string());
            }
            return PythonRecording{std::move(robot), std::move(content)};
        },
        py::arg("path"), py::arg("robot") = py::none(),
        "A recording from a file: of Recording.save, or of `plucker simulate`. The robot is loaded "
        "from where the file says, unless it is given. Of CSV, times, states and torques are "
        "read.\n\n"
        ">>> sim.run(0.01).save('run.jsonl')\n"
        ">>> plucker.load_recording('run.jsonl', arm).q.shape\n"
        "(11, 7)\n");
}

}  // namespace plucker::python
