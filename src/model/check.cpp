// Checks a description before it is compiled, and says all that is wrong with it.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "plucker/joints/joint.hpp"
#include "plucker/model/description.hpp"
#include "plucker/model/error.hpp"
#include "plucker/spatial/eigen.hpp"
#include "rigid_parts.hpp"

namespace plucker {
namespace {

bool all_finite(std::initializer_list<double> numbers) {
    for (const double x : numbers) {
        if (!std::isfinite(x)) return false;
    }
    return true;
}
bool all_finite(const Vec3<double>& a) { return all_finite({a.x, a.y, a.z}); }
bool all_finite(const SymMat3<double>& a) {
    return all_finite({a.xx, a.xy, a.xz, a.yy, a.yz, a.zz});
}

// Masses beyond these would overflow or vanish in the products that the algorithms form.
constexpr double kLargest = 1e30;
constexpr double kSmallest = 1e-30;

class Checker {
public:
    explicit Checker(const Description& description) : d_(description) {}

    std::vector<Diagnostic> run() && {
        if (d_.links.empty()) {
            report(d_.source, robot(), "has no links; it needs at least a root link");
            return std::move(found_);
        }
        index_names("link", d_.links, links_);
        index_names("joint", d_.joints, joints_);
        index_names("frame", d_.frames, frames_);
        if (!all_finite(d_.gravity)) report(d_.source, robot(), "gravity is not finite");
        for (const LinkDescription& link : d_.links) check_mass(link);
        for (const JointDescription& joint : d_.joints) check_joint(joint);
        for (const FrameDescription& frame : d_.frames) check_frame(frame);
        check_tree();
        for (const JointDescription& joint : d_.joints) check_mimic(joint);
        Index constraints;
        index_names("constraint", d_.constraints, constraints);
        for (const ConstraintDescription& constraint : d_.constraints) check_constraint(constraint);
        for (const auto& [a, b] : d_.never_touching) check_never_touching(a, b);
        Index postures;
        index_names("posture", d_.postures, postures);
        for (const PostureDescription& posture : d_.postures) check_posture(posture);
        const std::string& base = d_.base_joint;
        if (d_.base == Base::kFloating && joints_.contains(base)) {
            report(d_.joints[joints_.at(base)].source, "joint '" + base + "'",
                   "with a floating base this name belongs to the floating joint; rename joint '",
                   base, "'");
        }
        return std::move(found_);
    }

private:
    using Index = std::unordered_map<std::string, std::size_t>;

    template <class... Parts>
    void report(const SourceLocation& at, const std::string& element, const Parts&... parts) {
        found_.push_back({Severity::kError, at, element, Error::because(parts...).what()});
    }
    std::string robot() const { return "robot '" + d_.name + "'"; }

    template <class Items>
    void index_names(const std::string& kind, const Items& items, Index& index) {
        for (std::size_t k = 0; k < items.size(); ++k) {
            const auto& item = items[k];
            if (item.name.empty()) report(item.source, robot(), "a ", kind, " has an empty name");
            const auto [first, is_new] = index.emplace(item.name, k);
            if (!is_new) {
                report(item.source, robot(), "two ", kind, "s are named '", item.name, "'",
                       line_of(items[first->second].source), "; give one of them another name");
            }
        }
    }
    static std::string line_of(const SourceLocation& at) {
        return at.line > 0 ? " (the first in line " + std::to_string(at.line) + ")" : "";
    }

    template <class Items>
    std::string unknown(const std::string& kind, const std::string& name, const Items& items) {
        // Comparing every unknown name with every known one would take hours for a large broken file.
        constexpr int kSuggestAtMost = 50;
        if (++unknown_names_ > kSuggestAtMost) return "unknown " + kind + " '" + name + "'";
        std::vector<std::string> names;
        for (const auto& item : items) names.push_back(item.name);
        return unknown_name(kind, name, names).what();
    }

    void check_placement(const SourceLocation& at, const std::string& element,
                         const Pose<double>& pose) {
        const Matrix3<double> R = to_eigen(pose.rotation);
        if (!R.allFinite() || !all_finite(pose.position)) {
            report(at, element, "placement has a number that is not finite");
            return;
        }
        // A rotation from a file has a few rounded digits at worst; anything beyond is a mistake.
        constexpr double kTolerance = 1e-6;
        if ((R * R.transpose() - Matrix3<double>::Identity()).norm() > kTolerance ||
            R.determinant() < 0) {
            report(at, element, "placement's rotation is not a rotation matrix (determinant ",
                   R.determinant(), ")");
        }
        const Vec3<double>& p = pose.position;
        if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) > kLargest) {
            report(at, element, "its position is beyond ", kLargest,
                   " m; too large to compute with");
        }
    }

    void check_mass(const LinkDescription& link) {
        const MassProperties& m = link.mass;
        const std::string element = "link '" + link.name + "'";
        const auto complain = [&](const auto&... parts) { report(link.source, element, parts...); };
        if (!all_finite({m.mass}) || !all_finite(m.center) || !all_finite(m.about_center)) {
            complain("mass, centre or inertia has a number that is not finite");
            return;
        }
        if (m.mass < 0) complain("mass is ", m.mass, " kg; it must not be negative");
        const Matrix3<double> I = to_eigen(m.about_center);
        if (m.mass > kLargest || I.cwiseAbs().maxCoeff() > kLargest || norm(m.center) > kLargest) {
            complain("mass, centre or inertia is beyond ", kLargest, "; too large to compute with");
            return;
        }
        if (m.mass > 0 && m.mass < kSmallest) {
            complain("mass is ", m.mass,
                     " kg; too small to compute with: make it 0, or a real mass");
        }
        check_physics(link);
    }

    // Inertias that no body has. They can be computed with all the same, and so they may be let pass.
    void check_physics(const LinkDescription& link) {
        const MassProperties& m = link.mass;
        const auto complain = [&](const auto&... parts) {
            report(link.source, "link '" + link.name + "'", parts...);
            if (d_.physics == Physics::kLenient) found_.back().severity = Severity::kWarning;
        };
        if (m.mass > 0 && m.about_center == SymMat3<double>{} && !link.source.file.empty()) {
            // In code, MassProperties::point says that this is meant.
            complain("mass is ", m.mass,
                     " kg but its rotational inertia is zero, as of a point; give it its inertia");
        } else if (const std::string why = why_no_body(m); !why.empty()) {
            complain(why);
        }
    }

    void check_joint(const JointDescription& joint) {
        const std::string element = "joint '" + joint.name + "'";
        const auto complain = [&](const auto&... parts) {
            report(joint.source, element, parts...);
        };
        check_placement(joint.source, element, joint.placement);
        const auto axis_is_sound = [&](const char* which, const Vec3<double>& axis) {
            // Written so that NaN, and what over- or underflows when squared, is refused.
            const double length = norm(axis);
            if (all_finite(axis) && length > 1e-12 && length < kLargest) return true;
            complain(which, " is (", axis.x, " ", axis.y, " ", axis.z,
                     "); it must be a finite vector that is not zero");
            return false;
        };
        const bool has_two_axes = number_of_axes(joint.type) == 2;
        if (axis_is_sound("axis", joint.axis) &&
            (!has_two_axes || axis_is_sound("second axis", joint.second_axis))) {
            visit_joint(joint.type, [&](auto type) { type.check(joint, complain); });
        }
        if (!all_finite({joint.pitch, joint.armature, joint.damping, joint.friction})) {
            complain("pitch, armature, damping or friction is not finite");
        }
        const std::pair<const char*, double> constants[] = {
            {"armature", joint.armature}, {"damping", joint.damping}, {"friction", joint.friction}};
        for (const auto& [what, value] : constants) {
            if (value < 0) complain(what, " is ", value, "; it must not be negative");
        }
        const JointLimits& l = joint.limits;
        constexpr double kInfinite = std::numeric_limits<double>::infinity();
        if (std::isnan(l.lower) || std::isnan(l.upper) || l.lower > l.upper) {
            complain("lower limit ", l.lower, " and upper limit ", l.upper,
                     "; lower must not exceed upper");
        } else if (l.lower == kInfinite || l.upper == -kInfinite) {
            complain("lower limit ", l.lower, " and upper limit ", l.upper,
                     "; no number lies between them");
        }
        if (!(l.velocity >= 0) || !(l.effort >= 0)) {
            complain("velocity limit ", l.velocity, " and effort limit ", l.effort,
                     "; they must not be negative");
        }
    }

    void check_frame(const FrameDescription& frame) {
        const std::string element = "frame '" + frame.name + "'";
        if (links_.contains(frame.name))
            report(frame.source, element, "has the name of a link; rename it");
        if (!links_.contains(frame.link)) {
            report(frame.source, element, unknown("link", frame.link, d_.links));
        }
        check_placement(frame.source, element, frame.placement);
    }

    // Every link but one, the root, must be the child of exactly one joint, and be reached from the root.
    void check_tree() {
        constexpr std::size_t kNone = static_cast<std::size_t>(-1);
        std::vector<const JointDescription*> joint_to(d_.links.size(), nullptr);
        std::vector<std::size_t> parent(d_.links.size(), kNone);
        bool broken = false;
        for (const JointDescription& joint : d_.joints) {
            const std::string element = "joint '" + joint.name + "'";
            const auto p = links_.find(joint.parent);
            const auto c = links_.find(joint.child);
            if (p == links_.end()) {
                report(joint.source, element, unknown("parent link", joint.parent, d_.links));
            }
            if (c == links_.end()) {
                report(joint.source, element, unknown("child link", joint.child, d_.links));
            }
            if (p == links_.end() || c == links_.end()) {
                broken = true;
                continue;
            }
            const std::size_t child = c->second;
            if (joint_to[child] != nullptr) {
                report(joint.source, "link '" + joint.child + "'", "has two parents, by joints '",
                       joint_to[child]->name, "' and '", joint.name,
                       "'; a robot must be a tree: remove one, and close the loop by a constraint, "
                       "which code (Builder::constraint), SDF and MJCF (<connect>, <weld>) have");
                continue;
            }
            joint_to[child] = &joint;
            parent[child] = p->second;
        }
        std::size_t root = kNone;
        for (std::size_t i = 0; i < parent.size(); ++i) {
            if (broken) break;  // links look like roots because their joints are wrong
            if (parent[i] != kNone) continue;
            if (root == kNone) {
                root = i;
            } else {
                report(d_.links[i].source, robot(), "has two roots, links '", d_.links[root].name,
                       "' and '", d_.links[i].name, "'; connect one to the other with a joint");
            }
        }
        // From each link walk to the root, marking; a walk that meets its own mark is a cycle.
        std::vector<std::size_t> walk(parent.size(), 0);
        for (std::size_t i = 0; i < parent.size(); ++i) {
            std::size_t at = i;
            while (walk[at] == 0 && parent[at] != kNone) {
                walk[at] = i + 1;
                at = parent[at];
            }
            if (walk[at] == i + 1 && parent[at] != kNone) {
                report(joint_to[at]->source, "link '" + d_.links[at].name + "'",
                       "is its own ancestor, through joint '", joint_to[at]->name,
                       "'; a robot must be a tree");
            }
        }
    }

    void check_mimic(const JointDescription& joint) {
        if (!joint.mimic) return;
        const std::string element = "joint '" + joint.name + "'";
        if (!all_finite({joint.mimic->multiplier, joint.mimic->offset})) {
            report(joint.source, element, "mimic multiplier or offset is not finite");
        }
        const auto followed = joints_.find(joint.mimic->joint);
        if (followed == joints_.end()) {
            report(joint.source, element, "mimics an ",
                   unknown("joint", joint.mimic->joint, d_.joints));
            return;
        }
        // Follow the mimics: more steps than joints means a cycle.
        const JointDescription* at = &joint;
        for (std::size_t steps = 0; at->mimic; ++steps) {
            if (steps > d_.joints.size()) {
                report(joint.source, element, "mimics a joint that, in the end, mimics it");
                return;
            }
            const auto next = joints_.find(at->mimic->joint);
            if (next == joints_.end()) return;  // reported where that joint is checked
            at = &d_.joints[next->second];
        }
        if (!has_one_freedom(joint.type) || !has_one_freedom(at->type)) {
            report(joint.source, element, "is ", name_of(joint.type), " and mimics joint '",
                   at->name, "', which is ", name_of(at->type),
                   "; both must have one degree of freedom");
        }
    }

    void check_constraint(const ConstraintDescription& c) {
        if (c.kind == ConstraintKind::kCoupling) {
            check_coupling(c);
            return;
        }
        const std::string element = "constraint '" + c.name + "'";
        const auto complain = [&](const auto&... parts) { report(c.source, element, parts...); };
        check_placement(c.source, element, c.placement_a);
        check_placement(c.source, element, c.placement_b);
        if (c.kind == ConstraintKind::kDistance && !(c.distance > 0 && c.distance < kLargest)) {
            complain("distance is ", c.distance,
                     " m; it must be positive and finite. Two points that coincide are a connect");
        }
        if (c.kind == ConstraintKind::kFrames &&
            std::find(c.axes.begin(), c.axes.end(), true) == c.axes.end()) {
            complain("prevents nothing; choose at least one of its six axes");
        }
        const std::string link_a = link_of_frame(c, c.frame_a),
                          link_b = link_of_frame(c, c.frame_b);
        if (link_a.empty() || link_b.empty()) return;
        const std::string rigid_a = rigid_part_of(d_, link_a);
        if (rigid_a != rigid_part_of(d_, link_b)) return;
        complain("frames '", c.frame_a, "' and '", c.frame_b,
                 rigid_a == kWorldFrame ? "' are both fixed in the world"
                                        : "' are on links that no joint moves apart",
                 "; a constraint ties two parts that move");
    }

    // The link of a frame that a constraint names, or the world; empty: there is none, which is reported.
    std::string link_of_frame(const ConstraintDescription& c, const std::string& name) {
        if (links_.contains(name)) return name;
        if (const auto found = frames_.find(name); found != frames_.end())
            return d_.frames[found->second].link;
        if (name == kWorldFrame) return kWorldFrame;
        std::vector<LinkDescription> known = d_.links;
        for (const FrameDescription& frame : d_.frames) known.push_back({frame.name, {}});
        report(c.source, "constraint '" + c.name + "'", unknown("frame", name, known));
        return {};
    }

    void check_coupling(const ConstraintDescription& c) {
        const auto complain = [&](const auto&... parts) {
            report(c.source, "constraint '" + c.name + "'", parts...);
        };
        for (const double coefficient : c.polynomial) {
            if (!std::isfinite(coefficient))
                complain("a coefficient of its polynomial is not finite");
        }
        for (const std::string* name : {&c.joint_a, &c.joint_b}) {
            if (name->empty() && name == &c.joint_b) continue;
            const auto found = joints_.find(*name);
            if (found == joints_.end()) {
                complain(unknown("joint", *name, d_.joints));
            } else if (const JointType type = d_.joints[found->second].type;
                       !has_one_freedom(type)) {
                complain("joint '", *name, "' is ", name_of(type),
                         "; a coupling takes joints of one degree of freedom");
            }
        }
        if (c.joint_a == c.joint_b) {
            complain("couples joint '", c.joint_a,
                     "' with itself; name another, or none to hold it where it is");
        }
    }

    void check_never_touching(const std::string& a, const std::string& b) {
        for (const std::string& name : {a, b}) {
            if (links_.contains(name)) continue;
            report(d_.source, robot(), "a pair that never touches names an ",
                   unknown("link", name, d_.links));
        }
    }

    // Joints may have gone or been locked since it was described; those that move have as many coordinates.
    void check_posture(const PostureDescription& posture) {
        for (const auto& [name, coordinates] : posture.joints) {
            const std::string who = "posture '" + posture.name + "'";
            for (const double x : coordinates) {
                if (!std::isfinite(x))
                    report(posture.source, who, "a coordinate of joint '", name, "' is ", x);
            }
            JointType type = JointType::kFloating;
            if (const auto at = joints_.find(name); at != joints_.end()) {
                type = d_.joints[at->second].type;
            } else if (d_.base != Base::kFloating || name != d_.base_joint) {
                continue;
            }
            int nq = 0;
            visit_joint(type, [&](auto joint) { nq = joint.kNq; });
            if (nq > 0 && static_cast<int>(coordinates.size()) != nq) {
                report(posture.source, who, "joint '", name, "' is given ", coordinates.size(),
                       " coordinates; it has ", nq);
            }
        }
    }

    const Description& d_;
    int unknown_names_ = 0;
    std::vector<Diagnostic> found_;
    Index links_, joints_, frames_;
};

}  // namespace

std::vector<Diagnostic> find_errors(const Description& description) {
    return Checker(description).run();
}

std::string to_string(const Diagnostic& d) {
    std::string out;
    if (!d.at.file.empty()) {
        out = d.at.file + ":";
        if (d.at.line > 0) out += std::to_string(d.at.line) + ":";
        out += std::string(" ") + name_of(d.severity) + ": ";
    }
    if (!d.element.empty()) out += d.element + ": ";
    return out + d.message;
}

bool has_errors(const std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& d : diagnostics) {
        if (d.severity == Severity::kError) return true;
    }
    return false;
}

}  // namespace plucker
