#include "mjcf/frames.hpp"

#include <cmath>
#include <set>
#include <utility>

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

std::size_t count_elements(const XMLElement& e) {
    std::size_t count = 1;
    for_each_child(e, [&](const XMLElement& child) { count += count_elements(child); });
    return count;
}

bool is_finite(const MjcfPose& pose) {
    const Quaternion<double>& q = pose.rotation;
    return std::isfinite(norm(pose.position)) && std::isfinite(squared_norm(q));
}

// --- Replicates -----------------------------------------------------------------------------------

class Replicator {
public:
    Replicator(XMLElement& root, const MjcfAngles& angles, TracedXml& document, std::size_t most,
               Findings& findings)
        : root_(root), angles_(angles), document_(document), most_(most), findings_(findings) {}

    void expand(XMLElement& parent) {
        for_each_child(parent, [&](XMLElement& e) {
            expand(e);  // inner ones first: their suffixes come first
            if (!is(e, "replicate") || findings_.has_errors()) return;
            replicate(parent, e);
            parent.DeleteChild(&e);
        });
    }

private:
    template <class... Parts>
    void error(const XMLElement& e, const Parts&... parts) {
        report(findings_, Severity::kError, document_.origin(e), label(e), parts...);
    }
    std::vector<double> three(const XMLElement& e, const char* name) {
        std::string why;
        if (e.Attribute(name) == nullptr) return {0, 0, 0};
        const auto numbers = parse_numbers(attribute(e, name), 3, why);
        if (!numbers) error(e, "<replicate ", name, "=…> ", why);
        return numbers.value_or(std::vector<double>{0, 0, 0});
    }

    // Puts the copies before the element: copy k is turned by k times the Euler angles, and stands one offset,
    // turned like its predecessor, further than that.
    void replicate(XMLElement& parent, XMLElement& e) {
        std::string why;
        if (e.Attribute("count") == nullptr) return error(e, "lacks the attribute 'count'");
        const auto count = parse_numbers(attribute(e, "count"), 1, why);
        if (!count) return error(e, "<replicate count=…> ", why);
        const double n = count->front();
        if (!(n >= 1) || n != std::floor(n))
            return error(e, "count is ", n, "; it must be a positive whole number");
        const Named names = names_below(e);
        const std::vector<XMLElement*> equalities = equalities_of(names);
        const std::size_t each = count_elements(e) + equalities.size();
        if (n * static_cast<double>(each) + static_cast<double>(document_.size()) >
            static_cast<double>(most_)) {
            return error(e, "makes ", n, " copies, and more than ", most_,
                         " elements; no robot description needs that");
        }
        const std::vector<double> offset = three(e, "offset"), euler = three(e, "euler");
        MjcfPose pose;
        for (int k = 0; k < static_cast<int>(n); ++k) {
            pose.rotation = from_euler({k * euler[0], k * euler[1], k * euler[2]}, angles_);
            if (!is_finite(pose))
                return error(e, "copy ", k,
                             " is turned or moved too far; make euler or offset smaller");
            const std::string suffix = attribute(e, "sep") + number(k, static_cast<int>(n));
            XMLElement* frame = document_.create("frame", document_.origin(e));
            set_pose(*frame, pose);
            for_each_child(e, [&](const XMLElement& child) {
                XMLElement* copy = document_.clone(child);
                frame->InsertEndChild(copy);
                add_suffix(*copy, suffix);
            });
            insert_before(parent, e, *frame);
            copy_equalities(equalities, names, suffix);
            pose.position = pose * Vec3<double>{offset[0], offset[1], offset[2]};
        }
        for (XMLElement* equality : equalities) equality->Parent()->DeleteChild(equality);
    }

    // With as many digits as the count has.
    static std::string number(int k, int count) {
        const std::string digits = std::to_string(k);
        return std::string(std::to_string(count).size() - digits.size(), '0') + digits;
    }

    static void insert_before(XMLElement& parent, XMLElement& e, XMLElement& inserted) {
        if (auto* previous = e.PreviousSibling()) {
            parent.InsertAfterChild(previous, &inserted);
        } else {
            parent.InsertFirstChild(&inserted);
        }
    }

    static void add_suffix(XMLElement& e, const std::string& suffix) {
        if (e.Attribute("name") != nullptr)
            e.SetAttribute("name", (attribute(e, "name") + suffix).c_str());
        for_each_child(e, [&](XMLElement& child) { add_suffix(child, suffix); });
    }

    // Of joints, bodies and sites: the kind and the name.
    using Named = std::set<std::pair<std::string, std::string>>;
    static Named names_below(const XMLElement& e) {
        Named out;
        for_each_child(e, [&](const XMLElement& child) {
            const bool counts = is(child, "joint") || is(child, "body") || is(child, "site");
            if (counts && child.Attribute("name") != nullptr)
                out.emplace(child.Name(), attribute(child, "name"));
            out.merge(names_below(child));
        });
        return out;
    }
    // Calls f(attribute, name) for each of these that an equality or an <exclude> names.
    template <class F>
    static void for_each_role(const XMLElement& e, const Named& names, F&& f) {
        for (const std::string kind : {"joint", "body", "site"}) {
            for (const char* number : {"1", "2"}) {
                const std::string role = kind + number, name = attribute(e, role.c_str());
                if (names.contains({kind, name})) f(role, name);
            }
        }
    }

    // Equalities, and what does not touch, that name one of these. They are found before any is copied: a copy may have a
    // name that is another's, "finger1" with the suffix "1" that of "finger11".
    std::vector<XMLElement*> equalities_of(const Named& names) {
        std::vector<XMLElement*> out;
        for_each_child(root_, [&](XMLElement& section) {
            if (!is(section, "equality") && !is(section, "contact")) return;
            for_each_child(section, [&](XMLElement& e) {
                bool is_named = false;
                for_each_role(e, names, [&](auto&&, auto&&) { is_named = true; });
                if (is_named) out.push_back(&e);
            });
        });
        return out;
    }
    void copy_equalities(const std::vector<XMLElement*>& equalities, const Named& names,
                         const std::string& suffix) {
        for (XMLElement* e : equalities) {
            XMLElement* copy = document_.clone(*e);
            add_suffix(*copy, suffix);
            for_each_role(*e, names, [&](const std::string& role, const std::string& name) {
                copy->SetAttribute(role.c_str(), (name + suffix).c_str());
            });
            e->Parent()->InsertEndChild(copy);
        }
    }

    XMLElement& root_;
    MjcfAngles angles_;
    TracedXml& document_;
    std::size_t most_;
    Findings& findings_;
};

// --- Frames ---------------------------------------------------------------------------------------

class FrameDissolver {
public:
    FrameDissolver(const MjcfAngles& angles, const TracedXml& document, Findings& findings)
        : angles_(angles), document_(document), findings_(findings) {}

    void dissolve(XMLElement& parent) {
        for (auto* e = parent.FirstChildElement(); e != nullptr;) {
            if (!is(*e, "frame")) {
                dissolve(*e);
                e = e->NextSiblingElement();
                continue;
            }
            const MjcfPose pose = pose_or_error(*e);
            XMLElement* last = e;
            for_each_child(*e, [&](XMLElement& child) {
                move(child, pose);
                parent.InsertAfterChild(last, &child);
                last = &child;
            });
            auto* next =
                e->NextSiblingElement();  // the first that came out: it may be a frame, too
            parent.DeleteChild(e);
            e = next;
        }
    }

private:
    template <class... Parts>
    void error(const XMLElement& e, const Parts&... parts) {
        report(findings_, Severity::kError, document_.origin(e), label(e), parts...);
    }
    MjcfPose pose_or_error(const XMLElement& e) {
        std::string why;
        const auto pose = pose_of(e, angles_, why);
        if (!pose) error(e, why);
        return pose.value_or(MjcfPose{});
    }

    void move(XMLElement& e, const MjcfPose& frame) {
        if (is(e, "joint")) {
            move_joint(e, frame);
        } else if (e.Attribute("fromto") != nullptr) {
            move_ends(e, frame);
        } else if (is(e, "body") || is(e, "frame") || is(e, "geom") || is(e, "site")) {
            set_pose(e, frame * pose_or_error(e));
        } else if (is(e, "composite")) {
            error(e, "a <composite> in a <frame> is not translated; put it into a body");
        }
    }

    void move_joint(XMLElement& e, const MjcfPose& frame) {
        if (attribute(e, "type") == "free") return;
        const auto vector = [&](const char* name, const Vec3<double>& otherwise) {
            return vector3(e, name, label(e), otherwise, findings_).value_or(otherwise);
        };
        const Vec3<double> p = frame * vector("pos", {0, 0, 0});
        const Vec3<double> axis = frame.turn(vector("axis", {0, 0, 1}));
        e.SetAttribute("pos", to_text({p.x, p.y, p.z}).c_str());
        if (attribute(e, "type") != "ball")
            e.SetAttribute("axis", to_text({axis.x, axis.y, axis.z}).c_str());
    }

    void move_ends(XMLElement& e, const MjcfPose& frame) {
        std::string why;
        const auto ends = parse_numbers(attribute(e, "fromto"), 6, why);
        if (!ends) return;  // the checker says so
        const Vec3<double> a = frame * Vec3<double>{(*ends)[0], (*ends)[1], (*ends)[2]};
        const Vec3<double> b = frame * Vec3<double>{(*ends)[3], (*ends)[4], (*ends)[5]};
        e.SetAttribute("fromto", to_text({a.x, a.y, a.z, b.x, b.y, b.z}).c_str());
    }

    MjcfAngles angles_;
    const TracedXml& document_;
    Findings& findings_;
};

}  // namespace

void expand_replicates(XMLElement& root, const MjcfAngles& angles, TracedXml& document,
                       std::size_t most_elements, Findings& findings) {
    // Bodies alone are replicated: elsewhere a <replicate> would take away what is being looked at.
    Replicator replicator(root, angles, document, most_elements, findings);
    for_each_child(root, [&](XMLElement& section) {
        if (is(section, "worldbody")) replicator.expand(section);
    });
}

void dissolve_frames(XMLElement& root, const TracedXml& document, Findings& findings) {
    FrameDissolver(angles_of(root), document, findings).dissolve(root);
}

}  // namespace plucker::io
