#include "check.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <map>
#include <unordered_map>

#include "plucker/joints/joint.hpp"
#include "plucker/model/error.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker {
namespace {

using Index = std::unordered_map<std::string, int>;

template <class Items>
std::vector<std::string> names_of(const Items& items) {
    std::vector<std::string> names;
    for (const auto& item : items) names.push_back(item.name);
    return names;
}

template <class Items>
Index index_names(const Description& d, const std::string& kind, const Items& items) {
    Index index;
    for (const auto& item : items) {
        if (item.name.empty()) {
            throw Error::because("robot '", d.name, "': a ", kind, " has an empty name");
        }
        if (!index.emplace(item.name, static_cast<int>(index.size())).second) {
            throw Error::because("robot '", d.name, "': two ", kind, "s are named '", item.name,
                                 "'; give one of them another name");
        }
    }
    return index;
}

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

void check_rotation(const std::string& where, const Pose<double>& pose) {
    const Matrix3<double> R = to_eigen(pose.rotation);
    if (!R.allFinite() || !all_finite(pose.position)) {
        throw Error::because(where, ": placement has a number that is not finite");
    }
    // A rotation from a file has a few rounded digits at worst; anything beyond is a mistake.
    constexpr double kTolerance = 1e-6;
    if ((R * R.transpose() - Matrix3<double>::Identity()).norm() > kTolerance ||
        R.determinant() < 0) {
        throw Error::because(where, ": placement's rotation is not a rotation matrix (determinant ",
                             R.determinant(), ")");
    }
}

// A rigid body's inertia about its centre has eigenvalues that are not negative, and each is at most
// the sum of the other two (the triangle inequality), because they are sums of squared distances.
void check_mass(const LinkDescription& link) {
    const MassProperties& m = link.mass;
    const std::string where = "link '" + link.name + "'";
    if (!all_finite({m.mass}) || !all_finite(m.center) || !all_finite(m.about_center)) {
        throw Error::because(where, ": mass, centre or inertia has a number that is not finite");
    }
    if (m.mass < 0) {
        throw Error::because(where, ": mass is ", m.mass, " kg; it must not be negative");
    }
    const Eigen::Vector3d e =
        Eigen::SelfAdjointEigenSolver<Matrix3<double>>(to_eigen(m.about_center)).eigenvalues();
    const double scale = std::max(std::abs(e[0]), std::abs(e[2]));
    if (m.mass == 0 && scale > 0) {
        throw Error::because(where,
                             ": mass is zero but its rotational inertia is not (eigenvalues ", e[0],
                             ", ", e[1], ", ", e[2], "); give it a mass or zero inertia");
    }
    // Data sheets round to a few digits; thin plates meet the inequality with equality.
    const double tolerance = 1e-6 * scale;
    if (e[0] < -tolerance) {
        throw Error::because(
            where, ": rotational inertia is not positive semidefinite (eigenvalues ", e[0], ", ",
            e[1], ", ", e[2], "); check its signs and products of inertia");
    }
    if (e[0] + e[1] < e[2] - tolerance) {
        throw Error::because(
            where, ": rotational inertia violates the triangle inequality (eigenvalues ", e[0],
            " + ", e[1], " < ", e[2], "); no body has it: is it given about the centre of mass?");
    }
}

void check_joint(const JointDescription& joint) {
    const std::string where = "joint '" + joint.name + "'";
    check_rotation(where, joint.placement);
    const auto require_axis = [&](const char* which, const Vec3<double>& axis) {
        if (!all_finite(axis) || norm(axis) < 1e-12) {
            throw Error::because(where, ": ", which, " is (", axis.x, " ", axis.y, " ", axis.z,
                                 "); it must be a finite vector that is not zero");
        }
    };
    require_axis("axis", joint.axis);
    if (joint.type == JointType::kUniversal) {
        require_axis("second axis", joint.second_axis);
        const double cosine =
            dot(joint.axis, joint.second_axis) / (norm(joint.axis) * norm(joint.second_axis));
        if (std::abs(cosine) > 1e-6) {
            throw Error::because(where,
                                 ": the axes of a universal joint must be perpendicular; theirs "
                                 "have cosine ",
                                 cosine, "; use two revolute joints instead");
        }
    }
    if (!all_finite({joint.pitch, joint.armature, joint.damping, joint.friction})) {
        throw Error::because(where, ": pitch, armature, damping or friction is not finite");
    }
    const auto require_not_negative = [&](const char* what, double x) {
        if (x < 0) throw Error::because(where, ": ", what, " is ", x, "; it must not be negative");
    };
    require_not_negative("armature", joint.armature);
    require_not_negative("damping", joint.damping);
    require_not_negative("friction", joint.friction);
    const JointLimits& l = joint.limits;
    if (std::isnan(l.lower) || std::isnan(l.upper) || l.lower > l.upper) {
        throw Error::because(where, ": lower limit ", l.lower, " and upper limit ", l.upper,
                             "; lower must not exceed upper");
    }
    if (!(l.velocity >= 0) || !(l.effort >= 0)) {
        throw Error::because(where, ": velocity limit ", l.velocity, " and effort limit ", l.effort,
                             "; they must not be negative");
    }
}

bool has_one_freedom(JointType type) {
    return visit_joint(type, [](auto joint) { return joint.kNv == 1; });
}

void check_mimics(const Description& d, const Index& joints) {
    for (const JointDescription& joint : d.joints) {
        if (!joint.mimic) continue;
        const std::string where = "joint '" + joint.name + "'";
        if (!all_finite({joint.mimic->multiplier, joint.mimic->offset})) {
            throw Error::because(where, ": mimic multiplier or offset is not finite");
        }
        // Follow the mimics: more steps than joints means a cycle.
        const JointDescription* at = &joint;
        for (std::size_t steps = 0; at->mimic; ++steps) {
            const auto found = joints.find(at->mimic->joint);
            if (found == joints.end()) {
                const Error inner = unknown_name("joint", at->mimic->joint, names_of(d.joints));
                throw Error::because("joint '", at->name, "' mimics an ", inner.what());
            }
            if (steps > d.joints.size()) {
                throw Error::because(where, ": it mimics a joint that, in the end, mimics it");
            }
            at = &d.joints[static_cast<std::size_t>(found->second)];
        }
        if (!has_one_freedom(joint.type) || !has_one_freedom(at->type)) {
            throw Error::because(where, ": it is ", name_of(joint.type), " and mimics joint '",
                                 at->name, "', which is ", name_of(at->type),
                                 "; both must have one degree of freedom");
        }
    }
}

// Every link but one, the root, must be the child of exactly one joint, and be reached from the root.
int check_tree(const Description& d, const Index& links) {
    const auto link_index = [&](const JointDescription& joint, const std::string& role,
                                const std::string& name) {
        const auto found = links.find(name);
        if (found != links.end()) return found->second;
        const Error inner = unknown_name(role + " link", name, names_of(d.links));
        throw Error::because("joint '", joint.name, "': ", inner.what());
    };
    std::vector<const JointDescription*> joint_to(d.links.size(), nullptr);
    std::vector<int> parent(d.links.size(), -1);
    for (const JointDescription& joint : d.joints) {
        const int p = link_index(joint, "parent", joint.parent);
        const auto c = static_cast<std::size_t>(link_index(joint, "child", joint.child));
        if (joint_to[c] != nullptr) {
            throw Error::because("link '", joint.child, "' has two parents, by joints '",
                                 joint_to[c]->name, "' and '", joint.name,
                                 "'; a robot must be a tree: remove one, or model the loop as a "
                                 "constraint");
        }
        joint_to[c] = &joint;
        parent[c] = p;
    }
    int root = -1;
    for (std::size_t i = 0; i < parent.size(); ++i) {
        if (parent[i] != -1) continue;
        if (root != -1) {
            throw Error::because("robot '", d.name, "' has two roots, links '",
                                 d.links[static_cast<std::size_t>(root)].name, "' and '",
                                 d.links[i].name, "'; connect one to the other with a joint");
        }
        root = static_cast<int>(i);
    }
    // From each link walk to the root, marking; a walk that meets its own mark is a cycle.
    std::vector<std::size_t> walk(parent.size(), 0);
    for (std::size_t i = 0; i < parent.size(); ++i) {
        std::size_t at = i;
        while (walk[at] == 0 && parent[at] != -1) {
            walk[at] = i + 1;
            at = static_cast<std::size_t>(parent[at]);
        }
        if (walk[at] == i + 1 && parent[at] != -1) {
            throw Error::because("link '", d.links[at].name,
                                 "' is its own ancestor, through joint '", joint_to[at]->name,
                                 "'; a robot must be a tree");
        }
    }
    return root;
}

}  // namespace

int check_description(const Description& d) {
    if (d.links.empty()) {
        throw Error::because("robot '", d.name, "' has no links; it needs at least a root link");
    }
    const Index links = index_names(d, "link", d.links);
    const Index joints = index_names(d, "joint", d.joints);
    const Index frames = index_names(d, "frame", d.frames);
    if (!all_finite(d.gravity)) {
        throw Error::because("robot '", d.name, "': gravity is not finite");
    }
    for (const LinkDescription& link : d.links) check_mass(link);
    for (const JointDescription& joint : d.joints) check_joint(joint);
    for (const FrameDescription& frame : d.frames) {
        if (links.contains(frame.name)) {
            throw Error::because("frame '", frame.name, "' has the name of a link; rename it");
        }
        if (!links.contains(frame.link)) {
            const Error inner = unknown_name("link", frame.link, names_of(d.links));
            throw Error::because("frame '", frame.name, "': ", inner.what());
        }
        check_rotation("frame '" + frame.name + "'", frame.placement);
    }
    const int root = check_tree(d, links);
    check_mimics(d, joints);
    if (d.base == Base::kFloating && joints.contains("base")) {
        throw Error::because("robot '", d.name,
                             "': with a floating base the name 'base' belongs to the "
                             "floating joint; rename joint 'base'");
    }
    return root;
}

}  // namespace plucker
