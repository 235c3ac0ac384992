#include <cmath>
#include <type_traits>

#include "check_robot.hpp"
#include "plucker/spatial/eigen.hpp"

namespace plucker::fuzz {
namespace {

// Numbers are written with all their digits. Rotations go through three angles, which round.
bool same(const Pose<double>& a, const Pose<double>& b) {
    return a.position == b.position &&
           (to_eigen(a.rotation) - to_eigen(b.rotation)).cwiseAbs().maxCoeff() < 1e-12;
}
// A link without mass has no centre.
bool same(const MassProperties& a, const MassProperties& b) {
    return a == b || (a.mass == 0 && b.mass == 0);
}
bool same(const std::optional<Material>& a, const std::optional<Material>& b) {
    if (!a || !b) return !a && !b;
    return a->name == b->name && a->rgba == b->rgba && a->texture == b->texture;
}
bool same(const Box& a, const Box& b) { return a.size == b.size; }
bool same(const Sphere& a, const Sphere& b) { return a.radius == b.radius; }
bool same(const Cylinder& a, const Cylinder& b) {
    return a.radius == b.radius && a.length == b.length;
}
bool same(const Capsule& a, const Capsule& b) {
    return a.radius == b.radius && a.length == b.length;
}
bool same(const Mesh& a, const Mesh& b) {
    return a.uri == b.uri && a.path == b.path && a.scale == b.scale;
}
bool same(const Plane&, const Plane&) { return true; }  // not in URDF
bool same(const Ellipsoid&, const Ellipsoid&) { return true; }
bool same(const Shape& a, const Shape& b) {
    if (a.geometry.index() != b.geometry.index()) return false;
    const bool same_form = std::visit(
        [&](const auto& form) {
            return same(form, std::get<std::decay_t<decltype(form)>>(b.geometry));
        },
        a.geometry);
    return same_form && a.name == b.name && same(a.placement, b.placement) &&
           same(a.material, b.material);
}
bool same(const std::vector<Shape>& a, const std::vector<Shape>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (!same(a[k], b[k])) return false;
    }
    return true;
}
bool same(const JointLimits& a, const JointLimits& b) {
    return a.lower == b.lower && a.upper == b.upper && a.velocity == b.velocity &&
           a.effort == b.effort;
}
bool same(const std::optional<Mimic>& a, const std::optional<Mimic>& b) {
    if (!a || !b) return !a && !b;
    return a->joint == b->joint && a->multiplier == b->multiplier && a->offset == b->offset;
}

std::string difference(const LinkDescription& a, const LinkDescription& b) {
    if (a.name != b.name) return "name";
    if (!same(a.mass, b.mass)) return "mass properties";
    if (!same(a.visuals, b.visuals)) return "visuals";
    return same(a.collisions, b.collisions) ? "" : "collisions";
}

std::string difference(const JointDescription& a, const JointDescription& b) {
    if (a.name != b.name) return "name";
    if (a.type != b.type) return "type";
    if (a.parent != b.parent || a.child != b.child) return "links";
    if (!same(a.placement, b.placement)) return "placement";
    if (a.axis != b.axis) return "axis";
    if (a.damping != b.damping || a.friction != b.friction) return "damping or friction";
    if (!same(a.limits, b.limits)) return "limits";
    return same(a.mimic, b.mimic) ? "" : "mimic";
}

template <class Items>
std::string difference_of_items(const char* kind, const Items& a, const Items& b) {
    if (a.size() != b.size()) return std::string("the number of ") + kind + "s";
    for (std::size_t k = 0; k < a.size(); ++k) {
        const std::string what = difference(a[k], b[k]);
        if (!what.empty()) return what + " of " + kind + " '" + a[k].name + "'";
    }
    return "";
}

}  // namespace

std::string difference(const Description& a, const Description& b) {
    if (a.name != b.name) return "the name";
    const std::string of_links = difference_of_items("link", a.links, b.links);
    return of_links.empty() ? difference_of_items("joint", a.joints, b.joints) : of_links;
}

}  // namespace plucker::fuzz
