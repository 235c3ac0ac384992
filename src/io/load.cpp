#include "plucker/io/load.hpp"

#include <algorithm>

#include "file.hpp"
#include "mjcf/reader.hpp"
#include "sdf/reader.hpp"
#include "urdf/reader.hpp"

namespace plucker {
namespace {

constexpr bool kHasSdf =
#ifdef PLUCKER_WITH_SDF
    true;
#else
    false;
#endif
constexpr bool kHasMjcf =
#ifdef PLUCKER_WITH_MUJOCO
    true;
#else
    false;
#endif

Description read_format(Format format, const tinyxml2::XMLElement& root, const LoadOptions& options,
                        io::Findings& findings) {
    if (format == Format::kUrdf) return io::read_urdf(root, options, findings);
#ifdef PLUCKER_WITH_SDF
    if (format == Format::kSdf) return io::read_sdf(root, options, findings);
#endif
#ifdef PLUCKER_WITH_MUJOCO
    if (format == Format::kMjcf) return io::read_mjcf(root, options, findings);
#endif
    findings.error(root.GetLineNum(), "", "this build of plucker cannot read ", name_of(format),
                   "; build it with libsdformat-dev or libmujoco-dev installed");
    return {};
}

// A file has one robot, whose name can be insisted on, or, in SDF, several.
void check_name(const Description& description, const LoadOptions& options,
                io::Findings& findings) {
    if (options.model.empty() || options.model == description.name || findings.has_errors()) return;
    findings.error(description.source.line, "",
                   unknown_name("model", options.model, {description.name}).what());
}

}  // namespace

bool can_read(Format format) {
    return format == Format::kUrdf || (format == Format::kSdf ? kHasSdf : kHasMjcf);
}

ReadResult read_robot_text(const std::string& text, const std::string& file,
                           const LoadOptions& options) {
    io::Findings findings(file);
    ReadResult result;
    // Scoped, so that the document's memory is gone before the model is compiled.
    {
        tinyxml2::XMLDocument document;
        if (const auto* root = io::parse_xml(text, document, findings)) {
            const std::string name = root->Name();
            if (name == "robot" || name == "sdf" || name == "mujoco") {
                result.format = name == "robot" ? Format::kUrdf
                                                : (name == "sdf" ? Format::kSdf : Format::kMjcf);
                result.description = read_format(result.format, *root, options, findings);
                result.description.physics = options.physics;
                check_name(result.description, options, findings);
            } else if (name == "COLLADA" || name == "urdf" || name.starts_with("xacro:")) {
                findings.error(root->GetLineNum(), "", "the root element is <", name,
                               ">; expected <robot> (URDF), <sdf> or <mujoco>");
            } else {
                findings.error(
                    root->GetLineNum(), "",
                    unknown_name("root element", name, {"robot", "sdf", "mujoco"}).what());
            }
        }
    }
    const bool readable = !findings.has_errors();
    result.diagnostics = std::move(findings).take();
    if (readable) {
        for (Diagnostic& error : find_errors(result.description)) {
            if (error.at.file.empty()) error.at = {file, 0};
            result.diagnostics.push_back(std::move(error));
        }
    }
    std::stable_sort(
        result.diagnostics.begin(), result.diagnostics.end(),
        [](const Diagnostic& a, const Diagnostic& b) { return a.at.line < b.at.line; });
    return result;
}

ReadResult read_robot(const std::string& path, const LoadOptions& options) {
    return read_robot_text(io::read_given_text(path), path, options);
}

Model load(const std::string& path, const LoadOptions& options,
           std::vector<Diagnostic>* diagnostics) {
    ReadResult result = read_robot(path, options);
    std::string first;
    std::size_t errors = 0;
    for (const Diagnostic& d : result.diagnostics) {
        if (d.severity != Severity::kError) continue;
        if (errors++ == 0) first = to_string(d);
    }
    if (errors > 1) first += " (and " + std::to_string(errors - 1) + " more)";
    if (errors > 0) throw Error(first);
    if (diagnostics != nullptr) *diagnostics = std::move(result.diagnostics);
    return Model(std::move(result.description));
}

}  // namespace plucker
