#include "mjcf_checker.hpp"

#include <algorithm>
#include <set>

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

constexpr double kMostCompositeParts = 10000;

class Checker {
public:
    Checker(const TracedXml& document, Findings& findings)
        : document_(document), findings_(findings) {}

    void check(const XMLElement& e) {
        check_numbers(e);
        if (std::string(e.Name()) == "composite") count_parts(e);
        for_each_child(e, [&](const XMLElement& child) { check(child); });
    }

private:
    template <class... Parts>
    void error(const XMLElement& e, const Parts&... parts) {
        report(findings_, Severity::kError, document_.origin(e), label(e), parts...);
    }

    void check_numbers(const XMLElement& e) {
        static const std::set<std::string> kNumeric{
            "pos",          "quat",      "axisangle",    "xyaxes",       "zaxis",       "euler",
            "axis",         "range",     "ref",          "armature",     "damping",     "stiffness",
            "frictionloss", "springref", "mass",         "diaginertia",  "fullinertia", "size",
            "fromto",       "density",   "gravity",      "polycoef",     "scale",       "refpos",
            "refquat",      "boundmass", "boundinertia", "settotalmass", "fitscale",    "spacing",
            "count",        "offset",    "margin",       "rgba",         "viscosity"};
        if (std::string(e.Name()) == "flag") return;  // its attributes are words
        for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next()) {
            if (kNumeric.contains(a->Name())) check_number_list(e, a->Name(), a->Value());
        }
    }

    void check_number_list(const XMLElement& e, const std::string& name, std::string_view text) {
        constexpr std::string_view kSpace = " \t\n\r";
        while (true) {
            const std::size_t start = text.find_first_not_of(kSpace);
            if (start == std::string_view::npos) return;
            text.remove_prefix(start);
            const std::string word(text.substr(0, text.find_first_of(kSpace)));
            text.remove_prefix(word.size());
            // An unlimited side of a range may be written as infinite.
            if (name == "range" && (word == "inf" || word == "-inf")) continue;
            std::string why;
            if (parse_numbers(word, 1, why)) continue;
            return error(e, "<", e.Name(), " ", name, "=…> ", why);
        }
    }

    void count_parts(const XMLElement& composite) {
        double product = 1;
        std::string why;
        for (std::size_t n = 1; n <= 3; ++n) {
            if (const auto counts = parse_numbers(attribute(composite, "count"), n, why)) {
                for (const double c : *counts) product *= std::max(1.0, c);
            }
        }
        parts_ += product;
        if (parts_ <= kMostCompositeParts) return;
        error(composite, "makes ", parts_, " parts; more than ", kMostCompositeParts,
              " are refused");
        parts_ = 0;
    }

    const TracedXml& document_;
    Findings& findings_;
    double parts_ = 0;  // of all composites so far
};

}  // namespace

void check_mjcf(const TracedXml& document, Findings& findings) {
    Checker(document, findings).check(document.root());
}

}  // namespace plucker::io
