// XML as the readers want it: checked text, numbers independent of the locale, a line for everything.
#pragma once

#include <tinyxml2.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plucker/model/diagnostic.hpp"
#include "plucker/model/error.hpp"
#include "plucker/spatial/vec3.hpp"

namespace plucker::io {

// Collects what is found in one file.
class Findings {
public:
    explicit Findings(std::string file) : file_(std::move(file)) {}

    template <class... Parts>
    void add(Severity severity, int line, const std::string& element, const Parts&... parts) {
        found_.push_back({severity, {file_, line}, element, Error::because(parts...).what()});
    }
    template <class... Parts>
    void error(int line, const std::string& element, const Parts&... parts) {
        add(Severity::kError, line, element, parts...);
    }
    template <class... Parts>
    void warning(int line, const std::string& element, const Parts&... parts) {
        add(Severity::kWarning, line, element, parts...);
    }
    template <class... Parts>
    void note(int line, const std::string& element, const Parts&... parts) {
        add(Severity::kNote, line, element, parts...);
    }

    SourceLocation at(int line) const { return {file_, line}; }
    const std::string& file() const { return file_; }
    std::vector<Diagnostic> take() && { return std::move(found_); }
    bool has_errors() const { return plucker::has_errors(found_); }
    std::size_t size() const { return found_.size(); }

private:
    std::string file_;
    std::vector<Diagnostic> found_;
};

// Parses text into the document. On failure adds an error and returns null; otherwise the root element.
// Refuses what is not UTF-8, has a document type (entities can blow up), is absurdly large, nests absurdly
// deep or has absurdly long words.
const tinyxml2::XMLElement* parse_xml(const std::string& text, tinyxml2::XMLDocument& document,
                                      Findings& findings);

// An attribute's value, and an element's text without the white space around it; empty where there is none.
std::string attribute(const tinyxml2::XMLElement& element, const char* name);
std::string text_of(const tinyxml2::XMLElement& element);

// How messages name an element: "<axis>"; "joint 'knee'" if it has a name; and, for what is inside, the
// nearest element around it that has a name.
std::string tag(const tinyxml2::XMLElement& element);
std::string label(const tinyxml2::XMLElement& element);
std::string owner(const tinyxml2::XMLElement& element);

// Calls f for each child element; f may delete it.
template <class Element, class F>
void for_each_child(Element& element, F&& f) {
    for (auto* child = element.FirstChildElement(); child != nullptr;) {
        auto* next = child->NextSiblingElement();
        f(*child);
        child = next;
    }
}

// Numbers separated by white space. Says what is wrong in `why` and returns nothing if there are not
// exactly `count` of them or one is not a finite number.
std::optional<std::vector<double>> parse_numbers(std::string_view text, std::size_t count,
                                                 std::string& why);

// An attribute as numbers: `otherwise` where it is missing and a default exists, an error where not.
std::optional<double> number(const tinyxml2::XMLElement& element, const char* attribute,
                             const std::string& where, std::optional<double> otherwise,
                             Findings& findings);
std::optional<Vec3<double>> vector3(const tinyxml2::XMLElement& element, const char* attribute,
                                    const std::string& where, std::optional<Vec3<double>> otherwise,
                                    Findings& findings);

// Calls f(child, message) for child elements that are not in the list: a misspelt one would be ignored in
// silence.
template <class F>
void for_each_unknown_child(const tinyxml2::XMLElement& element,
                            const std::vector<std::string>& known, F&& f) {
    for_each_child(element, [&](const tinyxml2::XMLElement& child) {
        if (std::find(known.begin(), known.end(), child.Name()) != known.end()) return;
        f(child,
          unknown_name("element", child.Name(), known).what() + std::string("; it is ignored"));
    });
}

}  // namespace plucker::io
