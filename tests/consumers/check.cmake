# Configures, builds and runs one consumer as its owner would, from nothing. The consumer called
# find_package gets the library that was just built, installed into a prefix of its own.

file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)
set(build ${WORK_DIR}/build)

if(CONSUMER STREQUAL "find_package")
  execute_process(
    COMMAND ${CMAKE_COMMAND} --install ${PLUCKER_BUILD_DIR} --prefix ${prefix}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endif()

execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/${CONSUMER} -B ${build} -G ${GENERATOR}
    -D CMAKE_CXX_COMPILER=${CXX_COMPILER}
    -D CMAKE_PREFIX_PATH=${prefix}
    -D CMAKE_BUILD_TYPE=Debug # it is the build that is tested, not the speed
    -D PLUCKER_ALL_ISAS=OFF
    -D CMAKE_UNITY_BUILD=ON
    -D CMAKE_UNITY_BUILD_BATCH_SIZE=16
    -D PLUCKER_SOURCE_DIR=${PLUCKER_SOURCE_DIR}
    --no-warn-unused-cli
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${build}/consumer COMMAND_ERROR_IS_FATAL ANY)
