# What is installed, and how others find it: by CMake, by pkg-config, or from Debian packages.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/plucker)

# Three parts: what programs need to run, what they need to be built, and the tool.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME development)

function(install_library target export)
  install(TARGETS ${target} EXPORT ${export}
    ARCHIVE COMPONENT development
    LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
    RUNTIME COMPONENT runtime
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT ${export} NAMESPACE plucker:: DESTINATION ${package_dir})
endfunction()

install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install_library(plucker pluckerTargets)

if(PLUCKER_BUILD_IO)
  install_library(plucker_io pluckerIoTargets)
  # For a build that has no viewer of its own.
  install(FILES ${viewer_page} DESTINATION ${CMAKE_INSTALL_DATADIR}/plucker COMPONENT tool OPTIONAL)
  # plucker::io lies beside plucker::plucker.
  set_target_properties(plucker_io PROPERTIES INSTALL_RPATH $ORIGIN INSTALL_RPATH_USE_LINK_PATH ON)
endif()

if(PLUCKER_BUILD_CLI)
  install(TARGETS plucker_cli COMPONENT tool)
  file(RELATIVE_PATH from_bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(plucker_cli PROPERTIES
    INSTALL_RPATH $<$<BOOL:${BUILD_SHARED_LIBS}>:$ORIGIN/${from_bin_to_lib}>
    INSTALL_RPATH_USE_LINK_PATH ON)
endif()

# --- find_package(plucker) ---------------------------------------------------------------------

# While the first number is 0, the second one tells apart what does not fit together.
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
  set(compatibility SameMinorVersion)
endif()
configure_package_config_file(cmake/pluckerConfig.cmake.in pluckerConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(pluckerConfigVersion.cmake COMPATIBILITY ${compatibility})
install(FILES
  ${PROJECT_BINARY_DIR}/pluckerConfig.cmake
  ${PROJECT_BINARY_DIR}/pluckerConfigVersion.cmake
  DESTINATION ${package_dir})

# What plucker::io goes through.
set(io_needs tinyxml2)
if(sdformat12_FOUND)
  list(APPEND io_needs sdformat12)
endif()
if(assimp_FOUND)
  list(APPEND io_needs assimp)
endif()
if(MuJoCo_FOUND)
  list(APPEND io_needs MuJoCo)
endif()

if(PLUCKER_BUILD_IO)
  configure_file(cmake/pluckerIo.cmake.in pluckerIo.cmake @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pluckerIo.cmake cmake/FindMuJoCo.cmake DESTINATION ${package_dir})
endif()

# --- pkg-config --------------------------------------------------------------------------------

# Paths are told from where the file lies, so that the folder can be moved.
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH from_pkgconfig_to_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})

# By their libraries alone, and not as "Requires": the .pc file of sdformat asks for -std=c++17. Poses and colours of
# sdformat 12 are those of ignition-math 6.
list(TRANSFORM io_needs PREPEND -l OUTPUT_VARIABLE pc_io_libs)
list(JOIN pc_io_libs " " pc_io_libs)
string(TOLOWER "${pc_io_libs}" pc_io_libs)
string(REPLACE "-lsdformat12" "-lsdformat12 -lignition-math6" pc_io_libs "${pc_io_libs}")
# A static library must be linked with its libraries in any case, a shared one only where --static is asked for.
set(pc_with " ")
if(BUILD_SHARED_LIBS)
  set(pc_with "\nLibs.private: ")
endif()

foreach(name plucker plucker-io)
  if(name STREQUAL "plucker" OR PLUCKER_BUILD_IO)
    configure_file(cmake/${name}.pc.in ${name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_dir})
  endif()
endforeach()

if(PROJECT_IS_TOP_LEVEL)
  include(cmake/debian.cmake)
endif()
