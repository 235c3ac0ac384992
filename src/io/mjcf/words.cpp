#include "mjcf/words.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "mjcf/meshes.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

// The attributes of an element that is not left out as a whole: those that are read, those that have nothing
// to do with motion, and those that came after version 2.2, as word@version. From the schemas in MuJoCo's
// sources, versions 2.2.2 to 3.11.0.
struct Words {
    const char* tag;
    const char* read;
    const char* unused;
    const char* later;
};
constexpr Words kWords[] = {
    {"mujoco", "model", "", ""},
    {"compiler",
     "angle autolimits balanceinertia boundinertia boundmass coordinate discardvisual eulerseq "
     "exactmeshinertia fitaabb fusestatic inertiafromgeom inertiagrouprange meshdir settotalmass "
     "strippath",
     "convexhull texturedir usethread",
     "alignfree@3.2.3 assetdir@2.3.0 conflict@3.10.0 saveinertial@3.3.1"},
    {"option", "density gravity viscosity",
     "apirate collision cone impratio integrator iterations jacobian magnetic mpr_iterations "
     "mpr_tolerance noslip_iterations noslip_tolerance o_margin o_solimp o_solref solver timestep "
     "tolerance wind",
     "actuatorgroupdisable@3.0.1 ccd_iterations@3.2.3 ccd_tolerance@3.2.3 ls_iterations@3.0.0 "
     "ls_tolerance@3.0.0 o_friction@3.0.0 sdf_initpoints@3.0.0 sdf_iterations@3.0.0 "
     "sleep_tolerance@3.4.0"},
    {"flag", "constraint equality frictionloss gravity passive",
     "actuation clampctrl contact energy filterparent fwdinv limit multiccd override refsafe "
     "sensor sensornoise warmstart",
     "autoreset@3.2.1 damper@3.3.6 diagexact@3.9.0 eulerdamp@3.0.0 invdiscrete@3.0.0 island@3.0.0 "
     "midphase@3.0.0 nativeccd@3.2.3 sleep@3.4.0 spring@3.3.6"},
    {"mesh", "class face file inertia name normal refpos refquat scale texcoord vertex",
     "smoothnormal",
     "builtin@3.3.5 content_type@2.3.7 material@3.3.6 maxhullvert@3.2.0 params@3.3.5"},
    {"material", "class name rgba",
     "emission reflectance shininess specular texrepeat texture texuniform",
     "metallic@3.1.5 roughness@3.1.5"},
    {"joint",
     "active armature axis class damping frictionloss joint1 joint2 kind limited name polycoef pos "
     "range ref springdamper springref stiffness type",
     "group margin solimp solimpfix solimpfriction solimplimit solref solreffix solreffriction "
     "solreflimit user",
     "actuatorforcelimited@2.3.7 actuatorforcerange@2.3.7 actuatorfrclimited@3.0.0 "
     "actuatorfrcrange@3.0.0 actuatorgravcomp@3.1.4"},
    {"freejoint", "name", "group", "align@3.2.3"},
    {"geom",
     "axisangle class conaffinity contype density euler fitscale fromto group hfield mass material "
     "mesh name pos quat rgba shellinertia size type xyaxes zaxis condim friction",
     "fluidcoef fluidshape gap margin priority solimp solmix solref user",
     "adhesion@3.11.0 surfacevel@3.11.0"},
    {"site", "axisangle class euler fromto name pos quat size type xyaxes zaxis",
     "group material rgba user", ""},
    {"body", "axisangle childclass euler mocap name pos quat xyaxes zaxis", "user",
     "gravcomp@2.3.1 simple@3.11.0 sleep@3.4.0"},
    {"worldbody", "", "", ""},
    {"inertial", "axisangle diaginertia euler fullinertia mass pos quat xyaxes zaxis", "", ""},
    {"frame", "axisangle childclass euler name pos quat xyaxes zaxis", "", ""},
    {"replicate", "childclass count euler offset sep", "", ""},
    {"attach", "body frame model prefix", "", ""},
    {"model", "file name", "", "content_type@3.2.0"},
    {"composite", "count flatinertia offset prefix solimpsmooth solrefsmooth spacing type", "",
     "curve@2.3.0 face@3.0.0 flat@2.3.0 initial@2.3.0 quat@3.3.1 size@2.3.0 vertex@2.3.0"},
    {"default", "class", "", ""},
    {"equality", "active", "solimp solref", ""},
    {"connect", "active anchor body1 body2 class name site1 site2", "solimp solref", ""},
    {"weld", "active anchor body1 body2 class name relpose site1 site2 torquescale",
     "solimp solref", ""},
    {"exclude", "body1 body2 name", "", ""}};

// What may stand in an element; what is not listed here is left to MuJoCo.
constexpr const char* kInBody =
    "attach body camera composite flexcomp frame freejoint geom inertial joint light plugin "
    "replicate site";
const std::map<std::string, std::string>& children_of() {
    static const std::map<std::string, std::string> kChildren{
        {"mujoco",
         "actuator asset compiler contact custom default deformable equality extension include "
         "keyframe option sensor size statistic tendon visual worldbody"},
        {"worldbody", kInBody},
        {"body", kInBody},
        {"frame", kInBody},
        {"replicate", kInBody},
        {"attach", ""},
        {"model", ""},
        {"asset", "hfield material mesh model skin texture"},
        {"default",
         "adhesion camera cylinder damper dcmotor default equality general geom intvelocity joint "
         "light material mesh motor muscle pair position site tendon velocity"},
        {"contact", "exclude pair"},
        {"equality", "connect distance flex flexstrain flexvert joint tendon weld"},
        {"option", "flag"}};
    return kChildren;
}

std::vector<std::string> split(const std::string& text) {
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), {}};
}

bool has(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

struct Vocabulary {
    std::vector<std::string> read, unused;
    std::map<std::string, std::string> later;  // the version that brought it

    std::vector<std::string> all() const {
        std::vector<std::string> out = read;
        out.insert(out.end(), unused.begin(), unused.end());
        for (const auto& [word, version] : later) out.push_back(word);
        return out;
    }
};

const std::map<std::string, Vocabulary>& vocabularies() {
    static const auto kAll = [] {
        std::map<std::string, Vocabulary> out;
        for (const Words& words : kWords) {
            Vocabulary& v = out[words.tag];
            v.read = split(words.read);
            v.unused = split(words.unused);
            for (const std::string& word : split(words.later)) {
                const std::size_t at = word.find('@');
                v.later[word.substr(0, at)] = word.substr(at + 1);
            }
        }
        return out;
    }();
    return kAll;
}

class Translator {
public:
    Translator(const TracedXml& document, Findings& findings, MjcfSummary& summary)
        : document_(document), findings_(findings), summary_(summary) {}

    void translate(XMLElement& e) {
        const auto words = vocabularies().find(e.Name());
        if (words != vocabularies().end()) translate_attributes(e, words->second);
        const std::string tag = e.Name();
        if (tag == "joint") keep_linear_part(e);
        if (tag == "geom" && attribute(e, "type") == "sdf") e.SetAttribute("type", "mesh");
        if (tag == "composite") return;  // its parts are words of their own, which MuJoCo knows
        if (tag == "material" || tag == "mesh" || tag == "geom") e.DeleteChildren();
        if (const auto known = children_of().find(tag); known != children_of().end()) {
            for_each_unknown_child(e, split(known->second), [&](const XMLElement& child, auto&&) {
                if (known->second.empty())
                    return error(child, "<", tag, "> has nothing in it; put this beside it");
                error(child, unknown_name("element", child.Name(), split(known->second)).what());
            });
        }
        for_each_child(e, [&](XMLElement& child) { translate(child); });
    }

private:
    template <class... Parts>
    void error(const XMLElement& e, const Parts&... parts) {
        report(findings_, Severity::kError, document_.origin(e), label(e), parts...);
    }
    template <class... Parts>
    void warning(const XMLElement& e, const Parts&... parts) {
        summary_.add(Severity::kWarning, document_.origin(e), label(e), parts...);
    }

    void translate_attributes(XMLElement& e, const Vocabulary& words) {
        for (const auto* a = e.FirstAttribute(); a != nullptr;) {
            const std::string name = a->Name(), value = a->Value();
            a = a->Next();
            if (has(words.read, name)) continue;
            const auto later = words.later.find(name);
            if (later != words.later.end()) {
                translate_later(e, name, value, later->second);
            } else if (!has(words.unused, name)) {
                error(e, unknown_name("attribute", name, words.all()).what());
            } else if (name == "solref" || name == "solimp") {
                summary_.add(
                    Severity::kNote, document_.origin(e), tag(e),
                    "what is tied together or touches is rigid here: solref and solimp are "
                    "not used");
            }
            e.DeleteAttribute(name.c_str());
        }
    }

    // Most later words have nothing to do with motion.
    void translate_later(XMLElement& e, const std::string& name, const std::string& value,
                         const std::string& version) {
        const std::string tag = e.Name();
        if (tag == "composite") {
            error(e, "the attribute '", name, "' came with MuJoCo ", version,
                  " and is not translated; write the bodies out");
        } else if (name == "assetdir") {
            if (e.Attribute("meshdir") == nullptr) e.SetAttribute("meshdir", value.c_str());
        } else if (name == "gravcomp" && e.DoubleAttribute("gravcomp") != 0) {
            warning(e,
                    "its compensation of gravity (gravcomp) is not used: it would be a force that "
                    "carries the body");
        } else if ((name == "alignfree" || name == "align") && value == "true") {
            warning(e, "the body frame is not moved to the inertial frame (", name,
                    "): the coordinates of a free body are those of its frame in the file");
        } else if (name == "damper" && value == "disable") {
            e.SetAttribute("passive", "disable");
        } else if (name == "builtin") {
            e.SetAttribute("file", (kBuiltIn + value).c_str());
        }
    }

    // Since version 3.7.0, springs and dampers may have a quadratic and a cubic part.
    void keep_linear_part(XMLElement& e) {
        for (const char* name : {"damping", "stiffness"}) {
            std::string why;
            for (const std::size_t count : {2U, 3U}) {
                const auto numbers = parse_numbers(attribute(e, name), count, why);
                if (!numbers) continue;
                e.SetAttribute(name, split(attribute(e, name)).front().c_str());
                if ((*numbers)[1] != 0 || numbers->back() != 0)
                    warning(e, "only the linear part of its ", name, " is used");
            }
        }
    }

    const TracedXml& document_;
    Findings& findings_;
    MjcfSummary& summary_;
};

}  // namespace

void translate_words(XMLElement& root, const TracedXml& document, Findings& findings,
                     MjcfSummary& summary) {
    Translator(document, findings, summary).translate(root);
}

}  // namespace plucker::io
