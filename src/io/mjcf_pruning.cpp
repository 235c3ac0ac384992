#include "mjcf_pruning.hpp"

#include <set>

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;
using Names = std::set<std::string>;

void leave_out_of_assets(XMLElement& assets) {
    static const Names kUnused{"texture", "hfield", "skin"};
    for_each_child(assets, [&](XMLElement& e) {
        if (kUnused.contains(e.Name())) {
            assets.DeleteChild(&e);
        } else if (std::string(e.Name()) == "material") {
            e.DeleteAttribute("texture");
        }
    });
}

void leave_out_of_defaults(XMLElement& defaults) {
    static const Names kUnused{"camera", "light",    "pair",     "tendon",     "general",
                               "motor",  "position", "velocity", "damper",     "cylinder",
                               "muscle", "plugin",   "adhesion", "intvelocity"};
    for_each_child(defaults, [&](XMLElement& e) {
        const std::string name = e.Name();
        if (kUnused.contains(name)) {
            defaults.DeleteChild(&e);
        } else if (name == "material") {
            e.DeleteAttribute("texture");
        } else if (name == "default") {
            leave_out_of_defaults(e);
        }
    });
}

void leave_out_of_equalities(XMLElement& equalities, const TracedXml& document,
                             Findings& findings) {
    static const Names kUnused{"connect", "weld", "tendon", "distance"};
    for_each_child(equalities, [&](XMLElement& e) {
        if (!kUnused.contains(e.Name())) return;
        report(findings, Severity::kWarning, document.origin(e), "equality " + tag(e),
               "is ignored: only a <joint> equality between two joints can be kept, as one joint "
               "that mimics the other");
        equalities.DeleteChild(&e);
    });
}

void leave_out_of_body(XMLElement& body, const TracedXml& document, Findings& findings) {
    for_each_child(body, [&](XMLElement& e) {
        const std::string name = e.Name();
        if (name == "body") {
            leave_out_of_body(e, document, findings);
        } else if (name == "composite") {
            for_each_child(e, [&](XMLElement& part) {
                if (std::string(part.Name()) == "skin") e.DeleteChild(&part);
            });
        } else if (name == "camera" || name == "light") {
            body.DeleteChild(&e);
        } else if (name == "geom" &&
                   (e.Attribute("hfield") != nullptr || attribute(e, "type") == "hfield")) {
            report(findings, Severity::kNote, document.origin(e), "<geom>",
                   "is a height field, which is not used");
            body.DeleteChild(&e);
        }
    });
}

}  // namespace

void leave_out_what_dynamics_does_not_need(TracedXml& document, Findings& findings) {
    static const Names kSilently{"size",    "visual", "statistic", "custom",
                                 "contact", "sensor", "keyframe"};
    static const Names kWithNote{"actuator", "tendon", "deformable", "extension"};
    XMLElement& root = document.root();
    for_each_child(root, [&](XMLElement& section) {
        const std::string name = section.Name();
        if (kWithNote.contains(name) && !section.NoChildren())
            report(findings, Severity::kNote, document.origin(section), tag(section),
                   "is not used");
        if (kSilently.contains(name) || kWithNote.contains(name)) {
            root.DeleteChild(&section);
        } else if (name == "asset") {
            leave_out_of_assets(section);
        } else if (name == "default") {
            leave_out_of_defaults(section);
        } else if (name == "equality") {
            leave_out_of_equalities(section, document, findings);
        } else if (name == "worldbody") {
            leave_out_of_body(section, document, findings);
        }
    });
}

}  // namespace plucker::io
