#include "mjcf/ties.hpp"

#include <algorithm>

#include "mjcf/defaults.hpp"
#include "mjcf/summary.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

class TieTaker {
public:
    TieTaker(TracedXml& document, Findings& findings)
        : document_(document), defaults_(document.root()), findings_(findings) {
        collect(document.root());
        bodies_.emplace_back("world");
    }

    MjcfTies take() {
        for_each_child(document_.root(), [&](XMLElement& section) {
            for_each_child(section, [&](XMLElement& e) {
                if (is(section, "equality") && (is(e, "connect") || is(e, "weld"))) {
                    if (defaults_.value(e, "active") != "false") take_tie(e);
                    section.DeleteChild(&e);
                } else if (is(section, "contact") && is(e, "exclude")) {
                    take_exclusion(e);
                }
            });
        });
        for_each_child(document_.root(), [&](XMLElement& section) {
            if (is(section, "contact")) document_.root().DeleteChild(&section);
        });
        summary_.report_to(findings_);
        return std::move(out_);
    }

private:
    void collect(const XMLElement& e) {
        for_each_child(e, [&](const XMLElement& child) {
            if (is(child, "body")) bodies_.push_back(attribute(child, "name"));
            if (is(child, "site")) sites_.push_back(attribute(child, "name"));
            if (is(child, "composite")) has_composites_ = true;
            collect(child);
        });
    }
    template <class... Parts>
    void error(const XMLElement& e, const Parts&... parts) {
        report(findings_, Severity::kError, document_.origin(e), who(e), parts...);
    }
    static std::string who(const XMLElement& e) {
        return std::string(is(e, "exclude") ? "contact " : "equality ") + label(e);
    }

    // What an attribute names, which has to be there; those that a composite makes are known to MuJoCo alone.
    std::string named(const XMLElement& e, const char* role, const char* kind,
                      const std::vector<std::string>& known) {
        std::string name = attribute(e, role);
        if (name.empty()) {
            error(e, "lacks the attribute '", role, "'");
        } else if (!has_composites_ && std::find(known.begin(), known.end(), name) == known.end()) {
            error(e, unknown_name(kind, name, known).what());
        }
        return name;
    }

    void take_tie(XMLElement& e) {
        MjcfTie tie;
        tie.name = attribute(e, "name");
        tie.at = document_.origin(e);
        tie.is_weld = is(e, "weld");
        tie.of_sites = e.Attribute("site1") != nullptr || e.Attribute("site2") != nullptr;
        if (tie.of_sites) {
            if (e.Attribute("body1") != nullptr || e.Attribute("body2") != nullptr)
                return error(e, "names sites and bodies; leave out one of them");
            tie.first = named(e, "site1", "site", sites_);
            tie.second = named(e, "site2", "site", sites_);
        } else {
            tie.first = named(e, "body1", "body", bodies_);
            tie.second =
                e.Attribute("body2") == nullptr ? "world" : named(e, "body2", "body", bodies_);
        }
        std::string why;
        if (const auto anchor = parse_numbers(attribute(e, "anchor"), 3, why)) {
            tie.anchor = {(*anchor)[0], (*anchor)[1], (*anchor)[2]};
        } else if (!tie.is_weld && !tie.of_sites) {
            error(e, "lacks the attribute 'anchor', a point of body1");
        }
        if (const auto relpose = parse_numbers(attribute(e, "relpose"), 7, why)) {
            tie.relpose.emplace();
            std::copy(relpose->begin(), relpose->end(), tie.relpose->begin());
        }
        if (e.Attribute("torquescale") != nullptr)
            summary_.add(Severity::kNote, tie.at, who(e),
                         "its torquescale is not used: the weld is rigid here");
        out_.ties.push_back(std::move(tie));
    }

    void take_exclusion(const XMLElement& e) {
        const std::string first = named(e, "body1", "body", bodies_);
        out_.apart.emplace_back(first, named(e, "body2", "body", bodies_));
    }

    TracedXml& document_;
    MjcfDefaults defaults_;
    Findings& findings_;
    MjcfSummary summary_;
    std::vector<std::string> bodies_, sites_;
    bool has_composites_ = false;
    MjcfTies out_;
};

}  // namespace

MjcfTies take_ties(TracedXml& document, Findings& findings) {
    return TieTaker(document, findings).take();
}

}  // namespace plucker::io
