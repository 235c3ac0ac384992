#include <tinyxml2.h>

#include <array>
#include <cstring>
#include <vector>

#include "mutation.hpp"

namespace plucker::fuzz {
namespace {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

// Words that change what an attribute means; the dictionaries have the rest.
constexpr std::array kWords = {"fixed",     "revolute",  "continuous", "prismatic", "planar",
                               "floating",  "universal", "ball",       "screw",     "hinge",
                               "slide",     "free",      "world",      "true",      "false",
                               "radian",    "degree",    "local",      "global",    "auto",
                               "__model__", "",          "base",       "revolute2"};

class XmlEditor {
public:
    XmlEditor(tinyxml2::XMLDocument& document, Dice& dice) : document_(document), dice_(dice) {
        collect(*document.RootElement());
    }

    void edit() {
        XMLElement& e = element();
        switch (dice_.below(12)) {
            case 0:
                return remove(e);
            case 1:
                return insert_copy_of(e, *e.Parent());
            case 2:
                return insert_copy_of(e, element());
            case 3:
                return rename(e, dice_.one_in(4) ? changed(e.Name()) : element().Name());
            case 4:
                return edit_text(e);
            default:
                return edit_attribute();
        }
    }

private:
    void collect(XMLElement& e) {
        elements_.push_back(&e);
        for (auto* child = e.FirstChildElement(); child; child = child->NextSiblingElement())
            collect(*child);
    }
    XMLElement& element() { return *dice_.one_of(elements_); }

    void remove(XMLElement& e) {
        if (elements_.size() > 1 && &e != document_.RootElement()) e.Parent()->DeleteChild(&e);
        collect_anew();
    }
    void insert_copy_of(XMLElement& e, tinyxml2::XMLNode& parent) {
        if (&e == document_.RootElement() || elements_.size() > 500) return;
        tinyxml2::XMLNode* copy = e.DeepClone(&document_);
        parent.InsertEndChild(copy);
        collect_anew();
        // Half of the copies get another name, so that they are new links and joints.
        XMLElement& made = *copy->ToElement();
        if (made.Attribute("name") != nullptr && dice_.one_in(2))
            made.SetAttribute("name", ("x" + std::to_string(dice_.below(100))).c_str());
    }
    void collect_anew() {
        elements_.clear();
        collect(*document_.RootElement());
    }

    // From copies: tinyxml2 frees the old text before it reads the new one.
    static void rename(XMLElement& e, const std::string& name) { e.SetName(name.c_str()); }
    static void set(XMLElement& e, const std::string& attribute, const std::string& value) {
        e.SetAttribute(attribute.c_str(), value.c_str());
    }

    void edit_text(XMLElement& e) {
        const char* text = e.GetText();
        if (text == nullptr) return edit_attribute();
        e.SetText(changed_value(text).c_str());
    }

    void edit_attribute() {
        std::vector<std::pair<XMLElement*, const XMLAttribute*>> all;
        for (XMLElement* e : elements_) {
            for (const auto* a = e->FirstAttribute(); a; a = a->Next()) all.emplace_back(e, a);
        }
        if (all.empty()) return;
        const auto [e, a] = dice_.one_of(all);
        const std::string name = a->Name();
        if (dice_.one_in(16)) return e->DeleteAttribute(name.c_str());
        if (dice_.one_in(16)) return set(*e, changed(name), a->Value());
        if (!dice_.one_in(4)) return set(*e, name, changed_value(a->Value()));
        // The value of another attribute, if it can be of one with the same name.
        for (int tries = 0; tries < 8; ++tries) {
            const auto& [owner, other] = dice_.one_of(all);
            if (name != other->Name() && tries < 7) continue;
            return set(*e, name, other->Value());
        }
    }
    std::string changed_value(const std::string& value) {
        const bool is_number = value.find_first_not_of("0123456789+-.eE ") == std::string::npos;
        if (is_number && !dice_.one_in(4)) return with_other_number(value, dice_);
        if (dice_.one_in(2)) return changed(value);
        return dice_.one_of(kWords);
    }

    tinyxml2::XMLDocument& document_;
    Dice& dice_;
    std::vector<XMLElement*> elements_;
};

}  // namespace

std::string edit_xml(const std::string& text, Dice& dice) {
    tinyxml2::XMLDocument document;
    if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) return "";
    if (document.RootElement() == nullptr) return "";
    XmlEditor editor(document, dice);
    for (std::size_t edits = dice.one_in(4) ? 3 : 1; edits > 0; --edits) editor.edit();
    tinyxml2::XMLPrinter printer(nullptr, /*compact=*/true);
    document.Print(&printer);
    return printer.CStr();
}

}  // namespace plucker::fuzz
