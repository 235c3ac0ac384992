#include <pybind11/stl.h>

#include <algorithm>

#include "bind.hpp"
#include "plucker/view/page.hpp"
#include "simulation.hpp"

namespace plucker::python {
namespace {

// The page, and what could not be drawn.
using Page = std::pair<std::string, std::vector<std::string>>;

Page page_of(const Model& model, const std::vector<ShownMotion>& motions,
             const std::string& title) {
    const Unlocked released;
    std::vector<Diagnostic> diagnostics;
    std::string html = html_page(model, motions, {title}, &diagnostics);
    std::vector<std::string> said;
    for (const Diagnostic& d : diagnostics) said.push_back(to_string(d));
    return {std::move(html), std::move(said)};
}

// Whether what one did can be shown by the other: the same joints, and links and frames of the same names.
bool moves_alike(const Model& a, const Model& b) {
    const auto same_names = [](const Frame& x, const Frame& y) { return x.name == y.name; };
    return a.nq() == b.nq() && a.velocity_names() == b.velocity_names() &&
           std::ranges::equal(a.frames(), b.frames(), same_names);
}

Page page_of_recordings(const std::vector<const PythonRecording*>& recordings,
                        const std::vector<std::string>& names, const std::string& title) {
    std::vector<ShownMotion> motions;
    const Model& model = recordings.front()->robot->model();
    for (std::size_t k = 0; k < recordings.size(); ++k) {
        const Model& other = recordings[k]->robot->model();
        if (!moves_alike(model, other)) {
            throw Error("view: recording " + std::to_string(k + 1) + " is of '" + other.name() +
                        "', the first of '" + model.name() +
                        "'; only recordings of one robot are shown together");
        }
        motions.push_back({names[k], &recordings[k]->content});
    }
    return page_of(model, motions, title);
}

}  // namespace

void bind_view(py::module_& module, RobotClass& robot) {
    module.def(
        "_page_of_robot",
        [](const Robot& r, const std::string& title) { return page_of(r.model(), {}, title); },
        py::arg("robot"), py::arg("title"), "The page that shows a robot, and warnings.");
    module.def("_page_of_recordings", &page_of_recordings, py::arg("recordings"), py::arg("names"),
               py::arg("title"), "The page that shows what a robot did, and warnings.");
    robot.def(
        "view",
        [](const py::object& self, const std::string& title, int height) {
            return py::module_::import("plucker._page").attr("of_robot")(self, title, height);
        },
        py::kw_only(), py::arg("title") = "", py::arg("height") = 560,
        "A Page that shows the robot, its joints moving in turn. A notebook shows it; open() does "
        "in the browser, and save(path) writes it, as one file that needs nothing else.\n\n"
        ">>> robot.view().title\n"
        "'humanoid'\n");
}

}  // namespace plucker::python
