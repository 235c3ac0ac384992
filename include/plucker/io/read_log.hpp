// Logs of motions in CSV: one row per sample, below a row that names the columns: time, q.NAME, v.NAME, a.NAME, tau.NAME
// (docs/files.md).
#pragma once

#include <string>

#include "plucker/identify/motion_log.hpp"
#include "plucker/model/conventions.hpp"

namespace plucker {

// Needs time, q and tau of every joint; v and a may be left out, both or a alone. `source` names the text in messages. Throws
// Error with the line, or with the columns that are missing.
MotionLog read_log(const Model& model, const std::string& csv, const std::string& source,
                   Convention order = Convention::kFile, bool ignore_other_columns = false);

// The same back, with every digit.
std::string write_log(const Model& model, const MotionLog& log);

}  // namespace plucker
