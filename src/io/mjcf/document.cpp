#include "mjcf/document.hpp"

#include <filesystem>

#include "mjcf/attachment.hpp"
#include "mjcf/checker.hpp"
#include "mjcf/defaults.hpp"
#include "mjcf/frames.hpp"
#include "mjcf/poses.hpp"
#include "mjcf/pruning.hpp"
#include "mjcf/words.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

// MuJoCo compares every name with every other.
constexpr std::size_t kMostMjcfElements = 20000;

bool is_body(const XMLElement& e) { return std::string(e.Name()) == "body"; }
bool is_joint(const XMLElement& e) {
    return std::string(e.Name()) == "joint" || std::string(e.Name()) == "freejoint";
}

// Whether one of these is anywhere below.
bool has_any(const XMLElement& e, const std::set<std::string>& tags) {
    for (const auto* c = e.FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
        if (tags.contains(c->Name()) || has_any(*c, tags)) return true;
    }
    return false;
}

bool is_same_file(const std::string& a, const std::string& b) {
    std::error_code ignored;
    return std::filesystem::equivalent(a, b, ignored);
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
    XMLElement* mine = load(root, findings_.file(), 0);
    if (mine == nullptr) return false;
    dissolve_frames(*mine, xml_, findings_);
    xml_.set_root(mine);
    summary_.report_to(findings_);
    leave_out_bad_materials(xml_, findings_);
    set_compiler_options();
    check_mjcf(xml_, findings_);
    if (findings_.has_errors()) return false;
    give_names();
    check_equalities();
    meshes_.emplace(xml_, files_, findings_);
    return !findings_.has_errors();
}

// One document: a copy with its includes, in the words that are used here, with all that it attaches. Null, with
// an error, if it cannot be used.
XMLElement* MjcfDocument::load(const XMLElement& root, const std::string& file, int through) {
    included_.clear();
    XMLElement* mine = xml_.copy(root, file, through);
    expand_includes(*mine, file);
    if (findings_.has_errors()) return nullptr;
    leave_out_what_dynamics_does_not_need(*mine, xml_, summary_);
    translate_words(*mine, xml_, findings_, summary_);
    if (findings_.has_errors()) return nullptr;
    if (has_any(*mine, {"frame", "replicate", "attach"})) {
        const MjcfAngles angles = angles_of(*mine);  // attaching brings all others into radians
        MjcfDefaults(*mine).write_out(*mine, xml_, findings_);
        attach_models(*mine, file);  // first: what is attached in a <replicate> is copied with it
        if (findings_.has_errors()) return nullptr;
        expand_replicates(*mine, angles, xml_, kMostMjcfElements, findings_);
    }
    for_each_below(*mine, [](XMLElement& e) {
        if (std::string(e.Name()) == "model") e.Parent()->DeleteChild(&e);
    });
    return findings_.has_errors() ? nullptr : mine;
}

// --- Includes -------------------------------------------------------------------------------------

// An <include> is replaced by the children of the included document's root, as MuJoCo does it. A file may be
// included only once, which also ends every cycle.
void MjcfDocument::expand_includes(XMLElement& parent, const std::string& file) {
    for (auto* child = parent.FirstChildElement(); child != nullptr;) {
        if (std::string(child->Name()) != "include") {
            expand_includes(*child, file);
            child = child->NextSiblingElement();
            continue;
        }
        insert_included(*child, file);
        if (findings_.has_errors()) return;
        auto* next = child->NextSiblingElement();  // the first that came in, to be expanded itself
        parent.DeleteChild(child);
        child = next;
    }
    if (xml_.size() > kMostMjcfElements) {
        error(parent, "", "has more than ", kMostMjcfElements,
              " elements; no robot description needs that");
    }
}

// Inserts after `include` what it stands for.
void MjcfDocument::insert_included(XMLElement& include, const std::string& from) {
    const Origin at = xml_.origin(include);
    const std::string file = attribute(include, "file");
    const auto refuse = [&](const auto&... parts) { error(include, "<include>", parts...); };
    if (file.empty()) return refuse("lacks the attribute 'file'");
    const MeshFinder::Found found = find_beside(file, from, at.file);
    if (found.path.empty()) return refuse("file '", file, "' is not read: ", found.why);
    if (is_same_file(found.path, from) || !included_.insert(found.path).second)
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

// Paths start at the document's folder; where there is no such file, at that of the file that names it.
MeshFinder::Found MjcfDocument::find_beside(const std::string& file, const std::string& document,
                                            const std::string& including) const {
    const MeshFinder::Found found = files_.find(path_from(document, file));
    if (!found.path.empty()) return found;
    const MeshFinder::Found second = files_.find(path_from(including, file));
    return second.path.empty() ? found : second;
}

// As MeshFinder wants it: from the robot's folder, unless it is an address.
std::string MjcfDocument::path_from(const std::string& document, const std::string& file) const {
    return file.find("://") == std::string::npos ? (folder_of(document) / file).string() : file;
}

std::filesystem::path MjcfDocument::folder_of(const std::string& document) const {
    const auto folder = [](const std::string& path) {
        std::error_code ignored;
        return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored)
            .parent_path();
    };
    return folder(document).lexically_proximate(folder(findings_.file()));
}

// --- Attached models ------------------------------------------------------------------------------

void MjcfDocument::attach_models(XMLElement& root, const std::string& file) {
    if (!has_any(root, {"attach"})) return;
    settle(root, folder_of(file), xml_, findings_);
    loading_.push_back(file);
    attach_below(root, root, file);
    loading_.pop_back();
}

void MjcfDocument::attach_below(XMLElement& e, XMLElement& root, const std::string& file) {
    for_each_child(e, [&](XMLElement& child) {
        if (findings_.has_errors()) return;
        if (std::string(child.Name()) != "attach") return attach_below(child, root, file);
        attach(child, root, file);
        e.DeleteChild(&child);
    });
}

void MjcfDocument::attach(XMLElement& attach, XMLElement& root, const std::string& file) {
    const auto refuse = [&](const auto&... parts) { error(attach, "<attach>", parts...); };
    const std::string model = attribute(attach, "model");
    if (model.empty()) return refuse("a part of the model itself is not attached; copy the body");
    if (attach.Attribute("prefix") == nullptr) return refuse("lacks the attribute 'prefix'");
    std::string part_file;
    std::vector<std::string> known;
    for_each_child(root, [&](const XMLElement& assets) {
        for_each_child(assets, [&](const XMLElement& asset) {
            if (std::string(asset.Name()) != "model") return;
            known.push_back(attribute(asset, "name"));
            if (known.back() == model) part_file = attribute(asset, "file");
        });
    });
    if (part_file.empty()) return refuse(unknown_name("model", model, known).what());
    const Origin at = xml_.origin(attach);
    const MeshFinder::Found found = find_beside(part_file, file, at.file);
    if (found.path.empty()) return refuse("file '", part_file, "' is not read: ", found.why);
    for (const std::string& outer : loading_) {
        if (is_same_file(found.path, outer))
            return refuse("file '", part_file, "' attaches itself");
    }
    tinyxml2::XMLDocument document;
    const XMLElement* part_root = parse_included(found.path, at, document, findings_);
    if (part_root == nullptr) return;
    XMLElement* part = load(*part_root, found.path, at.line_in_robot);
    if (part == nullptr) return;
    MjcfDefaults(*part).write_out(*part, xml_, findings_);
    settle(*part, folder_of(found.path), xml_, findings_);
    add_prefix(*part, attribute(attach, "prefix"));
    attach_part(attach, *part, root, xml_, findings_);
}

// --- Options and names ----------------------------------------------------------------------------

void MjcfDocument::set_compiler_options() {
    XMLElement& root = xml_.root();
    root.InsertFirstChild(xml_.create("compiler", xml_.origin(root)));
    for (auto* c = root.FirstChildElement("compiler"); c; c = c->NextSiblingElement("compiler")) {
        c->SetAttribute("fusestatic", "false");     // every body is to be found by its name
        c->SetAttribute("discardvisual", "false");  // every shape is kept for drawing
    }
    // Since version 3.0 a range is a limit unless the file says otherwise.
    if (compiler_setting(root, "autolimits").empty())
        root.FirstChildElement("compiler")->SetAttribute("autolimits", "true");
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
            if (!is_nameless) named_joints_.insert(attribute(e, "name"));
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
    if (has_any(xml_.root(), {"composite"})) return;
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
