#include "sdf/drawing.hpp"

#include <set>

#include "sdf/checker.hpp"
#include "tree_assembly.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

class Sieve {
public:
    Sieve(const TracedXml& document, Findings& findings)
        : document_(document), findings_(findings) {}

    void sift(XMLElement& e) {
        const std::string kind = e.Name();
        if (kind == "link") return sift_link(e);
        if (kind == "limit") return sift_limit(e);
        for_each_child(e, [&](XMLElement& child) { sift(child); });
    }

private:
    template <class... Parts>
    void warning(const XMLElement& e, const std::string& where, const Parts&... parts) {
        report(findings_, Severity::kWarning, document_.origin(e), where, parts...);
    }
    // What is wrong with an element, said as a warning; true if something is.
    bool is_wrong(const XMLElement& e, const std::string& where, const char* consequence) {
        Findings found(findings_.file());
        check_sdf(document_, e, found);
        const bool is_wrong = found.has_errors();
        for (const Diagnostic& d : std::move(found).take()) {
            if (d.severity == Severity::kError)
                findings_.warning(d.at.line, where, d.message, consequence);
        }
        return is_wrong;
    }

    void sift_link(XMLElement& link) {
        for (const char* kind : {"visual", "collision"}) {
            UniqueNames names;
            for_each_child(link, [&](XMLElement& shape) {
                if (shape.Name() != std::string(kind)) return;
                sift_shape(link, shape, names);
            });
        }
    }

    void sift_shape(XMLElement& link, XMLElement& shape, UniqueNames& names) {
        const std::string where = label(link) + ", " + label(shape);
        for_each_child(shape, [&](XMLElement& child) {
            if (std::string(child.Name()) == "material") sift_material(child, where);
        });
        if (is_wrong(shape, where, "; the shape is left out")) {
            link.DeleteChild(&shape);
            return;
        }
        const std::string name = attribute(shape, "name"), unique = names.make(name);
        if (name == unique) return;
        warning(shape, where, "has the name of another; it is called '", unique, "'");
        shape.SetAttribute("name", unique.c_str());
    }

    // Only the colour is used, and the name of a script.
    void sift_material(XMLElement& material, const std::string& where) {
        std::set<std::string> seen;
        for_each_child(material, [&](XMLElement& e) {
            const std::string kind = e.Name();
            const bool is_used = kind == "diffuse" || kind == "script";
            std::string why = seen.insert(kind).second ? "" : "is there twice";
            if (is_used && why.empty()) why = kind == "script" ? lack(e) : complaint(e);
            if (is_used && why.empty()) return;
            if (is_used) warning(e, where, tag(e), " ", why, "; it is left out");
            material.DeleteChild(&e);
        });
    }
    static std::string lack(const XMLElement& script) {
        for (const char* part : {"uri", "name"}) {
            const auto* e = script.FirstChildElement(part);
            if (e == nullptr || text_of(*e).empty()) return std::string("lacks <") + part + ">";
        }
        return "";
    }
    static std::string complaint(const XMLElement& colour) {
        std::string why;
        const std::string text = text_of(colour);
        return parse_numbers(text, 3, why) || parse_numbers(text, 4, why) ? "" : why;
    }

    void sift_limit(XMLElement& limit) {
        for_each_child(limit, [&](XMLElement& e) {
            if (is_wrong(e, owner(limit), "; the limit is left out")) limit.DeleteChild(&e);
        });
    }

    const TracedXml& document_;
    Findings& findings_;
};

}  // namespace

void leave_out_what_makes_no_sense(TracedXml& document, Findings& findings) {
    Sieve(document, findings).sift(document.root());
}

}  // namespace plucker::io
