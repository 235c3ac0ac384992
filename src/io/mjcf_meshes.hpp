// The meshes of an MJCF document, and their files.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mesh_uri.hpp"
#include "traced_xml.hpp"

namespace plucker::io {

struct MeshAsset {
    tinyxml2::XMLElement* element = nullptr;
    std::vector<std::pair<std::string, std::string>> attributes;  // as the file has them
    std::string file;                                             // empty: its vertices are inline
    MeshFinder::Found found;
};

class MjcfMeshes {
public:
    // Finds the meshes of the document and their files. The compiler options say in which folder they are.
    MjcfMeshes(TracedXml& document, const MeshFinder& files, Findings& findings);

    // Lets the mesh elements name the stand-in; or the real files, where there are any.
    void use_stand_ins() { use(false); }
    void use_real_files() { use(true); }

    bool empty() const { return meshes_.empty(); }
    // The mesh of that name, or null.
    const MeshAsset* find(const std::string& name) const;

private:
    void collect(tinyxml2::XMLElement& e, const TracedXml& document, const MeshFinder& files,
                 Findings& findings);
    void use(bool real);

    std::string folder_;
    bool strip_path_ = false;
    std::map<std::string, MeshAsset> meshes_;
};

}  // namespace plucker::io
