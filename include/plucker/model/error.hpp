// Error messages about unknown names and wrong sizes.
#pragma once

#include <string>
#include <vector>

#include "plucker/error.hpp"

namespace plucker {

// "unknown joint 'kne'; closest: 'knee', …": the message for a name that nothing has.
Error unknown_name(const std::string& kind, const std::string& name,
                   const std::vector<std::string>& known);

// An argument that does not have the size that the model needs.
Error wrong_size(const char* function, const char* argument, long size, long expected,
                 const char* meaning);
Error wrong_shape(const char* function, const char* argument, long rows, long cols,
                  long expected_rows, long expected_cols);
inline void check_size(const char* function, const char* argument, long size, long expected,
                       const char* meaning) {
    if (size != expected) throw wrong_size(function, argument, size, expected, meaning);
}
inline void check_shape(const char* function, const char* argument, long rows, long cols,
                        long expected_rows, long expected_cols) {
    if (rows == expected_rows && cols == expected_cols) return;
    throw wrong_shape(function, argument, rows, cols, expected_rows, expected_cols);
}

}  // namespace plucker
