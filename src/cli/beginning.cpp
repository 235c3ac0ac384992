#include "beginning.hpp"

#include <algorithm>
#include <filesystem>

#include "input.hpp"
#include "plucker/algorithms/table.hpp"
#include "plucker/constraints/close_loops.hpp"
#include "plucker/io/read_mesh.hpp"
#include "plucker/io/read_states.hpp"
#include "plucker/simulate/start.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

Beginning given_beginning(const Model& model, const std::string& path) {
    const std::string name = name_of_input(path);
    const std::vector<GivenState> states =
        read_states(model, read_input(path), name, text_format_of(path));
    if (states.empty() || states.front().q.size() == 0) throw Error(name + ": has no state with q");
    const GivenState& first = states.front();
    Beginning out{first.q, VectorX<double>::Zero(model.nv()), first.time.value_or(0)};
    if (states.size() > 1)
        complain("{}: has {} states; the motion begins at the first\n", name, states.size());
    if (first.v.size() != 0) out.v = first.v;
    return out;
}

// For a name that is neither a file nor a posture.
void check_state_name(const std::string& name, const std::vector<std::string>& postures) {
    std::error_code ignored;
    if (name == "-" || std::filesystem::exists(name, ignored)) return;
    const std::string nothing = "--state " + name + ": there is no such file";
    if (postures.empty()) throw Error(nothing + ", and the robot has no postures");
    throw Error::because(nothing, "; ", unknown_name("posture", name, postures).what(),
                         "; plucker info lists all");
}

// The joint's coordinate that differs most, as "joint 'knee' most, from 0 to 0.3".
std::string largest_change(const Model& model, const VectorX<double>& from,
                           const VectorX<double>& to, int Body<double>::*index,
                           int Body<double>::*count) {
    Eigen::Index k = 0;
    (to - from).cwiseAbs().maxCoeff(&k);
    int i = 1;
    while (model.body(i).mimic || k < model.body(i).*index ||
           k >= model.body(i).*index + model.body(i).*count)
        ++i;
    return fmt::format("joint '{}' most, from {:.4g} to {:.4g}", model.joint(i).name, from[k],
                       to[k]);
}

// Closes loops from the state as a guess, and gives it a velocity that they allow.
void meet_constraints(const Model& model, bool is_given, Beginning& at) {
    const Violation open = violation_of_position(model, at.q);
    const ClosedLoops loops = close_loops(model, at.q);
    if (!loops.closed && loops.residual > 1e-6) throw Error(loops.message);
    if (is_given && !open.constraint.empty()) {
        complain(
            "note: the state violates constraint '{}' by {:.3g} (m or rad): the motion begins "
            "where it is met, which moves {}\n",
            open.constraint, open.by,
            largest_change(model, at.q, loops.q, &Body<double>::q_index, &Body<double>::nq));
    }
    at.q = loops.q;
    const Violation torn = violation_of_velocity(model, at.q, at.v);
    if (torn.constraint.empty()) return;
    const VectorX<double> given = at.v;
    Workspace<double> ws(model);
    project_velocity(ws, at.q, at.v);
    complain(
        "note: the velocity violates constraint '{}' by {:.3g} (m/s or rad/s): the motion begins "
        "with the nearest that meets it, which changes {}\n",
        torn.constraint, torn.by,
        largest_change(model, given, at.v, &Body<double>::v_index, &Body<double>::nv));
}

// A robot whose limits leave out zero cannot begin there.
void move_within_limits(const Model& model, VectorX<double>& q) {
    const VectorX<double> zero = q;
    q = within_limits(model, zero);
    std::string moved;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        if (body.mimic || body.nq != 1 || q[body.q_index] == zero[body.q_index]) continue;
        moved += fmt::format("{}'{}' at {:.4g}", moved.empty() ? "" : ", ", model.joint(i).name,
                             q[body.q_index]);
    }
    if (!moved.empty())
        complain("note: zero is beyond a limit of these joints, which begin at it: {}\n", moved);
}

// Where no state is given.
VectorX<double> usual_beginning(const Model& model, const SimulateOptions& o,
                                const Ground& ground) {
    const std::vector<std::string> postures = posture_names(model);
    const bool has_bodies_of_file =
        std::find(postures.begin(), postures.end(), kPostureOfFile) != postures.end();
    const bool is_as_in_file = has_bodies_of_file && !model.has_floating_base();
    VectorX<double> q = neutral_configuration(model);
    if (is_as_in_file) q = posture(model, kPostureOfFile);
    if (o.integrator == "euler") move_within_limits(model, q);
    if (!is_as_in_file && o.has_ground && model.has_floating_base()) {
        World level = World::flat();  // as high as what is there
        level.read_mesh = read_mesh;
        level.shapes[0].placement.position.z = ground.height;
        put_on_ground(model, level, {0, 0, 1}, q);
    }
    return q;
}

}  // namespace

Beginning beginning_of(const Model& model, const SimulateOptions& o, const Ground& ground) {
    Beginning out{{}, VectorX<double>::Zero(model.nv())};
    const std::vector<std::string> postures = posture_names(model);
    if (o.state.empty()) {
        out.q = usual_beginning(model, o, ground);
    } else if (std::find(postures.begin(), postures.end(), o.state) != postures.end()) {
        out.q = posture(model, o.state);
    } else {
        check_state_name(o.state, postures);
        out = given_beginning(model, o.state);
    }
    if (!model.constraints().empty()) meet_constraints(model, !o.state.empty(), out);
    return out;
}

}  // namespace plucker::cli
