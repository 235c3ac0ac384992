// MJCF, through MuJoCo's own compiler: defaults, composites and inertias from shapes are its business.
//
// What MuJoCo compiles is a copy of the document (TracedXml) in which includes are expanded, nameless
// bodies and joints have names, what dynamics does not need is left out, and mesh files are replaced by a
// tetrahedron in memory. So a mesh file is opened only where a body's mass comes from it, and nothing
// else is read from disk. Twice the tetrahedron tells which masses those are.
#include "mjcf_reader.hpp"

#include <mujoco/mujoco.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>

#include "file.hpp"
#include "mesh_uri.hpp"
#include "neutral_locale.hpp"
#include "plucker/spatial/quaternion.hpp"
#include "traced_xml.hpp"
#include "tree_assembly.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

// MuJoCo compares every name with every other, and expands composites before anything can be counted.
constexpr std::size_t kMostElements = 20000;
constexpr double kMostCompositeParts = 10000;

bool is_one_of(const std::string& name, const std::set<std::string>& names) {
    return names.contains(name);
}

Vec3<double> vec3(const mjtNum* p) { return {p[0], p[1], p[2]}; }
Pose<double> pose(const mjtNum* position, const mjtNum* wxyz) {
    const Quaternion<double> q{wxyz[1], wxyz[2], wxyz[3], wxyz[0]};
    return {transpose(coordinate_rotation(q)), vec3(position)};
}

// --- MuJoCo's compiler --------------------------------------------------------------------------

struct DeleteModel {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
};
using ModelPointer = std::unique_ptr<mjModel, DeleteModel>;

// Files that MuJoCo finds in memory.
class VirtualFiles {
public:
    VirtualFiles() { mj_defaultVFS(files_.get()); }
    ~VirtualFiles() { mj_deleteVFS(files_.get()); }
    VirtualFiles(const VirtualFiles&) = delete;
    VirtualFiles& operator=(const VirtualFiles&) = delete;

    void add(const char* name, const void* data, std::size_t size) {
        if (mj_makeEmptyFileVFS(files_.get(), name, static_cast<int>(size)) == 0) {
            std::memcpy(files_->filedata[files_->nfile - 1], data, size);
        }
    }
    const mjVFS* get() const { return files_.get(); }

private:
    std::unique_ptr<mjVFS> files_ = std::make_unique<mjVFS>();  // two megabytes: not for the stack
};

// MuJoCo ends the process on an error outside its compiler, and prints warnings. Within this scope this
// thread's errors are thrown and its warnings kept. One scope at a time: the handlers are global.
class CatchMujocoErrors {
public:
    CatchMujocoErrors() {
        error_before_ = mju_user_error;
        warning_before_ = mju_user_warning;
        current_ = this;
        mju_user_error = &throw_error;
        mju_user_warning = &keep_warning;
    }
    ~CatchMujocoErrors() {
        mju_user_error = error_before_;
        mju_user_warning = warning_before_;
        current_ = nullptr;
    }
    CatchMujocoErrors(const CatchMujocoErrors&) = delete;
    CatchMujocoErrors& operator=(const CatchMujocoErrors&) = delete;

    const std::set<std::string>& warnings() const { return warnings_; }

private:
    // On another thread, do what would have been done without this scope.
    static void throw_error(const char* message) {
        if (current_ != nullptr) throw Error(message);
        if (error_before_ != nullptr) return error_before_(message);
        std::fprintf(stderr, "MuJoCo: %s\n", message);
        std::exit(1);
    }
    static void keep_warning(const char* message) {
        if (current_ != nullptr) {
            current_->warnings_.insert(message);
        } else if (warning_before_ != nullptr) {
            warning_before_(message);
        }
    }

    static inline thread_local CatchMujocoErrors* current_ = nullptr;
    static inline void (*error_before_)(const char*) = nullptr;
    static inline void (*warning_before_)(const char*) = nullptr;
    std::set<std::string> warnings_;
};

constexpr const char* kModelFile = "plucker_robot.xml";
constexpr const char* kStandInFile = "plucker_stand_in.msh";

// In MuJoCo's binary format: the corner 0 0 0 and, `size` along each axis, the three others.
std::vector<char> tetrahedron(float size) {
    const std::array<std::int32_t, 4> counts{4, 0, 0, 4};  // vertices, normals, texture, faces
    const std::array<float, 12> vertices{0, 0, 0, size, 0, 0, 0, size, 0, 0, 0, size};
    const std::array<std::int32_t, 12> faces{0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3};
    std::vector<char> out;
    const auto append = [&](const auto& array) {
        const char* bytes = reinterpret_cast<const char*>(array.data());
        out.insert(out.end(), bytes, bytes + sizeof(array));
    };
    append(counts);
    append(vertices);
    append(faces);
    return out;
}
constexpr float kStandInSize = 1;

struct Compiled {
    ModelPointer model;  // null if it failed
    std::string error;   // then: why
    std::set<std::string> warnings;
};

Compiled compile(const std::string& text, float stand_in_size) {
    Compiled out;
    const NeutralLocale neutral;
    const CatchMujocoErrors errors;
    std::array<char, 1000> message{};
    try {
        const std::vector<char> stand_in = tetrahedron(stand_in_size);
        VirtualFiles files;
        files.add(kModelFile, text.data(), text.size());
        files.add(kStandInFile, stand_in.data(), stand_in.size());
        out.model.reset(mj_loadXML(kModelFile, files.get(), message.data(), message.size()));
        mj_freeLastXML();
    } catch (const std::exception& e) {
        out.error = e.what();
        return out;
    }
    out.warnings = errors.warnings();
    if (!out.model) {
        out.error = message.data();
    } else if (message[0] != '\0') {
        out.warnings.insert(message.data());
    }
    return out;
}

// --- The document that MuJoCo gets --------------------------------------------------------------

struct MeshAsset {
    XMLElement* element = nullptr;
    std::vector<std::pair<std::string, std::string>> attributes;  // as the file has them
    std::string file;                                             // empty: its vertices are inline
    MeshFinder::Found found;
};

class MjcfReader {
public:
    MjcfReader(const LoadOptions& options, Findings& findings)
        : findings_(findings), files_(findings.file(), options.package_paths), options_(options) {}

    Description read(const XMLElement& root) && {
        document_.set_root(document_.copy(root, findings_.file()));
        out_.fixed_joints = options_.fixed_joints;
        out_.source = findings_.at(root.GetLineNum());
        const char* name = root.Attribute("model");
        out_.name = name == nullptr || *name == '\0' ? "robot" : name;

        expand_includes(document_.root());
        if (findings_.has_errors()) return std::move(out_);
        leave_out_what_dynamics_does_not_need();
        set_compiler_options();
        check_numbers(document_.root());
        check_composites();
        give_names();
        collect_meshes();
        if (findings_.has_errors()) return std::move(out_);
        if (compile_model()) convert();
        return std::move(out_);
    }

private:
    template <class... Parts>
    void error(const XMLElement& e, const std::string& element, const Parts&... parts) {
        report(findings_, Severity::kError, document_.origin(e), element, parts...);
    }
    template <class... Parts>
    void warning(const Origin& at, const std::string& element, const Parts&... parts) {
        report(findings_, Severity::kWarning, at, element, parts...);
    }
    template <class... Parts>
    void note(const Origin& at, const std::string& element, const Parts&... parts) {
        report(findings_, Severity::kNote, at, element, parts...);
    }
    static std::string attribute(const XMLElement& e, const char* name) {
        const char* value = e.Attribute(name);
        return value == nullptr ? "" : value;
    }
    static std::string tag(const XMLElement& e) { return std::string("<") + e.Name() + ">"; }

    template <class F>
    static void for_each_child(XMLElement& e, F&& f) {
        for (auto* child = e.FirstChildElement(); child != nullptr;) {
            auto* next = child->NextSiblingElement();  // f may delete the child
            f(*child);
            child = next;
        }
    }

    // An <include> is replaced by the children of the included document's root, as MuJoCo does it. A
    // file may be included only once, which also ends every cycle.
    void expand_includes(XMLElement& parent) {
        for (auto* child = parent.FirstChildElement(); child != nullptr;) {
            if (std::string(child->Name()) != "include") {
                expand_includes(*child);
                child = child->NextSiblingElement();
                continue;
            }
            insert_included(*child);
            if (findings_.has_errors()) return;
            auto* next =
                child->NextSiblingElement();  // the first that came in, to be expanded itself
            parent.DeleteChild(child);
            child = next;
        }
        if (document_.size() > kMostElements) {
            error(parent, "", "has more than ", kMostElements,
                  " elements; no robot description needs that");
        }
    }

    // Inserts after `include` what it stands for.
    void insert_included(XMLElement& include) {
        const Origin at = document_.origin(include);
        const std::string file = attribute(include, "file");
        const auto refuse = [&](const auto&... parts) { error(include, "<include>", parts...); };
        if (file.empty()) return refuse("lacks the attribute 'file'");
        const MeshFinder::Found found = files_.find(file);
        if (found.path.empty()) return refuse("file '", file, "' is not read: ", found.why);
        std::error_code ignored;
        const bool is_robot = std::filesystem::equivalent(found.path, findings_.file(), ignored);
        if (is_robot || !included_.insert(found.path).second) {
            return refuse("file '", file, "' is included twice, or includes itself");
        }
        tinyxml2::XMLDocument document;
        Findings inside(found.path);
        const XMLElement* root = nullptr;
        try {
            root = parse_xml(read_text_file(found.path), document, inside);
        } catch (const Error& e) {
            return refuse(e.what());
        }
        for (const Diagnostic& d : std::move(inside).take()) {
            report(findings_, d.severity, {found.path, d.at.line, at.line_in_robot}, d.element,
                   d.message);
        }
        if (root == nullptr) return;
        auto* parent = include.Parent();
        XMLElement* last = nullptr;
        for (const auto* e = root->FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
            auto* copy = document_.copy(*e, found.path, at.line_in_robot);
            parent->InsertAfterChild(last == nullptr ? &include : last, copy);
            last = copy;
        }
    }

    // Sections that do not move bodies; some of them can take any amount of time or memory.
    void leave_out_what_dynamics_does_not_need() {
        static const std::set<std::string> kSilently{"size",    "visual", "statistic", "custom",
                                                     "contact", "sensor", "keyframe"};
        static const std::set<std::string> kWithNote{"actuator", "tendon", "deformable",
                                                     "extension"};
        XMLElement& root = document_.root();
        for_each_child(root, [&](XMLElement& section) {
            const std::string name = section.Name();
            if (is_one_of(name, kWithNote) && !section.NoChildren()) {
                note(document_.origin(section), tag(section), "is not used");
            }
            if (is_one_of(name, kSilently) || is_one_of(name, kWithNote)) {
                root.DeleteChild(&section);
            } else if (name == "asset") {
                leave_out_of_assets(section);
            } else if (name == "default") {
                leave_out_of_defaults(section);
            } else if (name == "equality") {
                leave_out_of_equalities(section);
            } else if (name == "worldbody") {
                leave_out_of_body(section);
            }
        });
    }

    static void leave_out_of_assets(XMLElement& assets) {
        for_each_child(assets, [&](XMLElement& e) {
            if (is_one_of(e.Name(), {"texture", "hfield", "skin"})) {
                assets.DeleteChild(&e);
            } else if (std::string(e.Name()) == "material") {
                e.DeleteAttribute("texture");
            }
        });
    }

    static void leave_out_of_defaults(XMLElement& defaults) {
        static const std::set<std::string> kUnused{
            "camera",   "light",  "pair",     "tendon", "general", "motor",    "position",
            "velocity", "damper", "cylinder", "muscle", "plugin",  "adhesion", "intvelocity"};
        for_each_child(defaults, [&](XMLElement& e) {
            const std::string name = e.Name();
            if (is_one_of(name, kUnused)) {
                defaults.DeleteChild(&e);
            } else if (name == "material") {
                e.DeleteAttribute("texture");
            } else if (name == "default") {
                leave_out_of_defaults(e);
            }
        });
    }

    void leave_out_of_equalities(XMLElement& equalities) {
        for_each_child(equalities, [&](XMLElement& e) {
            if (!is_one_of(e.Name(), {"connect", "weld", "tendon", "distance"})) return;
            warning(document_.origin(e), "equality " + tag(e),
                    "is ignored: only a <joint> equality between two joints can be kept, as one "
                    "joint that mimics the other");
            equalities.DeleteChild(&e);
        });
    }

    void leave_out_of_body(XMLElement& body) {
        for_each_child(body, [&](XMLElement& e) {
            const std::string name = e.Name();
            if (name == "body") {
                leave_out_of_body(e);
            } else if (name == "composite") {
                for_each_child(e, [&](XMLElement& part) {
                    if (std::string(part.Name()) == "skin") e.DeleteChild(&part);
                });
            } else if (name == "camera" || name == "light") {
                body.DeleteChild(&e);
            } else if (name == "geom" &&
                       (e.Attribute("hfield") != nullptr || attribute(e, "type") == "hfield")) {
                note(document_.origin(e), "<geom>", "is a height field, which is not used");
                body.DeleteChild(&e);
            }
        });
    }

    void set_compiler_options() {
        XMLElement& root = document_.root();
        auto* first = document_.create("compiler", document_.origin(root));
        root.InsertFirstChild(first);
        for (auto* c = first; c != nullptr; c = c->NextSiblingElement("compiler")) {
            if (const char* folder = c->Attribute("meshdir")) mesh_folder_ = folder;
            if (c->Attribute("strippath") != nullptr)
                strip_path_ = c->BoolAttribute("strippath", strip_path_);
            c->SetAttribute("strippath", "false");      // paths are resolved here
            c->SetAttribute("fusestatic", "false");     // every body is to be found by its name
            c->SetAttribute("discardvisual", "false");  // every shape is kept for drawing
        }
        // MuJoCo's compiler makes a step; nothing need touch in it.
        auto* option = document_.create("option", document_.origin(root));
        auto* flag = document_.create("flag", document_.origin(root));
        flag->SetAttribute("contact", "disable");
        option->InsertEndChild(flag);
        root.InsertEndChild(option);
    }

    // MuJoCo takes infinities and NaN as they come.
    void check_numbers(const XMLElement& e) {
        static const std::set<std::string> kNumeric{
            "pos",          "quat",      "axisangle",    "xyaxes",       "zaxis",       "euler",
            "axis",         "range",     "ref",          "armature",     "damping",     "stiffness",
            "frictionloss", "springref", "mass",         "diaginertia",  "fullinertia", "size",
            "fromto",       "density",   "gravity",      "polycoef",     "scale",       "refpos",
            "refquat",      "boundmass", "boundinertia", "settotalmass", "fitscale",    "spacing",
            "count",        "offset",    "margin",       "rgba",         "viscosity"};
        for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next()) {
            if (!is_one_of(a->Name(), kNumeric) || is_one_of(e.Name(), {"flag"})) continue;
            check_number_list(e, a->Name(), a->Value());
        }
        for (const auto* child = e.FirstChildElement(); child != nullptr;
             child = child->NextSiblingElement()) {
            check_numbers(*child);
        }
    }

    void check_number_list(const XMLElement& e, const std::string& name, std::string_view text) {
        constexpr std::string_view kSpace = " \t\n\r";
        while (true) {
            const std::size_t start = text.find_first_not_of(kSpace);
            if (start == std::string_view::npos) return;
            text.remove_prefix(start);
            const std::string word(text.substr(0, text.find_first_of(kSpace)));
            text.remove_prefix(word.size());
            // An unlimited side of a range may be written as infinite.
            if (name == "range" && (word == "inf" || word == "-inf")) continue;
            std::string why;
            if (parse_numbers(word, 1, why)) continue;
            const std::string owner = attribute(e, "name");
            error(e, owner.empty() ? tag(e) : std::string(e.Name()) + " '" + owner + "'", "<",
                  e.Name(), " ", name, "=…> ", why);
            return;
        }
    }

    void check_composites() {
        double parts = 0;
        check_composites(document_.root(), parts);
    }
    void check_composites(const XMLElement& e, double& parts) {
        if (std::string(e.Name()) == "composite") {
            double product = 1;
            std::string why;
            for (std::size_t n = 1; n <= 3; ++n) {
                if (const auto counts = parse_numbers(attribute(e, "count"), n, why)) {
                    for (const double c : *counts) product *= std::max(1.0, c);
                }
            }
            parts += product;
            if (parts > kMostCompositeParts) {
                error(e, "<composite>", "makes ", parts, " parts; more than ", kMostCompositeParts,
                      " are refused");
                parts = 0;
            }
        }
        for (const auto* child = e.FirstChildElement(); child != nullptr;
             child = child->NextSiblingElement()) {
            check_composites(*child, parts);
        }
    }

    // Bodies and joints need names here; the ones that have none are named after their place.
    void give_names() {
        UniqueNames bodies, joints;
        for (auto* world = document_.root().FirstChildElement("worldbody"); world != nullptr;
             world = world->NextSiblingElement("worldbody")) {
            take_names(*world, bodies, joints);
        }
        for (auto* world = document_.root().FirstChildElement("worldbody"); world != nullptr;
             world = world->NextSiblingElement("worldbody")) {
            make_names(*world, "world", bodies, joints);
        }
    }
    static bool is_joint(const XMLElement& e) {
        return is_one_of(e.Name(), {"joint", "freejoint"});
    }
    static void take_names(XMLElement& body, UniqueNames& bodies, UniqueNames& joints) {
        for_each_child(body, [&](XMLElement& e) {
            const bool is_body = std::string(e.Name()) == "body";
            if (is_body) take_names(e, bodies, joints);
            if (is_body) bodies.take(attribute(e, "name"));
            if (is_joint(e)) joints.take(attribute(e, "name"));
        });
    }
    void make_names(XMLElement& body, const std::string& name, UniqueNames& bodies,
                    UniqueNames& joints) {
        for_each_child(body, [&](XMLElement& e) {
            if (std::string(e.Name()) == "body") {
                if (attribute(e, "name").empty())
                    e.SetAttribute("name", bodies.make(name + "_body").c_str());
                remember(e, "bodies", body_origins_);
                make_names(e, attribute(e, "name"), bodies, joints);
            } else if (is_joint(e)) {
                if (attribute(e, "name").empty())
                    e.SetAttribute("name", joints.make(name + "_joint").c_str());
                remember(e, "joints", joint_origins_);
            } else if (std::string(e.Name()) == "site") {
                site_origins_.emplace(attribute(e, "name"), document_.origin(e));
            }
        });
    }

    void remember(const XMLElement& e, const char* kind, std::map<std::string, Origin>& origins) {
        const std::string name = attribute(e, "name");
        const auto [first, is_new] = origins.emplace(name, document_.origin(e));
        if (is_new) return;
        error(e, "", "two ", kind, " are named '", name, "' (the first in line ",
              first->second.line, "); give one of them another name");
    }

    void collect_meshes() {
        for (auto* assets = document_.root().FirstChildElement("asset"); assets != nullptr;
             assets = assets->NextSiblingElement("asset")) {
            for (auto* e = assets->FirstChildElement("mesh"); e != nullptr;
                 e = e->NextSiblingElement("mesh")) {
                collect_mesh(*e);
            }
        }
    }
    void collect_mesh(XMLElement& e) {
        MeshAsset mesh;
        mesh.element = &e;
        mesh.file = attribute(e, "file");
        std::string name = attribute(e, "name");
        if (name.empty()) name = std::filesystem::path(mesh.file).stem().string();
        if (name.empty()) return;  // MuJoCo says what it lacks
        e.SetAttribute("name", name.c_str());
        for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next()) {
            mesh.attributes.emplace_back(a->Name(), a->Value());
        }
        if (!mesh.file.empty()) {
            const std::filesystem::path file = mesh.file;
            const std::filesystem::path folder = mesh_folder_;
            mesh.found = files_.find((folder / (strip_path_ ? file.filename() : file)).string());
            if (mesh.found.path.empty()) {
                warning(document_.origin(e), "mesh '" + name + "'", "file '", mesh.file,
                        "' is not used: ", mesh.found.why);
            }
        }
        meshes_.emplace(name, std::move(mesh));
    }

    // Lets the mesh elements name the real files where there are any, or the stand-in.
    void use_meshes(bool real) {
        static const std::set<std::string> kShape{"file", "vertex", "normal", "texcoord", "face"};
        for (auto& [name, mesh] : meshes_) {
            while (const auto* a = mesh.element->FirstAttribute()) {
                mesh.element->DeleteAttribute(std::string(a->Name()).c_str());
            }
            const bool stand_in = !real || (!mesh.file.empty() && mesh.found.path.empty());
            for (const auto& [attribute_name, value] : mesh.attributes) {
                if (is_one_of(attribute_name, kShape) && (stand_in || attribute_name == "file"))
                    continue;
                mesh.element->SetAttribute(attribute_name.c_str(), value.c_str());
            }
            if (stand_in || !mesh.file.empty()) {
                mesh.element->SetAttribute("file",
                                           stand_in ? kStandInFile : mesh.found.path.c_str());
            }
        }
    }

    // --- Compiling ------------------------------------------------------------------------------

    bool compile_model() {
        use_meshes(false);
        const std::string text = document_.print();
        if (!compile_into(text, kStandInSize, model_)) return false;
        mass_model_ = model_.get();
        if (meshes_.empty()) return true;
        ModelPointer larger;
        if (!compile_into(text, 2 * kStandInSize, larger)) return false;
        if (bodies_that_differ(*model_, *larger).empty()) return true;

        use_meshes(true);
        const std::string real_text = document_.print();
        ModelPointer real_larger;
        if (!compile_into(real_text, kStandInSize, real_model_)) return false;
        if (!compile_into(real_text, 2 * kStandInSize, real_larger)) return false;
        mass_model_ = real_model_.get();
        for (const int body : bodies_that_differ(*real_model_, *real_larger)) {
            const std::string name = name_of(mjOBJ_BODY, body);
            report(findings_, Severity::kError, origin_of(body_origins_, name),
                   "body '" + name + "'", "its mass comes from ", missing_meshes_of(body),
                   ", which cannot be read; give the body an <inertial>, or the mesh file");
        }
        return !findings_.has_errors();
    }

    bool compile_into(const std::string& text, float stand_in_size, ModelPointer& model) {
        Compiled compiled = compile(text, stand_in_size);
        for (const std::string& w : compiled.warnings) {
            if (said_.insert(w).second)
                findings_.warning(0, "", "MuJoCo: ", one_line(w.substr(0, w.find("\nObject"))));
        }
        if (!compiled.model) report_compiler_error(compiled.error);
        model = std::move(compiled.model);
        return model != nullptr;
    }

    static std::vector<int> bodies_that_differ(const mjModel& a, const mjModel& b) {
        std::vector<int> out;
        for (int i = 1; i < a.nbody; ++i) {
            const auto same = [&](const mjtNum* x, const mjtNum* y, int n) {
                return std::equal(x + n * i, x + n * (i + 1), y + n * i);
            };
            if (!same(a.body_mass, b.body_mass, 1) || !same(a.body_ipos, b.body_ipos, 3) ||
                !same(a.body_iquat, b.body_iquat, 4) || !same(a.body_inertia, b.body_inertia, 3)) {
                out.push_back(i);
            }
        }
        return out;
    }

    std::string missing_meshes_of(int body) const {
        std::string out;
        for (int g = model_->body_geomadr[body];
             g >= 0 && g < model_->body_geomadr[body] + model_->body_geomnum[body]; ++g) {
            if (model_->geom_type[g] != mjGEOM_MESH || model_->geom_dataid[g] < 0) continue;
            const std::string name = name_of(mjOBJ_MESH, model_->geom_dataid[g]);
            const auto mesh = meshes_.find(name);
            if (mesh == meshes_.end() || !mesh->second.found.path.empty()) continue;
            out += (out.empty() ? "mesh '" : ", '") + name + "'";
        }
        return out.empty() ? "a mesh" : out;
    }

    static std::string one_line(std::string text) {
        std::replace(text.begin(), text.end(), '\n', ' ');
        while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
            text.pop_back();
        return text;
    }

    // "XML Error: what\nElement 'e', line 12", or "Error: what\nObject name = n, id = 3, line = 12, …".
    void report_compiler_error(const std::string& text) {
        std::string what = text, element;
        Origin at = document_.origin(document_.root());
        const auto quoted_after = [&](const char* mark, const char* end) -> std::string {
            const std::size_t start = text.find(mark);
            if (start == std::string::npos) return "";
            const std::size_t from = start + std::strlen(mark);
            return text.substr(from, text.find(end, from) - from);
        };
        if (const std::size_t tail = text.rfind("\nElement '"); tail != std::string::npos) {
            element = "<" + quoted_after("\nElement '", "'") + ">";
            what = text.substr(0, tail);
        } else if (const std::size_t object = text.rfind("\nObject name = ");
                   object != std::string::npos) {
            element = "'" + quoted_after("\nObject name = ", ",") + "'";
            what = text.substr(0, object);
        }
        for (const char* mark : {"', line ", ", line = "}) {
            const std::string number = quoted_after(mark, "\n");
            const int line = std::atoi(number.c_str());
            if (line > 0) at = document_.origin_of_line(line);
        }
        for (const char* prefix : {"XML Error: ", "Error: ", "Schema violation: "}) {
            if (what.starts_with(prefix)) what.erase(0, std::strlen(prefix));
        }
        report(findings_, Severity::kError, at, element, "MuJoCo ", mj_versionString(), ": ",
               one_line(what));
    }

    // --- From MuJoCo's model to ours ------------------------------------------------------------

    std::string name_of(int type, int id) const {
        const char* name = mj_id2name(model_.get(), type, id);
        return name == nullptr ? "" : name;
    }
    static Origin origin_of(const std::map<std::string, Origin>& origins, const std::string& name) {
        const auto found = origins.find(name);
        return found == origins.end() ? Origin{} : found->second;
    }
    SourceLocation source_of(const std::map<std::string, Origin>& origins,
                             const std::string& name) const {
        const Origin at = origin_of(origins, name);
        return at.file.empty() ? findings_.at(0) : SourceLocation{at.file, at.line};
    }

    void convert() {
        const mjModel& m = *model_;
        convert_options();
        decide_base();
        link_of_body_.resize(static_cast<std::size_t>(m.nbody));
        joint_index_.assign(static_cast<std::size_t>(m.njnt), kNone);
        for (int b = 0; b < m.nbody; ++b) {
            std::string name = b == 0 ? "world" : name_of(mjOBJ_BODY, b);
            if (name.empty()) name = "body_" + std::to_string(b);  // of a composite
            link_of_body_[static_cast<std::size_t>(b)] = link_names_.make(name);
        }
        for (int j = 0; j < m.njnt; ++j) joint_names_.take(name_of(mjOBJ_JOINT, j));
        for (int b = 0; b < m.nbody; ++b) {
            if (b == 0 && out_.base == Base::kFloating) continue;  // there is no world link
            convert_body(b);
        }
        for (int s = 0; s < m.nsite; ++s) convert_site(s);
        for (int e = 0; e < m.neq; ++e) convert_equality(e);
    }

    // Where the first section of that name starts; the document's start if there is none.
    Origin section(const char* name) {
        const auto* e = document_.root().FirstChildElement(name);
        return document_.origin(e == nullptr ? document_.root() : *e);
    }

    void convert_options() {
        const mjOption& option = model_->opt;
        const bool weightless = (option.disableflags & mjDSBL_GRAVITY) != 0;
        out_.gravity = weightless ? Vec3<double>{} : vec3(option.gravity);
        if (weightless)
            note(section("option"), "<option>", "switches gravity off; gravity is zero");
        if (option.density > 0 || option.viscosity > 0) {
            warning(section("option"), "<option>",
                    "the forces of the surrounding fluid are not used");
        }
    }

    // An MJCF file says itself how its base stands. A floating base is the one body of the world, on a
    // free joint; any other free body hangs on a floating joint of its own.
    void decide_base() {
        const mjModel& m = *model_;
        int on_world = 0, child = 0;
        for (int b = 1; b < m.nbody; ++b) {
            if (m.body_parentid[b] != 0) continue;
            ++on_world;
            child = b;
        }
        const bool floats = on_world == 1 && m.body_jntnum[child] == 1 &&
                            m.jnt_type[m.body_jntadr[child]] == mjJNT_FREE;
        out_.base = floats ? Base::kFloating : Base::kFixed;
        if (options_.base == Base::kFloating && !floats) {
            warning(
                section("worldbody"), "<worldbody>",
                "a floating base was asked for, but the file fixes the robot to the world; give "
                "its only top-level body a <freejoint/>");
        }
        if (floats && m.body_geomnum[0] > 0) {
            note(section("worldbody"), "<worldbody>", "the shapes of the world are not used");
        }
    }

    void convert_body(int b) {
        const mjModel& m = *model_;
        const std::string& name = link_of_body_[static_cast<std::size_t>(b)];
        const Origin world = section("worldbody");
        const SourceLocation source =
            b == 0 ? SourceLocation{world.file, world.line} : source_of(body_origins_, name);
        LinkDescription link{name, {}, {}, {}, source};
        if (b > 0) link.mass = mass_of(b);
        convert_shapes(b, link);
        out_.links.push_back(std::move(link));
        if (b == 0) return;
        const bool is_root = m.body_parentid[b] == 0 && out_.base == Base::kFloating;
        std::vector<AnchoredJoint> joints;
        std::vector<int> ids;
        for (int j = m.body_jntadr[b]; j >= 0 && j < m.body_jntadr[b] + m.body_jntnum[b]; ++j) {
            joints.push_back(convert_joint(j, is_root));
            ids.push_back(j);
        }
        if (m.body_mocapid[b] >= 0)
            note(origin_of(body_origins_, name), "body '" + name + "'", "is mocap; it is fixed");
        if (is_root) return;
        const bool is_free = !joints.empty() && joints[0].joint.type == JointType::kFloating;
        const std::size_t first = out_.joints.size();
        // The coordinates of a free body are its pose in the world, wherever the file puts it.
        connect(out_, link_of_body_[static_cast<std::size_t>(m.body_parentid[b])], name,
                is_free ? Pose<double>{} : pose(m.body_pos + 3 * b, m.body_quat + 4 * b), joints,
                link_names_, joint_names_, source);
        for (std::size_t k = 0; k < ids.size(); ++k)
            joint_index_[static_cast<std::size_t>(ids[k])] = first + k;
    }

    MassProperties mass_of(int b) const {
        const mjModel& m = *mass_model_;
        const Pose<double> at = pose(m.body_ipos + 3 * b, m.body_iquat + 4 * b);
        const mjtNum* I = m.body_inertia + 3 * b;
        return {m.body_mass[b], at.position,
                rotate_back(transpose(at.rotation), SymMat3<double>::diagonal(I[0], I[1], I[2]))};
    }

    AnchoredJoint convert_joint(int j, bool is_root) {
        const mjModel& m = *model_;
        const std::string given = name_of(mjOBJ_JOINT, j);
        const int dof = m.jnt_dofadr[j];
        AnchoredJoint out;
        JointDescription& joint = out.joint;
        out.anchor = vec3(m.jnt_pos + 3 * j);
        joint.name = given;
        joint.source = source_of(joint_origins_, given);
        const Origin at = origin_of(joint_origins_, given);
        const std::string where = "joint '" + given + "'";
        joint.axis = vec3(m.jnt_axis + 3 * j);
        joint.armature = m.dof_armature[dof];
        joint.damping = m.dof_damping[dof];
        joint.friction = m.dof_frictionloss[dof];
        switch (m.jnt_type[j]) {
            case mjJNT_HINGE:
                joint.type = JointType::kRevolute;
                break;
            case mjJNT_SLIDE:
                joint.type = JointType::kPrismatic;
                break;
            case mjJNT_BALL:
                joint.type = JointType::kSpherical;
                break;
            default:
                joint.type = JointType::kFloating;
                break;
        }
        const bool is_free = joint.type == JointType::kFloating;
        if (is_free || joint.type == JointType::kSpherical) joint.axis = {0, 0, 1};
        if (is_free && is_root && (joint.armature > 0 || joint.damping > 0 || joint.friction > 0))
            warning(at, where, "armature, damping and friction of the floating base are not used");
        if (m.jnt_stiffness[j] > 0) warning(at, where, "its spring (stiffness) is not used");
        if (joint.type == JointType::kRevolute || joint.type == JointType::kPrismatic) {
            const double ref = m.qpos0[m.jnt_qposadr[j]];
            if (ref != 0) {
                note(at, where, "its coordinate here is MuJoCo's less the ref of ", ref,
                     ": zero in the pose that the file describes");
            }
            if (m.jnt_limited[j] != 0) {
                joint.limits.lower = m.jnt_range[2 * j] - ref;
                joint.limits.upper = m.jnt_range[2 * j + 1] - ref;
            }
        } else if (m.jnt_limited[j] != 0) {
            note(at, where, "the limit of a ball joint is not used");
        }
        if (given.empty()) joint.name = joint_names_.make("joint");  // of a composite
        if (given == "base" && out_.base == Base::kFloating && !is_root) {
            joint.name = joint_names_.make("base_joint");
            note(at, where, "is called '", joint.name, "': 'base' is the floating base's joint");
        }
        return out;
    }

    void convert_shapes(int b, LinkDescription& link) {
        const mjModel& m = *model_;
        for (int g = m.body_geomadr[b]; g >= 0 && g < m.body_geomadr[b] + m.body_geomnum[b]; ++g) {
            Shape shape;
            shape.name = name_of(mjOBJ_GEOM, g);
            shape.placement = pose(m.geom_pos + 3 * g, m.geom_quat + 4 * g);
            const mjtNum* size = m.geom_size + 3 * g;
            switch (m.geom_type[g]) {
                case mjGEOM_PLANE:
                    shape.geometry = Plane{};
                    break;
                case mjGEOM_SPHERE:
                    shape.geometry = Sphere{size[0]};
                    break;
                case mjGEOM_CAPSULE:
                    shape.geometry = Capsule{size[0], 2 * size[1]};
                    break;
                case mjGEOM_ELLIPSOID:
                    shape.geometry = Ellipsoid{vec3(size)};
                    break;
                case mjGEOM_CYLINDER:
                    shape.geometry = Cylinder{size[0], 2 * size[1]};
                    break;
                case mjGEOM_BOX:
                    shape.geometry = Box{2 * vec3(size)};
                    break;
                case mjGEOM_MESH:
                    convert_mesh(g, shape);
                    break;
                default:
                    continue;
            }
            shape.material = material_of(g);
            if (m.geom_contype[g] != 0 || m.geom_conaffinity[g] != 0)
                link.collisions.push_back(shape);
            link.visuals.push_back(std::move(shape));
        }
    }

    // MuJoCo moves a mesh to its own centre and principal axes, and does not tell from where. The known
    // corners of the stand-in do: their images in the body are origin + R · scale · corner.
    void convert_mesh(int g, Shape& shape) const {
        const mjModel& m = *model_;
        const int id = m.geom_dataid[g];
        const std::string name = name_of(mjOBJ_MESH, id);
        Mesh mesh;
        if (const auto found = meshes_.find(name); found != meshes_.end()) {
            mesh.uri = found->second.file;
            mesh.path = found->second.found.path;
        }
        const float* corners = m.mesh_vert + 3 * m.mesh_vertadr[id];
        const auto corner = [&](int k) {
            return shape.placement *
                   Vec3<double>{corners[3 * k], corners[3 * k + 1], corners[3 * k + 2]};
        };
        const Vec3<double> origin = corner(0);
        std::array<Vec3<double>, 3> column{corner(1) - origin, corner(2) - origin,
                                           corner(3) - origin};
        // The file's numbers have few digits, the corners seven.
        const auto rounded = [](double x) { return std::round(1e6 * x) / 1e6; };
        const double digits = std::pow(10, std::floor(std::log10(norm(column[0]) + 1e-300)));
        Vec3<double> scale{digits * rounded(norm(column[0]) / digits / kStandInSize),
                           digits * rounded(norm(column[1]) / digits / kStandInSize),
                           digits * rounded(norm(column[2]) / digits / kStandInSize)};
        const bool mirrored = dot(cross(column[0], column[1]), column[2]) < 0;
        if (mirrored) scale.x = -scale.x;
        const Vec3<double> x = (mirrored ? -1 : 1) / norm(column[0]) * column[0];
        const Vec3<double> y_raw = column[1] - dot(x, column[1]) * x;
        const Vec3<double> y = (1 / norm(y_raw)) * y_raw;
        shape.placement = {transpose(Mat3<double>{x, y, cross(x, y)}), origin};
        mesh.scale = scale;
        shape.geometry = mesh;
    }

    Material material_of(int g) const {
        const mjModel& m = *model_;
        const auto color = [](const float* p) {
            const auto rounded = [](float x) { return std::round(1e6 * double{x}) / 1e6; };
            return std::array<double, 4>{rounded(p[0]), rounded(p[1]), rounded(p[2]),
                                         rounded(p[3])};
        };
        Material out;
        const float* rgba = m.geom_rgba + 4 * g;
        if (const int id = m.geom_matid[g]; id >= 0) {
            out.name = name_of(mjOBJ_MATERIAL, id);
            // A geom's own colour counts unless it is the default grey.
            const bool is_default =
                rgba[0] == 0.5F && rgba[1] == 0.5F && rgba[2] == 0.5F && rgba[3] == 1;
            if (is_default) rgba = m.mat_rgba + 4 * id;
        }
        out.rgba = color(rgba);
        return out;
    }

    void convert_site(int s) {
        const mjModel& m = *model_;
        const int b = m.site_bodyid[s];
        std::string name = name_of(mjOBJ_SITE, s);
        if (name.empty() || (b == 0 && out_.base == Base::kFloating)) return;
        const SourceLocation source = source_of(site_origins_, name);
        if (link_names_.contains(name)) {
            const std::string other = link_names_.make(name + "_site");
            note(origin_of(site_origins_, name), "site '" + name + "'", "is called '", other,
                 "': the name is that of a body");
            name = other;
        }
        out_.frames.push_back({name, link_of_body_[static_cast<std::size_t>(b)],
                               pose(m.site_pos + 3 * s, m.site_quat + 4 * s), source});
    }

    // joint1 = polynomial of joint2, both measured from their reference.
    void convert_equality(int e) {
        const mjModel& m = *model_;
        if (m.eq_active[e] == 0) return;
        const std::string where = "equality '" + name_of(mjOBJ_EQUALITY, e) + "'";
        const auto ignore = [&](const char* why) {
            warning(section("equality"), where, "is ignored: ", why);
        };
        if (m.eq_type[e] != mjEQ_JOINT) return ignore("it is not between two joints");
        const int follower = m.eq_obj1id[e], leader = m.eq_obj2id[e];
        if (leader < 0) return ignore("it holds one joint, and joints are not held here");
        const mjtNum* c = m.eq_data + mjNEQDATA * e;
        if (c[2] != 0 || c[3] != 0 || c[4] != 0)
            return ignore("its polynomial is not linear, and a mimic joint's is");
        const std::size_t f = joint_index_[static_cast<std::size_t>(follower)];
        const std::size_t l = joint_index_[static_cast<std::size_t>(leader)];
        if (f == kNone || l == kNone) return ignore("one of its joints is not in the tree");
        if (out_.joints[f].mimic) return ignore("its joint follows another one already");
        out_.joints[f].mimic = Mimic{out_.joints[l].name, c[1], c[0]};
    }

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    Findings& findings_;
    MeshFinder files_;
    LoadOptions options_;
    TracedXml document_;
    std::set<std::string> included_;
    std::string mesh_folder_;
    bool strip_path_ = false;
    std::map<std::string, MeshAsset> meshes_;
    std::map<std::string, Origin> body_origins_, joint_origins_, site_origins_;
    ModelPointer model_;       // compiled with stand-ins for meshes
    ModelPointer real_model_;  // compiled with the meshes, if a mass depends on one
    const mjModel* mass_model_ = nullptr;
    std::set<std::string> said_;
    Description out_;
    UniqueNames link_names_, joint_names_;
    std::vector<std::string> link_of_body_;
    std::vector<std::size_t> joint_index_;  // of MuJoCo's joints, in out_.joints
};

}  // namespace

Description read_mjcf(const XMLElement& root, const std::string& text, const LoadOptions& options,
                      Findings& findings) {
    (void)text;  // MuJoCo reads the changed copy
    return MjcfReader(options, findings).read(root);
}

}  // namespace plucker::io
