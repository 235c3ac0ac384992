#include "mjcf_meshes.hpp"

#include <filesystem>
#include <set>

#include "mjcf_compiler.hpp"

namespace plucker::io {

using tinyxml2::XMLElement;

MjcfMeshes::MjcfMeshes(TracedXml& document, const MeshFinder& files, Findings& findings) {
    for_each_child(document.root(), [&](XMLElement& e) {
        if (std::string(e.Name()) != "compiler") return;
        if (const char* folder = e.Attribute("meshdir")) folder_ = folder;
        strip_path_ = e.BoolAttribute("strippath", strip_path_);
        e.SetAttribute("strippath", "false");  // paths are resolved here
    });
    for_each_child(document.root(), [&](XMLElement& assets) {
        if (std::string(assets.Name()) != "asset") return;
        for_each_child(assets, [&](XMLElement& e) {
            if (std::string(e.Name()) == "mesh") collect(e, document, files, findings);
        });
    });
}

void MjcfMeshes::collect(XMLElement& e, const TracedXml& document, const MeshFinder& files,
                         Findings& findings) {
    MeshAsset mesh;
    mesh.element = &e;
    mesh.file = attribute(e, "file");
    std::string name = attribute(e, "name");
    if (name.empty()) name = std::filesystem::path(mesh.file).stem().string();
    if (name.empty()) return;  // MuJoCo says what it lacks
    e.SetAttribute("name", name.c_str());
    for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next())
        mesh.attributes.emplace_back(a->Name(), a->Value());
    if (!mesh.file.empty()) {
        const std::filesystem::path file = mesh.file;
        const std::filesystem::path folder = folder_;
        mesh.found = files.find((folder / (strip_path_ ? file.filename() : file)).string());
        if (mesh.found.path.empty())
            report(findings, Severity::kWarning, document.origin(e), "mesh '" + name + "'",
                   "file '", mesh.file, "' is not used: ", mesh.found.why);
    }
    meshes_.emplace(name, std::move(mesh));
}

void MjcfMeshes::use(bool real) {
    static const std::set<std::string> kShape{"file", "vertex", "normal", "texcoord", "face"};
    for (auto& [name, mesh] : meshes_) {
        while (const auto* a = mesh.element->FirstAttribute())
            mesh.element->DeleteAttribute(std::string(a->Name()).c_str());
        const bool stand_in = !real || (!mesh.file.empty() && mesh.found.path.empty());
        for (const auto& [attribute, value] : mesh.attributes) {
            if (kShape.contains(attribute) && (stand_in || attribute == "file")) continue;
            mesh.element->SetAttribute(attribute.c_str(), value.c_str());
        }
        if (stand_in) {
            mesh.element->SetAttribute("file", kStandInFile);
        } else if (!mesh.file.empty()) {
            mesh.element->SetAttribute("file", mesh.found.path.c_str());
        }
    }
}

const MeshAsset* MjcfMeshes::find(const std::string& name) const {
    const auto found = meshes_.find(name);
    return found == meshes_.end() ? nullptr : &found->second;
}

}  // namespace plucker::io
