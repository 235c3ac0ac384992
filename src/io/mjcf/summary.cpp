#include "mjcf/summary.hpp"

#include <algorithm>

namespace plucker::io {

void MjcfSummary::add_line(Line line) {
    const auto same = std::find_if(lines_.begin(), lines_.end(), [&](const Line& l) {
        return l.severity == line.severity && l.what == line.what;
    });
    if (same == lines_.end()) {
        lines_.push_back(std::move(line));
    } else {
        same->elements.push_back(line.elements.front());
    }
}

void MjcfSummary::report_to(Findings& findings) const {
    constexpr std::size_t kNamed = 3;
    for (const Line& line : lines_) {
        std::vector<std::string> named;
        for (const std::string& element : line.elements) {
            if (named.size() == kNamed) break;
            if (std::find(named.begin(), named.end(), element) == named.end())
                named.push_back(element);
        }
        std::string who;
        for (const std::string& element : named) who += (who.empty() ? "" : ", ") + element;
        if (const std::size_t others = line.elements.size() - named.size(); others > 0)
            who += " and " + std::to_string(others) + " more";
        report(findings, line.severity, line.at, who, line.what);
    }
}

}  // namespace plucker::io
