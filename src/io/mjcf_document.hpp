// The document that MuJoCo gets: a copy in which includes are expanded, every body and joint has a name, and
// what dynamics does not need is left out.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "mesh_uri.hpp"
#include "mjcf_meshes.hpp"
#include "plucker/io/load.hpp"
#include "traced_xml.hpp"
#include "tree_assembly.hpp"

namespace plucker::io {

class MjcfDocument {
public:
    MjcfDocument(const LoadOptions& options, Findings& findings)
        : findings_(findings), files_(findings.file(), options.package_paths) {}

    // False, with an error, if the document cannot be used.
    bool prepare(const tinyxml2::XMLElement& root);

    TracedXml& xml() { return xml_; }
    const TracedXml& xml() const { return xml_; }
    MjcfMeshes& meshes() { return *meshes_; }
    const MjcfMeshes& meshes() const { return *meshes_; }

    // Where something was written; no file if it is not in the document, but made by MuJoCo.
    Origin body(const std::string& name) const { return find(bodies_, name); }
    Origin joint(const std::string& name) const { return find(joints_, name); }
    Origin site(const std::string& name) const { return find(sites_, name); }
    // The first section of that name; the document's start if there is none.
    Origin section(const char* name) const;

private:
    using Origins = std::map<std::string, Origin>;

    template <class... Parts>
    void error(const tinyxml2::XMLElement& e, const std::string& element, const Parts&... parts) {
        report(findings_, Severity::kError, xml_.origin(e), element, parts...);
    }
    void expand_includes(tinyxml2::XMLElement& parent);
    void insert_included(tinyxml2::XMLElement& include);
    void set_compiler_options();
    void give_names();
    void make_names(tinyxml2::XMLElement& body, const std::string& name, UniqueNames& bodies,
                    UniqueNames& joints);
    void remember(const tinyxml2::XMLElement& e, const char* kind, Origins& origins);
    void check_equalities();
    static Origin find(const Origins& origins, const std::string& name);

    Findings& findings_;
    MeshFinder files_;
    TracedXml xml_;
    std::set<std::string> included_;
    std::optional<MjcfMeshes> meshes_;
    Origins bodies_, joints_, sites_;
};

}  // namespace plucker::io
