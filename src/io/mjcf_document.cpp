#include "mjcf_document.hpp"

#include <filesystem>

#include "mjcf_checker.hpp"
#include "mjcf_pruning.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

// MuJoCo compares every name with every other.
constexpr std::size_t kMostElements = 20000;

bool is_body(const XMLElement& e) { return std::string(e.Name()) == "body"; }
bool is_joint(const XMLElement& e) {
    return std::string(e.Name()) == "joint" || std::string(e.Name()) == "freejoint";
}

bool has_composite(const XMLElement& e) {
    for (const auto* c = e.FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
        if (std::string(c->Name()) == "composite" || has_composite(*c)) return true;
    }
    return false;
}

void take_names(const XMLElement& body, UniqueNames& bodies, UniqueNames& joints) {
    for_each_child(body, [&](const XMLElement& e) {
        if (is_body(e)) take_names(e, bodies, joints);
        if (is_body(e)) bodies.take(attribute(e, "name"));
        if (is_joint(e)) joints.take(attribute(e, "name"));
    });
}

}  // namespace

bool MjcfDocument::prepare(const XMLElement& root) {
    xml_.set_root(xml_.copy(root, findings_.file()));
    expand_includes(xml_.root());
    if (findings_.has_errors()) return false;
    leave_out_what_dynamics_does_not_need(xml_, findings_);
    set_compiler_options();
    check_mjcf(xml_, findings_);
    give_names();
    check_equalities();
    meshes_.emplace(xml_, files_, findings_);
    return !findings_.has_errors();
}

// --- Includes -------------------------------------------------------------------------------------

// An <include> is replaced by the children of the included document's root, as MuJoCo does it. A file may be
// included only once, which also ends every cycle.
void MjcfDocument::expand_includes(XMLElement& parent) {
    for (auto* child = parent.FirstChildElement(); child != nullptr;) {
        if (std::string(child->Name()) != "include") {
            expand_includes(*child);
            child = child->NextSiblingElement();
            continue;
        }
        insert_included(*child);
        if (findings_.has_errors()) return;
        auto* next = child->NextSiblingElement();  // the first that came in, to be expanded itself
        parent.DeleteChild(child);
        child = next;
    }
    if (xml_.size() > kMostElements) {
        error(parent, "", "has more than ", kMostElements,
              " elements; no robot description needs that");
    }
}

// Inserts after `include` what it stands for.
void MjcfDocument::insert_included(XMLElement& include) {
    const Origin at = xml_.origin(include);
    const std::string file = attribute(include, "file");
    const auto refuse = [&](const auto&... parts) { error(include, "<include>", parts...); };
    if (file.empty()) return refuse("lacks the attribute 'file'");
    const MeshFinder::Found found = files_.find(file);
    if (found.path.empty()) return refuse("file '", file, "' is not read: ", found.why);
    std::error_code ignored;
    const bool is_robot = std::filesystem::equivalent(found.path, findings_.file(), ignored);
    if (is_robot || !included_.insert(found.path).second)
        return refuse("file '", file, "' is included twice, or includes itself");
    tinyxml2::XMLDocument document;
    const XMLElement* root = parse_included(found.path, at, document, findings_);
    if (root == nullptr) return;
    XMLElement* last = &include;
    for_each_child(*root, [&](const XMLElement& e) {
        auto* copy = xml_.copy(e, found.path, at.line_in_robot);
        include.Parent()->InsertAfterChild(last, copy);
        last = copy;
    });
}

// --- Options and names ----------------------------------------------------------------------------

void MjcfDocument::set_compiler_options() {
    XMLElement& root = xml_.root();
    root.InsertFirstChild(xml_.create("compiler", xml_.origin(root)));
    for (auto* c = root.FirstChildElement("compiler"); c; c = c->NextSiblingElement("compiler")) {
        c->SetAttribute("fusestatic", "false");     // every body is to be found by its name
        c->SetAttribute("discardvisual", "false");  // every shape is kept for drawing
    }
    // MuJoCo's compiler makes a step; nothing need touch in it.
    auto* option = xml_.create("option", xml_.origin(root));
    auto* flag = xml_.create("flag", xml_.origin(root));
    flag->SetAttribute("contact", "disable");
    option->InsertEndChild(flag);
    root.InsertEndChild(option);
}

// Bodies and joints need names here; the ones that have none are named after their place.
void MjcfDocument::give_names() {
    UniqueNames bodies, joints;
    const auto for_each_world = [&](auto&& f) {
        for_each_child(xml_.root(), [&](XMLElement& e) {
            if (std::string(e.Name()) == "worldbody") f(e);
        });
    };
    for_each_world([&](XMLElement& world) { take_names(world, bodies, joints); });
    for_each_world([&](XMLElement& world) { make_names(world, "world", bodies, joints); });
}

void MjcfDocument::make_names(XMLElement& body, const std::string& name, UniqueNames& bodies,
                              UniqueNames& joints) {
    for_each_child(body, [&](XMLElement& e) {
        const bool is_nameless = attribute(e, "name").empty();
        if (is_body(e)) {
            if (is_nameless) e.SetAttribute("name", bodies.make(name + "_body").c_str());
            remember(e, "bodies", bodies_);
            make_names(e, attribute(e, "name"), bodies, joints);
        } else if (is_joint(e)) {
            if (is_nameless) e.SetAttribute("name", joints.make(name + "_joint").c_str());
            remember(e, "joints", joints_);
        } else if (std::string(e.Name()) == "site") {
            sites_.emplace(attribute(e, "name"), xml_.origin(e));
        }
    });
}

void MjcfDocument::remember(const XMLElement& e, const char* kind, Origins& origins) {
    const std::string name = attribute(e, "name");
    const auto [first, is_new] = origins.emplace(name, xml_.origin(e));
    if (is_new) return;
    error(e, "", "two ", kind, " are named '", name, "' (the first in line ", first->second.line,
          "); give one of them another name");
}

// A <joint> equality must name joints of the document; those that a composite makes are known to MuJoCo alone.
void MjcfDocument::check_equalities() {
    if (has_composite(xml_.root())) return;
    for_each_child(xml_.root(), [&](const XMLElement& equalities) {
        if (std::string(equalities.Name()) != "equality") return;
        for_each_child(equalities, [&](const XMLElement& e) {
            for (const char* role : {"joint1", "joint2"}) {
                const std::string name = attribute(e, role);
                if (name.empty() || joints_.contains(name)) continue;
                std::vector<std::string> known;
                for (const auto& [joint, origin] : joints_) known.push_back(joint);
                error(e, "equality " + label(e), unknown_name("joint", name, known).what());
            }
        });
    });
}

// --- Places ---------------------------------------------------------------------------------------

Origin MjcfDocument::find(const Origins& origins, const std::string& name) {
    const auto found = origins.find(name);
    return found == origins.end() ? Origin{} : found->second;
}

Origin MjcfDocument::section(const char* name) const {
    const auto* e = xml_.root().FirstChildElement(name);
    return xml_.origin(e == nullptr ? xml_.root() : *e);
}

}  // namespace plucker::io
