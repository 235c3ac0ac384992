#include "plucker/model/edit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "rigid_parts.hpp"

namespace plucker {
namespace {

// The pose of a joint's child link in the joint's frame, at the configuration q.
Pose<double> joint_pose(const Model& model, int i, const std::vector<double>& q) {
    const Body<double>& body = model.body(i);
    if (static_cast<int>(q.size()) != body.nq) {
        throw Error::because("lock_joints: joint '", model.joint(i).name, "' (",
                             name_of(body.joint), ") has ", body.nq, " coordinates, but ", q.size(),
                             " were given");
    }
    for (const double x : q) {
        if (!std::isfinite(x)) {
            throw Error::because("lock_joints: joint '", model.joint(i).name,
                                 "' is given a value that is not finite");
        }
    }
    // Both transforms below carry the body's canonical frame; the child link sits in it by X_link_body.
    const Transform<double> X_link_body = model.frame(model.body_frame(i)).X_frame_body;
    Body<double> at_joint = body;
    at_joint.X_tree = inverse(X_link_body);  // canonical frame ← joint frame as described
    const Transform<double> X_body_joint = visit_joint(body.joint, [&](auto joint) {
        std::array<SinCos<double>, kMostAngles> angles{};
        if constexpr (joint.kAngles > 0) {
            for (int k = 0; k < joint.kAngles; ++k) {
                angles[static_cast<std::size_t>(k)] =
                    sin_cos(q[static_cast<std::size_t>(joint.kFirstAngle + k)]);
            }
        }
        return joint.transform(at_joint, q.data(), angles.data());
    });
    return to_pose(X_link_body * X_body_joint);
}

// What ties places that now move as one ties nothing any more.
void drop_idle_constraints(Description& d) {
    std::erase_if(d.constraints, [&](const ConstraintDescription& c) {
        return c.kind != ConstraintKind::kCoupling &&
               rigid_part_of(d, c.frame_a) == rigid_part_of(d, c.frame_b);
    });
}

// Whether anything is left of a coupling once some joints are held: the other joint is held with a held one.
bool is_left_of(ConstraintDescription& c, const std::map<std::string, double>& held) {
    const auto held_at = [&](const std::string& joint) {
        const auto found = held.find(joint);
        return found == held.end() ? std::nullopt : std::optional(found->second);
    };
    const std::optional<double> a = held_at(c.joint_a), b = held_at(c.joint_b);
    auto& p = c.polynomial;
    if (b) {
        p = {p[0] + *b * (p[1] + *b * (p[2] + *b * (p[3] + *b * p[4]))), 0, 0, 0, 0};
        c.joint_b.clear();
    }
    if (!a) return true;
    if (c.joint_b.empty()) return false;  // both are held
    if (p[1] == 0 || p[2] != 0 || p[3] != 0 || p[4] != 0) {
        throw Error::because("lock_joints: joint '", c.joint_a, "' is a polynomial of joint '",
                             c.joint_b, "' by constraint '", c.name,
                             "', which is not solved here; lock joint '", c.joint_b, "' too");
    }
    c.joint_a = std::exchange(c.joint_b, "");
    p = {(*a - p[0]) / p[1], 0, 0, 0, 0};
    return true;
}

}  // namespace

Model lock_joints(const Model& model, const std::map<std::string, std::vector<double>>& values) {
    Description d = model.description();
    for (const auto& [name, value] : values) {
        const int i = model.joint_index(name);
        if (model.body(i).mimic) {
            throw Error::because("lock_joints: joint '", name, "' mimics joint '",
                                 model.joint(i).mimic->joint, "'; lock that one");
        }
        if (model.has_floating_base() && i == 1) {
            throw Error::because(
                "lock_joints: the base floats; use with_base(model, Base::kFixed)");
        }
    }
    std::map<std::string, double> held;  // of joints of one coordinate
    for (int i = 1; i <= model.num_bodies(); ++i) {
        const Body<double>& body = model.body(i);
        // The joint that decides this one's value: itself, or the one it mimics.
        int source = i;
        while (model.joint(source).mimic)
            source = model.joint_index(model.joint(source).mimic->joint);
        const auto found = values.find(model.joint(source).name);
        if (found == values.end()) continue;
        std::vector<double> q = found->second;
        if (body.mimic && q.size() == 1) q[0] = body.multiplier * q[0] + body.offset;
        const Pose<double> moved = joint_pose(model, i, q);
        if (q.size() == 1) held[model.joint(i).name] = q[0];
        for (JointDescription& joint : d.joints) {
            if (joint.name != model.joint(i).name) continue;
            joint.placement = joint.placement * moved;
            joint.type = JointType::kFixed;
            joint.mimic.reset();
            joint.armature = joint.damping = joint.friction = 0;
            joint.limits = {};
        }
    }
    drop_idle_constraints(d);
    std::vector<ConstraintDescription> left;
    for (ConstraintDescription& c : d.constraints) {
        if (c.kind != ConstraintKind::kCoupling || is_left_of(c, held))
            left.push_back(std::move(c));
    }
    d.constraints = std::move(left);
    return Model(std::move(d));
}

namespace {

// What both had would be there twice.
void refuse_common_names(const Description& d, const Description& part, const std::string& prefix) {
    const auto refuse_common = [&](const char* kind, const auto& ours, const auto& theirs) {
        std::set<std::string> names;
        for (const auto& each : ours) names.insert(each.name);
        for (const auto& each : theirs) {
            if (!names.contains(prefix + each.name)) continue;
            throw Error::because("attach: both robots have a ", kind, " '", prefix, each.name,
                                 "'; give the names of the part ",
                                 prefix.empty() ? "a prefix" : "another prefix");
        }
    };
    refuse_common("link", d.links, part.links);
    refuse_common("joint", d.joints, part.joints);
    // Links are frames, too.
    refuse_common("frame", d.frames, part.frames);
    refuse_common("frame", d.links, part.frames);
    refuse_common("frame", d.frames, part.links);
    refuse_common("constraint", d.constraints, part.constraints);
    refuse_common("posture", d.postures, part.postures);
}

Model with_part(const Model& model, const std::string& frame, const Model& part,
                const Pose<double>& placement, const std::string& prefix) {
    Description d = model.description();
    const FrameId at = model.frame_id(frame);
    // The frame as a link and a place on it.
    std::string link = frame;
    Pose<double> place;
    for (const FrameDescription& named : d.frames) {
        if (named.name == model.frame(at).name) {
            link = named.link;
            place = named.placement;
        }
    }
    const Description& p = part.description();
    // What was let pass before is not refused now.
    if (p.physics == Physics::kLenient) d.physics = Physics::kLenient;
    std::set<std::string> children;
    for (const JointDescription& joint : p.joints) children.insert(joint.child);
    std::string root;
    for (LinkDescription copy : p.links) {
        if (!children.contains(copy.name)) root = copy.name;
        copy.name = prefix + copy.name;
        d.links.push_back(std::move(copy));
    }
    for (JointDescription joint : p.joints) {
        joint.name = prefix + joint.name;
        joint.parent = prefix + joint.parent;
        joint.child = prefix + joint.child;
        if (joint.mimic) joint.mimic->joint = prefix + joint.mimic->joint;
        d.joints.push_back(std::move(joint));
    }
    for (const FrameDescription& named : p.frames) {
        d.frames.push_back(
            {prefix + named.name, prefix + named.link, named.placement, named.source});
    }
    const auto prefixed = [&](std::string& named) {
        const auto is_it = [&](const auto& each) { return each.name == named; };
        const bool is_of_part = std::any_of(p.links.begin(), p.links.end(), is_it) ||
                                std::any_of(p.frames.begin(), p.frames.end(), is_it);
        if (is_of_part) named = prefix + named;  // and not the world
    };
    for (ConstraintDescription c : p.constraints) {
        c.name = prefix + c.name;
        prefixed(c.frame_a);
        prefixed(c.frame_b);
        if (!c.joint_a.empty()) c.joint_a = prefix + c.joint_a;
        if (!c.joint_b.empty()) c.joint_b = prefix + c.joint_b;
        d.constraints.push_back(std::move(c));
    }
    for (const auto& [a, b] : p.never_touching)
        d.never_touching.emplace_back(prefix + a, prefix + b);
    for (PostureDescription posture : p.postures) {
        posture.name = prefix + posture.name;
        for (auto& [joint, coordinates] : posture.joints) joint = prefix + joint;
        d.postures.push_back(std::move(posture));
    }
    JointDescription mount = fixed(prefix + root + "_mount").at(place * placement);
    mount.parent = link;
    mount.child = prefix + root;
    d.joints.push_back(std::move(mount));
    return Model(std::move(d));
}

}  // namespace

Model attach(const Model& model, const std::string& frame, const Model& part,
             const Pose<double>& placement, const std::string& prefix) {
    refuse_common_names(model.description(), part.description(), prefix);
    return with_part(model, frame, part, placement, prefix);
}

Model with_base(const Model& model, Base base) {
    Description d = model.description();
    d.base = base;
    drop_idle_constraints(d);
    return Model(std::move(d));
}

Model with_gravity(const Model& model, const Vec3<double>& gravity) {
    Description d = model.description();
    d.gravity = gravity;
    return Model(std::move(d));
}

Model with_friction(const Model& model, bool on) {
    return on ? model : Model(without_friction(model.description()));
}

Description without_friction(Description description) {
    for (JointDescription& joint : description.joints) joint.damping = joint.friction = 0;
    return description;
}

Model with_mass(const Model& model, const std::string& link, const MassProperties& mass) {
    check_mass("with_mass", link, mass, model.is_strict());
    Description d = model.description();
    std::vector<std::string> names;
    for (LinkDescription& each : d.links) {
        if (each.name == link) {
            each.mass = mass;
            each.source = {};  // no line of a file says it
            return Model(std::move(d));
        }
        names.push_back(each.name);
    }
    throw unknown_name("link", link, names);
}

Model with_payload(const Model& model, const std::string& frame, const MassProperties& load,
                   const std::string& name) {
    check_mass("with_payload", name, load, model.is_strict());
    Description part;
    part.name = name;
    part.links.push_back({name, load});
    part.physics = model.description().physics;
    return with_part(model, frame, Model(std::move(part)), {}, "");
}

}  // namespace plucker
