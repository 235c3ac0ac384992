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
    int line_in_robot =
        0;  // in the robot file: the same, or that of the <include> which brought it in
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

class TracedXml {
public:
    // A copy of the element and all below it, to be inserted. `through` is the line of the robot file
    // that included `file`, or 0 if `file` is the robot file itself.
    tinyxml2::XMLElement* copy(const tinyxml2::XMLElement& source, const std::string& file,
                               int through = 0) {
        const int line = source.GetLineNum();
        auto* out = create(source.Name(), {file, line, through == 0 ? line : through});
        for (const auto* a = source.FirstAttribute(); a != nullptr; a = a->Next()) {
            out->SetAttribute(a->Name(), a->Value());
        }
        for (const auto* node = source.FirstChild(); node != nullptr; node = node->NextSibling()) {
            if (const auto* child = node->ToElement()) {
                out->InsertEndChild(copy(*child, file, through));
            } else if (const auto* text = node->ToText()) {
                out->InsertEndChild(document_.NewText(text->Value()));
            }
        }
        return out;
    }
    tinyxml2::XMLElement* create(const char* name, const Origin& origin) {
        auto* out = document_.NewElement(name);
        origins_[out] = origin;
        ++size_;
        return out;
    }
    void set_root(tinyxml2::XMLElement* root) { document_.InsertEndChild(root); }

    tinyxml2::XMLElement& root() { return *document_.RootElement(); }
    std::size_t size() const { return size_; }  // all elements that were ever copied or created
    Origin origin(const tinyxml2::XMLElement& element) const {
        const auto found = origins_.find(&element);
        return found == origins_.end() ? Origin{} : found->second;
    }

    // The copy as text, one element a line.
    std::string print() {
        tinyxml2::XMLPrinter printer;
        document_.Print(&printer);
        std::string text = printer.CStr();
        tinyxml2::XMLDocument again;
        lines_.clear();
        if (again.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS) {
            remember_lines(*document_.RootElement(), *again.RootElement());
        }
        return text;
    }
    // Where a line of the text last printed came from; the document's start for a line that is in none.
    Origin origin_of_line(int line) const {
        const auto found = lines_.find(line);
        return found != lines_.end() ? found->second : origin(*document_.RootElement());
    }

private:
    void remember_lines(const tinyxml2::XMLElement& mine, const tinyxml2::XMLElement& printed) {
        lines_.emplace(printed.GetLineNum(), origin(mine));
        const auto* p = printed.FirstChildElement();
        for (const auto* m = mine.FirstChildElement(); m != nullptr && p != nullptr;
             m = m->NextSiblingElement(), p = p->NextSiblingElement()) {
            remember_lines(*m, *p);
        }
    }

    tinyxml2::XMLDocument document_;
    std::unordered_map<const tinyxml2::XMLElement*, Origin> origins_;
    std::unordered_map<int, Origin> lines_;
    std::size_t size_ = 0;
};

}  // namespace plucker::io
