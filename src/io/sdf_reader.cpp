// SDF, through sdformat: versions, includes and poses relative to frames are its business.
//
// What sdformat gets is a copy of the document (TracedXml) from which everything but the model's
// mechanics is left out, and in which all numbers, names and references were checked: sdformat itself
// would dereference null pointers, print, or report errors without a line. Included files are found
// here, checked likewise, and handed over as temporary files.
#include "sdf_reader.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <numbers>
#include <sdf/Box.hh>
#include <sdf/Capsule.hh>
#include <sdf/Collision.hh>
#include <sdf/Console.hh>
#include <sdf/Cylinder.hh>
#include <sdf/Ellipsoid.hh>
#include <sdf/Error.hh>
#include <sdf/Exception.hh>
#include <sdf/Frame.hh>
#include <sdf/Geometry.hh>
#include <sdf/Joint.hh>
#include <sdf/JointAxis.hh>
#include <sdf/Link.hh>
#include <sdf/Material.hh>
#include <sdf/Mesh.hh>
#include <sdf/Model.hh>
#include <sdf/ParserConfig.hh>
#include <sdf/Plane.hh>
#include <sdf/Root.hh>
#include <sdf/Sphere.hh>
#include <sdf/Visual.hh>
#include <sdf/World.hh>
#include <sdf/parser.hh>
#include <set>
#include <sstream>

#include "file.hpp"
#include "mesh_uri.hpp"
#include "neutral_locale.hpp"
#include "plucker/joints/joint.hpp"
#include "plucker/spatial/quaternion.hpp"
#include "traced_xml.hpp"
#include "tree_assembly.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

// sdformat takes half a millisecond an element and tens of them an include, and includes multiply.
constexpr std::size_t kMostElements = 20000;
constexpr int kMostIncludes = 100;
constexpr int kNewestVersion = 9;  // 1.9

Vec3<double> vec3(const ignition::math::Vector3d& v) { return {v.X(), v.Y(), v.Z()}; }
Pose<double> pose(const ignition::math::Pose3d& p) {
    const Quaternion<double> q{p.Rot().X(), p.Rot().Y(), p.Rot().Z(), p.Rot().W()};
    return {transpose(coordinate_rotation(q)), vec3(p.Pos())};
}

std::string text_of(const XMLElement& e) {
    const char* text = e.GetText();
    std::string out = text == nullptr ? "" : text;
    const std::size_t first = out.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return "";
    return out.substr(first, out.find_last_not_of(" \t\r\n") - first + 1);
}
std::string attribute(const XMLElement& e, const char* name) {
    const char* value = e.Attribute(name);
    return value == nullptr ? "" : value;
}
// "joint 'knee'", or "<axis>" for an element without a name.
std::string label(const XMLElement& e) {
    const std::string name = attribute(e, "name");
    return name.empty() ? std::string("<") + e.Name() + ">" : e.Name() + (" '" + name + "'");
}
// The nearest element with a name, for messages about what is in it.
std::string owner(const XMLElement& e) {
    const tinyxml2::XMLNode* at = &e;
    for (; at->ToElement() != nullptr; at = at->Parent()) {
        if (!attribute(*at->ToElement(), "name").empty()) return label(*at->ToElement());
    }
    return label(e);
}

template <class F>
void for_each_child(XMLElement& e, F&& f) {
    for (auto* child = e.FirstChildElement(); child != nullptr;) {
        auto* next = child->NextSiblingElement();  // f may delete the child
        f(*child);
        child = next;
    }
}

// --- Checking a document before sdformat sees it ------------------------------------------------

class Checker {
public:
    Checker(TracedXml& document, Findings& findings) : document_(document), findings_(findings) {
        const std::string version = attribute(document.root(), "version");
        names_have_scopes_ = version < "1.8";  // there, nested models were written flat
        kinds_share_names_ = version >= "1.7";
    }

    void run() { check(document_.root()); }

private:
    template <class... Parts>
    void error(const XMLElement& e, const std::string& element, const Parts&... parts) {
        report(findings_, Severity::kError, document_.origin(e), element, parts...);
    }
    template <class... Parts>
    void warning(const XMLElement& e, const std::string& element, const Parts&... parts) {
        report(findings_, Severity::kWarning, document_.origin(e), element, parts...);
    }

    void check(XMLElement& e) {
        const std::string name = e.Name();
        check_numbers(e);
        if (name == "model" || name == "link" || name == "joint" || name == "frame" ||
            name == "visual" || name == "collision" || name == "world") {
            if (attribute(e, "name").empty()) error(e, "", "a <", name, "> has no name");
        }
        if (attribute(e, "name").find("::") != std::string::npos && !names_have_scopes_)
            error(e, label(e), "the name has '::', which separates scopes; rename it");
        if (name == "model" || name == "world") check_names_in(e);
        if (name == "model") {
            check_has_links(e);
            warn_of_unknown(e, {"static", "pose", "link", "joint", "frame", "model", "include",
                                "self_collide", "allow_auto_disable", "enable_wind"});
        } else if (name == "link") {
            check_link(e);
        } else if (name == "joint") {
            check_joint(e);
        } else if (name == "axis" || name == "axis2") {
            check_axis(e);
        } else if (name == "mesh") {
            if (e.FirstChildElement("uri") == nullptr ||
                text_of(*e.FirstChildElement("uri")).empty())
                error(e, owner(e), "<mesh> lacks the element <uri>");
        } else if (name == "inertial") {
            if (attribute(e, "auto") == "true" || attribute(e, "auto") == "1")
                error(e, owner(e),
                      "its inertia is to be computed from its shapes, which is not "
                      "done here; write <mass> and <inertia>");
            if (e.FirstChildElement("fluid_added_mass") != nullptr)
                warning(e, owner(e), "<fluid_added_mass> is not used");
        }
        for_each_child(e, [&](XMLElement& child) { check(child); });
    }

    void warn_of_unknown(const XMLElement& e, const std::vector<std::string>& known) {
        for (const auto* c = e.FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
            if (std::find(known.begin(), known.end(), c->Name()) != known.end()) continue;
            warning(*c, label(e), unknown_name("element", c->Name(), known).what(),
                    "; it is ignored");
        }
    }

    void check_has_links(const XMLElement& e) {
        const auto* is_static = e.FirstChildElement("static");
        if (is_static != nullptr && (text_of(*is_static) == "1" || text_of(*is_static) == "true"))
            return;
        for (const char* part : {"link", "model", "include"}) {
            if (e.FirstChildElement(part) != nullptr) return;
        }
        error(e, label(e), "has no links; it needs at least one");
    }

    // Names must be unique among the children of a model; in old versions, among those of a kind.
    void check_names_in(XMLElement& parent) {
        std::map<std::pair<std::string, std::string>, const XMLElement*> first;
        for_each_child(parent, [&](XMLElement& e) {
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

    void check_link(XMLElement& e) {
        warn_of_unknown(e, {"pose", "inertial", "visual", "collision", "gravity", "enable_wind",
                            "self_collide", "kinematic", "must_be_base_link"});
        const auto says = [&](const char* child, const char* a, const char* b) {
            const auto* c = e.FirstChildElement(child);
            return c != nullptr && (text_of(*c) == a || text_of(*c) == b);
        };
        if (says("gravity", "0", "false"))
            warning(e, label(e), "is to be without gravity; gravity acts on all links here");
        if (says("kinematic", "1", "true"))
            warning(e, label(e), "is kinematic; it is taken as dynamic");
        for (const char* kind : {"visual", "collision"}) {
            for (auto* s = e.FirstChildElement(kind); s; s = s->NextSiblingElement(kind)) {
                if (s->FirstChildElement("geometry") == nullptr)
                    error(*s, label(e) + ", " + label(*s), "has no <geometry>");
            }
        }
    }

    void check_joint(XMLElement& e) {
        warn_of_unknown(e, {"pose", "parent", "child", "axis", "axis2", "thread_pitch",
                            "screw_thread_pitch", "gearbox_ratio", "gearbox_reference_body"});
        const std::string type = attribute(e, "type"), where = label(e);
        static const std::vector<std::string> kTypes{"revolute", "continuous", "prismatic", "fixed",
                                                     "ball",     "universal",  "screw"};
        if (type.empty()) {
            error(e, where, "has no type");
        } else if (type == "revolute2") {
            error(e, where,
                  "is of type revolute2, which is not supported; write two revolute joints with a "
                  "link between them, or a universal joint if the axes are perpendicular");
        } else if (type == "gearbox") {
            error(e, where,
                  "is of type gearbox, which is not supported; a robot must be a tree: write a "
                  "revolute joint instead");
        } else if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
            error(e, where, unknown_name("joint type", type, kTypes).what());
        }
        for (const char* role : {"parent", "child"}) check_end(e, role);
        const bool one = type == "revolute" || type == "continuous" || type == "prismatic" ||
                         type == "screw" || type == "universal";
        if (one && e.FirstChildElement("axis") == nullptr) error(e, where, "lacks <axis>");
        if (type == "universal" && e.FirstChildElement("axis2") == nullptr)
            error(e, where, "lacks <axis2>");
        if (type == "screw") {
            const auto* old = e.FirstChildElement("thread_pitch");
            if (old == nullptr && e.FirstChildElement("screw_thread_pitch") == nullptr)
                error(e, where, "lacks <screw_thread_pitch>, in metres a revolution");
            std::string why;
            if (old != nullptr &&
                parse_numbers(text_of(*old), 1, why).value_or(std::vector<double>{1})[0] == 0)
                error(*old, where, "<thread_pitch>, in radians a metre, must not be zero");
        }
    }

    // A joint's parent or child: "world", or a link, frame, joint or model of the same model. Names in
    // other scopes, and those that a merged include brings in, are left to sdformat.
    void check_end(XMLElement& joint, const char* role) {
        const auto* e = joint.FirstChildElement(role);
        const std::string name = e == nullptr ? "" : text_of(*e);
        if (name.empty()) {
            error(joint, label(joint), "lacks <", role, ">");
            return;
        }
        if (name == "world" || name == "__model__" || name.find("::") != std::string::npos) return;
        std::vector<std::string> known;
        bool is_whole = joint.Parent()->ToElement() != nullptr;
        for (auto* s = joint.Parent()->FirstChildElement(); s; s = s->NextSiblingElement()) {
            if (s->Attribute("name") != nullptr) known.push_back(attribute(*s, "name"));
            if (std::string(s->Name()) == "include") is_whole = false;
        }
        if (is_whole && std::find(known.begin(), known.end(), name) == known.end())
            error(*e, label(joint), unknown_name(std::string(role) + " link", name, known).what());
    }

    void check_axis(XMLElement& e) {
        const auto* xyz = e.FirstChildElement("xyz");
        if (xyz == nullptr) return;
        std::string why;
        const auto v = parse_numbers(text_of(*xyz), 3, why);
        if (!v) return;  // reported with the other numbers
        const double length = std::hypot((*v)[0], (*v)[1], (*v)[2]);
        if (length > 1e-12 && length < 1e30) return;
        error(*xyz, owner(e), "axis is (", (*v)[0], " ", (*v)[1], " ", (*v)[2],
              "); it must be a finite vector that is not zero");
    }

    // All numbers that are used, with the count of each.
    void check_numbers(const XMLElement& e) {
        static const std::map<std::string, std::size_t> kCounts{{"inertial/mass", 1},
                                                                {"inertia/ixx", 1},
                                                                {"inertia/ixy", 1},
                                                                {"inertia/ixz", 1},
                                                                {"inertia/iyy", 1},
                                                                {"inertia/iyz", 1},
                                                                {"inertia/izz", 1},
                                                                {"box/size", 3},
                                                                {"cylinder/radius", 1},
                                                                {"cylinder/length", 1},
                                                                {"capsule/radius", 1},
                                                                {"capsule/length", 1},
                                                                {"sphere/radius", 1},
                                                                {"ellipsoid/radii", 3},
                                                                {"plane/normal", 3},
                                                                {"plane/size", 2},
                                                                {"mesh/scale", 3},
                                                                {"axis/xyz", 3},
                                                                {"axis2/xyz", 3},
                                                                {"limit/lower", 1},
                                                                {"limit/upper", 1},
                                                                {"limit/effort", 1},
                                                                {"limit/velocity", 1},
                                                                {"limit/stiffness", 1},
                                                                {"limit/dissipation", 1},
                                                                {"dynamics/damping", 1},
                                                                {"dynamics/friction", 1},
                                                                {"dynamics/spring_reference", 1},
                                                                {"dynamics/spring_stiffness", 1},
                                                                {"joint/thread_pitch", 1},
                                                                {"joint/screw_thread_pitch", 1},
                                                                {"world/gravity", 3},
                                                                {"mimic/multiplier", 1},
                                                                {"mimic/offset", 1},
                                                                {"mimic/reference", 1}};
        static const std::set<std::string> kSizes{"size", "radius", "length", "radii"};
        const auto* parent = e.Parent() == nullptr ? nullptr : e.Parent()->ToElement();
        if (parent == nullptr) return;
        const std::string name = e.Name(), inside = parent->Name(), text = text_of(e);
        if (name == "pose") return check_pose(e);
        std::string why;
        if (inside == "material" &&
            (name == "diffuse" || name == "ambient" || name == "specular" || name == "emissive")) {
            if (!parse_numbers(text, 3, why) && !parse_numbers(text, 4, why))
                error(e, owner(e), "<", name, "> ", why);
            return;
        }
        const auto found = kCounts.find(inside + "/" + name);
        if (found == kCounts.end()) return;
        if (inside == "limit" && is_infinite(text)) return;
        const auto values = parse_numbers(text, found->second, why);
        if (!values) {
            error(e, owner(e), "<", name, "> ", why);
            return;
        }
        for (const double x : *values) {
            if (kSizes.contains(name) && x < 0)
                error(e, owner(e), name, " is ", x, "; it must not be negative");
        }
        if (name == "mass" && (*values)[0] < 0)
            error(e, owner(e), "mass is ", (*values)[0], " kg; it must not be negative");
    }
    static bool is_infinite(const std::string& text) {
        return text == "inf" || text == "+inf" || text == "-inf";
    }

    void check_pose(const XMLElement& e) {
        const std::string format = attribute(e, "rotation_format"), text = text_of(e);
        if (text.empty()) return;  // no displacement
        const bool quaternion = format == "quat_xyzw";
        if (!format.empty() && !quaternion && format != "euler_rpy") {
            error(e, owner(e), "<pose rotation_format=…> is '", format,
                  "'; it must be euler_rpy or quat_xyzw");
            return;
        }
        std::string why;
        const auto values = parse_numbers(text, quaternion ? 7 : 6, why);
        if (!values) {
            error(e, owner(e), "<pose> ", why);
            return;
        }
        if (!quaternion) return;
        double length2 = 0;
        for (std::size_t k = 3; k < 7; ++k) length2 += (*values)[k] * (*values)[k];
        if (!(std::abs(std::sqrt(length2) - 1) < 1e-3)) {
            error(e, owner(e), "the quaternion of <pose> has length ", std::sqrt(length2),
                  "; it must be 1");
        }
    }

    TracedXml& document_;
    Findings& findings_;
    bool names_have_scopes_ = false;
    bool kinds_share_names_ = true;
};

// --- sdformat, kept quiet -----------------------------------------------------------------------

// Keeps what sdformat would print.
class QuietConsole {
public:
    QuietConsole()
        : stream_(sdf::Console::Instance()->GetMsgStream()), before_(stream_.GetStream()) {
        stream_.SetStream(&kept_);
    }
    ~QuietConsole() { stream_.SetStream(before_); }
    QuietConsole(const QuietConsole&) = delete;
    QuietConsole& operator=(const QuietConsole&) = delete;

    // The first error printed, without colours and the place in sdformat's source.
    std::string first_error() const {
        const std::string all = kept_.str();
        const std::size_t start = all.find("Error [");
        if (start == std::string::npos) return "";
        std::size_t from = all.find("\033[0m", start);
        from = from == std::string::npos ? start : from + 4;
        while (from < all.size() && all[from] == ' ') ++from;
        return all.substr(from, all.find('\n', from) - from);
    }

private:
    sdf::Console::ConsoleStream& stream_;
    std::ostream* before_;
    std::ostringstream kept_;
};

// A folder that is removed with all in it.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::error_code failure;
        std::string name =
            (std::filesystem::temp_directory_path(failure) / "plucker-XXXXXX").string();
        if (!failure && mkdtemp(name.data()) != nullptr) path_ = name;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }  // empty: none could be made

private:
    std::filesystem::path path_;
};

// --- The reader ---------------------------------------------------------------------------------

class SdfReader {
public:
    SdfReader(const LoadOptions& options, Findings& findings)
        : findings_(findings), options_(options) {
        out_.fixed_joints = options.fixed_joints;
        out_.base = options.base;
    }

    Description read(const XMLElement& root) && {
        out_.source = findings_.at(root.GetLineNum());
        TracedXml* robot = prepare(root, findings_.file(), 0);
        if (robot == nullptr || findings_.has_errors()) return std::move(out_);
        check_models(*robot);
        if (findings_.has_errors()) return std::move(out_);
        load(*robot);
        return std::move(out_);
    }

private:
    // --- Preparing the documents ----------------------------------------------------------------

    // A checked copy of a document; null if it cannot be used. Included files are prepared on the way.
    TracedXml* prepare(const XMLElement& root, const std::string& file, int through) {
        auto& document = documents_[through == 0 ? "" : file];
        document = std::make_unique<TracedXml>();
        document->set_root(document->copy(root, file, through));
        elements_ += document->size();
        if (elements_ > kMostElements) {
            report(findings_, Severity::kError, document->origin(document->root()), "",
                   "has more than ", kMostElements, " elements; no robot description needs that");
            return nullptr;
        }
        if (!check_version(*document)) return nullptr;
        leave_out_what_mechanics_does_not_need(document->root());
        Checker(*document, findings_).run();
        if (!findings_.has_errors()) prepare_includes(*document, document->root(), file);
        return findings_.has_errors() ? nullptr : document.get();
    }

    bool check_version(TracedXml& document) {
        const XMLElement& root = document.root();
        const Origin at = document.origin(root);
        const std::string version = attribute(root, "version");
        const bool is_one = version.size() >= 3 && version.size() <= 4 &&
                            version.starts_with("1.") &&
                            version.find_first_not_of("0123456789", 2) == std::string::npos;
        const int minor = is_one ? std::atoi(version.c_str() + 2) : -1;
        if (std::string(root.Name()) != "sdf") {
            report(findings_, Severity::kError, at, label(root), "is not an SDF document");
        } else if (version.empty()) {
            report(findings_, Severity::kError, at, "<sdf>", "lacks the attribute 'version'");
        } else if (minor < 3) {
            report(findings_, Severity::kError, at, "<sdf>", "version '", version,
                   "' is not one that can be read; 1.3 to 1.9 can");
        } else if (minor > kNewestVersion) {
            report(findings_, Severity::kWarning, at, "<sdf>", "version ", version,
                   " is read as 1.9, the newest that is known here");
            document.root().SetAttribute("version", "1.9");
        }
        return std::string(root.Name()) == "sdf" && minor >= 3;
    }

    // What remains is what this reader uses. sdformat fails on some attributes that it does not know.
    static void leave_out_what_mechanics_does_not_need(XMLElement& e) {
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
                                                   "surface",
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
        for (const auto* a = e.FirstAttribute(); a != nullptr;) {
            const std::string name = a->Name();
            a = a->Next();
            if (!kAttributes.contains(name)) e.DeleteAttribute(name.c_str());
        }
        for_each_child(e, [&](XMLElement& child) {
            const std::string name = child.Name();
            if (kUnused.contains(name) || name.find(':') != std::string::npos) {
                e.DeleteChild(&child);
            } else {
                leave_out_what_mechanics_does_not_need(child);
            }
        });
    }

    void prepare_includes(TracedXml& document, XMLElement& e, const std::string& file) {
        if (std::string(e.Name()) == "include") return prepare_include(document, e, file);
        for_each_child(e, [&](XMLElement& child) { prepare_includes(document, child, file); });
    }

    void prepare_include(TracedXml& document, XMLElement& include, const std::string& file) {
        const Origin at = document.origin(include);
        const auto refuse = [&](const auto&... parts) {
            report(findings_, Severity::kError, at, "<include>", parts...);
        };
        if (findings_.has_errors()) return;
        ++includes_;
        // Only what is known remains: sdformat fails on empty elements and on unknown attributes.
        static const std::set<std::string> kChildren{"uri", "name", "pose", "static",
                                                     "placement_frame"};
        static const std::set<std::string> kOfPose{"relative_to", "degrees", "rotation_format"};
        for_each_child(include, [&](XMLElement& child) {
            const std::string name = child.Name();
            if (!kChildren.contains(name)) {
                include.DeleteChild(&child);
                return;
            }
            if (text_of(child).empty() && name != "pose") refuse("has an empty <", name, ">");
            for_each_child(child, [&](XMLElement& below) { child.DeleteChild(&below); });
            for (const auto* a = child.FirstAttribute(); a != nullptr;) {
                const std::string of_child = a->Name();
                a = a->Next();
                if (name != "pose" || !kOfPose.contains(of_child))
                    child.DeleteAttribute(of_child.c_str());
            }
        });
        auto* uri = include.FirstChildElement("uri");
        if (uri == nullptr) return refuse("lacks <uri>");
        if (findings_.has_errors()) return;
        const MeshFinder::Found found = find_model(text_of(*uri), file);
        if (found.path.empty()) return refuse("'", text_of(*uri), "' is not read: ", found.why);
        std::error_code ignored;
        const bool is_open = std::filesystem::equivalent(found.path, findings_.file(), ignored) ||
                             std::find(open_.begin(), open_.end(), found.path) != open_.end();
        if (is_open) return refuse("'", text_of(*uri), "' includes itself, in the end");
        uri->SetText(staged(found.path, at).c_str());
        if (is_too_large()) {
            refuse("makes more than ", kMostIncludes, " includes or ", kMostElements,
                   " elements, which is refused");
        }
    }

    // A model's file, or its folder with a model.config that names the file.
    MeshFinder::Found find_model(const std::string& uri, const std::string& file) const {
        const MeshFinder files(file, options_.package_paths);
        MeshFinder::Found found = files.find(uri);
        if (!found.path.empty()) return found;
        const MeshFinder::Found config = files.find(uri + "/model.config");
        if (config.path.empty()) return found;
        tinyxml2::XMLDocument document;
        Findings inside(config.path);
        const XMLElement* root = nullptr;
        try {
            root = parse_xml(read_text_file(config.path), document, inside);
        } catch (const Error& e) {
            return {"", e.what()};
        }
        std::string name;
        int newest = -1;
        for (const auto* s = root == nullptr ? nullptr : root->FirstChildElement("sdf"); s;
             s = s->NextSiblingElement("sdf")) {
            const std::string version = attribute(*s, "version");
            const int minor = version.starts_with("1.") ? std::atoi(version.c_str() + 2) : 0;
            if (minor > kNewestVersion || minor <= newest) continue;
            newest = minor;
            name = text_of(*s);
        }
        if (name.empty()) return {"", "its model.config names no SDF file"};
        return files.find(uri + "/" + name);
    }

    bool is_too_large() const { return includes_ > kMostIncludes || elements_ > kMostElements; }

    // The name of the temporary file that holds the prepared copy of an included file.
    std::string staged(const std::string& path, const Origin& at) {
        if (const auto done = staged_.find(path); done != staged_.end()) {
            elements_ += done->second.elements;
            includes_ += done->second.includes;
            return done->second.name;
        }
        const std::size_t elements_before = elements_;
        const int includes_before = includes_;
        const auto refuse = [&](const auto&... parts) {
            report(findings_, Severity::kError, at, "<include>", parts...);
            return std::string("none");
        };
        if (!folder_) folder_ = std::make_unique<TemporaryFolder>();
        if (folder_->path().empty())
            return refuse("needs a temporary folder, and none can be made");
        tinyxml2::XMLDocument source;
        Findings inside(path);
        const XMLElement* root = nullptr;
        try {
            root = parse_xml(read_text_file(path), source, inside);
        } catch (const Error& e) {
            return refuse(e.what());
        }
        for (const Diagnostic& d : std::move(inside).take())
            report(findings_, d.severity, {path, d.at.line, at.line_in_robot}, d.element,
                   d.message);
        if (root == nullptr) return "none";
        if (root->FirstChildElement("model") == nullptr ||
            root->FirstChildElement("model")->NextSiblingElement("model") != nullptr) {
            return refuse("'", path, "' must hold one <model>");
        }
        open_.push_back(path);
        TracedXml* document = prepare(*root, path, at.line_in_robot);
        open_.pop_back();
        if (document == nullptr || is_too_large()) return "none";
        const std::string text = document->print();
        const std::string name =
            (folder_->path() / (std::to_string(staged_.size()) + ".sdf")).string();
        if (!(std::ofstream(name) << text)) return refuse("a temporary file cannot be written");
        staged_[path] = {name, elements_ - elements_before, includes_ - includes_before};
        files_of_staged_[name] = path;
        check_included(text, *document);
        return name;
    }

    // sdformat prints the errors of included files; so they are read by themselves first.
    void check_included(const std::string& text, TracedXml& document) {
        sdf::Errors errors;
        call_sdformat(document, [&] {
            const auto parsed = std::make_shared<sdf::SDF>();
            sdf::init(parsed);
            const bool good =
                sdf::readString(text, sdf::ParserConfig::GlobalConfig(), parsed->Root(), errors);
            if (!good && errors.empty())
                errors.emplace_back(sdf::ErrorCode::ELEMENT_INVALID, "cannot be read");
            return errors;
        });
    }

    // --- Calling sdformat -----------------------------------------------------------------------

    // Calls f, which returns sdformat's errors, and reports them.
    template <class F>
    void call_sdformat(TracedXml& document, F&& f) {
        const NeutralLocale neutral;
        const QuietConsole console;
        sdf::Errors errors;
        try {
            errors = f();
        } catch (const sdf::Exception& e) {
            errors.emplace_back(sdf::ErrorCode::ELEMENT_INVALID, e.GetErrorStr());
        } catch (const std::exception& e) {
            errors.emplace_back(sdf::ErrorCode::ELEMENT_INVALID, e.what());
        }
        // One error a line, and what merely follows from another only if it stands alone.
        const bool all_follow =
            std::all_of(errors.begin(), errors.end(), [](const auto& e) { return follows(e); });
        std::set<std::pair<std::string, int>> said;
        for (const sdf::Error& e : errors) {
            if (follows(e) && !all_follow) continue;
            // Masses and inertias are judged with the description, and with a better message.
            if (e.Code() == sdf::ErrorCode::LINK_INERTIA_INVALID) continue;
            const Origin at = place_of(e, document);
            if (!said.emplace(at.file, at.line).second) continue;
            std::string message = e.Message();
            while (!message.empty() && (message.back() == '\n' || message.back() == ' '))
                message.pop_back();
            if (all_follow) message += " " + console.first_error();
            report(findings_, Severity::kError, at, "", "sdformat: ", message);
            if (all_follow) return;  // the first is the deepest in the tree
        }
    }
    // Whether an error only says that there was another, up the tree or in the graph of frames.
    static bool follows(const sdf::Error& e) {
        const std::string message = e.Message();
        if (message.find("cycle detected") != std::string::npos) return false;
        for (const char* start :
             {"Error reading element", "Failed to load a world", "Unable to", "Errors were found",
              "PoseRelativeToGraph", "FrameAttachedToGraph", "Graph has"}) {
            if (message.starts_with(start)) return true;
        }
        return false;
    }

    // An error's line; where sdformat gives none, that of the element whose name it gives in brackets.
    Origin place_of(const sdf::Error& e, TracedXml& document) {
        TracedXml* in = &document;
        if (e.FilePath()) {
            const auto file = files_of_staged_.find(*e.FilePath());
            if (file != files_of_staged_.end()) in = documents_.at(file->second).get();
        }
        if (e.LineNumber()) return in->origin_of_line(*e.LineNumber());
        const std::string message = e.Message();
        for (const char* kind : {"joint", "link", "frame", "model"}) {
            for (std::size_t at = message.find('['); at != std::string::npos;
                 at = message.find('[', at + 1)) {
                std::string name = message.substr(at + 1, message.find(']', at) - at - 1);
                if (const std::size_t scope = name.rfind("::"); scope != std::string::npos)
                    name.erase(0, scope + 2);
                if (const auto* named = find_named(in->root(), kind, name))
                    return in->origin(*named);
            }
        }
        return in->origin(in->root());
    }
    static const XMLElement* find_named(const XMLElement& e, const std::string& kind,
                                        const std::string& name) {
        if (e.Name() == kind && attribute(e, "name") == name) return &e;
        for (const auto* c = e.FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
            if (const auto* found = find_named(*c, kind, name)) return found;
        }
        return nullptr;
    }

    void load(TracedXml& robot) {
        const std::string text = robot.print();
        sdf::Root root;
        call_sdformat(robot, [&] {
            sdf::ParserConfig config;
            config.SetFindCallback([](const std::string& uri) { return uri; });
            config.SetWarningsPolicy(sdf::EnforcementPolicy::LOG);
            config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::LOG);
            config.SetDeprecatedElementsPolicy(sdf::EnforcementPolicy::LOG);
            sdf::Errors errors;
            const auto parsed = std::make_shared<sdf::SDF>();
            sdf::init(parsed);
            if (!sdf::readString(text, config, parsed->Root(), errors)) {
                if (errors.empty())
                    errors.emplace_back(sdf::ErrorCode::ELEMENT_INVALID, "Unable to read");
                return errors;
            }
            const sdf::Errors more = root.Load(parsed, config);
            errors.insert(errors.end(), more.begin(), more.end());
            return errors;
        });
        if (findings_.has_errors()) return;
        const sdf::Model* model = root.Model();
        if (model == nullptr && root.WorldCount() == 1) {
            const sdf::World& world = *root.WorldByIndex(0);
            if (gravity_given_) out_.gravity = vec3(world.Gravity());
            model = choose_model(world);
        }
        if (model == nullptr) {
            if (!findings_.has_errors()) findings_.error(1, "<sdf>", "has no <model>");
            return;
        }
        // Poses are resolved on demand, so that this, too, is a call of sdformat.
        call_sdformat(robot, [&] {
            convert(*model);
            return sdf::Errors{};
        });
    }

    void check_models(TracedXml& robot) {
        std::vector<std::string> worlds, models;
        XMLElement& root = robot.root();
        for_each_child(root, [&](XMLElement& e) {
            const std::string kind = e.Name();
            if (kind == "world") worlds.push_back(label(e));
            if (kind == "world" && e.FirstChildElement("gravity")) gravity_given_ = true;
            if (kind == "model") models.push_back(label(e));
            if (kind == "include") models.emplace_back("<include>");
        });
        models.insert(models.end(), worlds.begin(), worlds.end());
        if (models.size() < 2) return;
        std::string list;
        for (const std::string& m : models) list += (list.empty() ? "" : ", ") + m;
        report(findings_, Severity::kError, robot.origin(root), "<sdf>",
               "holds several robots or worlds (", list, "); put each in a file of its own");
    }

    // The only model of a world, or the only one that is not static: the ground is no robot.
    const sdf::Model* choose_model(const sdf::World& world) {
        std::vector<const sdf::Model*> moving, fixed_ones;
        for (std::uint64_t k = 0; k < world.ModelCount(); ++k) {
            const sdf::Model* m = world.ModelByIndex(k);
            (m->Static() ? fixed_ones : moving).push_back(m);
        }
        if (moving.size() > 1) {
            std::string list;
            for (const auto* m : moving) list += (list.empty() ? "'" : ", '") + m->Name() + "'";
            report(findings_, Severity::kError, origin_of(world.Element()),
                   "world '" + world.Name() + "'", "holds several models (", list,
                   "); put each in a file of its own");
            return nullptr;
        }
        if (moving.empty() && fixed_ones.size() != 1) return nullptr;
        if (moving.empty()) return fixed_ones[0];
        for (const auto* m : fixed_ones)
            report(findings_, Severity::kNote, origin_of(m->Element()), "model '" + m->Name() + "'",
                   "is static beside the robot; it is ignored");
        return moving[0];
    }

    // --- From sdformat's objects to ours --------------------------------------------------------

    Origin origin_of(const sdf::ElementPtr& e) const {
        const auto file = files_of_staged_.find(e->FilePath());
        const auto& document = documents_.at(file == files_of_staged_.end() ? "" : file->second);
        return document->origin_of_line(e->LineNumber().value_or(0));
    }
    SourceLocation source_of(const sdf::ElementPtr& e) const {
        const Origin at = origin_of(e);
        return {at.file, at.line};
    }
    template <class... Parts>
    void add(Severity severity, const sdf::ElementPtr& e, const std::string& element,
             const Parts&... parts) {
        report(findings_, severity, origin_of(e), element, parts...);
    }

    // A pose that sdformat resolves; on failure an error, and no displacement.
    Pose<double> resolved(const sdf::SemanticPose& semantic, const sdf::ElementPtr& e,
                          const std::string& where, const std::string& to = "") {
        ignition::math::Pose3d p;
        for (const sdf::Error& error : semantic.Resolve(p, to))
            add(Severity::kError, e, where, "sdformat: ", error.Message());
        return pose(p);
    }

    void convert(const sdf::Model& model) {
        out_.name = model.Name();
        out_.source = source_of(model.Element());
        if (model.Static()) {
            add(Severity::kNote, model.Element(), "model '" + model.Name() + "'",
                "is static; its base is fixed");
            out_.base = Base::kFixed;
        }
        out_.links.push_back({"world", {}, {}, {}, out_.source});
        link_names_.take("world");
        place_["world"] = {};
        const Pose<double> at =
            resolved(model.SemanticPose(), model.Element(), "model '" + model.Name() + "'");
        take_names(model, "");
        convert_links(model, "", at, model.Static());
        convert_joints(model, "", at);
        convert_frames(model, "", at);
        connect_to_world(model);
    }

    void take_names(const sdf::Model& model, const std::string& scope) {
        for (std::uint64_t k = 0; k < model.LinkCount(); ++k)
            link_names_.take(scope + model.LinkByIndex(k)->Name());
        for (std::uint64_t k = 0; k < model.JointCount(); ++k)
            joint_names_.take(scope + model.JointByIndex(k)->Name());
        for (std::uint64_t k = 0; k < model.FrameCount(); ++k)
            link_names_.take(scope + model.FrameByIndex(k)->Name());
        for (std::uint64_t k = 0; k < model.ModelCount(); ++k) {
            const sdf::Model& nested = *model.ModelByIndex(k);
            take_names(nested, scope + nested.Name() + "::");
        }
    }

    // Calls f for each nested model with its scope and its place in the world.
    template <class F>
    void for_each_nested(const sdf::Model& model, const std::string& scope, const Pose<double>& at,
                         F&& f) {
        for (std::uint64_t k = 0; k < model.ModelCount(); ++k) {
            const sdf::Model& nested = *model.ModelByIndex(k);
            const std::string name = scope + nested.Name();
            f(nested, name + "::",
              at * resolved(nested.SemanticPose(), nested.Element(), "model '" + name + "'"));
        }
    }

    void convert_links(const sdf::Model& model, const std::string& scope, const Pose<double>& at,
                       bool is_static) {
        for (std::uint64_t k = 0; k < model.LinkCount(); ++k) {
            const sdf::Link& link = *model.LinkByIndex(k);
            const std::string name = scope + link.Name();
            const std::string where = "link '" + name + "'";
            place_[name] = at * resolved(link.SemanticPose(), link.Element(), where);
            LinkDescription out{
                name, mass_of(link, where, is_static), {}, {}, source_of(link.Element())};
            for (std::uint64_t j = 0; j < link.VisualCount(); ++j) {
                const sdf::Visual& v = *link.VisualByIndex(j);
                auto shape = shape_of(v, where + ", visual '" + v.Name() + "'");
                if (!shape) continue;
                shape->material = material_of(v);
                out.visuals.push_back(std::move(*shape));
            }
            for (std::uint64_t j = 0; j < link.CollisionCount(); ++j) {
                const sdf::Collision& c = *link.CollisionByIndex(j);
                auto shape = shape_of(c, where + ", collision '" + c.Name() + "'");
                if (shape) out.collisions.push_back(std::move(*shape));
            }
            out_.links.push_back(std::move(out));
        }
        for_each_nested(model, scope, at,
                        [&](const sdf::Model& nested, const std::string& name, const auto& place) {
                            convert_links(nested, name, place, is_static);
                        });
    }

    // Read from the elements, not from sdformat's inertia, which replaces what it does not like.
    MassProperties mass_of(const sdf::Link& link, const std::string& where, bool is_static) {
        const sdf::ElementPtr e = link.Element();
        if (!e->HasElement("inertial")) {
            if (!is_static)
                add(Severity::kWarning, e, where,
                    "has no <inertial>; SDF gives it 1 kg and 1 kg·m² about each axis");
            return {1, {}, SymMat3<double>::identity()};
        }
        const sdf::ElementPtr inertial = e->GetElement("inertial");
        if (!inertial->HasElement("mass"))
            add(Severity::kWarning, inertial, where, "<inertial> has no <mass>; SDF makes it 1 kg");
        MassProperties out;
        out.mass = inertial->Get<double>("mass", 1.0).first;
        const Pose<double> at = pose(link.Inertial().Pose());
        out.center = at.position;
        SymMat3<double> inertia = SymMat3<double>::identity();
        if (inertial->HasElement("inertia")) {
            const sdf::ElementPtr i = inertial->GetElement("inertia");
            const auto entry = [&](const char* name, double otherwise) {
                return i->Get<double>(name, otherwise).first;
            };
            inertia = {entry("ixx", 1), entry("ixy", 0), entry("ixz", 0),
                       entry("iyy", 1), entry("iyz", 0), entry("izz", 1)};
        } else {
            add(Severity::kWarning, inertial, where,
                "<inertial> has no <inertia>; SDF makes it 1 kg·m² about each axis");
        }
        out.about_center = rotate_back(transpose(at.rotation), inertia);
        return out;
    }

    template <class VisualOrCollision>
    std::optional<Shape> shape_of(const VisualOrCollision& v, const std::string& where) {
        Shape out;
        out.name = v.Name();
        out.placement = resolved(v.SemanticPose(), v.Element(), where);
        const sdf::Geometry* g = v.Geom();
        if (g == nullptr) return std::nullopt;
        if (const auto* box = g->BoxShape()) {
            out.geometry = Box{vec3(box->Size())};
        } else if (const auto* cylinder = g->CylinderShape()) {
            out.geometry = Cylinder{cylinder->Radius(), cylinder->Length()};
        } else if (const auto* capsule = g->CapsuleShape()) {
            out.geometry = Capsule{capsule->Radius(), capsule->Length()};
        } else if (const auto* sphere = g->SphereShape()) {
            out.geometry = Sphere{sphere->Radius()};
        } else if (const auto* ellipsoid = g->EllipsoidShape()) {
            out.geometry = Ellipsoid{vec3(ellipsoid->Radii())};
        } else if (const auto* plane = g->PlaneShape()) {
            out.geometry = Plane{vec3(plane->Normal())};
        } else if (const auto* mesh = g->MeshShape()) {
            out.geometry = mesh_of(*mesh, v.Element(), where);
        } else {
            add(Severity::kNote, v.Element(), where, "its geometry is not used");
            return std::nullopt;
        }
        return out;
    }

    Mesh mesh_of(const sdf::Mesh& mesh, const sdf::ElementPtr& e, const std::string& where) {
        Mesh out;
        out.uri = mesh.Uri();
        out.scale = vec3(mesh.Scale());
        const MeshFinder files(origin_of(e).file, options_.package_paths);
        const MeshFinder::Found found = files.find(out.uri);
        out.path = found.path;
        if (out.path.empty())
            add(Severity::kWarning, e, where, "mesh '", out.uri, "' is not used: ", found.why);
        return out;
    }

    static std::optional<Material> material_of(const sdf::Visual& v) {
        const sdf::Material* m = v.Material();
        if (m == nullptr) return std::nullopt;
        Material out;
        out.name = m->ScriptName();
        if (m->Element() != nullptr && m->Element()->HasElement("diffuse")) {
            const ignition::math::Color c = m->Diffuse();
            const auto rounded = [](float x) { return std::round(1e6 * double{x}) / 1e6; };
            out.rgba = std::array<double, 4>{rounded(c.R()), rounded(c.G()), rounded(c.B()),
                                             rounded(c.A())};
        }
        return out;
    }

    void convert_joints(const sdf::Model& model, const std::string& scope, const Pose<double>& at) {
        for (std::uint64_t k = 0; k < model.JointCount(); ++k)
            convert_joint(*model.JointByIndex(k), scope, at);
        for_each_nested(model, scope, at,
                        [&](const sdf::Model& nested, const std::string& name, const auto& place) {
                            convert_joints(nested, name, place);
                        });
    }

    // All poses and axes are taken to the world first: `at` is the place of the joint's model there.
    void convert_joint(const sdf::Joint& j, const std::string& scope, const Pose<double>& at) {
        const sdf::ElementPtr e = j.Element();
        AnchoredJoint out;
        JointDescription& joint = out.joint;
        joint.name = scope + j.Name();
        joint.source = source_of(e);
        const std::string where = "joint '" + joint.name + "'";
        std::string parent, child;
        sdf::Errors errors = j.ResolveParentLink(parent);
        const sdf::Errors more = j.ResolveChildLink(child);
        errors.insert(errors.end(), more.begin(), more.end());
        for (const sdf::Error& error : errors)
            add(Severity::kError, e, where, "sdformat: ", error.Message());
        if (!errors.empty()) return;
        if (parent != "world") parent = scope + parent;
        child = scope + child;
        if (!place_.contains(parent) || !place_.contains(child)) {
            add(Severity::kError, e, where, "connects '", parent, "' and '", child,
                "'; both must be links");
            return;
        }
        hangs_on_world_ = hangs_on_world_ || parent == "world";
        children_.insert(child);
        const Pose<double> to_child = inverse(place_.at(child));
        out.anchor = (to_child * at * resolved(j.SemanticPose(), e, where, "__model__")).position;
        const auto axis_of = [&](unsigned index, Vec3<double>& axis) {
            const sdf::JointAxis* a = j.Axis(index);
            if (a == nullptr) return;
            ignition::math::Vector3d v;
            for (const sdf::Error& error : a->ResolveXyz(v, "__model__"))
                add(Severity::kError, e, where, "sdformat: ", error.Message());
            axis = to_child.rotation * (at.rotation * vec3(v));
        };
        if (set_type(j, where, joint)) {
            axis_of(0, joint.axis);
            if (joint.type == JointType::kUniversal) axis_of(1, joint.second_axis);
            read_axis_constants(j, where, scope, joint);
        }
        connect(out_, parent, child, inverse(place_.at(parent)) * place_.at(child), {out},
                link_names_, joint_names_, joint.source);
    }

    // True if the joint has axes.
    bool set_type(const sdf::Joint& j, const std::string& where, JointDescription& joint) {
        switch (j.Type()) {
            case sdf::JointType::REVOLUTE:
            case sdf::JointType::CONTINUOUS:
                joint.type = JointType::kRevolute;
                return true;
            case sdf::JointType::PRISMATIC:
                joint.type = JointType::kPrismatic;
                return true;
            case sdf::JointType::UNIVERSAL:
                joint.type = JointType::kUniversal;
                return true;
            case sdf::JointType::SCREW:
                joint.type = JointType::kHelical;
                joint.pitch = pitch_of(j, where);
                return true;
            case sdf::JointType::BALL:
                joint.type = JointType::kSpherical;
                return false;
            default:
                joint.type = JointType::kFixed;
                return false;
        }
    }

    // <screw_thread_pitch> is in metres a revolution, positive for a right-handed thread; the older
    // <thread_pitch> is in radians a metre, positive for a left-handed one.
    double pitch_of(const sdf::Joint& j, const std::string& where) {
        const sdf::ElementPtr e = j.Element();
        if (e->HasElement("screw_thread_pitch"))
            return number_in(e, "screw_thread_pitch", 0) / (2 * std::numbers::pi);
        add(Severity::kNote, e, where,
            "<thread_pitch> is taken as radians a metre of a left-handed thread; "
            "<screw_thread_pitch> has a clear meaning");
        return -1 / j.ThreadPitch();
    }
    // Of an element that this version of sdformat does not know; it was checked before.
    static double number_in(const sdf::ElementPtr& e, const char* name, double otherwise) {
        if (!e->HasElement(name)) return otherwise;
        std::string why;
        const auto value = parse_numbers(e->Get<std::string>(name), 1, why);
        return value ? value->front() : otherwise;
    }

    void read_axis_constants(const sdf::Joint& j, const std::string& where,
                             const std::string& scope, JointDescription& joint) {
        const sdf::JointAxis* a = j.Axis(0);
        if (a == nullptr) return;
        joint.damping = a->Damping();
        joint.friction = a->Friction();
        const sdf::JointAxis* second = j.Axis(1);
        if (joint.type == JointType::kUniversal && second != nullptr &&
            (second->Damping() != a->Damping() || second->Friction() != a->Friction())) {
            add(Severity::kWarning, j.Element(), where,
                "its axes differ in damping or friction; those of the first are used for both");
        }
        if (a->SpringStiffness() != 0)
            add(Severity::kWarning, j.Element(), where, "its spring is not used");
        // SDF writes 1e16 for no limit.
        const auto bound = [](double x) {
            return std::abs(x) < 1e16 ? x
                                      : std::copysign(std::numeric_limits<double>::infinity(), x);
        };
        joint.limits.effort = bound(a->Effort());
        joint.limits.velocity = bound(a->MaxVelocity());
        if (j.Type() != sdf::JointType::CONTINUOUS && joint.type != JointType::kUniversal) {
            joint.limits.lower = bound(a->Lower());
            joint.limits.upper = bound(a->Upper());
        }
        if (a->Element()->HasElement("mimic")) {
            const sdf::ElementPtr m = a->Element()->GetElement("mimic");
            const double multiplier = number_in(m, "multiplier", 1);
            joint.mimic =
                Mimic{scope + m->Get<std::string>("joint"), multiplier,
                      number_in(m, "offset", 0) - multiplier * number_in(m, "reference", 0)};
        }
    }

    void convert_frames(const sdf::Model& model, const std::string& scope, const Pose<double>& at) {
        for (std::uint64_t k = 0; k < model.FrameCount(); ++k) {
            const sdf::Frame& frame = *model.FrameByIndex(k);
            if (frame.Name().starts_with("_merged__")) continue;  // made by sdformat
            const std::string name = scope + frame.Name();
            const std::string where = "frame '" + name + "'";
            std::string body;
            for (const sdf::Error& error : frame.ResolveAttachedToBody(body))
                add(Severity::kError, frame.Element(), where, "sdformat: ", error.Message());
            body = scope + body;
            if (!place_.contains(body)) body = "world";  // on a static model
            const Pose<double> place =
                at * resolved(frame.SemanticPose(), frame.Element(), where, "__model__");
            out_.frames.push_back(
                {name, body, inverse(place_.at(body)) * place, source_of(frame.Element())});
        }
        for_each_nested(model, scope, at,
                        [&](const sdf::Model& nested, const std::string& name, const auto& place) {
                            convert_frames(nested, name, place);
                        });
    }

    // How the model stands in the world: by its own joints, or by the base that was asked for. The
    // link "world" is kept only if something hangs on it.
    void connect_to_world(const sdf::Model& model) {
        std::vector<std::size_t> roots;
        for (std::size_t i = 1; i < out_.links.size(); ++i) {
            if (!children_.contains(out_.links[i].name) && !is_helper(out_.links[i].name))
                roots.push_back(i);
        }
        const auto fix = [&](const std::string& link, const SourceLocation& source) {
            JointDescription joint =
                fixed(joint_names_.make("world_to_" + link)).at(place_.at(link));
            joint.parent = "world";
            joint.child = link;
            joint.source = source;
            out_.joints.insert(out_.joints.begin(), std::move(joint));
        };
        const std::string where = "model '" + model.Name() + "'";
        if (model.Static()) {
            for (auto r = roots.rbegin(); r != roots.rend(); ++r)
                fix(out_.links[*r].name, out_.links[*r].source);
            return;
        }
        if (hangs_on_world_) {
            if (out_.base == Base::kFloating) {
                add(Severity::kWarning, model.Element(), where,
                    "a floating base was asked for, but a joint fixes the model to the world");
                out_.base = Base::kFixed;
            }
            return;
        }
        const LinkDescription& root = out_.links[roots.empty() ? 0 : roots[0]];
        const bool stands_at_origin = place_.at(root.name) == Pose<double>{};
        if (out_.base == Base::kFixed) {
            add(Severity::kNote, model.Element(), where,
                "has no joint to the world; it is loaded with a fixed base, as asked");
            if (!stands_at_origin && roots.size() == 1) return fix(root.name, root.source);
        }
        const auto on_world = [](const FrameDescription& f) { return f.link == "world"; };
        if (std::none_of(out_.frames.begin(), out_.frames.end(), on_world) &&
            out_.links.size() > 1) {
            out_.links.erase(out_.links.begin());
        }
    }
    // A massless link that connect() put in: it is no link of the file.
    bool is_helper(const std::string& link) const { return !place_.contains(link); }

    Findings& findings_;
    LoadOptions options_;
    std::map<std::string, std::unique_ptr<TracedXml>> documents_;  // by file; "": the robot file
    std::unique_ptr<TemporaryFolder> folder_;
    struct Staged {
        std::string name;
        std::size_t elements;  // with those of the files that it includes
        int includes;
    };
    std::map<std::string, Staged> staged_;                // the temporary copies of included files
    std::map<std::string, std::string> files_of_staged_;  // and back
    std::vector<std::string> open_;                       // the files that are being included
    std::size_t elements_ = 0;                            // when all includes are expanded
    int includes_ = 0;
    bool gravity_given_ = false;

    Description out_;
    std::map<std::string, Pose<double>> place_;  // of each link in the world
    std::set<std::string> children_;
    bool hangs_on_world_ = false;
    UniqueNames link_names_, joint_names_;
};

}  // namespace

Description read_sdf(const XMLElement& root, const std::string& text, const LoadOptions& options,
                     Findings& findings) {
    (void)text;  // sdformat reads the checked copy
    return SdfReader(options, findings).read(root);
}

}  // namespace plucker::io
