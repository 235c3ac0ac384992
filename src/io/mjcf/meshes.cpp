#include "mjcf/meshes.hpp"

#include <algorithm>
#include <filesystem>

#include "mjcf/compiler.hpp"
#include "mjcf/poses.hpp"

namespace plucker::io {

using tinyxml2::XMLElement;

namespace {

constexpr double kDensity = 1000;  // MuJoCo's, of geoms without one

}  // namespace

MjcfMeshes::MjcfMeshes(TracedXml& document, const MeshFinder& files, Findings& findings) {
    for_each_child(document.root(), [&](XMLElement& e) {
        if (std::string(e.Name()) != "compiler") return;
        if (const char* folder = e.Attribute("meshdir")) folder_ = folder;
        strip_path_ = e.BoolAttribute("strippath", strip_path_);
        e.SetAttribute("strippath", "false");  // paths are resolved here
    });
    const MjcfDefaults defaults(document.root());
    MjcfSummary summary;
    for_each_below(document.root(), [&](XMLElement& e) {
        if (std::string(e.Name()) != "mesh") return;
        const std::string inertia = defaults.value(e, "inertia");
        e.DeleteAttribute("inertia");  // not a word of version 2.2
        if (std::string(e.Parent()->Value()) == "asset")
            collect(e, inertia, document, files, summary);
    });
    for_each_below(document.root(), [&](XMLElement& e) {
        if (std::string(e.Name()) == "geom" && std::string(e.Parent()->Value()) != "default")
            look_at_geom(e, defaults, document);
    });
    summary.report_to(findings);
}

void MjcfMeshes::collect(XMLElement& e, const std::string& inertia, const TracedXml& document,
                         const MeshFinder& files, MjcfSummary& summary) {
    MeshAsset mesh;
    mesh.inertia = inertia;
    mesh.element = &e;
    mesh.file = attribute(e, "file");
    std::string name = attribute(e, "name");
    if (name.empty()) name = std::filesystem::path(mesh.file).stem().string();
    if (name.empty()) return;  // MuJoCo says what it lacks
    e.SetAttribute("name", name.c_str());
    static const std::vector<std::string> kRules{"legacy", "convex", "exact", "shell"};
    if (!inertia.empty() && std::find(kRules.begin(), kRules.end(), inertia) == kRules.end())
        summary.add(Severity::kError, document.origin(e), "mesh '" + name + "'",
                    unknown_name("inertia", inertia, kRules).what());
    for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next())
        mesh.attributes.emplace_back(a->Name(), a->Value());
    if (!mesh.file.empty()) {
        mesh.found = find_file(mesh, document.origin(e).file, files);
        if (mesh.found.path.empty())
            summary.add(Severity::kWarning, document.origin(e),
                        "mesh '" + name + "' (file '" + mesh.file + "')",
                        "is not used: ", mesh.found.why);
    }
    meshes_.emplace(name, std::move(mesh));
}

// From the robot's folder or, where there is no such file, from that of the file that names it.
MeshFinder::Found MjcfMeshes::find_file(const MeshAsset& mesh, const std::string& document,
                                        const MeshFinder& files) const {
    namespace fs = std::filesystem;
    if (mesh.file.starts_with(kBuiltIn))
        return {"", "MuJoCo makes this shape itself, since version 3.3.5"};
    const fs::path file = strip_path_ ? fs::path(mesh.file).filename() : fs::path(mesh.file);
    const MeshFinder::Found found = files.find((folder_ / file).string());
    if (!found.path.empty() || mesh.file.find("://") != std::string::npos) return found;
    std::error_code ignored;
    const fs::path beside = fs::absolute(document, ignored).parent_path();
    const MeshFinder::Found second = files.find((beside / folder_ / file).string());
    return second.path.empty() ? found : second;
}

// A mesh that is only drawn, or only touched, need not be read. Until version 3.2.5 a geom said that its mesh has its mass on
// the surface; now the mesh does.
void MjcfMeshes::look_at_geom(XMLElement& e, const MjcfDefaults& defaults, TracedXml& document) {
    std::string name = defaults.value(e, "mesh");
    if (!meshes_.contains(name)) return;
    if (defaults.value(e, "shellinertia") == "true" && meshes_.at(name).inertia.empty()) {
        name = shell_of(name, document);
        e.SetAttribute("mesh", name.c_str());
    }
    e.SetAttribute("shellinertia", "false");
    MeshAsset& mesh = meshes_.at(name);
    const bool has_mass = !defaults.value(e, "mass").empty();
    std::string why;
    const auto weight = parse_numbers(defaults.value(e, has_mass ? "mass" : "density"), 1, why);
    const bool has_weight = !weight || weight->front() != 0;
    mesh.has_weight = mesh.has_weight || has_weight;
    mesh.by_density = mesh.by_density || (has_weight && !has_mass);
    mesh.shapes_other = mesh.shapes_other || defaults.value(e, "type") != "mesh";
}

// The same mesh once more, with its mass on the surface.
std::string MjcfMeshes::shell_of(const std::string& name, TracedXml& document) {
    const std::string shell = name + " (shell)";
    if (meshes_.contains(shell)) return shell;
    const MeshAsset& solid = meshes_.at(name);
    XMLElement* copy = document.clone(*solid.element);
    solid.element->Parent()->InsertAfterChild(solid.element, copy);
    MeshAsset mesh;
    mesh.element = copy;
    mesh.attributes = solid.attributes;
    mesh.file = solid.file;
    mesh.found = solid.found;
    mesh.inertia = "shell";
    for (auto& [attribute, value] : mesh.attributes) {
        if (attribute == "name") value = shell;
    }
    copy->SetAttribute("name", shell.c_str());
    meshes_.emplace(shell, std::move(mesh));
    return shell;
}

void MjcfMeshes::write_mass(TracedXml& document, const std::string& mesh, double amount) {
    const MjcfDefaults defaults(document.root());
    for_each_below(document.root(), [&](XMLElement& e) {
        if (!is(e, "geom") || is(*e.Parent()->ToElement(), "default")) return;
        if (defaults.value(e, "mesh") != mesh || defaults.value(e, "type") != "mesh") return;
        if (!defaults.value(e, "mass").empty()) return;
        std::string why;
        const auto density = parse_numbers(defaults.value(e, "density"), 1, why);
        e.SetAttribute("mass", to_text({amount * (density ? density->front() : kDensity)}).c_str());
    });
}

void MjcfMeshes::use(const std::set<std::string>& real) {
    static const std::set<std::string> kShape{"file", "vertex", "normal", "texcoord", "face"};
    static const std::set<std::string> kPlace{"scale", "refpos", "refquat"};
    for (auto& [name, mesh] : meshes_) {
        while (const auto* a = mesh.element->FirstAttribute())
            mesh.element->DeleteAttribute(std::string(a->Name()).c_str());
        const bool stand_in =
            !real.contains(name) || (!mesh.file.empty() && mesh.found.path.empty());
        for (const auto& [attribute, value] : mesh.attributes) {
            if (kShape.contains(attribute) && (stand_in || mesh.is_box || attribute == "file"))
                continue;
            if (mesh.is_box && kPlace.contains(attribute)) continue;
            mesh.element->SetAttribute(attribute.c_str(), value.c_str());
        }
        if (!stand_in && mesh.is_box) {  // its class may have other numbers
            mesh.element->SetAttribute("scale", "1 1 1");
            mesh.element->SetAttribute("refpos", "0 0 0");
            mesh.element->SetAttribute("refquat", "1 0 0 0");
            mesh.element->SetAttribute("file", mesh.in_memory.c_str());
        } else if (stand_in) {
            mesh.element->SetAttribute("file", kStandInFile);
        } else if (!mesh.file.empty()) {
            mesh.element->SetAttribute(
                "file", (mesh.in_memory.empty() ? mesh.found.path : mesh.in_memory).c_str());
        }
    }
}

const MeshAsset* MjcfMeshes::find(const std::string& name) const {
    const auto found = meshes_.find(name);
    return found == meshes_.end() ? nullptr : &found->second;
}

std::set<std::string> MjcfMeshes::fitted() const {
    std::set<std::string> out;
    for (const auto& [name, mesh] : meshes_) {
        if (mesh.shapes_other) out.insert(name);
    }
    return out;
}

}  // namespace plucker::io
