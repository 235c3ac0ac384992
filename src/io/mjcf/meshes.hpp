// The meshes of an MJCF document, and their files.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mesh_uri.hpp"
#include "mjcf/defaults.hpp"
#include "mjcf/summary.hpp"
#include "traced_xml.hpp"

namespace plucker::io {

// In place of a file's name: a shape that a later version of MuJoCo makes itself.
constexpr const char* kBuiltIn = "builtin:";

struct MeshAsset {
    tinyxml2::XMLElement* element = nullptr;
    std::vector<std::pair<std::string, std::string>> attributes;  // as the file has them
    std::string file;                                             // empty: its vertices are inline
    MeshFinder::Found found;
    std::string inertia;        // how mass is spread over it; empty: as in version 2.2
    std::string in_memory;      // the file in memory that takes the place of the real one
    bool is_box = false;        // that one weighs the same in all, with neither scale nor reference
    bool has_weight = false;    // some geom of it may have mass
    bool by_density = false;    // and one of them by its density
    bool shapes_other = false;  // a box or the like is fitted to it
};

class MjcfMeshes {
public:
    // Finds the meshes of the document and their files. The compiler options say in which folder they are.
    MjcfMeshes(TracedXml& document, const MeshFinder& files, Findings& findings);

    // Lets the mesh elements name the stand-in; or the files of these meshes, where there are any.
    void use_stand_ins() { use({}); }
    void use_real_files(const std::set<std::string>& meshes) { use(meshes); }
    // From now on, this mesh's real file is that one.
    void replace(const std::string& mesh, const std::string& file_in_memory) {
        meshes_.at(mesh).in_memory = file_in_memory;
    }
    // The same, by a box that is as heavy.
    void replace_by_box(const std::string& mesh, const std::string& file_in_memory) {
        replace(mesh, file_in_memory);
        meshes_.at(mesh).is_box = true;
    }
    // Gives geoms of that mesh which have a density, or none, the mass that this amount of it makes.
    void write_mass(TracedXml& document, const std::string& mesh, double amount);

    bool empty() const { return meshes_.empty(); }
    // The mesh of that name, or null.
    const MeshAsset* find(const std::string& name) const;
    // Those to which a box or the like is fitted.
    std::set<std::string> fitted() const;

private:
    void collect(tinyxml2::XMLElement& e, const std::string& inertia, const TracedXml& document,
                 const MeshFinder& files, MjcfSummary& summary);
    MeshFinder::Found find_file(const MeshAsset& mesh, const std::string& document,
                                const MeshFinder& files) const;
    void look_at_geom(tinyxml2::XMLElement& e, const MjcfDefaults& defaults, TracedXml& document);
    std::string shell_of(const std::string& name, TracedXml& document);
    void use(const std::set<std::string>& real);

    std::string folder_;
    bool strip_path_ = false;
    std::map<std::string, MeshAsset> meshes_;
};

}  // namespace plucker::io
