// The document that MuJoCo gets: a copy in which includes, attached models, replicates and frames are expanded,
// newer words translated, every body and joint has a name, and what dynamics does not need is left out.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "mesh_uri.hpp"
#include "mjcf/keyframes.hpp"
#include "mjcf/meshes.hpp"
#include "mjcf/summary.hpp"
#include "mjcf/ties.hpp"
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

    // What was taken out of it: ties between bodies, and bodies that do not touch.
    const MjcfTies& ties() const { return ties_; }
    const std::vector<MjcfKeyframe>& keyframes() const { return keyframes_; }

    // Where something was written; no file if it is not in the document, but made by MuJoCo.
    Origin body(const std::string& name) const { return find(bodies_, name); }
    Origin joint(const std::string& name) const { return find(joints_, name); }
    // Whether the file itself names that joint.
    bool is_named(const std::string& joint) const { return named_joints_.contains(joint); }
    bool has_inertial(const std::string& body) const { return with_inertial_.contains(body); }
    Origin site(const std::string& name) const { return find(sites_, name); }
    // The first section of that name; the document's start if there is none.
    Origin section(const char* name) const;

private:
    using Origins = std::map<std::string, Origin>;
    using Models = std::map<std::string, std::string>;  // name and file

    template <class... Parts>
    void error(const tinyxml2::XMLElement& e, const std::string& element, const Parts&... parts) {
        report(findings_, Severity::kError, xml_.origin(e), element, parts...);
    }
    tinyxml2::XMLElement* load(const tinyxml2::XMLElement& root, const std::string& file,
                               int through);
    void expand_includes(tinyxml2::XMLElement& parent, const std::string& file);
    void insert_included(tinyxml2::XMLElement& include, const std::string& from);
    void attach_models(tinyxml2::XMLElement& root, const std::string& file);
    void attach_below(tinyxml2::XMLElement& e, tinyxml2::XMLElement& root, const std::string& file,
                      const Models& models);
    void attach(tinyxml2::XMLElement& attach, tinyxml2::XMLElement& root, const std::string& file,
                const Models& models);
    Models models_of(const tinyxml2::XMLElement& root, const std::string& file);
    std::string name_in_file(const std::string& model_file, const tinyxml2::XMLElement& asset,
                             const std::string& file);
    void check_size(const tinyxml2::XMLElement& brought_by);
    void check_nesting(const tinyxml2::XMLElement& root, int most);
    static std::string why_not_read(const std::string& file, const std::string& document,
                                    const MeshFinder::Found& found);
    MeshFinder::Found find_beside(const std::string& file, const std::string& document,
                                  const std::string& including) const;
    std::string path_from(const std::string& document, const std::string& file) const;
    std::filesystem::path folder_of(const std::string& document) const;
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
    MjcfSummary summary_;
    std::set<std::string> included_;    // by the document that is being loaded
    std::vector<std::string> loading_;  // the documents that are being attached to
    std::optional<MjcfMeshes> meshes_;
    Origins bodies_, joints_, sites_;
    std::set<std::string> named_joints_, with_inertial_;
    MjcfTies ties_;
    std::vector<MjcfKeyframe> keyframes_;  // of the document itself, not of what it attaches
};

}  // namespace plucker::io
