#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "masses.hpp"
#include "model_argument.hpp"
#include "plucker/model/conventions.hpp"
#include "plucker/simulate/start.hpp"
#include "terminal.hpp"

namespace plucker::cli {
namespace {

using nlohmann::json;

// "-1.57 … 1.57", or nothing where there are no limits.
std::string limits_text(const JointLimits& l) {
    if (std::isinf(l.lower) && std::isinf(l.upper)) return "";
    return fmt::format("[{:.4g}, {:.4g}]", l.lower, l.upper);
}

// Of length one, as the model takes it, whatever the file says.
Vec3<double> direction_of(const Vec3<double>& axis) { return (1.0 / norm(axis)) * axis; }

// What is left of a zero that was turned says nothing, nor does the sign of one.
double without_dust(double x) { return std::abs(x) < 1e-12 ? 0 : x; }
Vec3<double> without_dust(const Vec3<double>& x) {
    return {without_dust(x.x), without_dust(x.y), without_dust(x.z)};
}

std::string axis_text(const Vec3<double>& axis) {
    const Vec3<double> a = without_dust(direction_of(axis));
    return fmt::format(" ({:.3g} {:.3g} {:.3g})", a.x, a.y, a.z);
}

std::string joint_text(const JointDescription& joint) {
    std::string out = name_of(joint.type);
    if (number_of_axes(joint.type) > 0) out += axis_text(joint.axis);
    if (number_of_axes(joint.type) > 1) out += axis_text(joint.second_axis);
    if (joint.type == JointType::kHelical) out += fmt::format(" {:.4g} m/rad", joint.pitch);
    if (joint.mimic) {
        out += fmt::format(" = {:.4g} · {} {} {:.4g}", joint.mimic->multiplier, joint.mimic->joint,
                           joint.mimic->offset < 0 ? "-" : "+", std::abs(joint.mimic->offset));
    }
    const std::string limits = limits_text(joint.limits);
    return limits.empty() ? out : out + " " + limits;
}

// Draws the tree of links with lines. A stack instead of recursion: chains are long.
void print_tree(const Description& d, bool floating) {
    std::map<std::string, std::vector<const JointDescription*>> from;
    std::map<std::string, const LinkDescription*> links;
    std::map<std::string, bool> is_child;
    for (const LinkDescription& link : d.links) links[link.name] = &link;
    for (const JointDescription& joint : d.joints) {
        from[joint.parent].push_back(&joint);
        is_child[joint.child] = true;
    }
    struct Entry {
        const JointDescription* joint;
        std::string indent;
        bool last;
    };
    std::vector<Entry> stack;
    const auto push_children = [&](const std::string& link, const std::string& indent) {
        const auto& children = from[link];
        for (std::size_t k = children.size(); k-- > 0;) {
            stack.push_back({children[k], indent, k + 1 == children.size()});
        }
    };
    const auto mass_text = [](const LinkDescription& link) {
        return link.mass.mass == 0 ? std::string() : fmt::format("  {:.4g} kg", link.mass.mass);
    };
    for (const LinkDescription& link : d.links) {
        if (is_child[link.name]) continue;
        print("{}{}  {}\n", bold(link.name), mass_text(link),
              floating ? "floating base" : "fixed base");
        push_children(link.name, "");
    }
    while (!stack.empty()) {
        const Entry entry = stack.back();
        stack.pop_back();
        // Beyond this depth lines would only run off the screen.
        constexpr std::size_t kWidest = 120;
        const std::string indent = entry.indent.size() > kWidest ? "… " : entry.indent;
        print("{}{}{}{}  {}: {}\n", indent, entry.last ? "└─ " : "├─ ", bold(entry.joint->child),
              mass_text(*links[entry.joint->child]), entry.joint->name, joint_text(*entry.joint));
        push_children(entry.joint->child, entry.indent.size() > kWidest
                                              ? entry.indent
                                              : entry.indent + (entry.last ? "   " : "│  "));
    }
}

// The number of the body that a joint moves by coordinates of its own; 0 for one that is fixed or mimics another.
std::map<std::string, int> bodies_by_joint(const Model& model) {
    std::map<std::string, int> out;
    for (int i = 1; i <= model.num_bodies(); ++i) {
        if (model.body(i).nv > 0 && !model.body(i).mimic) out[model.joint(i).name] = i;
    }
    return out;
}

// What the tree has no room for, one line per joint. Infinite limits and zeros are shown as dots.
void print_joints(const Model& model) {
    std::vector<const JointDescription*> joints;
    if (model.has_floating_base()) joints.push_back(&model.joint(1));
    for (const JointDescription& joint : model.description().joints) {
        if (joint.type != JointType::kFixed) joints.push_back(&joint);
    }
    if (joints.empty()) return;
    std::size_t width = 5;
    for (const JointDescription* joint : joints)
        width = std::max(width, display_width(visible(joint->name)));
    const std::map<std::string, int> bodies = bodies_by_joint(model);
    const auto number = [](double x) {
        return std::isinf(x) || x == 0 ? std::string(".") : fmt::format("{:.4g}", x);
    };
    print_heading("Joints: first indices in q and v, limits, dynamics");
    print("  {}  {:<11}{:>6}{:>6}{:>10}{:>10}{:>10}{:>10}{:>10}\n", padded("joint", width), "type",
          "q", "v", "velocity", "effort", "damping", "friction", "armature");
    for (const JointDescription* joint : joints) {
        const auto at = bodies.find(joint->name);
        const auto index = [&](int Body<double>::*member) {
            return at == bodies.end() ? std::string(".")
                                      : std::to_string(model.body(at->second).*member);
        };
        print("  {}  {:<11}{:>6}{:>6}{:>10}{:>10}{:>10}{:>10}{:>10}\n", padded(joint->name, width),
              name_of(joint->type), index(&Body<double>::q_index), index(&Body<double>::v_index),
              number(joint->limits.velocity), number(joint->limits.effort), number(joint->damping),
              number(joint->friction), number(joint->armature));
    }
}

// "no rotation about x y, no translation along x y z"
std::string axes_text(const std::array<bool, 6>& axes) {
    const auto some = [&](std::size_t first, const char* what) {
        std::string out;
        for (std::size_t k = 0; k < 3; ++k) {
            if (axes[first + k]) out += std::string(" ") + "xyz"[k];
        }
        return out.empty() ? out : what + out;
    };
    const std::string turns = some(0, "no rotation about"), moves = some(3, "no translation along");
    return turns.empty() || moves.empty() ? turns + moves : turns + ", " + moves;
}

std::string constraint_text(const ConstraintDescription& c) {
    if (c.kind == ConstraintKind::kDistance)
        return fmt::format("{} and {} {:.4g} m apart", c.frame_a, c.frame_b, c.distance);
    if (c.kind == ConstraintKind::kFrames)
        return fmt::format("{} to {}: {}", c.frame_a, c.frame_b, axes_text(c.axes));
    std::string out = fmt::format("{} = {:.4g}", c.joint_a, c.polynomial[0]);
    for (std::size_t k = 1; k < c.polynomial.size() && !c.joint_b.empty(); ++k) {
        if (c.polynomial[k] == 0) continue;
        out += fmt::format(" {} {:.4g} {}{}", c.polynomial[k] < 0 ? "-" : "+",
                           std::abs(c.polynomial[k]), c.joint_b,
                           k == 1 ? "" : "^" + std::to_string(k));
    }
    return out;
}

void print_constraints(const Model& model) {
    const auto& constraints = model.description().constraints;
    if (constraints.empty()) return;
    print_heading("Constraints, with their number of equations");
    for (std::size_t k = 0; k < constraints.size(); ++k) {
        print("  {} ({}): {}\n", constraints[k].name, model.constraints()[k].num_rows,
              constraint_text(constraints[k]));
    }
}

json constraint_json(const ConstraintDescription& c, const Constraint& resolved) {
    json out{{"name", c.name}, {"rows", resolved.num_rows}};
    switch (c.kind) {
        case ConstraintKind::kFrames:
            out["kind"] = "frames";
            out["axes"] = c.axes;
            break;
        case ConstraintKind::kDistance:
            out["kind"] = "distance";
            out["distance"] = c.distance;
            break;
        case ConstraintKind::kCoupling:
            out["kind"] = "coupling";
            out["joint_a"] = c.joint_a;
            out["joint_b"] = c.joint_b.empty() ? json(nullptr) : json(c.joint_b);
            out["polynomial"] = c.polynomial;
            return out;
    }
    out["frame_a"] = c.frame_a;
    out["frame_b"] = c.frame_b;
    return out;
}

json number_or_null(double x) { return std::isfinite(x) ? json(x) : json(nullptr); }
json array_of(const Vec3<double>& a) { return {a.x, a.y, a.z}; }

json pose_json(const Pose<double>& pose) {
    const Mat3<double>& R = pose.rotation;
    return {{"position", array_of(pose.position)},
            {"rotation", {array_of(R.x), array_of(R.y), array_of(R.z)}}};
}

json joint_json(const Model& model, const JointDescription& joint, int body) {
    json out{{"name", joint.name},
             {"type", name_of(joint.type)},
             {"parent", joint.parent},
             {"child", joint.child},
             {"placement", pose_json(joint.placement)},
             {"lower", number_or_null(joint.limits.lower)},
             {"upper", number_or_null(joint.limits.upper)},
             {"velocity_limit", number_or_null(joint.limits.velocity)},
             {"effort_limit", number_or_null(joint.limits.effort)},
             {"armature", joint.armature},
             {"damping", joint.damping},
             {"friction", joint.friction},
             {"q_index", nullptr},
             {"v_index", nullptr},
             {"nq", 0},
             {"nv", 0}};
    if (body > 0) {
        out["q_index"] = model.body(body).q_index;
        out["v_index"] = model.body(body).v_index;
        out["nq"] = model.body(body).nq;
        out["nv"] = model.body(body).nv;
    }
    const int axes = number_of_axes(joint.type);
    if (axes > 0) out["axis"] = array_of(without_dust(direction_of(joint.axis)));
    if (axes > 1) out["second_axis"] = array_of(without_dust(direction_of(joint.second_axis)));
    if (joint.type == JointType::kHelical) out["pitch"] = joint.pitch;
    if (joint.mimic) {
        out["mimic"] = {{"joint", joint.mimic->joint},
                        {"multiplier", joint.mimic->multiplier},
                        {"offset", joint.mimic->offset}};
    }
    return out;
}

// Of all joints in the order of the file, after the one on which the base floats.
json joints_json(const Model& model) {
    json out = json::array();
    if (model.has_floating_base()) {
        JointDescription base = model.joint(1);
        base.parent = model.body_name(0);
        base.child = model.body_name(1);
        out.push_back(joint_json(model, base, 1));
    }
    const std::map<std::string, int> bodies = bodies_by_joint(model);
    for (const JointDescription& joint : model.description().joints) {
        const auto at = bodies.find(joint.name);
        out.push_back(joint_json(model, joint, at == bodies.end() ? 0 : at->second));
    }
    return out;
}

json as_json(const Model& model, const std::vector<Diagnostic>& findings) {
    const Description& d = model.description();
    json out{{"name", model.name()},
             {"floating_base", model.has_floating_base()},
             {"bodies", model.num_bodies()},
             {"nq", model.nq()},
             {"nv", model.nv()},
             {"total_mass", model.total_mass()},
             {"masses", json::object()},
             {"gravity", array_of(model.gravity())},
             {"links", json::array()},
             {"joints", joints_json(model)},
             {"frames", json::array()},
             {"constraints", json::array()},
             {"configuration_order", Coordinates(model, Convention::kFile).q_names()},
             {"velocity_order", json::array()},
             {"warnings", json::array()}};
    for (const MassOf& part : masses_of(model)) {
        out["masses"][part.what] = {
            {"mass", part.mass},
            {"center_of_mass", part.mass > 0 ? array_of(part.center) : json(nullptr)}};
    }
    std::map<std::string, std::string> carriers;  // what a link or a named frame is attached to
    for (const JointDescription& joint : d.joints) carriers[joint.child] = joint.parent;
    for (const FrameDescription& frame : d.frames) carriers[frame.name] = frame.link;
    for (const LinkDescription& link : d.links) {
        const SymMat3<double>& I = link.mass.about_center;
        out["links"].push_back({{"name", link.name},
                                {"mass", link.mass.mass},
                                {"center_of_mass", array_of(link.mass.center)},
                                {"inertia", {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}},
                                {"visuals", link.visuals.size()},
                                {"collisions", link.collisions.size()}});
    }
    for (const Frame& frame : model.frames()) {
        const auto carrier = carriers.find(frame.name);
        out["frames"].push_back(
            {{"name", frame.name},
             {"parent", carrier == carriers.end() ? json(nullptr) : json(carrier->second)},
             {"body", model.body_name(frame.body)}});
    }
    for (std::size_t k = 0; k < d.constraints.size(); ++k)
        out["constraints"].push_back(constraint_json(d.constraints[k], model.constraints()[k]));
    for (const std::string& name : posture_names(model)) {
        const VectorX<double> q = posture(model, name);
        out["postures"][name] = std::vector<double>(q.begin(), q.end());
    }
    for (const int k : model.declared_velocity_order()) {
        out["velocity_order"].push_back(model.velocity_names()[static_cast<std::size_t>(k)]);
    }
    for (const Diagnostic& finding : findings) out["warnings"].push_back(to_string(finding));
    return out;
}

void print_info(const Model& model, const std::vector<Diagnostic>& findings) {
    const Description& d = model.description();
    print("{}: {}, {}, {}, {} of freedom ({})\n", bold(model.name()),
          counted(d.links.size(), "link"), counted(d.joints.size(), "joint"),
          counted(model.num_bodies(), "moving bod", "y", "ies"), counted(model.nv(), "degree"),
          counted(model.nq(), "coordinate"));
    for (const MassOf& part : masses_of(model)) {
        const bool is_said = part.what == std::string("whole") && part.mass == model.total_mass();
        if (part.mass == 0 || is_said) continue;
        const Vec3<double> c = without_dust(part.center);
        print("{} mass {:.6g} kg, centre ({:.4g} {:.4g} {:.4g})\n", part.what, part.mass, c.x, c.y,
              c.z);
    }
    print("gravity ({:.4g} {:.4g} {:.4g}) m/s²\n\n", model.gravity().x, model.gravity().y,
          model.gravity().z);
    print_tree(d, model.has_floating_base());
    print_joints(model);
    print_constraints(model);
    if (!d.postures.empty()) {
        print_heading("Postures");
        for (const PostureDescription& posture : d.postures) print("  {}\n", posture.name);
    }
    if (!d.frames.empty()) {
        print_heading("Frames");
        for (const FrameDescription& frame : d.frames) {
            const Vec3<double> p = without_dust(frame.placement.position);
            const int body = model.frame(model.frame_id(frame.name)).body;
            const std::string& carrier = model.body_name(body);
            print("  {} on {} at ({:.4g} {:.4g} {:.4g}){}\n", frame.name, frame.link, p.x, p.y, p.z,
                  carrier == frame.link ? "" : ", moved by " + carrier);
        }
    }
    if (findings.empty()) return;
    print_heading("Findings");
    for (const Diagnostic& finding : findings) print("  {}\n", to_string(finding));
}

}  // namespace

void add_info(CLI::App& app) {
    auto* command = app.add_subcommand(
        "info", "Show a robot: its tree, joints, limits, masses, frames, constraints");
    command->footer(
        "Examples:\n  plucker info robot.urdf --floating\n  plucker info builtin:exoskeleton "
        "--json");
    auto argument = add_model_argument(*command);
    auto use_json = std::make_shared<bool>(false);
    command->add_flag("--json", *use_json, "Machine-readable output");
    command->callback([argument, use_json] {
        ReadResult result = argument->read_sound();
        const std::vector<Diagnostic> findings = std::move(result.diagnostics);
        const Model model(std::move(result.description));
        if (*use_json) {
            print_json(as_json(model, findings));
        } else {
            print_info(model, findings);
        }
    });
}

}  // namespace plucker::cli
