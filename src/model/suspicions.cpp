#include "plucker/model/suspicions.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <map>

#include "plucker/joints/joint.hpp"
#include "plucker/model/error.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker {
namespace {

constexpr double kPi = 3.14159265358979323846;

// The volume of a shape with one; zero where it cannot be told (meshes, planes).
double volume(const Geometry& geometry) {
    struct Visitor {
        double operator()(const Box& b) const { return b.size.x * b.size.y * b.size.z; }
        double operator()(const Cylinder& c) const { return kPi * c.radius * c.radius * c.length; }
        double operator()(const Capsule& c) const {
            return kPi * c.radius * c.radius * (c.length + 4.0 / 3 * c.radius);
        }
        double operator()(const Sphere& s) const { return 4.0 / 3 * kPi * std::pow(s.radius, 3); }
        double operator()(const Ellipsoid& e) const {
            return 4.0 / 3 * kPi * e.radii.x * e.radii.y * e.radii.z;
        }
        double operator()(const Plane&) const { return 0; }
        double operator()(const Mesh&) const { return 0; }
    };
    return std::visit(Visitor{}, geometry);
}

// The name with left and right exchanged, or an empty text if it names no side.
std::string other_side(const std::string& name) {
    static const std::pair<std::string, std::string> kSides[] = {
        {"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}};
    for (const auto& [left, right] : kSides) {
        for (const auto& [from, to] : {std::pair{left, right}, std::pair{right, left}}) {
            if (const auto at = name.find(from); at != std::string::npos) {
                return name.substr(0, at) + to + name.substr(at + from.size());
            }
        }
    }
    // l_knee, L_knee, knee_l, FL_hip and so on: a single letter that stands apart.
    static const std::pair<std::string, std::string> kLetters[] = {
        {"l_", "r_"},   {"L_", "R_"},   {"lf_", "rf_"}, {"lh_", "rh_"}, {"LF_", "RF_"},
        {"LH_", "RH_"}, {"FL_", "FR_"}, {"RL_", "RR_"}, {"fl_", "fr_"}, {"rl_", "rr_"}};
    for (const auto& [left, right] : kLetters) {
        for (const auto& [from, to] : {std::pair{left, right}, std::pair{right, left}}) {
            if (name.starts_with(from)) return to + name.substr(from.size());
        }
    }
    static const std::pair<std::string, std::string> kEndings[] = {{"_l", "_r"}, {"_L", "_R"}};
    for (const auto& [left, right] : kEndings) {
        for (const auto& [from, to] : {std::pair{left, right}, std::pair{right, left}}) {
            if (name.ends_with(from)) return name.substr(0, name.size() - from.size()) + to;
        }
    }
    return "";
}

// Two numbers that a symmetric robot would have equal but for the sign: the same to a few digits, or so far
// apart that the robot is not meant to be symmetric. In between somebody mistyped a digit.
bool looks_mistyped(double a, double b, double nothing = 1e-9) {
    const double x = std::abs(a);
    const double y = std::abs(b);
    const double larger = std::max(x, y);
    return larger > nothing && std::abs(x - y) > 1e-3 * larger;
}
// Nobody types micrometres: a drawing that was rounded has them.
constexpr double kNoLength = 1e-5;

class Suspicions {
public:
    explicit Suspicions(const Description& d) : d_(d) {
        for (const LinkDescription& link : d.links) links_[link.name] = &link;
        for (const JointDescription& joint : d.joints) {
            joints_[joint.name] = &joint;
            joint_to_[joint.child] = &joint;
            joints_from_[joint.parent].push_back(&joint);
        }
    }

    std::vector<Diagnostic> run() && {
        for (const LinkDescription& link : d_.links) check_link(link);
        for (const JointDescription& joint : d_.joints) check_joint(joint);
        for (const JointDescription& joint : d_.joints) check_follower(joint);
        return std::move(found_);
    }

private:
    template <class... Parts>
    void add(Severity severity, const SourceLocation& at, const std::string& element,
             const Parts&... parts) {
        found_.push_back({severity, at, element, Error::because(parts...).what()});
    }

    bool moves(const LinkDescription& link) const {
        return joint_to_.contains(link.name) || d_.base == Base::kFloating;
    }
    // Calls f with every joint that leaves the link, or what hangs on it by fixed joints, and with each
    // link of that rigid group.
    template <class OnLink, class OnJoint>
    void walk_rigid_group(const std::string& link, OnLink&& on_link, OnJoint&& on_joint) const {
        std::vector<std::string> stack{link};
        while (!stack.empty()) {
            const std::string at = stack.back();
            stack.pop_back();
            on_link(*links_.at(at));
            const auto from = joints_from_.find(at);
            if (from == joints_from_.end()) continue;
            for (const JointDescription* joint : from->second) {
                on_joint(*joint);
                if (joint->type == JointType::kFixed) stack.push_back(joint->child);
            }
        }
    }
    bool is_massless_leaf(const std::string& link) const {
        double mass = 0;
        bool carries_a_joint = false;
        walk_rigid_group(
            link, [&](const LinkDescription& part) { mass += part.mass.mass; },
            [&](const JointDescription& joint) {
                carries_a_joint |= joint.type != JointType::kFixed;
            });
        return mass == 0 && !carries_a_joint;
    }

    void check_link(const LinkDescription& link) {
        const std::string element = "link '" + link.name + "'";
        const auto warn = [&](const auto&... parts) {
            add(Severity::kWarning, link.source, element, parts...);
        };
        const MassProperties& m = link.mass;
        const auto joint = joint_to_.find(link.name);
        const bool on_moving_joint =
            joint != joint_to_.end() && joint->second->type != JointType::kFixed;
        if (on_moving_joint && joint->second->armature == 0 && is_massless_leaf(link.name)) {
            warn("moves on joint '", joint->second->name,
                 "' but has no mass, nor has anything on it: forward dynamics is impossible; give "
                 "it an "
                 "inertial, or fix the joint");
        }
        if (m.mass > 0) {
            const Eigen::Vector3d e =
                Eigen::SelfAdjointEigenSolver<Matrix3<double>>(to_eigen(m.about_center))
                    .eigenvalues();
            // In a file that is an inertia that no body has, and said by find_errors.
            if (e[2] == 0 && on_moving_joint && link.source.file.empty()) {
                add(Severity::kNote, link.source, element, "has mass ", m.mass,
                    " kg but no rotational inertia: a point mass");
            }
            // The radius of gyration tells the size of a body: of a hair or of a house?
            const double gyration = std::sqrt(std::max(e[2], 0.0) / m.mass);
            if (gyration > 10) {
                warn("its inertia ", e[2], " kg m² for ", m.mass,
                     " kg means a radius of gyration of ", gyration, " m; are the units right?");
            }
            if (e[2] > 0 && gyration < 1e-4) {
                warn("its inertia ", e[2], " kg m² for ", m.mass,
                     " kg means a radius of gyration of ", gyration, " m; are the units right?");
            }
            if (m.mass > 1e4) warn("its mass is ", m.mass, " kg; is it in grams?");
            if (norm(m.center) > 10) {
                warn("its centre of mass is ", norm(m.center),
                     " m from its frame; is it in millimetres?");
            }
            check_density(link, warn);
        }
        if (moves(link)) compare_sides(link);
    }

    template <class Warn>
    void check_density(const LinkDescription& link, const Warn& warn) {
        double total = 0;
        for (const Shape& shape : link.collisions) total += volume(shape.geometry);
        if (link.collisions.empty()) {
            for (const Shape& shape : link.visuals) total += volume(shape.geometry);
        }
        if (!(total > 1e-9)) return;
        // Lighter than foam or heavier than osmium.
        const double density = link.mass.mass / total;
        if (density < 1 || density > 23000) {
            warn("its mass ", link.mass.mass, " kg in ", total, " m³ of shapes is a density of ",
                 density, " kg/m³; check the mass and the sizes");
        }
    }

    void compare_sides(const LinkDescription& link) {
        const auto found = links_.find(other_side(link.name));
        // Each pair once, from the side that comes first in the alphabet.
        if (found == links_.end() || found->first < link.name) return;
        const MassProperties& a = link.mass;
        const MassProperties& b = found->second->mass;
        const auto compare = [&](const char* what, double x, double y, double nothing = 1e-9) {
            if (looks_mistyped(x, y, nothing)) {
                add(Severity::kWarning, found->second->source, "link '" + found->first + "'",
                    "its ", what, " is ", y, ", but that of '", link.name, "' is ", x,
                    "; is one mistyped?");
            }
        };
        compare("mass", a.mass, b.mass);
        compare("centre of mass x", a.center.x, b.center.x, kNoLength);
        compare("centre of mass y", a.center.y, b.center.y, kNoLength);
        compare("centre of mass z", a.center.z, b.center.z, kNoLength);
        compare("inertia xx", a.about_center.xx, b.about_center.xx);
        compare("inertia yy", a.about_center.yy, b.about_center.yy);
        compare("inertia zz", a.about_center.zz, b.about_center.zz);
    }

    void check_joint(const JointDescription& joint) {
        const std::string element = "joint '" + joint.name + "'";
        const auto warn = [&](const auto&... parts) {
            add(Severity::kWarning, joint.source, element, parts...);
        };
        if (norm(joint.placement.position) > 100) {
            warn("its place is ", norm(joint.placement.position),
                 " m from its parent's frame; is it in millimetres?");
        }
        const JointLimits& l = joint.limits;
        if (!has_one_freedom(joint.type)) return;
        if (l.lower == l.upper) {
            warn("its limits leave no room: lower = upper = ", l.lower,
                 "; make it fixed, or correct them");
        }
        if (joint.type == JointType::kRevolute && std::isfinite(l.upper) &&
            std::isfinite(l.lower) && std::max(std::abs(l.lower), std::abs(l.upper)) > 20) {
            warn("its limits are ", l.lower, " to ", l.upper,
                 " rad, more than three turns; are they in degrees?");
        }
        if (l.velocity == 0) warn("its velocity limit is 0: it could not move");
        if (l.effort == 0) {
            add(Severity::kNote, joint.source, element,
                "its effort limit is 0: it could not be driven");
        }
        const auto found = joints_.find(other_side(joint.name));
        if (found == joints_.end() || found->first < joint.name) return;
        const JointLimits& r = found->second->limits;
        const auto finite = [](double x) { return std::isfinite(x) ? x : 0.0; };
        // Mirrored joints have equal or exchanged limits.
        const bool equal = !looks_mistyped(finite(l.lower), finite(r.lower)) &&
                           !looks_mistyped(finite(l.upper), finite(r.upper));
        const bool exchanged = !looks_mistyped(finite(l.lower), finite(r.upper)) &&
                               !looks_mistyped(finite(l.upper), finite(r.lower));
        if (!equal && !exchanged) {
            add(Severity::kWarning, found->second->source, "joint '" + found->first + "'",
                "its limits are ", r.lower, " to ", r.upper, ", but those of '", joint.name,
                "' are ", l.lower, " to ", l.upper, "; is one mistyped?");
        }
        const auto compare = [&](const char* what, double x, double y) {
            if (looks_mistyped(x, y, kNoLength)) {
                add(Severity::kWarning, found->second->source, "joint '" + found->first + "'",
                    "its ", what, " is ", y, ", but that of '", joint.name, "' is ", x,
                    "; is one mistyped?");
            }
        };
        const Vec3<double>& p = joint.placement.position;
        const Vec3<double>& o = found->second->placement.position;
        compare("place x", p.x, o.x);
        compare("place y", p.y, o.y);
        compare("place z", p.z, o.z);
    }

    // Whether the joint that leads can go all the way between its own limits.
    void check_follower(const JointDescription& joint) {
        double multiplier = 1, offset = 0;
        const JointDescription* leader = &joint;
        while (leader->mimic) {
            offset += multiplier * leader->mimic->offset;
            multiplier *= leader->mimic->multiplier;
            leader = joints_.at(leader->mimic->joint);
        }
        if (leader == &joint) return;
        const JointLimits& own = leader->limits;
        const JointLimits left = narrowed(own, joint.limits, multiplier, offset);
        // Limits are rounded in files, and multipliers too.
        const double room = left.upper - left.lower,
                     rounding = std::isfinite(room) ? 1e-3 * room : 0;
        if (left.lower <= own.lower + rounding && left.upper >= own.upper - rounding) return;
        const auto warn = [&](const auto&... parts) {
            add(Severity::kWarning, joint.source, "joint '" + joint.name + "'", "moves as ",
                linear(multiplier, leader->name, offset), "; its limits ", joint.limits.lower,
                " to ", joint.limits.upper, parts..., own.lower, " to ", own.upper,
                "; correct one of them");
        };
        if (left.lower > left.upper) {
            warn(" leave '", leader->name, "' no room between its own, ");
        } else {
            warn(" keep '", leader->name, "' between ", left.lower, " and ", left.upper,
                 ", short of its own, ");
        }
    }
    // "-2 · 'a' + 0.5"
    static std::string linear(double multiplier, const std::string& name, double offset) {
        std::string out = "'" + name + "'";
        if (multiplier != 1) out = Error::because(multiplier, " · ", out).what();
        if (offset == 0) return out;
        return Error::because(out, offset < 0 ? " - " : " + ", std::abs(offset)).what();
    }

    const Description& d_;
    std::vector<Diagnostic> found_;
    std::map<std::string, const LinkDescription*> links_;
    std::map<std::string, const JointDescription*> joints_;
    std::map<std::string, const JointDescription*> joint_to_;
    std::map<std::string, std::vector<const JointDescription*>> joints_from_;
};

}  // namespace

std::vector<Diagnostic> find_suspicions(const Description& description) {
    return Suspicions(description).run();
}

}  // namespace plucker
