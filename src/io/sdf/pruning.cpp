#include "sdf/pruning.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "xml.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

void keep_attributes(XMLElement& e, const std::set<std::string>& known) {
    for (const auto* a = e.FirstAttribute(); a != nullptr;) {
        const std::string name = a->Name();
        a = a->Next();
        if (!known.contains(name)) e.DeleteAttribute(name.c_str());
    }
}

// The name of a <model>, or the one that an <include> gives; empty if it gives none.
std::string name_of_model(const XMLElement& e) {
    if (std::string(e.Name()) != "include") return attribute(e, "name");
    const auto* name = e.FirstChildElement("name");
    return name == nullptr ? "" : text_of(*name);
}

}  // namespace

namespace {

// Of a surface, only what is read: other engines' parameters need not be right.
void leave_out_of_surface(XMLElement& e, const std::string& path) {
    static const std::set<std::string> kRead{"/friction",
                                             "/friction/ode",
                                             "/friction/ode/mu",
                                             "/friction/bullet",
                                             "/friction/bullet/friction",
                                             "/friction/torsional",
                                             "/friction/torsional/coefficient",
                                             "/friction/torsional/patch_radius",
                                             "/bounce",
                                             "/bounce/restitution_coefficient",
                                             "/contact",
                                             "/contact/collide_bitmask"};
    for_each_child(e, [&](XMLElement& child) {
        const std::string inside = path + "/" + child.Name();
        if (!kRead.contains(inside)) return e.DeleteChild(&child);
        leave_out_of_surface(child, inside);
    });
}

}  // namespace

void leave_out_what_mechanics_does_not_need(XMLElement& e) {
    static const std::set<std::string> kUnused{"plugin",
                                               "sensor",
                                               "light",
                                               "actor",
                                               "physics",
                                               "scene",
                                               "gui",
                                               "audio",
                                               "wind",
                                               "atmosphere",
                                               "state",
                                               "population",
                                               "road",
                                               "gripper",
                                               "battery",
                                               "projector",
                                               "particle_emitter",
                                               "audio_sink",
                                               "audio_source",
                                               "velocity_decay",
                                               "spherical_coordinates",
                                               "magnetic_field"};
    static const std::set<std::string> kAttributes{"name",
                                                   "type",
                                                   "version",
                                                   "canonical_link",
                                                   "placement_frame",
                                                   "relative_to",
                                                   "degrees",
                                                   "rotation_format",
                                                   "attached_to",
                                                   "expressed_in",
                                                   "merge",
                                                   "joint",
                                                   "auto"};
    keep_attributes(e, kAttributes);
    for_each_child(e, [&](XMLElement& child) {
        const std::string name = child.Name();
        if (kUnused.contains(name) || name.find(':') != std::string::npos) {
            e.DeleteChild(&child);
        } else if (name == "surface") {
            leave_out_of_surface(child, "");
        } else {
            leave_out_what_mechanics_does_not_need(child);
        }
    });
}

std::vector<std::string> leave_out_other_models(XMLElement& root, const std::string& model) {
    const auto is_model = [](const XMLElement& e) {
        return std::string(e.Name()) == "model" || std::string(e.Name()) == "include";
    };
    std::vector<XMLElement*> wanted, unnamed;
    const auto sort = [&](XMLElement& e) {
        const std::string name = name_of_model(e);
        if (!is_model(e)) return;
        if (name == model) wanted.push_back(&e);
        if (name.empty()) unnamed.push_back(&e);
    };
    for_each_child(root, [&](XMLElement& e) {
        sort(e);
        if (std::string(e.Name()) == "world") for_each_child(e, sort);
    });
    const std::vector<XMLElement*>& kept = wanted.empty() ? unnamed : wanted;
    std::vector<std::string> left_out;
    if (kept.empty()) return left_out;
    const auto drop_others = [&](XMLElement& parent) {
        for_each_child(parent, [&](XMLElement& e) {
            if (!is_model(e) || std::find(kept.begin(), kept.end(), &e) != kept.end()) return;
            if (const std::string name = name_of_model(e); !name.empty()) left_out.push_back(name);
            parent.DeleteChild(&e);
        });
    };
    for_each_child(root, [&](XMLElement& e) {
        if (std::string(e.Name()) != "world") return;
        drop_others(e);
        const bool is_empty =
            e.FirstChildElement("model") == nullptr && e.FirstChildElement("include") == nullptr;
        if (is_empty) root.DeleteChild(&e);
    });
    drop_others(root);
    return left_out;
}

void leave_out_of_include(XMLElement& include) {
    static const std::set<std::string> kChildren{"uri", "name", "pose", "static",
                                                 "placement_frame"};
    static const std::set<std::string> kOfPose{"relative_to", "degrees", "rotation_format"};
    for_each_child(include, [&](XMLElement& child) {
        const std::string name = child.Name();
        if (!kChildren.contains(name)) {
            include.DeleteChild(&child);
            return;
        }
        for_each_child(child, [&](XMLElement& below) { child.DeleteChild(&below); });
        keep_attributes(child, name == "pose" ? kOfPose : std::set<std::string>{});
    });
}

}  // namespace plucker::io
