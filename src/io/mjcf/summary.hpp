// What there is to say about many elements alike is said once: "joint 'a', joint 'b', joint 'c' and 14 more".
#pragma once

#include <string>
#include <vector>

#include "traced_xml.hpp"

namespace plucker::io {

class MjcfSummary {
public:
    template <class... Parts>
    void add(Severity severity, const Origin& at, const std::string& element,
             const Parts&... what) {
        add_line({severity, at, Error::because(what...).what(), {element}});
    }
    // One finding a line, at the first element that it is about.
    void report_to(Findings& findings) const;

private:
    struct Line {
        Severity severity;
        Origin at;
        std::string what;
        std::vector<std::string> elements;
    };
    void add_line(Line line);

    std::vector<Line> lines_;
};

}  // namespace plucker::io
