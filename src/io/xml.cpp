#include "xml.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "file.hpp"

namespace plucker::io {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string lower(std::string text) {
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

// The line (from 1) of the first byte that cannot be in UTF-8 text, or 0.
int line_of_bad_byte(const std::string& text) {
    int line = 1;
    for (std::size_t k = 0; k < text.size();) {
        const auto lead = static_cast<unsigned char>(text[k]);
        if (lead == '\n') ++line;
        const std::size_t length = lead < 0x80   ? 1
                                   : lead < 0xC2 ? 0
                                   : lead < 0xE0 ? 2
                                   : lead < 0xF0 ? 3
                                   : lead < 0xF5 ? 4
                                                 : 0;
        if (length == 0 || k + length > text.size() || lead == 0) return line;
        for (std::size_t j = 1; j < length; ++j) {
            if ((static_cast<unsigned char>(text[k + j]) & 0xC0U) != 0x80U) return line;
        }
        k += length;
    }
    return 0;
}

bool check_encoding(const std::string& text, Findings& findings) {
    const auto starts_with = [&](std::string_view bytes) {
        return text.compare(0, bytes.size(), bytes) == 0;
    };
    if (starts_with("\xFF\xFE") || starts_with("\xFE\xFF")) {
        findings.error(1, "", "the file is in UTF-16; save it as UTF-8");
        return false;
    }
    if (const int line = line_of_bad_byte(text); line != 0) {
        findings.error(line, "", "the file is not UTF-8 text; save it as UTF-8");
        return false;
    }
    return true;
}

// The declared encoding must be one of which UTF-8 text is an instance.
bool check_declaration(const tinyxml2::XMLDocument& document, const std::string& text,
                       Findings& findings) {
    const tinyxml2::XMLNode* first = document.FirstChild();
    const auto* declaration = first == nullptr ? nullptr : first->ToDeclaration();
    if (declaration == nullptr) return true;
    const std::string content = lower(declaration->Value());
    const std::size_t at = content.find("encoding");
    if (at == std::string::npos) return true;
    const bool is_utf8 = content.find("utf-8", at) != std::string::npos ||
                         content.find("utf8", at) != std::string::npos ||
                         content.find("ascii", at) != std::string::npos;
    const bool is_ascii = std::all_of(text.begin(), text.end(),
                                      [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    if (is_utf8 || is_ascii) return true;
    findings.error(declaration->GetLineNum(), "",
                   "the file declares an encoding other than UTF-8 (", declaration->Value(),
                   "); save it as UTF-8");
    return false;
}

// In words, with tinyxml2's detail, as in "Error=XML_ERROR_MISMATCHED_ELEMENT ErrorID=14 (0xe) Line number=3:
// XMLElement name=link".
std::string what_is_malformed(const tinyxml2::XMLDocument& document) {
    const std::string all = document.ErrorStr();
    const std::size_t colon = all.find(": ");
    const std::string detail = colon == std::string::npos ? "" : " (" + all.substr(colon + 2) + ")";
    switch (document.ErrorID()) {
        case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
            return "an element is not closed, or closed under another name" + detail;
        case tinyxml2::XML_ERROR_PARSING_ELEMENT:
            return "an element is not complete" + detail;
        case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
            return "an attribute is not written as name=\"value\", or is there twice" + detail;
        case tinyxml2::XML_ERROR_PARSING_TEXT:
        case tinyxml2::XML_ERROR_PARSING_CDATA:
            return "a text does not end" + detail;
        case tinyxml2::XML_ERROR_PARSING_COMMENT:
            return "a comment does not end with -->" + detail;
        default:
            return std::string(document.ErrorName()) + detail;
    }
}

// One root element; beside it only comments and a declaration.
bool check_top_level(const tinyxml2::XMLDocument& document, Findings& findings) {
    for (const auto* node = document.FirstChild(); node != nullptr; node = node->NextSibling()) {
        const auto refuse = [&](const auto&... parts) {
            findings.error(node->GetLineNum(), "", parts...);
            return false;
        };
        if (node->ToUnknown() != nullptr)
            return refuse("a document type or entity declaration (<!",
                          std::string(node->Value()).substr(0, 80), ">) is not allowed; remove it");
        if (node->ToElement() != nullptr && node->ToElement() != document.RootElement())
            return refuse("a second root element, <", std::string(node->Value()).substr(0, 80),
                          ">; put each robot in a file of its own");
        if (node->ToText() != nullptr)
            return refuse("there is text outside the root element; remove it");
    }
    return true;
}

std::size_t longest_word(std::string_view text) {
    std::size_t longest = 0;
    for (auto start = text.begin(); start != text.end();) {
        const auto end = std::find_if(start, text.end(), is_space);
        longest = std::max(longest, static_cast<std::size_t>(end - start));
        start = std::find_if_not(end, text.end(), is_space);
    }
    return longest;
}

// A name or a number of megabytes is an accident or an attack: comparing, printing and looking for the closest
// one would take forever. A control character, which can only be there as a reference such as &#13;, would garble
// messages and not survive being written.
bool check_words(const tinyxml2::XMLElement& e, Findings& findings) {
    constexpr std::size_t kLongest = 4096;  // as long as a path may be
    const auto is_fine = [&](const char* what, std::string_view text, const char* name = nullptr) {
        const auto place = [&] {
            return what + (name == nullptr ? "" : " '" + std::string(name) + "'");
        };
        const auto control = std::find_if(text.begin(), text.end(), [](char c) {
            return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n';
        });
        if (control != text.end()) {
            findings.error(e.GetLineNum(), tag(e).substr(0, 80), place(),
                           " has the control character ", static_cast<int>(*control),
                           "; remove it");
            return false;
        }
        const std::size_t length = longest_word(text);
        if (length <= kLongest) return true;
        findings.error(e.GetLineNum(), tag(e).substr(0, 80), place(), " has a word of ", length,
                       " characters; shorten it to at most ", kLongest);
        return false;
    };
    if (!is_fine("its name", e.Name())) return false;
    for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next()) {
        if (!is_fine("the name of an attribute", a->Name())) return false;
        if (!is_fine("the attribute", a->Value(), a->Name())) return false;
    }
    for (const auto* node = e.FirstChild(); node != nullptr; node = node->NextSibling()) {
        if (node->ToText() != nullptr && !is_fine("its text", node->Value())) return false;
        if (node->ToElement() != nullptr && !check_words(*node->ToElement(), findings))
            return false;
    }
    return true;
}

}  // namespace

const tinyxml2::XMLElement* parse_xml(const std::string& bytes, tinyxml2::XMLDocument& document,
                                      Findings& findings) {
    // Programs in C may write the end of a string along with it.
    const std::string text = bytes.substr(0, bytes.find_last_not_of('\0') + 1);
    if (const std::string complaint = complaint_of_size(text.size()); !complaint.empty()) {
        findings.error(0, "", complaint);
        return nullptr;
    }
    if (std::all_of(text.begin(), text.end(), is_space)) {
        findings.error(1, "", "the file is empty");
        return nullptr;
    }
    if (!check_encoding(text, findings)) return nullptr;
    const tinyxml2::XMLError status = document.Parse(text.data(), text.size());
    if (status == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED) {
        findings.error(document.ErrorLineNum(), "",
                       "elements are nested too deeply; no robot description "
                       "needs that");
        return nullptr;
    }
    const std::size_t begin = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    if (status != tinyxml2::XML_SUCCESS && text.at(begin) != '<') {
        const std::string line = text.substr(begin, text.find_first_of("\r\n", begin) - begin);
        std::size_t end = std::min<std::size_t>(line.size(), 40);
        while (end < line.size() && (line[end] & 0xc0) == 0x80) --end;  // whole characters
        findings.error(1, "", "not well-formed XML: begins with '", line.substr(0, end),
                       "'; URDF, SDF and MJCF begin with '<'");
        return nullptr;
    }
    if (status ==
        tinyxml2::
            XML_ERROR_PARSING_TEXT) {  // of a text behind the root, too, with which the file ends
        tinyxml2::XMLDocument longer;
        const std::string closed = text + "<!-- -->";
        if (longer.Parse(closed.data(), closed.size()) == tinyxml2::XML_SUCCESS &&
            !check_top_level(longer, findings))
            return nullptr;
    }
    if (status != tinyxml2::XML_SUCCESS) {
        findings.error(std::max(document.ErrorLineNum(), 1), "",
                       "not well-formed XML: ", what_is_malformed(document));
        return nullptr;
    }
    if (!check_top_level(document, findings)) return nullptr;
    if (!check_declaration(document, text, findings)) return nullptr;
    const auto* root = document.RootElement();
    if (root == nullptr) {
        findings.error(1, "", "the file has no root element");
        return nullptr;
    }
    return check_words(*root, findings) ? root : nullptr;
}

std::string attribute(const tinyxml2::XMLElement& element, const char* name) {
    const char* value = element.Attribute(name);
    return value == nullptr ? "" : value;
}

std::string text_of(const tinyxml2::XMLElement& element) {
    const char* text = element.GetText();
    const std::string_view all = text == nullptr ? "" : text;
    const auto first = std::find_if_not(all.begin(), all.end(), is_space);
    const auto last = std::find_if_not(all.rbegin(), all.rend(), is_space).base();
    return first < last ? std::string(first, last) : "";
}

std::string tag(const tinyxml2::XMLElement& element) {
    return std::string("<") + element.Name() + ">";
}

std::string label(const tinyxml2::XMLElement& element) {
    const std::string name = attribute(element, "name");
    return name.empty() ? tag(element) : element.Name() + (" '" + name + "'");
}

std::string owner(const tinyxml2::XMLElement& element) {
    const tinyxml2::XMLNode* at = &element;
    for (; at != nullptr && at->ToElement() != nullptr; at = at->Parent()) {
        if (!attribute(*at->ToElement(), "name").empty()) return label(*at->ToElement());
    }
    return label(element);
}

std::optional<std::vector<double>> parse_numbers(std::string_view text, std::size_t count,
                                                 std::string& why) {
    std::vector<double> out;
    std::size_t k = 0;
    while (true) {
        while (k < text.size() && is_space(text[k])) ++k;
        if (k == text.size()) break;
        std::size_t end = k;
        while (end < text.size() && !is_space(text[end])) ++end;
        const std::string_view word = text.substr(k, end - k);
        k = end;
        if (out.size() == count) {
            why = "has more than " + std::to_string(count) + " number" + (count == 1 ? "" : "s");
            return std::nullopt;
        }
        const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
        double value = 0;
        const auto [stop, status] =
            std::from_chars(digits.data(), digits.data() + digits.size(), value);
        const std::string shown(word.substr(0, 40));
        if (status == std::errc::result_out_of_range) {
            why = "has '" + shown + "', which is out of range";
            return std::nullopt;
        }
        if (status != std::errc() || stop != digits.data() + digits.size()) {
            why = "has '" + shown + "', which is not a number" +
                  (shown.find(',') != std::string::npos ? " (decimals are written with a point)"
                                                        : "");
            return std::nullopt;
        }
        if (!std::isfinite(value)) {
            why = "has '" + shown + "', which is not finite";
            return std::nullopt;
        }
        out.push_back(value);
    }
    if (out.size() == count) return out;
    why = "has " + std::to_string(out.size()) + " number" + (out.size() == 1 ? "" : "s") +
          ", needs " + std::to_string(count);
    return std::nullopt;
}

namespace {

std::optional<std::vector<double>> numbers(const tinyxml2::XMLElement& element,
                                           const char* attribute, std::size_t count,
                                           const std::string& where, bool has_default,
                                           Findings& findings) {
    const char* text = element.Attribute(attribute);
    if (text == nullptr) {
        if (!has_default) {
            findings.error(element.GetLineNum(), where, "<", element.Name(),
                           "> lacks the attribute '", attribute, "'");
        }
        return std::nullopt;
    }
    std::string why;
    auto values = parse_numbers(text, count, why);
    if (!values) {
        findings.error(element.GetLineNum(), where, "<", element.Name(), " ", attribute, "=…> ",
                       why);
    }
    return values;
}

}  // namespace

std::optional<double> number(const tinyxml2::XMLElement& element, const char* attribute,
                             const std::string& where, std::optional<double> otherwise,
                             Findings& findings) {
    const auto values = numbers(element, attribute, 1, where, otherwise.has_value(), findings);
    if (values) return values->front();
    return element.Attribute(attribute) == nullptr ? otherwise : std::nullopt;
}

std::optional<Vec3<double>> vector3(const tinyxml2::XMLElement& element, const char* attribute,
                                    const std::string& where, std::optional<Vec3<double>> otherwise,
                                    Findings& findings) {
    const auto values = numbers(element, attribute, 3, where, otherwise.has_value(), findings);
    if (values) return Vec3<double>{(*values)[0], (*values)[1], (*values)[2]};
    return element.Attribute(attribute) == nullptr ? otherwise : std::nullopt;
}

}  // namespace plucker::io
