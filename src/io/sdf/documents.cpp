#include "sdf/documents.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "file.hpp"
#include "sdf/checker.hpp"
#include "sdf/drawing.hpp"
#include "sdf/library.hpp"
#include "sdf/pruning.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

// sdformat takes half a millisecond an element and tens of them an include, and includes multiply.
constexpr std::size_t kMostSdfElements = 20000;
constexpr int kMostIncludes = 100;
constexpr int kNewestVersion = 9;  // 1.9

const XMLElement* find_named(const XMLElement& e, const std::string& kind,
                             const std::string& name) {
    if (e.Name() == kind && attribute(e, "name") == name) return &e;
    for (const auto* c = e.FirstChildElement(); c != nullptr; c = c->NextSiblingElement()) {
        if (const auto* found = find_named(*c, kind, name)) return found;
    }
    return nullptr;
}

// "frame" in front of the bracket in "frame with name[f]" or "frame [f]": a link and its model may have the same name.
std::string kind_before(const std::string& message, std::size_t bracket) {
    std::string before = message.substr(0, bracket);
    const auto trim = [&] {
        while (before.ends_with(' ')) before.pop_back();
    };
    trim();
    for (const std::string words : {" named", " name", " with"}) {
        if (before.ends_with(words)) before.erase(before.size() - words.size());
        trim();
    }
    return before.substr(before.find_last_of(" </") + 1);
}

}  // namespace

// --- Documents ----------------------------------------------------------------------------------

// `through`: the line of the robot file that brings the document in; 0 for the robot file itself.
TracedXml* SdfDocuments::prepare(const XMLElement& root, const std::string& file, int through) {
    auto& document = documents_[through == 0 ? "" : file];
    document = std::make_unique<TracedXml>();
    document->set_root(document->copy(root, file, through));
    elements_ += document->size();
    if (elements_ > kMostSdfElements) {
        report(findings_, Severity::kError, document->origin(document->root()), "",
               "has more than ", kMostSdfElements, " elements; no robot description needs that");
        return nullptr;
    }
    if (!check_version(*document)) return nullptr;
    if (through == 0 && !model_.empty())
        other_models_ = leave_out_other_models(document->root(), model_);
    leave_out_what_mechanics_does_not_need(document->root());
    leave_out_what_makes_no_sense(*document, findings_);
    check_sdf(*document, findings_);
    if (!findings_.has_errors()) prepare_includes(*document, document->root(), file);
    return findings_.has_errors() ? nullptr : document.get();
}

bool SdfDocuments::check_version(TracedXml& document) {
    const XMLElement& root = document.root();
    const Origin at = document.origin(root);
    const std::string version = attribute(root, "version");
    const bool is_one = version.size() >= 3 && version.size() <= 4 && version.starts_with("1.") &&
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

// --- Includes -----------------------------------------------------------------------------------

void SdfDocuments::prepare_includes(TracedXml& document, XMLElement& e, const std::string& file) {
    if (std::string(e.Name()) == "include") return prepare_include(document, e, file);
    for_each_child(e, [&](XMLElement& child) { prepare_includes(document, child, file); });
}

void SdfDocuments::prepare_include(TracedXml& document, XMLElement& include,
                                   const std::string& file) {
    const Origin at = document.origin(include);
    const auto refuse = [&](const auto&... parts) {
        report(findings_, Severity::kError, at, "<include>", parts...);
    };
    if (findings_.has_errors()) return;
    ++includes_;
    leave_out_of_include(include);
    for_each_child(include, [&](const XMLElement& child) {
        const std::string name = child.Name();
        if (text_of(child).empty() && name != "pose") refuse("has an empty <", name, ">");
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
    uri->SetText(stage(found.path, at).c_str());
    if (is_too_large()) {
        refuse("makes more than ", kMostIncludes, " includes or ", kMostSdfElements,
               " elements, which is refused");
    }
}

// A model's file, or its folder with a model.config that names the file.
MeshFinder::Found SdfDocuments::find_model(const std::string& uri, const std::string& file) const {
    const MeshFinder files(file, package_paths_);
    MeshFinder::Found found = files.find_model(uri);
    if (!found.path.empty()) return found;
    const MeshFinder::Found config = files.find_model(uri + "/model.config");
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
    return files.find_model(uri + "/" + name);
}

bool SdfDocuments::is_too_large() const {
    return includes_ > kMostIncludes || elements_ > kMostSdfElements;
}

// The name of the temporary file that holds the prepared copy of an included file.
std::string SdfDocuments::stage(const std::string& path, const Origin& at) {
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
    if (folder_->path().empty()) return refuse("needs a temporary folder, and none can be made");
    tinyxml2::XMLDocument source;
    const XMLElement* root = parse_included(path, at, source, findings_);
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
    std::string name = (folder_->path() / (std::to_string(staged_.size()) + ".sdf")).string();
    if (!(std::ofstream(name) << text)) return refuse("a temporary file cannot be written");
    staged_[path] = {name, elements_ - elements_before, includes_ - includes_before};
    files_of_staged_[name] = path;
    read_alone(text, *document);
    return name;
}

// sdformat prints the errors of included files; so they are read by themselves first.
void SdfDocuments::read_alone(const std::string& text, const TracedXml& document) {
    report_errors(call_sdformat([&] {
                      sdf::Errors errors;
                      parse_sdf(text, sdf::ParserConfig::GlobalConfig(),
                                std::make_shared<sdf::SDF>(), errors);
                      return errors;
                  }),
                  document);
}

// --- From sdformat back to the files --------------------------------------------------------------

Origin SdfDocuments::origin_of(const sdf::ElementPtr& e) const {
    const auto file = files_of_staged_.find(e->FilePath());
    const auto& document = documents_.at(file == files_of_staged_.end() ? "" : file->second);
    return document->origin_of_line(e->LineNumber().value_or(0));
}

// What an error is about; where sdformat gives no line, the element whose name it gives in brackets.
TracedXml::Line SdfDocuments::line_of(const sdf::Error& e, const TracedXml& document) const {
    const TracedXml* in = &document;
    if (e.FilePath()) {
        const auto file = files_of_staged_.find(*e.FilePath());
        if (file != files_of_staged_.end()) in = documents_.at(file->second).get();
    }
    if (e.LineNumber()) return in->line(*e.LineNumber());
    const std::string message = e.Message();
    for (const bool says_kind : {true, false}) {
        for (const std::string kind : {"joint", "link", "frame", "model"}) {
            for (std::size_t at = message.find('['); at != std::string::npos;
                 at = message.find('[', at + 1)) {
                if (says_kind && kind_before(message, at) != kind) continue;
                std::string name = message.substr(at + 1, message.find(']', at) - at - 1);
                if (const std::size_t scope = name.rfind("::"); scope != std::string::npos)
                    name.erase(0, scope + 2);
                if (const auto* named = find_named(in->root(), kind, name))
                    return {in->origin(*named), label(*named)};
            }
        }
    }
    return in->line(0);
}

void SdfDocuments::report_errors(const sdf::Errors& errors, const TracedXml& document) {
    std::set<std::pair<std::string, int>> said;
    for (const sdf::Error& e : errors) {
        const auto [at, element] = line_of(e, document);
        if (!said.emplace(at.file, at.line).second) continue;  // one per line is enough
        std::string message = e.Message();
        while (!message.empty() && (message.back() == '\n' || message.back() == ' '))
            message.pop_back();
        report(findings_, Severity::kError, at, element, "sdformat: ", message);
    }
}

}  // namespace plucker::io
