#include "mjcf/defaults.hpp"

#include <set>

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;
using Attributes = std::map<std::string, std::string>;

constexpr const char* kMain = "main";

// Under which name the defaults of an element stand; empty if it has none.
std::string kind_of(const XMLElement& e) {
    static const std::set<std::string> kKinds{"joint", "geom", "site", "mesh", "material"};
    const std::string tag = e.Name();
    const auto* parent = e.Parent() == nullptr ? nullptr : e.Parent()->ToElement();
    const std::string above = parent == nullptr ? "" : parent->Name();
    if (above == "equality" || above == "tendon") return above;
    if (above == "composite" || above == "spatial" || above == "fixed") return "";
    return kKinds.contains(tag) ? tag : "";
}

void overwrite(Attributes& attributes, const std::string& name, const std::string& value) {
    if (is_orientation(name))
        std::erase_if(attributes, [](const auto& a) { return is_orientation(a.first); });
    attributes[name] = value;
}

}  // namespace

bool is_orientation(const std::string& attribute) {
    static const std::set<std::string> kNames{"quat", "axisangle", "xyaxes", "zaxis", "euler"};
    return kNames.contains(attribute);
}

MjcfDefaults::MjcfDefaults(const XMLElement& root) {
    classes_[kMain];
    for_each_child(root, [&](const XMLElement& e) {
        if (std::string(e.Name()) != "default") return;
        // The outermost class has the elements that name none, whatever it is called.
        collect(e, kMain);
        if (const std::string name = attribute(e, "class"); !name.empty())
            classes_[name] = classes_[kMain];
    });
}

// Classes inside others inherit: parents are complete before their children.
void MjcfDefaults::collect(const XMLElement& defaults, const std::string& name) {
    for_each_child(defaults, [&](const XMLElement& e) {
        if (std::string(e.Name()) == "default") return;
        for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next())
            overwrite(classes_[name][e.Name()], a->Name(), a->Value());
    });
    for_each_child(defaults, [&](const XMLElement& e) {
        if (std::string(e.Name()) != "default") return;
        const std::string inner = attribute(e, "class");
        if (!classes_.contains(inner)) classes_[inner] = classes_[name];
        collect(e, inner);
    });
}

std::string MjcfDefaults::class_of(const XMLElement& e) const {
    if (e.Attribute("class") != nullptr) return attribute(e, "class");
    for (const auto* at = e.Parent(); at != nullptr && at->ToElement() != nullptr;
         at = at->Parent()) {
        const std::string inherited = attribute(*at->ToElement(), "childclass");
        if (!inherited.empty()) return inherited;
    }
    return kMain;
}

std::string MjcfDefaults::value(const XMLElement& e, const std::string& name) const {
    if (e.Attribute(name.c_str()) != nullptr) return attribute(e, name.c_str());
    const auto found = classes_.find(class_of(e));
    if (found == classes_.end()) return "";
    const auto kind = found->second.find(kind_of(e));
    if (kind == found->second.end()) return "";
    const auto value = kind->second.find(name);
    return value == kind->second.end() ? "" : value->second;
}

void MjcfDefaults::write_out(XMLElement& root, const TracedXml& document,
                             Findings& findings) const {
    for_each_child(root, [&](XMLElement& section) {
        if (std::string(section.Name()) == "default") {
            root.DeleteChild(&section);
        } else {
            write_out_below(section, document, findings);
        }
    });
}

void MjcfDefaults::write_out_below(XMLElement& parent, const TracedXml& document,
                                   Findings& findings) const {
    for_each_child(parent, [&](XMLElement& e) {
        write_out_below(e, document, findings);
        const std::string kind = kind_of(e);
        if (kind.empty()) return;
        const auto found = classes_.find(class_of(e));
        if (found == classes_.end()) {
            report(findings, Severity::kError, document.origin(e), label(e), "default class '",
                   class_of(e), "' is not known; define it in <default>");
            return;
        }
        e.DeleteAttribute("class");
        const auto defaults = found->second.find(kind);
        if (defaults == found->second.end()) return;
        bool has_orientation = false;
        for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next())
            has_orientation = has_orientation || is_orientation(a->Name());
        for (const auto& [name, value] : defaults->second) {
            if (e.Attribute(name.c_str()) != nullptr) continue;
            if (has_orientation && is_orientation(name)) continue;
            e.SetAttribute(name.c_str(), value.c_str());
        }
    });
    parent.DeleteAttribute("childclass");  // only now: those inside have looked for it
}

}  // namespace plucker::io
