// What a reader makes of a text and says about it, as the tests need it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plucker/io/load.hpp"

namespace plucker::test {

inline std::string messages(const ReadResult& result) {
    std::string all;
    for (const Diagnostic& d : result.diagnostics) all += to_string(d) + "\n";
    return all;
}

inline const JointDescription& joint(const Description& d, const std::string& name) {
    for (const JointDescription& j : d.joints) {
        if (j.name == name) return j;
    }
    throw Error("no joint " + name);
}
inline const LinkDescription& link(const Description& d, const std::string& name) {
    for (const LinkDescription& l : d.links) {
        if (l.name == name) return l;
    }
    throw Error("no link " + name);
}

// An error in that line that contains those words.
inline void expect_error_in(const ReadResult& result, int line, const std::string& words) {
    bool found = false;
    for (const Diagnostic& d : result.diagnostics) {
        found = found || (d.severity == Severity::kError && d.at.line == line &&
                          to_string(d).find(words) != std::string::npos);
    }
    EXPECT_TRUE(found) << "expected line " << line << ", '" << words << "' in\n"
                       << messages(result);
}

// A text and what must be said about it: in that line, one message with all of these words. They name the
// element, what is wrong with it, and what would be right.
struct TextCase {
    std::string name;
    std::string text;
    int line;
    std::vector<std::string> words;
};
inline void PrintTo(const TextCase& c, std::ostream* out) { *out << c.name; }

inline std::string name_of_case(const testing::TestParamInfo<TextCase>& info) {
    return info.param.name;
}

inline bool has_all(const std::string& text, const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        if (text.find(word) == std::string::npos) return false;
    }
    return true;
}

inline void expect_finding(const ReadResult& result, Severity severity, const std::string& file,
                           int line, const std::vector<std::string>& words) {
    const std::string start = file + ":" + (line > 0 ? std::to_string(line) + ":" : "");
    for (const Diagnostic& d : result.diagnostics) {
        const std::string text = to_string(d);
        if (d.severity == severity && text.starts_with(start) && has_all(text, words)) return;
    }
    std::string wanted;
    for (const std::string& word : words) wanted += " '" + word + "'";
    ADD_FAILURE() << "expected " << start << wanted << " among\n"
                  << messages(result).substr(0, 3000);
}

// Refused, and by nothing that sounds like an accident.
inline void expect_refusal(const TextCase& c, const std::string& file) {
    expect_finding(read_robot_text(c.text, file), Severity::kError, file, c.line, c.words);
}

// Accepted, with a warning or a note where there are words.
inline ReadResult expect_loads(const TextCase& c, const std::string& file) {
    ReadResult result = read_robot_text(c.text, file);
    EXPECT_FALSE(has_errors(result.diagnostics)) << messages(result);
    if (!c.words.empty()) {
        bool found = false;
        for (const Diagnostic& d : result.diagnostics)
            found = found || (d.at.line == c.line && has_all(to_string(d), c.words));
        EXPECT_TRUE(found) << messages(result);
    }
    return result;
}

}  // namespace plucker::test
