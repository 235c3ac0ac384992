#include "sdf/checker.hpp"

#include <map>
#include <set>

#include "joint_words.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

// With more findings than these, names that are close to an unknown one are no longer looked for: that takes
// long, and one who has so much to mend does not read them.
constexpr std::size_t kManyFindings = 100;

bool says(const XMLElement& parent, const char* child, const char* a, const char* b) {
    const auto* c = parent.FirstChildElement(child);
    return c != nullptr && (text_of(*c) == a || text_of(*c) == b);
}

class SdfChecker {
public:
    SdfChecker(const TracedXml& document, Findings& findings)
        : document_(document), findings_(findings) {
        const std::string version = attribute(document.root(), "version");
        names_have_scopes_ = version < "1.8";  // there, nested models were written flat
        kinds_share_names_ = version >= "1.7";
    }

    void check(const XMLElement& e) {
        check_name(e);
        check_repetitions(e);
        const std::string kind = e.Name();
        if (kind == "model" || kind == "world") check_names_in(e);
        if (kind == "model") {
            check_model(e);
        } else if (kind == "link") {
            check_link(e);
        } else if (kind == "joint") {
            check_joint(e);
        } else if (kind == "axis" || kind == "axis2") {
            check_axis(e);
        } else if (kind == "visual" || kind == "collision") {
            if (e.FirstChildElement("geometry") == nullptr) error(e, owner(e), "has no <geometry>");
        } else if (kind == "geometry") {
            check_geometry(e);
        } else if (kind == "mesh") {
            if (e.FirstChildElement("uri") == nullptr ||
                text_of(*e.FirstChildElement("uri")).empty())
                error(e, owner(e), "<mesh> lacks the element <uri>");
        } else if (kind == "inertial") {
            check_inertial(e);
        }
        for_each_child(e, [&](const XMLElement& child) { check(child); });
    }

private:
    template <class... Parts>
    void error(const XMLElement& e, const std::string& element, const Parts&... parts) {
        report(findings_, Severity::kError, document_.origin(e), element, parts...);
    }
    template <class... Parts>
    void warning(const XMLElement& e, const std::string& element, const Parts&... parts) {
        report(findings_, Severity::kWarning, document_.origin(e), element, parts...);
    }

    void warn_of_unknown(const XMLElement& e, const std::vector<std::string>& known) {
        for_each_unknown_child(e, known, [&](const XMLElement& child, const std::string& message) {
            warning(child, owner(e), message);
        });
    }

    // --- Names ----------------------------------------------------------------------------------

    void check_name(const XMLElement& e) {
        static const std::set<std::string> kNamed{"model",  "link",      "joint", "frame",
                                                  "visual", "collision", "world"};
        const std::string name = attribute(e, "name");
        if (kNamed.contains(e.Name()) && name.empty()) error(e, "", "a ", tag(e), " has no name");
        if (name.find("::") != std::string::npos && !names_have_scopes_)
            error(e, label(e), "the name has '::', which separates scopes; rename it");
    }

    // Names must be unique among the children of a model; in old versions, among those of a kind.
    void check_names_in(const XMLElement& parent) {
        std::map<std::pair<std::string, std::string>, const XMLElement*> first;
        for_each_child(parent, [&](const XMLElement& e) {
            std::string kind = e.Name(), name = attribute(e, "name");
            if (kind == "include") {
                const auto* given = e.FirstChildElement("name");
                kind = "model";
                name = given == nullptr ? "" : text_of(*given);
            }
            if (kind != "link" && kind != "joint" && kind != "frame" && kind != "model") return;
            const auto [found, is_new] =
                first.emplace(std::pair(kinds_share_names_ ? "" : kind, name), &e);
            if (is_new || name.empty()) return;
            const std::string other = found->second->Name();
            error(
                e, label(parent),
                kind == other ? "two " + kind + "s are" : "a " + other + " and a " + kind + " are",
                " named '", name, "' (the first in line ", document_.origin(*found->second).line,
                "); give one of them another name");
        });
    }

    // sdformat takes one of several, in silence.
    void check_repetitions(const XMLElement& parent) {
        static const std::set<std::string> kOnceInTheOpen{"pose", "static", "inertial", "gravity"};
        static const std::set<std::string> kOpen{"world", "model", "link"};
        static const std::set<std::string> kClosed{
            "inertial", "inertia", "joint",     "axis",      "axis2", "limit",
            "dynamics", "mimic",   "visual",    "collision", "box",   "cylinder",
            "sphere",   "capsule", "ellipsoid", "plane",     "mesh",  "include"};
        const bool is_open = kOpen.contains(parent.Name());
        if (!is_open && !kClosed.contains(parent.Name())) return;
        std::set<std::string> seen;
        for_each_child(parent, [&](const XMLElement& e) {
            if (is_open && !kOnceInTheOpen.contains(e.Name())) return;
            if (seen.insert(e.Name()).second) return;
            error(e, owner(e), tag(parent), " has more than one ", tag(e), "; keep one");
        });
    }

    // --- Models and links -----------------------------------------------------------------------

    void check_model(const XMLElement& e) {
        warn_of_unknown(e, {"static", "pose", "link", "joint", "frame", "model", "include",
                            "self_collide", "allow_auto_disable", "enable_wind"});
        if (says(e, "static", "1", "true")) return;
        for (const char* part : {"link", "model", "include"}) {
            if (e.FirstChildElement(part) != nullptr) return;
        }
        error(e, label(e), "has no links; it needs at least one");
    }

    void check_link(const XMLElement& e) {
        warn_of_unknown(e, {"pose", "inertial", "visual", "collision", "gravity", "enable_wind",
                            "self_collide", "kinematic", "must_be_base_link"});
        if (says(e, "gravity", "0", "false"))
            warning(e, label(e), "is to be without gravity; gravity acts on all links here");
        if (says(e, "kinematic", "1", "true"))
            warning(e, label(e), "is kinematic; it is taken as dynamic");
    }

    void check_inertial(const XMLElement& e) {
        warn_of_unknown(
            e, {"pose", "mass", "density", "inertia", "fluid_added_mass", "auto_inertia_params"});
        if (attribute(e, "auto") == "true" || attribute(e, "auto") == "1")
            error(e, owner(e),
                  "its inertia is to be computed from its shapes, which is not done here; write "
                  "<mass> and <inertia>");
        if (e.FirstChildElement("fluid_added_mass") != nullptr)
            warning(e, owner(e), "<fluid_added_mass> is not used");
        if (const auto* inertia = e.FirstChildElement("inertia")) check_inertia(*inertia);
    }

    void check_inertia(const XMLElement& e) {
        warn_of_unknown(e, {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"});
        for (const char* entry : {"ixx", "iyy", "izz"}) {
            if (e.FirstChildElement(entry) == nullptr)
                warning(e, owner(e), "<inertia> has no <", entry, ">; SDF makes it 1 kg·m²");
        }
    }

    void check_geometry(const XMLElement& e) {
        warn_of_unknown(e, {"empty", "box", "capsule", "cylinder", "ellipsoid", "heightmap",
                            "image", "mesh", "plane", "polyline", "sphere"});
        const auto* first = e.FirstChildElement();
        if (first != nullptr && first->NextSiblingElement() != nullptr)
            error(*first->NextSiblingElement(), owner(e),
                  "<geometry> has more than one shape; keep one");
    }

    // --- Joints ---------------------------------------------------------------------------------

    void check_joint(const XMLElement& e) {
        warn_of_unknown(e, {"pose", "parent", "child", "axis", "axis2", "thread_pitch",
                            "screw_thread_pitch", "gearbox_ratio", "gearbox_reference_body"});
        const std::string type = attribute(e, "type"), where = label(e);
        check_type(e, type);
        for (const char* role : {"parent", "child"}) check_end(e, role);
        const auto found = joint_types().find(type);
        if (found == joint_types().end()) return;
        const int axes = number_of_axes(found->second);
        if (axes > 0 && e.FirstChildElement("axis") == nullptr) error(e, where, "lacks <axis>");
        if (axes > 1 && e.FirstChildElement("axis2") == nullptr) error(e, where, "lacks <axis2>");
        if (found->second == JointType::kHelical) check_thread(e);
    }

    static const JointWords& joint_types() {
        static const JointWords kTypes = joint_words(&FileWords::sdf);
        return kTypes;
    }

    void check_type(const XMLElement& e, const std::string& type) {
        if (type.empty()) {
            error(e, label(e), "has no type");
        } else if (type == "revolute2") {
            error(e, label(e),
                  "is of type revolute2, which is not supported; write two revolute joints with a "
                  "link between them, or a universal joint if the axes are perpendicular");
        } else if (type != "gearbox" && !joint_types().contains(type)) {
            error(e, label(e), unknown_name("joint type", type, names_of(joint_types())).what());
        }
    }

    void check_axis(const XMLElement& e) {
        warn_of_unknown(
            e, {"xyz", "limit", "dynamics", "mimic", "initial_position", "use_parent_model_frame"});
        if (const auto* limit = e.FirstChildElement("limit"))
            warn_of_unknown(*limit,
                            {"lower", "upper", "effort", "velocity", "stiffness", "dissipation"});
        if (const auto* dynamics = e.FirstChildElement("dynamics"))
            warn_of_unknown(*dynamics,
                            {"damping", "friction", "spring_reference", "spring_stiffness"});
        const auto* mimic = e.FirstChildElement("mimic");
        if (mimic == nullptr) return;
        warn_of_unknown(*mimic, {"multiplier", "offset", "reference"});
        if (attribute(*mimic, "joint").empty())
            error(*mimic, owner(e), "<mimic> lacks the attribute 'joint'");
        if (std::string(e.Name()) == "axis2")
            error(*mimic, owner(e),
                  "its second axis mimics another; only a joint with one axis can: write two "
                  "joints with a link between them");
    }

    void check_thread(const XMLElement& e) {
        const auto* old = e.FirstChildElement("thread_pitch");
        if (old == nullptr && e.FirstChildElement("screw_thread_pitch") == nullptr)
            error(e, label(e), "lacks <screw_thread_pitch>, in metres a revolution");
        std::string why;
        if (old != nullptr &&
            parse_numbers(text_of(*old), 1, why).value_or(std::vector<double>{1})[0] == 0)
            error(*old, label(e), "<thread_pitch>, in radians a metre, must not be zero");
    }

    // A joint's parent or child: "world", or a link, frame, joint or model of the same model. Names in
    // other scopes, and those that a merged include brings in, are left to sdformat.
    void check_end(const XMLElement& joint, const char* role) {
        const auto* e = joint.FirstChildElement(role);
        if (e == nullptr || text_of(*e).empty())
            return error(joint, label(joint), "lacks <", role, ">");
        const std::string name = text_of(*e), kind = std::string(role) + " link";
        if (name == "world" || name == "__model__" || name.find("::") != std::string::npos) return;
        const Scope& scope = scope_of(*joint.Parent());
        if (!scope.is_whole || scope.names.contains(name)) return;
        if (findings_.size() > kManyFindings)
            return error(*e, label(joint), "unknown ", kind, " '", name, "'");
        const std::vector<std::string> known(scope.names.begin(), scope.names.end());
        error(*e, label(joint), unknown_name(kind, name, known).what());
    }

    // The names in a model, which are its joints' to use; not the whole of them if it includes others.
    struct Scope {
        const tinyxml2::XMLNode* model = nullptr;
        bool is_whole = false;
        std::set<std::string> names;
    };
    const Scope& scope_of(const tinyxml2::XMLNode& model) {
        if (scope_.model == &model) return scope_;  // joints of one model follow each other
        scope_ = {&model, model.ToElement() != nullptr, {}};
        for (const auto* e = model.FirstChildElement(); e; e = e->NextSiblingElement()) {
            if (e->Attribute("name") != nullptr) scope_.names.insert(attribute(*e, "name"));
            if (std::string(e->Name()) == "include") scope_.is_whole = false;
        }
        return scope_;
    }

    const TracedXml& document_;
    Findings& findings_;
    Scope scope_;
    bool names_have_scopes_ = false;
    bool kinds_share_names_ = true;
};

}  // namespace

void check_sdf(const TracedXml& document, Findings& findings) {
    check_sdf(document, document.root(), findings);
}

void check_sdf(const TracedXml& document, const XMLElement& element, Findings& findings) {
    check_sdf_numbers(document, element, findings);
    SdfChecker(document, findings).check(element);
}

}  // namespace plucker::io
