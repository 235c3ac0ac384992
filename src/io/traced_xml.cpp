#include "traced_xml.hpp"

#include "file.hpp"

namespace plucker::io {

using tinyxml2::XMLElement;

const XMLElement* parse_included(const std::string& path, const Origin& at,
                                 tinyxml2::XMLDocument& document, Findings& findings) {
    Findings inside(path);
    const XMLElement* root = nullptr;
    try {
        root = parse_xml(read_text_file(path), document, inside);
    } catch (const Error& e) {
        report(findings, Severity::kError, at, "<include>", e.what());
        return nullptr;
    }
    for (const Diagnostic& d : std::move(inside).take())
        report(findings, d.severity, {path, d.at.line, at.line_in_robot}, d.element, d.message);
    return root;
}

XMLElement* TracedXml::copy(const XMLElement& source, const std::string& file, int through) {
    const int line = source.GetLineNum();
    auto* out = create(source.Name(), {file, line, through == 0 ? line : through});
    for (const auto* a = source.FirstAttribute(); a != nullptr; a = a->Next())
        out->SetAttribute(a->Name(), a->Value());
    for (const auto* node = source.FirstChild(); node != nullptr; node = node->NextSibling()) {
        if (const auto* child = node->ToElement()) {
            out->InsertEndChild(copy(*child, file, through));
        } else if (const auto* text = node->ToText()) {
            out->InsertEndChild(document_.NewText(text->Value()));
        }
    }
    return out;
}

XMLElement* TracedXml::clone(const XMLElement& mine) {
    auto* out = create(mine.Name(), origin(mine));
    for (const auto* a = mine.FirstAttribute(); a != nullptr; a = a->Next())
        out->SetAttribute(a->Name(), a->Value());
    for_each_child(mine, [&](const XMLElement& child) { out->InsertEndChild(clone(child)); });
    return out;
}

XMLElement* TracedXml::create(const char* name, const Origin& origin) {
    auto* out = document_.NewElement(name);
    origins_[out] = origin;
    ++size_;
    return out;
}

Origin TracedXml::origin(const XMLElement& element) const {
    const auto found = origins_.find(&element);
    return found == origins_.end() ? Origin{} : found->second;
}

std::string TracedXml::print() {
    tinyxml2::XMLPrinter printer;
    document_.Print(&printer);
    std::string text = printer.CStr();
    tinyxml2::XMLDocument again;
    lines_.clear();
    if (again.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS)
        remember_lines(*document_.RootElement(), *again.RootElement());
    return text;
}

TracedXml::Line TracedXml::line(int number) const {
    const auto found = lines_.find(number);
    return found != lines_.end() ? found->second : Line{origin(root()), label(root())};
}

void TracedXml::remember_lines(const XMLElement& mine, const XMLElement& printed) {
    lines_.emplace(printed.GetLineNum(), Line{origin(mine), label(mine)});
    const auto* p = printed.FirstChildElement();
    for (const auto* m = mine.FirstChildElement(); m != nullptr && p != nullptr;
         m = m->NextSiblingElement(), p = p->NextSiblingElement()) {
        remember_lines(*m, *p);
    }
}

}  // namespace plucker::io
