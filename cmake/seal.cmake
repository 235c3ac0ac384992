# Sealed objects keep their own copies of inline functions and templates.
#
# Otherwise the linker merges them with those of the same name in the consumer's code. Compiled with other flags, such
# as -march=native, Eigen aligns and frees memory in another way: what one copy allocates the other frees wrongly.

if(CMAKE_SCRIPT_MODE_FILE)
  # cmake -D LINKER=… -D NM=… -D OBJCOPY=… -D OBJECTS=… -D OUTPUT=… -P seal.cmake
  list(FILTER OBJECTS EXCLUDE REGEX "[.]gch$")  # CMake counts the precompiled header among the objects
  execute_process(COMMAND ${LINKER} -r --force-group-allocation ${OBJECTS} -o ${OUTPUT} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${NM} --defined-only ${OUTPUT} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  # Of the lines "address type name" those that may be merged: weak functions and data become local; unique data, which
  # objcopy cannot make local, gets names of its own.
  string(REGEX MATCHALL " [WV] [^\n]+\n" weak "${symbols}")
  list(TRANSFORM weak REPLACE "^ . " "")
  list(JOIN weak "" weak)
  file(WRITE ${OUTPUT}.weak "${weak}")
  string(REGEX MATCHALL " u [^\n]+\n" unique "${symbols}")
  get_filename_component(name ${OUTPUT} NAME_WE)
  list(TRANSFORM unique REPLACE "^ . ([^\n]+)" "\\1 ${name}.\\1")
  list(JOIN unique "" unique)
  file(WRITE ${OUTPUT}.unique "${unique}")
  execute_process(
    COMMAND ${OBJCOPY} --localize-symbols=${OUTPUT}.weak --redefine-syms=${OUTPUT}.unique ${OUTPUT}
    COMMAND_ERROR_IS_FATAL ANY)
  return()
endif()

# The compiler knows the tools of its target. Of the linkers GNU's alone can dissolve the groups that are merged as a
# whole; sanitizers and link-time optimisation have their own ideas of an object file.
foreach(tool ld.bfd nm objcopy)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-prog-name=${tool}
    OUTPUT_VARIABLE plucker_${tool} OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endforeach()
set(plucker_can_seal OFF)
if(NOT sanitize_flags AND NOT CMAKE_INTERPROCEDURAL_OPTIMIZATION AND NOT CMAKE_CXX_FLAGS MATCHES "-flto")
  execute_process(COMMAND ${plucker_ld.bfd} --force-group-allocation --version RESULT_VARIABLE failed
    OUTPUT_QUIET ERROR_QUIET)
  if(NOT failed)
    set(plucker_can_seal ON)
  endif()
endif()

# plucker_add_sealed(LIBRARY OBJECTS): the objects become a part of the library.
function(plucker_add_sealed library objects)
  if(NOT plucker_can_seal)
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:${objects}>)
    return()
  endif()
  set(sealed ${CMAKE_CURRENT_BINARY_DIR}/${objects}.o)
  add_custom_command(OUTPUT ${sealed}
    COMMAND ${CMAKE_COMMAND} -D LINKER=${plucker_ld.bfd} -D NM=${plucker_nm} -D OBJCOPY=${plucker_objcopy}
      "-DOBJECTS=$<TARGET_OBJECTS:${objects}>" -D OUTPUT=${sealed} -P ${PROJECT_SOURCE_DIR}/cmake/seal.cmake
    DEPENDS $<TARGET_OBJECTS:${objects}> ${PROJECT_SOURCE_DIR}/cmake/seal.cmake
    COMMENT "Sealing ${objects}"
    VERBATIM)
  target_sources(${library} PRIVATE ${sealed})
  add_dependencies(${library} ${objects})  # make knows the rules of one target at a time
endfunction()
