# raddle_add_cuda_program(NAME sources... [INCLUDES folders...] [DEFINES names...]
#                         [OPTIONS words...] [LIBRARIES targets...])
#
# Compiles CUDA sources with the `raddle cc` that this build makes, and links them to
# ${CMAKE_BINARY_DIR}/programs/NAME. Sources ending in .cu hold device code; .cpp are for the host.
# LIBRARIES are static libraries of plain C++ that the program links.
function(raddle_add_cuda_program name)
  cmake_parse_arguments(arg "" "" "INCLUDES;DEFINES;OPTIONS;LIBRARIES" ${ARGN})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS
    "${CMAKE_SOURCE_DIR}/cuda/*.h" "${CMAKE_SOURCE_DIR}/cuda/*.hpp"
    "${CMAKE_SOURCE_DIR}/include/raddle/*" "${CMAKE_SOURCE_DIR}/cli/cc*.cpp"
    "${CMAKE_CURRENT_SOURCE_DIR}/*.h"
    "${CMAKE_CURRENT_SOURCE_DIR}/*.cuh")
  set(options -std=c++17 ${arg_OPTIONS})
  foreach(folder ${arg_INCLUDES})
    list(APPEND options "-I${folder}")
  endforeach()
  foreach(definition ${arg_DEFINES})
    list(APPEND options "-D${definition}")
  endforeach()

  # The headers and the compiler driver's own sources say when to compile again; a tool that changed
  # elsewhere is no reason to. One object for each source, so that a change compiles what it touches.
  set(objects)
  foreach(source ${arg_UNPARSED_ARGUMENTS})
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    cmake_path(GET source FILENAME file)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.${file}.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND ${CMAKE_COMMAND} -E env "RADDLE_ROOT=${CMAKE_SOURCE_DIR}"
        $<TARGET_FILE:raddle> cc ${options} -c "${source}" -o "${object}"
      DEPENDS "${source}" ${headers}
      COMMENT "raddle cc ${file}" VERBATIM)
    list(APPEND objects "${object}")
  endforeach()

  set(libraries)
  foreach(library ${arg_LIBRARIES})
    list(APPEND libraries "$<TARGET_FILE:${library}>")
  endforeach()
  set(program "${CMAKE_BINARY_DIR}/programs/${name}")
  add_custom_command(OUTPUT "${program}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_BINARY_DIR}/programs"
    COMMAND ${CMAKE_COMMAND} -E env "RADDLE_ROOT=${CMAKE_SOURCE_DIR}"
      $<TARGET_FILE:raddle> cc ${objects} ${libraries} -o "${program}"
    DEPENDS ${objects} ${arg_LIBRARIES}
    COMMENT "raddle cc -o ${name}" VERBATIM)
  add_custom_target(program_${name} ALL DEPENDS "${program}")
  add_dependencies(program_${name} raddle cudart12)
endfunction()
