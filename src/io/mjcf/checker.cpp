#include "mjcf/checker.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "mjcf/summary.hpp"

namespace plucker::io {
namespace {

using tinyxml2::XMLElement;

constexpr double kMostCompositeParts = 10000;

class MjcfChecker {
public:
    MjcfChecker(const TracedXml& document, Findings& findings, MjcfSummary& summary)
        : document_(document), findings_(findings), summary_(summary) {}

    void check(const XMLElement& e) {
        check_numbers(e);
        if (std::string(e.Name()) == "joint") check_type(e);
        if (std::string(e.Name()) == "composite") count_parts(e);
        for_each_child(e, [&](const XMLElement& child) { check(child); });
    }

private:
    template <class... Parts>
    void error(const XMLElement& e, const Parts&... parts) {
        report(findings_, Severity::kError, document_.origin(e), label(e), parts...);
    }

    template <class... Parts>
    void note(const XMLElement& e, const Parts&... parts) {
        summary_.add(Severity::kNote, document_.origin(e), label(e), parts...);
    }

    void check_numbers(const XMLElement& e) {
        // How many numbers an attribute has; 0 where that depends on the element.
        static const std::map<std::string, std::size_t> kNumeric{
            {"pos", 3},          {"quat", 4},      {"axisangle", 4},    {"xyaxes", 6},
            {"zaxis", 3},        {"euler", 3},     {"axis", 3},         {"range", 2},
            {"ref", 1},          {"armature", 1},  {"damping", 1},      {"stiffness", 1},
            {"frictionloss", 1}, {"springref", 1}, {"mass", 1},         {"diaginertia", 3},
            {"fullinertia", 6},  {"size", 0},      {"fromto", 6},       {"density", 1},
            {"gravity", 3},      {"polycoef", 0},  {"scale", 0},        {"refpos", 3},
            {"refquat", 4},      {"boundmass", 1}, {"boundinertia", 1}, {"settotalmass", 1},
            {"fitscale", 1},     {"spacing", 1},   {"count", 0},        {"offset", 3},
            {"viscosity", 1},    {"anchor", 3},    {"relpose", 7},      {"friction", 0}};
        static const std::set<std::string> kNotNegative{"mass", "density", "diaginertia"};
        if (std::string(e.Name()) == "flag") return;  // its attributes are words
        for (const auto* a = e.FirstAttribute(); a != nullptr; a = a->Next()) {
            const auto found = kNumeric.find(a->Name());
            if (found == kNumeric.end()) continue;
            const std::string name = a->Name();
            const auto values = numbers_of(e, name, a->Value(), found->second);
            if (!values) continue;
            if (name == "quat" || name == "refquat") check_quaternion(e, name, *values);
            if (name == "axis") check_axis(e, *values);
            const double least = *std::min_element(values->begin(), values->end());
            if (kNotNegative.contains(name) && least < 0)
                error(e, name, " is ", least, "; it must not be negative");
        }
    }

    // Nothing, with an error, if the text is not that many numbers.
    std::optional<std::vector<double>> numbers_of(const XMLElement& e, const std::string& name,
                                                  const std::string& text, std::size_t count) {
        std::istringstream words(text);
        std::vector<double> out;
        std::string why;
        for (std::string word; words >> word;) {
            const auto value = parse_numbers(word, 1, why);
            // An unlimited side of a range may be written as infinite.
            if (!value && name == "range" && (word == "inf" || word == "-inf")) {
                out.push_back(
                    std::copysign(std::numeric_limits<double>::infinity(), word == "inf" ? 1 : -1));
            } else if (!value) {
                error(e, "<", e.Name(), " ", name, "=…> ", why);
                return std::nullopt;
            } else {
                out.push_back(value->front());
            }
        }
        if (!out.empty() && (count == 0 || out.size() == count)) return out;
        error(e, "<", e.Name(), " ", name, "=…> has ", out.size(),
              out.size() == 1 ? " number" : " numbers", ", needs ",
              count == 0 ? std::string("at least 1") : std::to_string(count));
        return std::nullopt;
    }

    void check_quaternion(const XMLElement& e, const std::string& name,
                          const std::vector<double>& q) {
        const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!(length > 1e-6 && length < 1e12)) {
            error(e, "<", e.Name(), " ", name, "=…> has length ", length, "; it must be 1");
        } else if (std::abs(length - 1) > 1e-3) {
            note(e, "<", e.Name(), " ", name, "=…> has length ", length, "; it is normalised");
        }
    }

    // That of a joint without an axis may be anything; MuJoCo knows which joint that is.
    void check_axis(const XMLElement& e, const std::vector<double>& axis) {
        const double length = std::hypot(axis[0], axis[1], axis[2]);
        if (length > 1e-6 && std::abs(length - 1) > 1e-3)
            note(e, "its axis has length ", length, "; it is normalised");
    }

    void check_type(const XMLElement& e) {
        static const std::vector<std::string> kTypes{"hinge", "slide", "ball", "free"};
        const std::string type = attribute(e, "type");
        if (type.empty() || std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end()) return;
        error(e, unknown_name("joint type", type, kTypes).what());
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
    MjcfSummary& summary_;
    double parts_ = 0;  // of all composites so far
};

}  // namespace

void check_mjcf(const TracedXml& document, Findings& findings) {
    MjcfSummary summary;
    MjcfChecker(document, findings, summary).check(document.root());
    summary.report_to(findings);
}

}  // namespace plucker::io
