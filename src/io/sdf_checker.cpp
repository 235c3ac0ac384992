#include "sdf_checker.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

bool says(const XMLElement& parent, const char* child, const char* a, const char* b) {
    const auto* c = parent.FirstChildElement(child);
    return c != nullptr && (text_of(*c) == a || text_of(*c) == b);
}

class Checker {
public:
    Checker(const TracedXml& document, Findings& findings)
        : document_(document), findings_(findings) {
        const std::string version = attribute(document.root(), "version");
        names_have_scopes_ = version < "1.8";  // there, nested models were written flat
        kinds_share_names_ = version >= "1.7";
    }

    void check(const XMLElement& e) {
        check_name(e);
        const std::string kind = e.Name();
        if (kind == "model" || kind == "world") check_names_in(e);
        if (kind == "model") {
            check_model(e);
        } else if (kind == "link") {
            check_link(e);
        } else if (kind == "joint") {
            check_joint(e);
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
            warning(child, label(e), message);
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
        for (const char* kind : {"visual", "collision"}) {
            for (const auto* s = e.FirstChildElement(kind); s; s = s->NextSiblingElement(kind)) {
                if (s->FirstChildElement("geometry") == nullptr)
                    error(*s, label(e) + ", " + label(*s), "has no <geometry>");
            }
        }
    }

    void check_inertial(const XMLElement& e) {
        if (attribute(e, "auto") == "true" || attribute(e, "auto") == "1")
            error(e, owner(e),
                  "its inertia is to be computed from its shapes, which is not done here; write "
                  "<mass> and <inertia>");
        if (e.FirstChildElement("fluid_added_mass") != nullptr)
            warning(e, owner(e), "<fluid_added_mass> is not used");
    }

    // --- Joints ---------------------------------------------------------------------------------

    void check_joint(const XMLElement& e) {
        warn_of_unknown(e, {"pose", "parent", "child", "axis", "axis2", "thread_pitch",
                            "screw_thread_pitch", "gearbox_ratio", "gearbox_reference_body"});
        const std::string type = attribute(e, "type"), where = label(e);
        check_type(e, type);
        for (const char* role : {"parent", "child"}) check_end(e, role);
        const bool has_axis = type == "revolute" || type == "continuous" || type == "prismatic" ||
                              type == "screw" || type == "universal";
        if (has_axis && e.FirstChildElement("axis") == nullptr) error(e, where, "lacks <axis>");
        if (type == "universal" && e.FirstChildElement("axis2") == nullptr)
            error(e, where, "lacks <axis2>");
        if (type == "screw") check_thread(e);
    }

    void check_type(const XMLElement& e, const std::string& type) {
        static const std::vector<std::string> kTypes{"revolute", "continuous", "prismatic", "fixed",
                                                     "ball",     "universal",  "screw"};
        if (type.empty()) {
            error(e, label(e), "has no type");
        } else if (type == "revolute2") {
            error(e, label(e),
                  "is of type revolute2, which is not supported; write two revolute joints with a "
                  "link between them, or a universal joint if the axes are perpendicular");
        } else if (type == "gearbox") {
            error(e, label(e),
                  "is of type gearbox, which is not supported; a robot must be a tree: write a "
                  "revolute joint instead");
        } else if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
            error(e, label(e), unknown_name("joint type", type, kTypes).what());
        }
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
        const std::string name = e == nullptr ? "" : text_of(*e);
        if (name.empty()) return error(joint, label(joint), "lacks <", role, ">");
        if (name == "world" || name == "__model__" || name.find("::") != std::string::npos) return;
        std::vector<std::string> known;
        bool is_whole = joint.Parent()->ToElement() != nullptr;
        for (const auto* s = joint.Parent()->FirstChildElement(); s; s = s->NextSiblingElement()) {
            if (s->Attribute("name") != nullptr) known.push_back(attribute(*s, "name"));
            if (std::string(s->Name()) == "include") is_whole = false;
        }
        if (is_whole && std::find(known.begin(), known.end(), name) == known.end())
            error(*e, label(joint), unknown_name(std::string(role) + " link", name, known).what());
    }

    const TracedXml& document_;
    Findings& findings_;
    bool names_have_scopes_ = false;
    bool kinds_share_names_ = true;
};

}  // namespace

void check_sdf(const TracedXml& document, Findings& findings) {
    check_sdf_numbers(document, findings);
    Checker(document, findings).check(document.root());
}

}  // namespace plucker::io
