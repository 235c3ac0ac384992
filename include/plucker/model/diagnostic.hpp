// Findings about a robot's description: what, where, how bad, and what to do.
#pragma once

#include <string>
#include <vector>

namespace plucker {

enum class Severity { kNote, kWarning, kError };

constexpr const char* name_of(Severity severity) {
    switch (severity) {
        case Severity::kNote:
            return "note";
        case Severity::kWarning:
            return "warning";
        case Severity::kError:
            break;
    }
    return "error";
}

// Where in a file something was written; no file for a robot defined in code.
struct SourceLocation {
    std::string file;
    int line = 0;
};

struct Diagnostic {
    Severity severity = Severity::kError;
    SourceLocation at;
    std::string element;  // "joint 'knee'"; empty if it is about the whole
    std::string message;  // what is wrong, and what would be right
};

// As compilers print it, "arm.urdf:12: error: joint 'knee': axis is …"; without a file, from the element on.
std::string to_string(const Diagnostic& diagnostic);

bool has_errors(const std::vector<Diagnostic>& diagnostics);

}  // namespace plucker
