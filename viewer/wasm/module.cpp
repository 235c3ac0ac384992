// The library as a page calls it: texts in, texts out, and poses as numbers.
//
//     {"do": "builtin", "name": "arm"}                          a robot; the answer has its data, as `plucker view` writes it
//     {"do": "load", "text": "<robot…", "file": "arm.urdf"}     a robot from a file, with what was found wrong
//     {"do": "evaluate", "state": {…}, "quantities": […]}       what `plucker eval` answers
//     {"do": "names"}                                           the built-in robots
//
// A robot that cannot be read leaves the one before in its place.
#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "motion_data.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/io/evaluate.hpp"
#include "plucker/io/load.hpp"
#include "plucker/model/conventions.hpp"
#include "plucker/model/edit.hpp"
#include "plucker/model/suspicions.hpp"
#include "plucker/model/workspace.hpp"
#include "plucker/robots/robots.hpp"
#include "robot_data.hpp"

namespace plucker {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

struct Loaded {
    Model model;
    Workspace<double> workspace;
    Coordinates coordinates;

    explicit Loaded(Model m)
        : model(std::move(m)),
          workspace(model),
          coordinates(model, Convention::kPlucker, MimicJoints::kLeftOut) {}
};

std::optional<Loaded>& current() {
    static std::optional<Loaded> robot;
    return robot;
}

Loaded& loaded() {
    if (!current()) throw Error("there is no robot yet; load one");
    return *current();
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
}

ordered_json load(const json& request) {
    LoadOptions options;
    options.base = request.value("floating", false) ? Base::kFloating : Base::kFixed;
    ReadResult read = read_robot_text(request.at("text"), request.at("file"), options);
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
    throw Error("the page asks for '" + what + "', which is not known");
}

// The configuration that slides of the joints stand for: from the neutral one, along each velocity coordinate.
VectorX<double> slid(const Model& model, const double* along) {
    return integrate(model, neutral_configuration(model),
                     Eigen::Map<const VectorX<double>>(along, model.nv()));
}

}  // namespace
}  // namespace plucker

char* plucker_write_number(char* first, char* last, double x) {
    return nlohmann::detail::to_chars(first, last, x);
}

extern "C" {

// The answer to a request, both in JSON. It stays until the next call.
const char* plucker_call(const char* request) {
    static std::string text;
    try {
        text = plucker::answer(nlohmann::json::parse(request))
                   .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    } catch (const std::exception& error) {
        text = nlohmann::ordered_json{{"error", error.what()}}.dump(
            -1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
    return text.c_str();
}

// From nv slides to nq coordinates, the poses of all bodies (seven numbers each) and the centre of mass, for each frame of the
// picture. Returns 0, or 1 if there is no robot.
int plucker_poses(const double* along, double* q, float* poses, float* center) {
    using namespace plucker;
    if (!current()) return 1;
    auto& [model, workspace, coordinates] = *current();
    const VectorX<double> configuration = slid(model, along);
    std::copy(configuration.begin(), configuration.end(), q);
    forward_kinematics(workspace, configuration);
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const auto numbers = view::pose_data(frame_pose(workspace, model.body_frame(i)));
        for (const auto& x : numbers) *poses++ = x.get<float>();
    }
    const Vec3<double> com = model.total_mass() > 0 ? center_of_mass(workspace) : Vec3<double>{};
    center[0] = static_cast<float>(com.x);
    center[1] = static_cast<float>(com.y);
    center[2] = static_cast<float>(com.z);
    return 0;
}
}
