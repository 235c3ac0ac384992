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
// Files are short and shallow one by one; these keep what they make together from being deep.
constexpr std::size_t kMostAttachedFiles = 50;
constexpr int kMostNested = 300;

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

// How many elements stand around it.
int depth_of(const XMLElement& e) {
    int out = 0;
    for (const auto* at = e.Parent(); at != nullptr && at->ToElement() != nullptr;
         at = at->Parent())
        ++out;
    return out;
}

// The first element that has more than `most` around it, or null. `depth`: how many e has.
const XMLElement* find_deeper(const XMLElement& e, int most, int depth = 0) {
    if (depth > most) return &e;
    for (const auto* c = e.FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
        if (const auto* found = find_deeper(*c, most, depth + 1)) return found;
    }
    return nullptr;
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
    check_nesting(*mine, TINYXML2_MAX_ELEMENT_DEPTH - 1);
    xml_.set_root(mine);
    summary_.report_to(findings_);
    leave_out_bad_materials(xml_, findings_);
    set_compiler_options();
    check_mjcf(xml_, findings_);
    if (findings_.has_errors()) return false;
    give_names();
    ties_ = take_ties(xml_, findings_);
    check_equalities();
    meshes_.emplace(xml_, files_, findings_);
    return !findings_.has_errors();
}

// One document: a copy with its includes, in the words that are used here, with all that it attaches. Null, with
// an error, if it cannot be used.
XMLElement* MjcfDocument::load(const XMLElement& root, const std::string& file, int through) {
    included_.clear();
    XMLElement* mine = xml_.copy(root, file, through);
    check_size(*mine);
    if (!findings_.has_errors()) expand_includes(*mine, file);
    if (findings_.has_errors()) return nullptr;
    if (through == 0) keyframes_ = keyframes_of(*mine, xml_, summary_);
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
    check_nesting(*mine, kMostNested);
    return findings_.has_errors() ? nullptr : mine;
}

void MjcfDocument::check_nesting(const XMLElement& root, int most) {
    const XMLElement* deep = find_deeper(root, most);
    if (deep != nullptr)
        error(*deep, label(*deep), "has more than ", most,
              " elements around it; no robot description needs that");
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
}

void MjcfDocument::check_size(const XMLElement& brought_by) {
    if (xml_.size() > kMostMjcfElements)
        error(brought_by, tag(brought_by), "has more than ", kMostMjcfElements,
              " elements, with all that came before; no robot description needs that");
}

// Inserts after `include` what it stands for.
void MjcfDocument::insert_included(XMLElement& include, const std::string& from) {
    const Origin at = xml_.origin(include);
    const std::string file = attribute(include, "file");
    const auto refuse = [&](const auto&... parts) { error(include, "<include>", parts...); };
    for (const auto* a = include.FirstAttribute(); a != nullptr; a = a->Next()) {
        if (a->Name() != std::string("file"))
            return refuse(unknown_name("attribute", a->Name(), {"file"}).what());
    }
    if (include.FirstChildElement() != nullptr)
        return refuse("has something in it; put that beside it");
    if (file.empty()) return refuse("lacks the attribute 'file'");
    if (depth_of(include) > kMostNested)
        return refuse("has more than ", kMostNested,
                      " elements around it; no robot description needs that");
    const MeshFinder::Found found = find_beside(file, from, at.file);
    if (found.path.empty()) return refuse(why_not_read(file, from, found));
    if (is_same_file(found.path, from) || !included_.insert(found.path).second)
        return refuse("file '", file, "' is included twice, or includes itself; include it once");
    tinyxml2::XMLDocument document;
    const XMLElement* root = parse_included(found.path, at, document, findings_);
    if (root == nullptr) return;
    XMLElement* last = &include;
    for_each_child(*root, [&](const XMLElement& e) {
        auto* copy = xml_.copy(e, found.path, at.line_in_robot);
        include.Parent()->InsertAfterChild(last, copy);
        last = copy;
    });
    check_size(include);
}

// Paths start at the document's folder; where there is no such file, at that of the file that names it.
MeshFinder::Found MjcfDocument::find_beside(const std::string& file, const std::string& document,
                                            const std::string& including) const {
    MeshFinder::Found found = files_.find(path_from(document, file));
    if (!found.path.empty()) return found;
    const MeshFinder::Found second = files_.find(path_from(including, file));
    return second.path.empty() ? found : second;
}

std::string MjcfDocument::why_not_read(const std::string& file, const std::string& document,
                                       const MeshFinder::Found& found) {
    return "file '" + file + "' is not read: " + found.why + "; paths start at the folder of " +
           std::filesystem::path(document).filename().string();
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
    const Models models = models_of(root, file);
    loading_.push_back(file);
    attach_below(root, root, file, models);
    loading_.pop_back();
}

void MjcfDocument::attach_below(XMLElement& e, XMLElement& root, const std::string& file,
                                const Models& models) {
    for_each_child(e, [&](XMLElement& child) {
        if (findings_.has_errors()) return;
        if (std::string(child.Name()) != "attach") return attach_below(child, root, file, models);
        attach(child, root, file, models);
        e.DeleteChild(&child);
    });
}

void MjcfDocument::attach(XMLElement& attach, XMLElement& root, const std::string& file,
                          const Models& models) {
    const auto refuse = [&](const auto&... parts) { error(attach, "<attach>", parts...); };
    if (attribute(attach, "model").empty())
        return refuse("a part of the model itself is not attached; copy the body");
    if (attach.Attribute("prefix") == nullptr) return refuse("lacks the attribute 'prefix'");
    if (attach.Attribute("body") != nullptr && attach.Attribute("frame") != nullptr)
        return refuse("names a body and a frame; leave out one of them");
    if (loading_.size() > kMostAttachedFiles)
        return refuse("is the last of more than ", kMostAttachedFiles,
                      " files that attach each other; no robot description needs that");
    const auto model = models.find(attribute(attach, "model"));
    if (model == models.end()) {
        std::vector<std::string> known;
        for (const auto& [name, model_file] : models) known.push_back(name);
        return refuse(unknown_name("model", attribute(attach, "model"), known).what());
    }
    const std::string& part_file = model->second;
    const Origin at = xml_.origin(attach);
    const MeshFinder::Found found = find_beside(part_file, file, at.file);
    if (found.path.empty()) return refuse(why_not_read(part_file, file, found));
    for (const std::string& outer : loading_) {
        if (is_same_file(found.path, outer))
            return refuse("file '", part_file, "' attaches itself; take this <attach> away");
    }
    tinyxml2::XMLDocument document;
    const XMLElement* part_root = parse_included(found.path, at, document, findings_);
    if (part_root == nullptr) return;
    if (std::string(part_root->Name()) != "mujoco")
        return refuse("file '", part_file, "' is not MJCF: it has <", part_root->Name(),
                      "> in place of <mujoco>");
    XMLElement* part = load(*part_root, found.path, at.line_in_robot);
    if (part == nullptr) return;
    MjcfDefaults(*part).write_out(*part, xml_, findings_);
    settle(*part, folder_of(found.path), xml_, findings_);
    add_prefix(*part, attribute(attach, "prefix"));
    attach_part(attach, *part, root, xml_, findings_);
}

// The files of the <model> assets, by the name of each: its own or, where it has none, that of its document.
MjcfDocument::Models MjcfDocument::models_of(const XMLElement& root, const std::string& file) {
    Models out;
    for_each_child(root, [&](const XMLElement& assets) {
        for_each_child(assets, [&](const XMLElement& asset) {
            if (std::string(asset.Name()) != "model" || findings_.has_errors()) return;
            const std::string model_file = attribute(asset, "file");
            if (model_file.empty()) return error(asset, label(asset), "lacks the attribute 'file'");
            const std::string name = asset.Attribute("name") != nullptr
                                         ? attribute(asset, "name")
                                         : name_in_file(model_file, asset, file);
            if (!out.emplace(name, model_file).second)
                error(asset, label(asset), "two models are named '", name,
                      "'; give one of them another name");
        });
    });
    return out;
}

std::string MjcfDocument::name_in_file(const std::string& model_file, const XMLElement& asset,
                                       const std::string& file) {
    const Origin at = xml_.origin(asset);
    const MeshFinder::Found found = find_beside(model_file, file, at.file);
    if (found.path.empty()) {
        error(asset, label(asset), why_not_read(model_file, file, found));
        return "";
    }
    tinyxml2::XMLDocument document;
    const XMLElement* root = parse_included(found.path, at, document, findings_);
    const std::string name = root == nullptr ? "" : attribute(*root, "model");
    return name.empty() ? "MuJoCo Model" : name;  // as MuJoCo calls what has no name
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
        } else if (std::string(e.Name()) == "inertial") {
            with_inertial_.insert(name);
        } else if (std::string(e.Name()) == "site") {
            sites_.emplace(attribute(e, "name"), xml_.origin(e));
        }
    });
}

void MjcfDocument::remember(const XMLElement& e, const char* kind, Origins& origins) {
    const std::string name = attribute(e, "name");
    const auto [first, is_new] = origins.emplace(name, xml_.origin(e));
    if (is_new) return;
    error(e, "", "two ", kind, " are named '", name, "' (the first in line ",
          first->second.line_in_robot, "); give one of them another name");
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
