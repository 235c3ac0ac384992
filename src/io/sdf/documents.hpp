// The documents that sdformat gets: checked copies of the robot file and of all that it includes.
//
// Included files are found here, not by sdformat, and handed over as temporary files. Whatever sdformat
// says about a line of a copy is traced back to the file that a person wrote.
#pragma once

#include <map>
#include <memory>
#include <sdf/Element.hh>
#include <sdf/Error.hh>
#include <sdf/Types.hh>
#include <string>
#include <vector>

#include "mesh_uri.hpp"
#include "plucker/io/load.hpp"
#include "temporary_folder.hpp"
#include "traced_xml.hpp"

namespace plucker::io {

class SdfDocuments {
public:
    SdfDocuments(const LoadOptions& options, Findings& findings)
        : findings_(findings), package_paths_(options.package_paths), model_(options.model) {}

    // A checked copy of the robot file, its includes replaced by those of temporary files; null, with an
    // error, if it cannot be used.
    TracedXml* prepare(const tinyxml2::XMLElement& root) {
        return prepare(root, findings_.file(), 0);
    }

    // Where an element of sdformat's was written.
    Origin origin_of(const sdf::ElementPtr& e) const;

    // The names of models that are left out because another one is to be read.
    const std::vector<std::string>& other_models() const { return other_models_; }

    // Reports errors of sdformat that are about a prepared document.
    void report_errors(const sdf::Errors& errors, const TracedXml& document);

private:
    struct Staged {
        std::string name;
        std::size_t elements;  // with those of the files that it includes
        int includes;
    };

    TracedXml* prepare(const tinyxml2::XMLElement& root, const std::string& file, int through);
    bool check_version(TracedXml& document);
    void prepare_includes(TracedXml& document, tinyxml2::XMLElement& e, const std::string& file);
    void prepare_include(TracedXml& document, tinyxml2::XMLElement& include,
                         const std::string& file);
    MeshFinder::Found find_model(const std::string& uri, const std::string& file) const;
    std::string stage(const std::string& path, const Origin& at);
    void read_alone(const std::string& text, const TracedXml& document);
    bool is_too_large() const;
    TracedXml::Line line_of(const sdf::Error& e, const TracedXml& document) const;

    Findings& findings_;
    std::vector<std::string> package_paths_;
    std::string model_;  // the one of the robot file to read; any, if empty
    std::vector<std::string> other_models_;
    std::map<std::string, std::unique_ptr<TracedXml>> documents_;  // by file; "": the robot file
    std::unique_ptr<TemporaryFolder> folder_;
    std::map<std::string, Staged> staged_;                // the temporary copies of included files
    std::map<std::string, std::string> files_of_staged_;  // and back
    std::vector<std::string> open_;                       // the files that are being included
    std::size_t elements_ = 0;                            // when all includes are expanded
    int includes_ = 0;
};

}  // namespace plucker::io
