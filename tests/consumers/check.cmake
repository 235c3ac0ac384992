# Configures, builds and runs one consumer as its owner would, from nothing.
# usage: cmake -D NAME=VALUE... -P check.cmake
#   CONSUMER            find_package, pkg_config or add_subdirectory
#   PLUCKER_BUILD_DIR   the built library; it is installed, and the folder is moved before it is used
#   PREFIX              instead, a folder in which it is installed already
#   PLUCKER_SOURCE_DIR  the library's sources
#   WORK_DIR, GENERATOR, CXX_COMPILER
#   FLAGS               flags of the consumer's compiler
#   OPTIONS             further options of its CMake; COMPONENTS=io asks for that component in any way
#   REFUSED             what must be said, where the library must not be found
#   CONFIGURE_ONLY      whether it is not built; with make, all but the compiling is done
cmake_minimum_required(VERSION 3.21)

file(REMOVE_RECURSE ${WORK_DIR})
set(build ${WORK_DIR}/build)
file(MAKE_DIRECTORY ${build})

if(PREFIX)
  set(prefix ${PREFIX})
elseif(NOT CONSUMER STREQUAL "add_subdirectory")
  set(prefix ${WORK_DIR}/prefix)
  execute_process(
    COMMAND ${CMAKE_COMMAND} --install ${PLUCKER_BUILD_DIR} --prefix ${prefix}.before
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(RENAME ${prefix}.before ${prefix})
  # A moved folder works by chance as long as the build is still there: no file may name a place.
  file(GLOB_RECURSE how_to_find ${prefix}/*.cmake ${prefix}/*.pc)
  if(NOT how_to_find)
    message(FATAL_ERROR "nothing installed in ${prefix} tells how the library is found")
  endif()
  foreach(file IN LISTS how_to_find)
    file(STRINGS ${file} places REGEX "(^|[\"; =:ILl])/[a-zA-Z0-9_]")
    if(places)
      message(FATAL_ERROR "${file} names a place of this machine:\n${places}")
    endif()
  endforeach()
endif()
set(data ${PLUCKER_SOURCE_DIR}/tests/data)
if(CONSUMER STREQUAL "pkg_config")
  file(GLOB_RECURSE pc_file ${prefix}/plucker.pc)
  get_filename_component(pc_dir ${pc_file} DIRECTORY)
  get_filename_component(lib_dir ${pc_dir} DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${pc_dir})
  set(ENV{LD_LIBRARY_PATH} ${lib_dir})
  set(package plucker)
  if("COMPONENTS=io" IN_LIST OPTIONS)
    set(package plucker-io)
    list(APPEND FLAGS -DCONSUMER_USES_IO -DCONSUMER_DATA="${data}")
  endif()
  execute_process(COMMAND pkg-config --cflags --libs ${package}
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(found)
  execute_process(
    COMMAND ${CXX_COMPILER} -std=c++20 ${FLAGS} main.cpp control.cpp ${found} -o ${build}/consumer
    WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR} COMMAND_ERROR_IS_FATAL ANY)
else()
  list(TRANSFORM OPTIONS PREPEND -D)
  list(JOIN FLAGS " " FLAGS)
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${CONSUMER} -B ${build} -G ${GENERATOR}
      -D CMAKE_CXX_COMPILER=${CXX_COMPILER}
      -D CMAKE_PREFIX_PATH=${prefix}
      -D CMAKE_BUILD_TYPE=Debug # it is the build that is tested, not the speed
      -D CMAKE_CXX_FLAGS_DEBUG=${FLAGS}
      -D PLUCKER_ISAS=generic
      -D CMAKE_UNITY_BUILD=ON
      -D CMAKE_UNITY_BUILD_BATCH_SIZE=16
      -D PLUCKER_SOURCE_DIR=${PLUCKER_SOURCE_DIR}
      -D DATA=${data}
      ${OPTIONS}
      --no-warn-unused-cli
    RESULT_VARIABLE failed ERROR_VARIABLE errors)
  string(REGEX REPLACE "[ \n]+" " " errors "${errors}") # CMake breaks its lines anywhere
  if(REFUSED)
    string(FIND "${errors}" "${REFUSED}" at)
    if(NOT failed OR at EQUAL -1)
      message(FATAL_ERROR "find_package should have said '${REFUSED}'; it said '${errors}'")
    endif()
    return()
  elseif(failed)
    message(FATAL_ERROR "${errors}")
  endif()
  if(CONFIGURE_ONLY)
    if(GENERATOR STREQUAL "Unix Makefiles")
      # make goes through all that it would build, and only touches it: nothing may be needed that nothing makes.
      execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} -- --touch
        OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
    endif()
    return()
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND ${build}/consumer COMMAND_ERROR_IS_FATAL ANY)
