// A copy of an XML document that is changed before another library reads it. Every element, and every
// line of the printed copy, still knows where it came from.
#pragma once

#include <string>
#include <unordered_map>

#include "xml.hpp"

namespace plucker::io {

struct Origin {
    std::string file;
    int line = 0;
    int line_in_robot = 0;  // the same, or that of the <include> which brought it in
};

// Adds a finding about something that may lie in an included file.
template <class... Parts>
void report(Findings& findings, Severity severity, const Origin& at, const std::string& element,
            const Parts&... parts) {
    if (at.file.empty() || at.file == findings.file()) {
        findings.add(severity, at.line, element, parts...);
    } else {
        findings.add(severity, at.line_in_robot, element, parts..., " (in the included file ",
                     at.file, ", line ", at.line, ")");
    }
}

// Parses a file that the robot file includes. What is wrong with it is reported, for the <include> at `at`;
// null if it cannot be used.
const tinyxml2::XMLElement* parse_included(const std::string& path, const Origin& at,
                                           tinyxml2::XMLDocument& document, Findings& findings);

inline bool is(const tinyxml2::XMLElement& e, const char* tag) {
    return std::string(e.Name()) == tag;
}

// Calls f for each element below; f may delete it.
template <class F>
void for_each_below(tinyxml2::XMLElement& e, F&& f) {
    for_each_child(e, [&](tinyxml2::XMLElement& child) {
        for_each_below(child, f);
        f(child);
    });
}

class TracedXml {
public:
    // A copy of the element and all below it, to be inserted. `through` is the line of the robot file
    // that included `file`, or 0 if `file` is the robot file itself.
    tinyxml2::XMLElement* copy(const tinyxml2::XMLElement& source, const std::string& file,
                               int through = 0);
    // A copy of an element of this document and all below it, to be inserted.
    tinyxml2::XMLElement* clone(const tinyxml2::XMLElement& mine);
    tinyxml2::XMLElement* create(const char* name, const Origin& origin);
    void set_root(tinyxml2::XMLElement* root) { document_.InsertEndChild(root); }

    tinyxml2::XMLElement& root() { return *document_.RootElement(); }
    const tinyxml2::XMLElement& root() const { return *document_.RootElement(); }
    std::size_t size() const { return size_; }  // all elements that were ever copied or created
    Origin origin(const tinyxml2::XMLElement& element) const;

    // The copy as text, one element a line.
    std::string print();
    // The element at a line of the text last printed: where it came from, and how messages name it. The root
    // for a line that has none.
    struct Line {
        Origin origin;
        std::string label;
    };
    Line line(int number) const;
    Origin origin_of_line(int number) const { return line(number).origin; }

private:
    void remember_lines(const tinyxml2::XMLElement& mine, const tinyxml2::XMLElement& printed);

    tinyxml2::XMLDocument document_;
    std::unordered_map<const tinyxml2::XMLElement*, Origin> origins_;
    std::unordered_map<int, Line> lines_;
    std::size_t size_ = 0;
};

}  // namespace plucker::io
