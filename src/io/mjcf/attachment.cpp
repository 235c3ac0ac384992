#include "mjcf/attachment.hpp"

#include <set>

#include "mjcf/defaults.hpp"
#include "mjcf/meshes.hpp"
#include "mjcf/poses.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

template <class F>
void for_each_section(XMLElement& root, const char* tag, F&& f) {
    for_each_child(root, [&](XMLElement& section) {
        if (is(section, tag)) f(section);
    });
}

class Settler {
public:
    Settler(XMLElement& root, const std::filesystem::path& folder, const TracedXml& document,
            Findings& findings)
        : angles_(angles_of(root)),
          auto_limits_(compiler_setting(root, "autolimits") != "false"),
          strip_path_(compiler_setting(root, "strippath") == "true"),
          folder_(folder / compiler_setting(root, "meshdir")),
          document_(document),
          findings_(findings) {}

    void settle(XMLElement& e) {
        if (is(e, "joint")) settle_joint(e);
        if (is(e, "mesh")) settle_mesh(e);
        if (is(e, "body") || is(e, "frame") || is(e, "geom") || is(e, "site") || is(e, "inertial"))
            settle_pose(e);
        for_each_child(e, [&](XMLElement& child) { settle(child); });
    }

private:
    void settle_pose(XMLElement& e) {
        bool turned = false;
        for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next())
            turned = turned || is_orientation(a->Name());
        if (!turned) return;
        std::string why;
        if (const auto pose = pose_of(e, angles_, why)) {
            set_pose(e, *pose);
        } else {
            report(findings_, Severity::kError, document_.origin(e), label(e), why);
        }
    }

    void settle_joint(XMLElement& e) const {
        const std::string type = attribute(e, "type"), limited = attribute(e, "limited");
        if (e.Attribute("range") != nullptr && auto_limits_ &&
            (limited.empty() || limited == "auto"))
            e.SetAttribute("limited", "true");
        if (type == "slide" || type == "free") return;
        for (const char* name : {"range", "ref", "springref"}) {
            if (type == "ball" && std::string(name) != "range") continue;
            std::string why;
            const std::size_t count = std::string(name) == "range" ? 2 : 1;
            auto numbers = parse_numbers(attribute(e, name), count, why);
            if (!numbers) continue;  // not there; or wrong, which is said later
            for (double& x : *numbers) x *= angles_.unit;
            e.SetAttribute(name, to_text(*numbers).c_str());
        }
    }

    void settle_mesh(XMLElement& e) const {
        const std::filesystem::path file = attribute(e, "file");
        if (file.empty()) return;
        if (e.Attribute("name") == nullptr) e.SetAttribute("name", file.stem().c_str());
        if (file.string().starts_with(kBuiltIn)) return;
        e.SetAttribute("file", (folder_ / (strip_path_ ? file.filename() : file)).c_str());
    }

    MjcfAngles angles_;
    bool auto_limits_, strip_path_;
    std::filesystem::path folder_;
    const TracedXml& document_;
    Findings& findings_;
};

XMLElement* find(XMLElement& e, const char* tag, const std::string& name) {
    if (is(e, tag) && attribute(e, "name") == name) return &e;
    for (auto* child = e.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
        if (auto* found = find(*child, tag, name)) return found;
    }
    return nullptr;
}

// The names of all elements of a kind.
void collect_names(const XMLElement& e, const char* tag, std::vector<std::string>& names) {
    if (is(e, tag) && e.Attribute("name") != nullptr) names.push_back(attribute(e, "name"));
    for_each_child(e, [&](const XMLElement& child) { collect_names(child, tag, names); });
}

}  // namespace

void settle(XMLElement& root, const std::filesystem::path& folder, TracedXml& document,
            Findings& findings) {
    Settler(root, folder, document, findings).settle(root);
    root.InsertFirstChild(document.create("compiler", document.origin(root)));
    for_each_section(root, "compiler", [](XMLElement& e) {
        for (const char* name : {"eulerseq", "meshdir", "strippath"}) e.DeleteAttribute(name);
        e.SetAttribute("angle", "radian");
    });
}

void add_prefix(XMLElement& e, const std::string& prefix) {
    for (const char* name : {"name", "mesh", "material", "joint1", "joint2", "joint", "body1",
                             "body2", "site1", "site2"}) {
        if (e.Attribute(name) == nullptr || attribute(e, name) == "world") continue;
        e.SetAttribute(name, (prefix + attribute(e, name)).c_str());
    }
    for_each_child(e, [&](XMLElement& child) { add_prefix(child, prefix); });
}

void attach_part(XMLElement& attach, XMLElement& part, XMLElement& root, TracedXml& document,
                 Findings& findings) {
    const std::string prefix = attribute(attach, "prefix");
    XMLElement* frame = document.create("frame", document.origin(attach));
    attach.Parent()->InsertAfterChild(&attach, frame);
    const char* const kind = attach.Attribute("body") != nullptr    ? "body"
                             : attach.Attribute("frame") != nullptr ? "frame"
                                                                    : nullptr;
    std::vector<std::string> known;
    for_each_section(part, "worldbody", [&](XMLElement& world) {
        if (kind == nullptr) {
            for_each_child(world, [&](XMLElement& e) { frame->InsertEndChild(&e); });
            return;
        }
        collect_names(world, kind, known);
        XMLElement* wanted = find(world, kind, prefix + attribute(attach, kind));
        if (wanted != nullptr) frame->InsertEndChild(wanted);
    });
    if (kind != nullptr && frame->NoChildren()) {
        for (std::string& name : known) name.erase(0, prefix.size());
        report(findings, Severity::kError, document.origin(attach), "<attach>", "model '",
               attribute(attach, "model"),
               "': ", unknown_name(kind, attribute(attach, kind), known).what());
        return;
    }
    // What an equality or an <exclude> names must have been attached with it.
    const auto attached = [&](const char* tag) {
        std::vector<std::string> names;
        collect_names(*frame, tag, names);
        return std::set<std::string>(names.begin(), names.end());
    };
    const std::pair<const char*, std::set<std::string>> kinds[] = {
        {"joint", attached("joint")}, {"body", attached("body")}, {"site", attached("site")}};
    const auto dangles = [&](const XMLElement& item) {
        for (const auto& [tag, names] : kinds) {
            for (const char* number : {"1", "2"}) {
                const std::string name = attribute(item, (std::string(tag) + number).c_str());
                if (!name.empty() && name != "world" && !names.contains(name)) return true;
            }
        }
        return false;
    };
    for (const char* section : {"asset", "equality", "contact"}) {
        for_each_section(part, section, [&](XMLElement& e) {
            for_each_child(e, [&](XMLElement& item) {
                if (!is(e, "asset") && dangles(item)) e.DeleteChild(&item);
            });
            root.InsertEndChild(&e);
        });
    }
}

}  // namespace plucker::io
