# Debian packages: cpack -G DEB, in the build folder. plucker is the tool, libplucker-dev what programs are built with;
# with BUILD_SHARED_LIBS there is also the library that they run with.

set(so_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_COMPONENTS_ALL development)
if(BUILD_SHARED_LIBS)
  list(APPEND CPACK_COMPONENTS_ALL runtime)
endif()
if(PLUCKER_BUILD_CLI)
  list(APPEND CPACK_COMPONENTS_ALL tool)
endif()

set(CPACK_PACKAGE_NAME plucker)
set(CPACK_PACKAGE_VENDOR "the authors of Plucker")
set(CPACK_PACKAGE_CONTACT ${CPACK_PACKAGE_VENDOR})
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}) # where our own shared libraries are
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

set(CPACK_COMPONENT_TOOL_DESCRIPTION "Rigid-body dynamics: the command-line tool")
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME plucker)
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION science)

set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Rigid-body dynamics: headers and libraries")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libplucker-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libeigen3-dev (>= 3.4)")

if(BUILD_SHARED_LIBS)
  set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "Rigid-body dynamics: shared libraries")
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libplucker${so_version})
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS runtime)
  set(CPACK_COMPONENT_TOOL_DEPENDS runtime)
elseif(PLUCKER_BUILD_IO)
  # Only who reads robots from files needs these.
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS libtinyxml2-dev)
  if(sdformat12_FOUND)
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS ", libsdformat-dev")
  endif()
  if(assimp_FOUND)
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS ", libassimp-dev")
  endif()
  if(MuJoCo_FOUND)
    string(APPEND CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS ", libmujoco-dev")
  endif()
endif()

# Debian looks for the licence in a folder of each package's name; development has it from the install rules.
foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME}
    RENAME copyright COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

include(CPack)
