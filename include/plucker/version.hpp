// The version of the library. While the first number is 0, programs must be compiled anew when the second one changes.
#pragma once

namespace plucker {

inline constexpr int kVersionMajor = 0;
inline constexpr int kVersionMinor = 1;
inline constexpr int kVersionPatch = 0;
inline constexpr const char* kVersion = "0.1.0";  // CMakeLists.txt reads it here

}  // namespace plucker
