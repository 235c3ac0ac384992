# The Python package: plucker/ with the extension _plucker, ready to be imported from ${build}/python.

if(NOT PLUCKER_BUILD_IO)
  message(FATAL_ERROR "The Python module needs the readers: PLUCKER_BUILD_IO must be ON with PLUCKER_BUILD_PYTHON")
endif()
if(PLUCKER_PYTHON)
  set(Python_EXECUTABLE ${PLUCKER_PYTHON})
endif()
set(PLUCKER_PYTHON_OUTPUT ${PROJECT_BINARY_DIR}/python/plucker CACHE PATH "Where the extension is put")
find_package(Python 3.9 REQUIRED COMPONENTS Interpreter Development.Module NumPy)
find_package(pybind11 2.10 REQUIRED)

file(GLOB python_sources CONFIGURE_DEPENDS src/python/*.cpp)
# What is called for one state is optimised; the rest is run once.
set(python_calls src/python/call.cpp src/python/call_single.cpp src/python/call_batch.cpp src/python/methods.cpp
  src/python/robot.cpp)
list(TRANSFORM python_calls PREPEND ${PROJECT_SOURCE_DIR}/)
list(REMOVE_ITEM python_sources ${python_calls})
add_library(plucker_python_calls OBJECT ${python_calls})
plucker_target_options(plucker_python_calls)
target_compile_options(plucker_python_calls PRIVATE $<$<CONFIG:Release>:-O2>)
plucker_compile_together(plucker_python_calls calls ${python_calls})
set_target_properties(plucker_python_calls PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden)
target_compile_features(plucker_python_calls PRIVATE cxx_std_20)
target_include_directories(plucker_python_calls PRIVATE include)
target_link_libraries(plucker_python_calls PRIVATE Eigen3::Eigen pybind11::module Python::NumPy)
pybind11_add_module(plucker_python MODULE NO_EXTRAS ${python_sources} $<TARGET_OBJECTS:plucker_python_calls>)
plucker_target_options(plucker_python)
plucker_compile_quickly(plucker_python)
# It alone defines NumPy's interface, which all others share.
set_source_files_properties(src/python/import_numpy.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_link_libraries(plucker_python PRIVATE plucker_io Python::NumPy)
# It shows its beginning and nothing else: other extensions of the process have a C++ library of their own, perhaps another
# version of it, and the linker would mix the two.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(exports ${PROJECT_SOURCE_DIR}/src/python/exports.map)
  target_link_options(plucker_python PRIVATE -Wl,--version-script=${exports})
  set_property(TARGET plucker_python APPEND PROPERTY LINK_DEPENDS ${exports})
endif()
set_target_properties(plucker_python PROPERTIES
  OUTPUT_NAME _plucker
  CXX_VISIBILITY_PRESET hidden
  LIBRARY_OUTPUT_DIRECTORY ${PLUCKER_PYTHON_OUTPUT})

# The package's other files are used where they are.
file(GLOB python_files CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/python/plucker
  python/plucker/*.py python/plucker/*.pyi python/plucker/py.typed)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/python/plucker)
foreach(name IN LISTS python_files)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/python/plucker/${name} ${PROJECT_BINARY_DIR}/python/plucker/${name} SYMBOLIC)
endforeach()

add_subdirectory(${PROJECT_SOURCE_DIR}/bench/python ${PROJECT_BINARY_DIR}/bench/python)
