# The page that shows robots: TypeScript, bundled by esbuild into one HTML file, which becomes a part of plucker::io.
#
# node and npm are needed for this alone. Without them, or without a way to their packages, everything else is built, and
# `plucker view` says what is missing.

file(GLOB viewer_sources CONFIGURE_DEPENDS
  viewer/src/*.ts viewer/src/*.css viewer/src/*.html viewer/package.json viewer/package-lock.json viewer/tsconfig.json)
set(viewer_dir ${PROJECT_BINARY_DIR}/viewer)
set(viewer_page ${viewer_dir}/viewer.html)
set(viewer_source ${viewer_dir}/built_page.cpp)

# The library for browsers takes a minute to compile, and emscripten: scripts/wasm does it, and what lies there is taken. Each
# build looks there anew.
set(PLUCKER_WASM_DIR ${PROJECT_SOURCE_DIR}/build/wasm CACHE PATH "Where scripts/wasm has put the library for browsers")
file(GLOB viewer_library CONFIGURE_DEPENDS ${PLUCKER_WASM_DIR}/plucker.mjs ${PLUCKER_WASM_DIR}/plucker.wasm)
set(viewer_wasm "")
list(LENGTH viewer_library viewer_library_files)
if(viewer_library_files EQUAL 2)
  set(viewer_wasm ${PLUCKER_WASM_DIR})
  list(APPEND viewer_sources ${viewer_library})
endif()

find_program(PLUCKER_NODE node DOC "Builds the viewer")
find_program(PLUCKER_NPM npm DOC "Fetches the packages that the viewer is built from")
if(PLUCKER_NODE AND PLUCKER_NPM)
  add_custom_command(OUTPUT ${viewer_source} BYPRODUCTS ${viewer_page}
    COMMAND ${CMAKE_COMMAND} -E env NPM=${PLUCKER_NPM}
      ${PLUCKER_NODE} ${PROJECT_SOURCE_DIR}/viewer/build.mjs ${viewer_dir} ${viewer_wasm}
    DEPENDS ${viewer_sources} viewer/build.mjs
    COMMENT "Building the viewer"
    VERBATIM)
else()
  message(STATUS "Viewer: not built, node or npm is missing; plucker view will say so")
  file(CONFIGURE OUTPUT ${viewer_source} @ONLY CONTENT
"#include \"built_page.hpp\"

namespace plucker::view {

std::string_view built_page() { return {}; }
std::string_view built_play_page() { return {}; }
std::string_view why_no_page() { return \"there was no node or no npm when it was built\"; }

}  // namespace plucker::view
")
endif()
# The page is one text, longer than what clang takes to be portable.
if(NOT MSVC)
  set_source_files_properties(${viewer_source} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
endif()
