// SDF, through sdformat: versions, includes and poses relative to frames are its business.
//
// What sdformat gets is a copy of the document (TracedXml) from which everything but the model's mechanics
// is left out (sdf_pruning), and in which all numbers, names and references were checked (sdf_checker,
// sdf_numbers). Included files are found here, treated likewise, and handed over as temporary files
// (sdf_documents). What sdformat makes of them becomes a Description (sdf_converter, sdf_joints, sdf_shapes).
#include "sdf/reader.hpp"

#include <sdf/ParserConfig.hh>
#include <sdf/Root.hh>
#include <sdf/World.hh>

#include "sdf/converter.hpp"
#include "sdf/documents.hpp"
#include "sdf/library.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

// "model 'a', model 'b'"
std::string list(const std::vector<std::string>& items) {
    std::string out;
    for (const std::string& item : items) out += (out.empty() ? "" : ", ") + item;
    return out;
}

constexpr const char* kNameOne = "; name one of them (--model, LoadOptions::model)";

class SdfReader {
public:
    SdfReader(const LoadOptions& options, Findings& findings)
        : options_(options), findings_(findings), documents_(options, findings) {
        out_.fixed_joints = options.fixed_joints;
        out_.base = options.base;
    }

    Description read(const XMLElement& root) && {
        out_.source = findings_.at(root.GetLineNum());
        TracedXml* robot = documents_.prepare(root);
        if (robot != nullptr && holds_one_robot(*robot)) load(*robot);
        return std::move(out_);
    }

private:
    bool holds_one_robot(const TracedXml& robot) {
        std::vector<std::string> found;
        for_each_child(robot.root(), [&](const XMLElement& e) {
            const std::string kind = e.Name();
            if (kind == "model" || kind == "world" || kind == "include") found.push_back(label(e));
        });
        if (found.size() < 2) return true;
        report(findings_, Severity::kError, robot.origin(robot.root()), "<sdf>",
               "holds several robots or worlds (", list(found), ")", kNameOne);
        return false;
    }

    void load(TracedXml& robot) {
        const std::string text = robot.print();
        sdf::Root root;
        documents_.report_errors(call_sdformat([&] { return parse(text, root); }), robot);
        if (findings_.has_errors()) return;
        const sdf::Model* model = model_of(root, robot.root());
        if (findings_.has_errors()) return;
        if (model == nullptr) return findings_.error(1, "<sdf>", "has no <model>");
        const auto convert = [&] {
            SdfConverter(documents_, options_, findings_, out_).convert(*model);
            return sdf::Errors{};
        };
        documents_.report_errors(call_sdformat(convert), robot);
    }

    static sdf::Errors parse(const std::string& text, sdf::Root& root) {
        sdf::ParserConfig config;
        config.SetFindCallback([](const std::string& uri) { return uri; });
        config.SetWarningsPolicy(sdf::EnforcementPolicy::LOG);
        config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::LOG);
        config.SetDeprecatedElementsPolicy(sdf::EnforcementPolicy::LOG);
        const auto parsed = std::make_shared<sdf::SDF>();
        sdf::Errors errors;
        if (!parse_sdf(text, config, parsed, errors)) return errors;
        const sdf::Errors more = root.Load(parsed, config);
        errors.insert(errors.end(), more.begin(), more.end());
        return errors;
    }

    // The model of the document, or that of its only world, together with the world's gravity.
    const sdf::Model* model_of(const sdf::Root& root, const XMLElement& document) {
        if (root.Model() != nullptr || root.WorldCount() != 1) return root.Model();
        const sdf::World& world = *root.WorldByIndex(0);
        const auto* e = document.FirstChildElement("world");
        if (e != nullptr && e->FirstChildElement("gravity") != nullptr)
            out_.gravity = vec3(world.Gravity());
        return choose_model(world);
    }

    // The model that was asked for; otherwise the only model of a world, or the only one that is not static: the
    // ground is no robot.
    const sdf::Model* choose_model(const sdf::World& world) {
        std::vector<const sdf::Model*> moving, fixed_ones;
        std::vector<std::string> names;
        for (std::uint64_t k = 0; k < world.ModelCount(); ++k) {
            const sdf::Model* m = world.ModelByIndex(k);
            if (m->Name() == options_.model) return m;
            (m->Static() ? fixed_ones : moving).push_back(m);
            names.push_back(m->Name());
        }
        const auto refuse = [&](const auto&... parts) {
            report(findings_, Severity::kError, documents_.origin_of(world.Element()),
                   "world '" + world.Name() + "'", parts...);
            return nullptr;
        };
        const std::vector<std::string>& others = documents_.other_models();
        names.insert(names.end(), others.begin(), others.end());
        if (!options_.model.empty())
            return refuse(unknown_name("model", options_.model, names).what());
        const auto& robots = moving.empty() ? fixed_ones : moving;
        if (robots.size() > 1) {
            std::vector<std::string> quoted;
            for (const sdf::Model* m : robots) quoted.push_back("'" + m->Name() + "'");
            return refuse("holds several models (", list(quoted), ")", kNameOne);
        }
        if (robots.empty()) return nullptr;
        for (const auto* m : fixed_ones) {
            if (m == robots[0]) continue;
            report(findings_, Severity::kNote, documents_.origin_of(m->Element()),
                   "model '" + m->Name() + "'", "is static beside the robot; it is ignored");
        }
        return robots[0];
    }

    const LoadOptions& options_;
    Findings& findings_;
    SdfDocuments documents_;
    Description out_;
};

}  // namespace

Description read_sdf(const XMLElement& root, const LoadOptions& options, Findings& findings) {
    return SdfReader(options, findings).read(root);
}

}  // namespace plucker::io
