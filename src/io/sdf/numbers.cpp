#include <cmath>
#include <map>
#include <set>

#include "sdf/checker.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

// How many numbers an element holds, by its parent's name and its own.
const std::map<std::string, std::size_t>& counts() {
    static const std::map<std::string, std::size_t> kCounts{{"inertial/mass", 1},
                                                            {"inertia/ixx", 1},
                                                            {"inertia/ixy", 1},
                                                            {"inertia/ixz", 1},
                                                            {"inertia/iyy", 1},
                                                            {"inertia/iyz", 1},
                                                            {"inertia/izz", 1},
                                                            {"box/size", 3},
                                                            {"cylinder/radius", 1},
                                                            {"cylinder/length", 1},
                                                            {"capsule/radius", 1},
                                                            {"capsule/length", 1},
                                                            {"sphere/radius", 1},
                                                            {"ellipsoid/radii", 3},
                                                            {"plane/normal", 3},
                                                            {"plane/size", 2},
                                                            {"mesh/scale", 3},
                                                            {"axis/xyz", 3},
                                                            {"axis2/xyz", 3},
                                                            {"limit/lower", 1},
                                                            {"limit/upper", 1},
                                                            {"limit/effort", 1},
                                                            {"limit/velocity", 1},
                                                            {"limit/stiffness", 1},
                                                            {"limit/dissipation", 1},
                                                            {"dynamics/damping", 1},
                                                            {"dynamics/friction", 1},
                                                            {"dynamics/spring_reference", 1},
                                                            {"dynamics/spring_stiffness", 1},
                                                            {"joint/thread_pitch", 1},
                                                            {"joint/screw_thread_pitch", 1},
                                                            {"joint/gearbox_ratio", 1},
                                                            {"ode/mu", 1},
                                                            {"bullet/friction", 1},
                                                            {"torsional/coefficient", 1},
                                                            {"torsional/patch_radius", 1},
                                                            {"bounce/restitution_coefficient", 1},
                                                            {"contact/collide_bitmask", 1},
                                                            {"world/gravity", 3},
                                                            {"mimic/multiplier", 1},
                                                            {"mimic/offset", 1},
                                                            {"mimic/reference", 1}};
    return kCounts;
}

class NumberChecker {
public:
    NumberChecker(const TracedXml& document, Findings& findings)
        : document_(document), findings_(findings) {}

    void check(const XMLElement& e) {
        const std::string name = e.Name();
        const auto* parent = e.Parent() == nullptr ? nullptr : e.Parent()->ToElement();
        const std::string inside = parent == nullptr ? "" : parent->Name();
        if (name == "pose") {
            check_pose(e);
        } else if (const auto found = counts().find(inside + "/" + name); found != counts().end()) {
            check_values(e, inside, found->second);
        }
        for_each_child(e, [&](const XMLElement& child) { check(child); });
    }

private:
    template <class... Parts>
    void error(const XMLElement& e, const Parts&... parts) {
        report(findings_, Severity::kError, document_.origin(e), owner(e), parts...);
    }

    void check_values(const XMLElement& e, const std::string& inside, std::size_t count) {
        static const std::set<std::string> kSizes{
            "size", "radius",      "length",       "radii",
            "mu",   "coefficient", "patch_radius", "restitution_coefficient"};
        const std::string name = e.Name(), text = text_of(e);
        if (inside == "limit" && (text == "inf" || text == "+inf" || text == "-inf")) return;
        std::string why;
        const auto values = parse_numbers(text, count, why);
        if (!values) return error(e, "<", name, "> ", why);
        for (const double x : *values) {
            if (kSizes.contains(name) && x < 0)
                error(e, name, " is ", x, "; it must not be negative");
        }
        if (name == "mass" && (*values)[0] < 0)
            error(e, "mass is ", (*values)[0], " kg; it must not be negative");
        if (name == "xyz") check_axis(e, {(*values)[0], (*values)[1], (*values)[2]});
    }

    void check_axis(const XMLElement& e, const Vec3<double>& axis) {
        const double length = std::hypot(axis.x, axis.y, axis.z);
        const bool is_sound = length > 1e-12 && length < 1e30;
        if (is_sound && std::abs(length - 1) > 1e-3)
            report(findings_, Severity::kNote, document_.origin(e), owner(e),
                   "its axis has length ", length, "; it is normalised");
        if (is_sound) return;
        error(e, "axis is (", axis.x, " ", axis.y, " ", axis.z,
              "); it must be a finite vector that is not zero");
    }

    void check_pose(const XMLElement& e) {
        const std::string format = attribute(e, "rotation_format"), text = text_of(e);
        if (text.empty()) return;  // no displacement
        const bool is_quaternion = format == "quat_xyzw";
        if (!format.empty() && !is_quaternion && format != "euler_rpy") {
            return error(e, "<pose rotation_format=…> is '", format,
                         "'; it must be euler_rpy or quat_xyzw");
        }
        std::string why;
        const auto values = parse_numbers(text, is_quaternion ? 7 : 6, why);
        if (!values) return error(e, "<pose> ", why);
        if (!is_quaternion) return;
        double length2 = 0;
        for (std::size_t k = 3; k < 7; ++k) length2 += (*values)[k] * (*values)[k];
        if (!(std::abs(std::sqrt(length2) - 1) < 1e-3)) {
            error(e, "the quaternion of <pose> has length ", std::sqrt(length2), "; it must be 1");
        }
    }

    const TracedXml& document_;
    Findings& findings_;
};

}  // namespace

void check_sdf_numbers(const TracedXml& document, const XMLElement& element, Findings& findings) {
    NumberChecker(document, findings).check(element);
}

}  // namespace plucker::io
