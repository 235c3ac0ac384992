// MJCF, through MuJoCo's own compiler: defaults, composites and inertias from shapes are its business.
//
// What MuJoCo compiles is a copy of the document (mjcf_document) in which mesh files are replaced by a
// tetrahedron in memory (mjcf_meshes). So a mesh file is opened only where a body's mass comes from it, and
// nothing else is read from disk. Twice the tetrahedron tells which masses those are. What MuJoCo makes of it
// becomes a Description (mjcf_converter, mjcf_shapes).
#include "mjcf/reader.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <set>

#include "file.hpp"
#include "mjcf/compiler.hpp"
#include "mjcf/converter.hpp"
#include "mjcf/document.hpp"
#include "mjcf/mesh_weight.hpp"
#include "mjcf/poses.hpp"
#include "mjcf/triangles.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t kMostInMemory =
    150;  // MuJoCo takes 200 files, which are in use for other purposes, too

std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
        text.pop_back();
    return text;
}

// Bodies whose mass properties are not the same.
std::vector<int> bodies_that_differ(const mjModel& a, const mjModel& b) {
    std::vector<int> out;
    for (int i = 1; i < a.nbody; ++i) {
        const auto same = [&](const mjtNum* x, const mjtNum* y, int n) {
            return std::equal(x + n * i, x + n * (i + 1), y + n * i);
        };
        if (!same(a.body_mass, b.body_mass, 1) || !same(a.body_ipos, b.body_ipos, 3) ||
            !same(a.body_iquat, b.body_iquat, 4) || !same(a.body_inertia, b.body_inertia, 3)) {
            out.push_back(i);
        }
    }
    return out;
}

class MjcfReader {
public:
    MjcfReader(const LoadOptions& options, Findings& findings)
        : options_(options), findings_(findings), document_(options, findings) {}

    Description read(const XMLElement& root) && {
        Description out;
        out.fixed_joints = options_.fixed_joints;
        out.source = findings_.at(root.GetLineNum());
        out.name = attribute(root, "model");
        if (out.name.empty()) out.name = "robot";
        if (document_.prepare(root) && compile_model()) {
            const mjModel& masses = real_model_ ? *real_model_ : *model_;
            MjcfConverter(*model_, masses, document_, options_, findings_, out).convert();
        }
        return out;
    }

private:
    bool compile_model() {
        document_.meshes().use_stand_ins();
        const std::string text = document_.xml().print();
        if (!compile_into(text, kStandInSize, model_)) return false;
        if (document_.meshes().empty()) return true;
        ModelPointer larger;
        if (!compile_into(text, 2 * kStandInSize, larger)) return false;
        std::set<std::string> needed = document_.meshes().fitted();
        needed.merge(meshes_of(bodies_that_differ(*model_, *larger)));
        if (needed.empty()) return true;

        document_.meshes().use_real_files(needed);
        weigh_meshes(needed);
        std::string real_text;
        do {
            document_.meshes().use_real_files(needed);
            real_text = document_.xml().print();
        } while (loosen(compile(real_text, kStandInSize, in_memory_).error));
        ModelPointer real_larger;
        if (!compile_into(real_text, kStandInSize, real_model_)) return false;
        if (!compile_into(real_text, 2 * kStandInSize, real_larger)) return false;
        for (const int body : bodies_that_differ(*real_model_, *real_larger)) {
            const std::string name = name_of(*model_, mjOBJ_BODY, body);
            report(findings_, Severity::kError, document_.body(name), "body '" + name + "'",
                   "its mass comes from ", missing_meshes_of(body),
                   ", which cannot be read; give the body an <inertial>, or the mesh file");
        }
        return !findings_.has_errors();
    }

    // Some meshes have faces that are turned inside out. Version 3 does not mind, where the mass is not asked to be
    // exact; version 2.2 looks for edges that two faces share in the same direction. Triangles with corners of
    // their own share none. True if the error was that, and this mesh may be tried again.
    bool loosen(const std::string& error) {
        const std::string mark = "faces have inconsistent orientation: ";
        const std::size_t at = error.find(mark);
        if (at == std::string::npos) return false;
        const std::size_t start = at + mark.size();
        const std::string name = error.substr(start, error.find('\n', start) - start);
        const MeshAsset* mesh = document_.meshes().find(name);
        const bool exact = compiler_setting(document_.xml().root(), "exactmeshinertia") == "true";
        if (mesh == nullptr || exact || mesh->inertia == "exact" || mesh->found.path.empty() ||
            !mesh->in_memory.empty())
            return false;
        const auto triangles = loose_triangles(read_text_file(mesh->found.path));
        if (!triangles) return false;
        const std::string file = "plucker_mesh_" + std::to_string(in_memory_.size()) + ".msh";
        in_memory_[file] = *triangles;
        document_.meshes().replace(name, file);
        return true;
    }

    bool compile_into(const std::string& text, float stand_in_size, ModelPointer& model) {
        Compiled compiled = compile(text, stand_in_size, in_memory_);
        for (const std::string& w : compiled.warnings) {
            if (said_.insert(w).second)
                findings_.warning(0, "", "MuJoCo: ", one_line(w.substr(0, w.find("\nObject"))));
        }
        if (!compiled.model) report_error(compiled.error);
        model = std::move(compiled.model);
        return model != nullptr;
    }

    // Those that may give these bodies their mass.
    std::set<std::string> meshes_of(const std::vector<int>& bodies) const {
        std::set<std::string> out;
        for (const int body : bodies) {
            for (int k = 0; k < model_->body_geomnum[body]; ++k) {
                const int id = model_->geom_dataid[model_->body_geomadr[body] + k];
                if (id < 0) continue;
                const std::string name = name_of(*model_, mjOBJ_MESH, id);
                const MeshAsset* mesh = document_.meshes().find(name);
                if (mesh == nullptr || mesh->has_weight) out.insert(name);
            }
        }
        return out;
    }

    // By the rules of version 3. A box that is fitted to a mesh and encloses it needs the mesh itself.
    void weigh_meshes(const std::set<std::string>& names) {
        const XMLElement& root = document_.xml().root();
        const bool all_exact = compiler_setting(root, "exactmeshinertia") == "true";
        const bool encloses = compiler_setting(root, "fitaabb") == "true";
        std::set<std::string> unlike_legacy, by_density;
        for (const std::string& name : names) {
            const MeshAsset* mesh = document_.meshes().find(name);
            if (mesh == nullptr) continue;
            if (mesh_rule(mesh->inertia) != MeshRule::kLegacy) {
                unlike_legacy.insert(name);
            } else if (mesh->by_density && !all_exact) {
                by_density.insert(name);
            }
        }
        std::set<std::string> all = unlike_legacy;
        all.insert(by_density.begin(), by_density.end());
        MjcfSummary summary;
        for (const auto& [name, weight] : weigh(document_.xml(), document_.meshes(), all)) {
            const MeshAsset& mesh = *document_.meshes().find(name);
            const char* why_not =
                in_memory_.size() >= kMostInMemory ? "there are too many such meshes"
                : mesh.shapes_other && encloses    ? "a shape that encloses it is fitted to it"
                                                   : nullptr;
            if (unlike_legacy.contains(name) && why_not != nullptr) {
                summary.add(Severity::kWarning, document_.xml().origin(*mesh.element),
                            "mesh '" + name + "'", "its mass is not counted by the rule '",
                            mesh.inertia, "' but by 'legacy', as ", why_not,
                            "; give the bodies an <inertial>");
                continue;
            }
            document_.meshes().write_mass(document_.xml(), name, weight.amount);
            if (!unlike_legacy.contains(name)) continue;
            const std::string file = "plucker_box_" + std::to_string(in_memory_.size()) + ".msh";
            in_memory_[file] = weight.box;
            document_.meshes().replace_by_box(name, file);
        }
        summary.report_to(findings_);
    }

    std::string missing_meshes_of(int body) const {
        std::string out;
        for (const std::string& name : meshes_of({body})) {
            const MeshAsset* mesh = document_.meshes().find(name);
            if (mesh == nullptr || !mesh->found.path.empty()) continue;
            out += (out.empty() ? "mesh '" : ", '") + name + "'";
        }
        return out.empty() ? "a mesh" : out;
    }

    // "XML Error: what\nElement 'e', line 12", or "Error: what\nObject name = n, id = 3, line = 12, …".
    void report_error(const std::string& text) {
        std::string what =
            text.substr(0, std::min(text.rfind("\nElement '"), text.rfind("\nObject ")));
        for (const char* prefix : {"XML Error: ", "Error: ", "Schema violation: "}) {
            if (what.starts_with(prefix)) what.erase(0, std::strlen(prefix));
        }
        int line = 0;
        for (const std::string mark : {"', line ", ", line = "}) {
            const std::size_t at = text.rfind(mark);
            if (at != std::string::npos) line = std::atoi(text.c_str() + at + mark.size());
        }
        const auto [at, element] = document_.xml().line(line);
        report(findings_, Severity::kError, at, line > 0 ? element : "", "MuJoCo ",
               mj_versionString(), ": ", one_line(what), remedy_for(what));
    }

    // What would be right, where MuJoCo's message does not say it.
    static std::string remedy_for(const std::string& what) {
        static const std::pair<const char*, const char*> kRemedies[] = {
            {"mass and inertia of moving bodies",
             " (1e-15): give it an <inertial>, or a <geom> with mass"},
            {"axis too small", "; it must not be zero"},
            {"inertia must have positive eigenvalues", "; check its signs and products of inertia"},
            {"range[0] should be smaller", "; exchange them"},
            {"unknown default class", "; define it in <default>"},
            {"unknown default childclass", "; define it in <default>"},
            {"repeated name", "; give one of them another name"},
            {"unique sub-element", "; keep one"},
            {"World body cannot have joints", "; put it into a <body>"},
            {"unrecognized element", "; remove it, or put it where it belongs"},
            {"unrecognized attribute", "; remove it, or put it where it belongs"}};
        for (const auto& [part, remedy] : kRemedies) {
            if (what.find(part) != std::string::npos) return remedy;
        }
        return "";
    }

    const LoadOptions& options_;
    Findings& findings_;
    MjcfDocument document_;
    ModelPointer model_;       // compiled with stand-ins for meshes
    ModelPointer real_model_;  // compiled with the meshes, if a mass depends on one
    MeshesInMemory in_memory_;
    std::set<std::string> said_;
};

}  // namespace

Description read_mjcf(const XMLElement& root, const LoadOptions& options, Findings& findings) {
    return MjcfReader(options, findings).read(root);
}

}  // namespace plucker::io
