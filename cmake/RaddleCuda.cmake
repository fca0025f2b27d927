# raddle_add_cuda_program(NAME sources... [INCLUDES folders...] [DEFINES names...])
#
# Compiles CUDA sources with the `raddle cc` that this build makes, and links them to
# ${CMAKE_BINARY_DIR}/programs/NAME. Sources ending in .cu hold device code; .cpp are for the host.
function(raddle_add_cuda_program name)
  cmake_parse_arguments(arg "" "" "INCLUDES;DEFINES" ${ARGN})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS
    "${CMAKE_SOURCE_DIR}/cuda/*.h" "${CMAKE_SOURCE_DIR}/cuda/*.hpp"
    "${CMAKE_SOURCE_DIR}/include/raddle/*" "${CMAKE_CURRENT_SOURCE_DIR}/*.h"
    "${CMAKE_CURRENT_SOURCE_DIR}/*.cuh")
  set(options -std=c++17)
  foreach(folder ${arg_INCLUDES})
    list(APPEND options "-I${folder}")
  endforeach()
  foreach(definition ${arg_DEFINES})
    list(APPEND options "-D${definition}")
  endforeach()

  # One object for each source, so that a change compiles what it touches.
  set(objects)
  foreach(source ${arg_UNPARSED_ARGUMENTS})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    cmake_path(GET source FILENAME file)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.${file}.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND ${CMAKE_COMMAND} -E env "RADDLE_ROOT=${CMAKE_SOURCE_DIR}"
        $<TARGET_FILE:raddle> cc ${options} -c "${source}" -o "${object}"
      DEPENDS "${source}" ${headers} raddle
      COMMENT "raddle cc ${file}" VERBATIM)
    list(APPEND objects "${object}")
  endforeach()

  set(program "${CMAKE_BINARY_DIR}/programs/${name}")
  add_custom_command(OUTPUT "${program}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_BINARY_DIR}/programs"
    COMMAND ${CMAKE_COMMAND} -E env "RADDLE_ROOT=${CMAKE_SOURCE_DIR}"
      $<TARGET_FILE:raddle> cc ${objects} -o "${program}"
    DEPENDS ${objects} cudart12
    COMMENT "raddle cc -o ${name}" VERBATIM)
  add_custom_target(program_${name} ALL DEPENDS "${program}")
endfunction()
