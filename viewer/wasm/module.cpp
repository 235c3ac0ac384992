// The library as a page calls it: texts in, texts out, and poses as numbers.
//
//     {"do": "builtin", "name": "arm"}                          a robot; the answer has its data, as `plucker view` writes it
//     {"do": "load", "text": "<robot…", "file": "arm.urdf"}     a robot from a file, with what was found wrong
//     {"do": "evaluate", "state": {…}, "quantities": […]}       what `plucker eval` answers
//     {"do": "names"}                                           the built-in robots
//     {"do": "gravity", "gravity": [0, 0, -1.62]}               another gravity, from now on
//     {"do": "simulate", "ground": true, "controller": …}       begins a simulation, see simulation.hpp
//     {"do": "lesson", "along": […], "v": […], "a": […]}        Newton and Euler step by step, see lesson.hpp
//
// A robot that cannot be read leaves the one before in its place; so does a simulation that cannot begin.
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "lesson.hpp"
#include "motion_data.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/io/evaluate.hpp"
#include "plucker/io/load.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/model/suspicions.hpp"
#include "plucker/robots/robots.hpp"
#include "plucker/simulate/start.hpp"
#include "robot_data.hpp"
#include "simulation.hpp"

namespace plucker::page {

VectorX<double> vector_of(const nlohmann::json& request, const char* name,
                          const VectorX<double>& otherwise) {
    if (!request.contains(name)) return otherwise;
    const auto numbers = request.at(name).get<std::vector<double>>();
    check_size("the page", name, static_cast<long>(numbers.size()), otherwise.size(),
               "numbers of the robot");
    return Eigen::Map<const VectorX<double>>(numbers.data(), otherwise.size());
}

void append(const Vec3<double>& x, std::vector<double>& out) {
    out.insert(out.end(), {x.x, x.y, x.z});
}
void append_pose(const Pose<double>& pose, std::vector<double>& out) {
    for (const auto& x : view::pose_data(pose)) out.push_back(x.get<double>());
}

namespace {

using nlohmann::json;
using nlohmann::ordered_json;

std::optional<Loaded>& current() {
    static std::optional<Loaded> robot;
    return robot;
}

Loaded& loaded() {
    if (!current()) throw Error("there is no robot yet; load one");
    return *current();
}

std::optional<Simulation>& running() {
    static std::optional<Simulation> simulation;
    return simulation;
}
Simulation& simulation() {
    if (!running()) throw Error("there is no simulation yet; begin one");
    return *running();
}

// As `plucker check` words it.
ordered_json findings(const std::vector<Diagnostic>& diagnostics) {
    ordered_json out = ordered_json::array();
    for (const Diagnostic& d : diagnostics) {
        out.push_back({{"is_error", d.severity == Severity::kError},
                       {"is_warning", d.severity == Severity::kWarning},
                       {"text", to_string(d)}});
    }
    return out;
}

// The robot's data for the page, with the coordinates that it may move.
ordered_json robot_answer(std::vector<Diagnostic> diagnostics) {
    const Model& model = loaded().model;
    view::Buffers buffers;
    ordered_json out{{"title", model.name()}};
    out["robot"] = view::robot_data(model, buffers, &diagnostics);
    ordered_json motions = ordered_json::array();
    motions.push_back(view::motion_data(model, "joints", view::demonstration(model), buffers));
    out["motions"] = std::move(motions);
    out["demonstration"] = true;
    ordered_json coordinates = ordered_json::array();
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic) continue;
        for (int k = 0; k < body.nv; ++k) {
            const JointLimits& limits = model.joint(i).limits;
            const bool has_limits =
                body.nv == 1 && std::isfinite(limits.lower) && std::isfinite(limits.upper);
            const bool turns =
                k < visit_joint(
                        body.joint, [](auto joint) { return static_cast<int>(joint.kTurns); });
            const double reach = turns ? 3.141592653589793 : 1.0;
            coordinates.push_back(
                {{"name",
                  loaded().coordinates.v_names()[static_cast<std::size_t>(body.v_index + k)]},
                 {"joint", model.joint(i).name},
                 {"turns", turns},
                 {"lower", has_limits ? limits.lower : -reach},
                 {"upper", has_limits ? limits.upper : reach}});
        }
    }
    out["coordinates"] = std::move(coordinates);
    VectorX<double> q = neutral_configuration(model);
    out["lifts"] = lift(model, loaded().up, 0, q);
    out["numbers"] = buffers.base64();
    out["findings"] = findings(diagnostics);
    return out;
}

// Puts the robot in the place of the one before, as the request wishes it: {"floating", "no_friction", "gravity"}.
void take(Description description, const json& request) {
    if (request.value("floating", false)) description.base = Base::kFloating;
    if (request.value("no_friction", false)) description = without_friction(std::move(description));
    if (request.contains("gravity")) {
        const json& g = request.at("gravity");
        description.gravity = {g.at(0), g.at(1), g.at(2)};
    }
    current().emplace(Model(std::move(description)));
    running().reset();
}

// Up stays where it was: it is the page's, and the ground's.
void change_gravity(const json& request) {
    const Vec3<double> up = loaded().up;
    take(loaded().model.description(), request);
    loaded().up = up;
}

ordered_json load(const json& request) {
    LoadOptions options;
    options.base = request.value("floating", false) ? Base::kFloating : Base::kFixed;
    const std::string file = request.at("file");
    ReadResult read = read_robot_text(request.at("text"), file, options);
    if (!can_read(read.format)) {
        const std::string format = name_of(read.format);
        throw Error::because(
            file, ": the page reads URDF. ", format,
            " is read by a library that browsers do not have: translate the file (",
            "plucker convert ", file, " robot.urdf), or write a page with it (plucker play ", file,
            ")");
    }
    if (!has_errors(read.diagnostics)) {
        for (Diagnostic& d : find_suspicions(read.description))
            read.diagnostics.push_back(std::move(d));
    }
    if (has_errors(read.diagnostics)) return {{"findings", findings(read.diagnostics)}};
    take(std::move(read.description), request);
    return robot_answer(std::move(read.diagnostics));
}

ordered_json answer(const json& request) {
    const std::string what = request.at("do");
    if (what == "names") return {{"names", robots::names()}};
    if (what == "builtin") {
        take(robots::by_name(request.at("name")).description(), request);
        return robot_answer({});
    }
    if (what == "load") return load(request);
    if (what == "evaluate") {
        EvaluateOptions options;
        options.quantities = request.at("quantities").get<std::vector<std::string>>();
        if (request.contains("frames"))
            options.frames = request.at("frames").get<std::vector<std::string>>();
        options.order = Convention::kPlucker;
        return ordered_json::parse(
            evaluate(loaded().model, request.at("state").dump(), "state", options));
    }
    if (what == "gravity") {
        change_gravity(request);
        return ordered_json::object();
    }
    if (what == "simulate") {
        Simulation begun(loaded(), request);
        running().emplace(std::move(begun));
        return {{"notes", simulation().notes()}};
    }
    if (what == "lesson") return lesson(loaded(), request);
    throw Error("the page asks for '" + what + "', which is not known");
}

// The answer to a request, both in JSON. It stays until the next call.
const char* answer_text(const char* request) {
    static std::string text;
    constexpr auto kReplace = json::error_handler_t::replace;
    try {
        text = answer(json::parse(request)).dump(-1, ' ', false, kReplace);
    } catch (const std::exception& error) {
        text = ordered_json{{"error", error.what()}}.dump(-1, ' ', false, kReplace);
    }
    return text.c_str();
}

// Calls f; returns null, or what went wrong.
template <class F>
const char* said(F&& f) {
    static std::string text;
    try {
        f();
        return nullptr;
    } catch (const std::exception& error) {
        text = error.what();
        return text.c_str();
    }
}

// The configuration that slides of the joints stand for: from the neutral one, along each velocity coordinate.
VectorX<double> slid(const Model& model, const double* along) {
    return integrate(model, neutral_configuration(model),
                     Eigen::Map<const VectorX<double>>(along, model.nv()));
}

}  // namespace
}  // namespace plucker::page

char* plucker_write_number(char* first, char* last, double x) {
    return nlohmann::detail::to_chars(first, last, x);
}

extern "C" {

const char* plucker_call(const char* request) { return plucker::page::answer_text(request); }

// From nv slides to nq coordinates, the poses of all bodies (seven numbers each) and the centre of mass, for each frame of the
// picture. Returns 0, or 1 if there is no robot.
int plucker_poses(const double* along, double* q, float* poses, float* center) {
    using namespace plucker;
    using namespace plucker::page;
    if (!current()) return 1;
    auto& [model, workspace, coordinates, up] = *current();
    const VectorX<double> configuration = slid(model, along);
    std::copy(configuration.begin(), configuration.end(), q);
    forward_kinematics(workspace, configuration);
    std::vector<double> numbers;
    for (int i = 1; i <= model.num_bodies(); ++i)
        append_pose(frame_pose(workspace, model.body_frame(i)), numbers);
    std::copy(numbers.begin(), numbers.end(), poses);
    const Vec3<double> com = model.total_mass() > 0 ? center_of_mass(workspace) : Vec3<double>{};
    center[0] = static_cast<float>(com.x);
    center[1] = static_cast<float>(com.y);
    center[2] = static_cast<float>(com.z);
    return 0;
}

// The points of a mesh that the page knows, for contact: three numbers each.
void plucker_mesh(const char* uri, const float* points, int count) {
    plucker::page::remember_mesh(uri, {points, static_cast<std::size_t>(3 * count)});
}

// So many steps of the simulation. Returns null, or what went wrong; then the state is that of the last step that went well.
const char* plucker_advance(int steps) {
    return plucker::page::said([&] { plucker::page::simulation().advance(steps); });
}

// The mouse pulls a point of a body (x y z in its link) to a point of the world (x y z). Body 0: it lets go.
const char* plucker_pull(int body, const double* x) {
    return plucker::page::said([&] {
        plucker::page::simulation().pull(body, {x[0], x[1], x[2]}, {x[3], x[4], x[5]});
    });
}

// Where the controller pulls the joints to, as slides of the joints.
const char* plucker_aim(const double* along) {
    return plucker::page::said([&] {
        plucker::page::simulation().aim(plucker::page::slid(plucker::page::loaded().model, along));
    });
}

// The state of the simulation, in numbers; see simulation.cpp. Null: there is none.
const double* plucker_numbers() {
    if (!plucker::page::running()) return nullptr;
    return plucker::page::simulation().numbers().data();
}
}
