#include "mjcf/pruning.hpp"

#include <set>

#include "mjcf/defaults.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;
using Names = std::set<std::string>;

void leave_out_of_assets(XMLElement& assets) {
    static const Names kUnused{"texture", "hfield", "skin"};
    for_each_child(assets, [&](XMLElement& e) {
        if (kUnused.contains(e.Name())) assets.DeleteChild(&e);
    });
}

void leave_out_of_defaults(XMLElement& defaults) {
    static const Names kUnused{"camera", "light",    "pair",        "tendon",  "general",
                               "motor",  "position", "velocity",    "damper",  "cylinder",
                               "muscle", "plugin",   "intvelocity", "dcmotor", "adhesion"};
    for_each_child(defaults, [&](XMLElement& e) {
        const std::string name = e.Name();
        if (kUnused.contains(name)) {
            defaults.DeleteChild(&e);
        } else if (name == "default") {
            leave_out_of_defaults(e);
        }
    });
}

class Pruning {
public:
    Pruning(const XMLElement& root, const TracedXml& document, MjcfSummary& summary)
        : defaults_(root), document_(document), summary_(summary) {}

    void leave_out(XMLElement& root) {
        static const Names kSilently{"size",   "visual",   "statistic", "custom",
                                     "sensor", "keyframe", "extension"};
        static const Names kNotUsed{"actuator", "tendon", "deformable"};
        for_each_child(root, [&](XMLElement& section) {
            const std::string name = section.Name();
            if (kNotUsed.contains(name)) say_what_is_not_used(section);
            if (kSilently.contains(name) || kNotUsed.contains(name)) {
                root.DeleteChild(&section);
            } else if (name == "compiler") {
                section.DeleteChildren();
            } else if (name == "asset") {
                leave_out_of_assets(section);
            } else if (name == "equality") {
                leave_out_of_equalities(section);
            } else if (name == "contact") {
                leave_out_of_contacts(section);
            } else if (name == "worldbody") {
                leave_out_of_body(section);
            } else if (name == "default") {
                leave_out_of_defaults(section);
            }
        });
    }

private:
    template <class... Parts>
    void say(Severity severity, const XMLElement& e, const std::string& who,
             const Parts&... parts) {
        summary_.add(severity, document_.origin(e), who, parts...);
    }

    void say_what_is_not_used(XMLElement& section) {
        const std::string name = section.Name();
        if (!section.NoChildren()) say(Severity::kNote, section, tag(section), "is not used");
        for_each_child(section, [&](XMLElement& e) {
            const auto has = [&](const char* attribute) {
                const std::string value = defaults_.value(e, attribute);
                return !value.empty() && value.find_first_not_of("0. \t\n") != std::string::npos;
            };
            if (name == "tendon" && (has("stiffness") || has("damping") || has("frictionloss")))
                say(Severity::kWarning, e, "tendon " + label(e),
                    "its force (stiffness, damping or friction) is not used");
            if (name != "deformable" && has("armature"))
                say(Severity::kWarning, e, name + " " + label(e),
                    "its armature is not used: it would add to the mass matrix");
            if (name == "actuator" && has("damping"))
                say(Severity::kWarning, e, "actuator " + label(e), "its damping is not used");
            if (name == "deformable" && std::string(e.Name()) == "flex")
                say(Severity::kWarning, e, label(e), "its elastic forces are not used");
        });
    }

    void leave_out_of_equalities(XMLElement& equalities) {
        static const Names kUnused{"tendon", "distance", "flex", "flexvert", "flexstrain"};
        for_each_child(equalities, [&](XMLElement& e) {
            if (!kUnused.contains(e.Name())) return;
            if (attribute(e, "active") != "false")
                say(Severity::kWarning, e, "equality " + tag(e),
                    "is ignored: joints, bodies and sites can be tied together, by <joint>, "
                    "<connect> and <weld>");
            equalities.DeleteChild(&e);
        });
    }

    void leave_out_of_contacts(XMLElement& contacts) {
        for_each_child(contacts, [&](XMLElement& e) {
            if (is(e, "exclude")) return;
            say(Severity::kNote, e, "contact " + tag(e),
                "is not used: what may touch follows from contype, conaffinity and <exclude>");
            contacts.DeleteChild(&e);
        });
    }

    void leave_out_of_body(XMLElement& body) {
        for_each_child(body, [&](XMLElement& e) {
            const std::string name = e.Name();
            if (name == "body" || name == "frame" || name == "replicate") {
                leave_out_of_body(e);
            } else if (name == "composite") {
                for_each_child(e, [&](XMLElement& part) {
                    if (std::string(part.Name()) == "skin") e.DeleteChild(&part);
                });
            } else if (name == "flexcomp") {
                say(Severity::kWarning, e, label(e),
                    "this deformable body (since MuJoCo 3.0.0) is left out");
                body.DeleteChild(&e);
            } else if (name == "plugin") {
                say(Severity::kWarning, body, label(body),
                    "the forces of its <plugin> are not used");
                body.DeleteChild(&e);
            } else if (name == "camera" || name == "light") {
                body.DeleteChild(&e);
            } else if (name == "geom" && is_height_field(e)) {
                say(Severity::kNote, e, label(e), "is a height field, which is not used");
                body.DeleteChild(&e);
            }
        });
    }

    bool is_height_field(const XMLElement& e) const {
        return e.Attribute("hfield") != nullptr || defaults_.value(e, "type") == "hfield";
    }

    MjcfDefaults defaults_;
    const TracedXml& document_;
    MjcfSummary& summary_;
};

}  // namespace

void leave_out_what_dynamics_does_not_need(XMLElement& root, const TracedXml& document,
                                           MjcfSummary& summary) {
    Pruning(root, document, summary).leave_out(root);
}

void leave_out_bad_materials(TracedXml& document, Findings& findings) {
    MjcfSummary summary;
    const auto warn = [&](XMLElement& e, const char* name, const auto&... parts) {
        summary.add(Severity::kWarning, document.origin(e), label(e), parts...);
        e.DeleteAttribute(name);
    };
    Names materials;
    for_each_below(document.root(), [&](XMLElement& e) {
        std::string why;
        if (e.Attribute("rgba") != nullptr && !parse_numbers(attribute(e, "rgba"), 4, why))
            warn(e, "rgba", "its colour is not used: it ", why);
        const bool is_asset = e.Parent()->Value() == std::string("asset");
        if (is_asset && std::string(e.Name()) == "material") materials.insert(attribute(e, "name"));
    });
    for_each_below(document.root(), [&](XMLElement& e) {
        const std::string name = attribute(e, "material");
        if (!name.empty() && !materials.contains(name))
            warn(e, "material", "its material '", name, "' is not used: there is no such material");
    });
    summary.report_to(findings);
}

}  // namespace plucker::io
