# How everything is compiled.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

set(RADDLE_ARCH "native" CACHE STRING "-march of the simulator itself; it is built where it runs")
set(RADDLE_SANITIZE "" CACHE STRING "sanitizers, comma separated")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_FLAGS_RELEASE "-O3")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g -DRADDLE_CHECK_INVARIANTS")

add_library(raddle_compile INTERFACE)
# Contraction and traps off: simulated floating point is exactly what the semantics spell out.
target_compile_options(raddle_compile INTERFACE
  -Wall -Wextra -Werror -Wno-psabi -march=${RADDLE_ARCH}
  -ffp-contract=off -fno-math-errno -fno-trapping-math
  # The compiler collects its garbage seldom: a twentieth of its time, for some memory.
  "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=524288>")
target_include_directories(raddle_compile INTERFACE "${CMAKE_SOURCE_DIR}/src")
if(RADDLE_SANITIZE)
  # What undefined behaviour is found ends the program: a line among others would not be noticed.
  target_compile_options(raddle_compile INTERFACE
    -fsanitize=${RADDLE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(raddle_compile INTERFACE -fsanitize=${RADDLE_SANITIZE})
endif()

# For what runs little and includes much: it compiles in half the time. GCC clears the upper halves of
# vector registers before a return only with its expensive optimizations; without that, a program's
# own code would be slow after a call.
add_library(raddle_runs_little INTERFACE)
target_compile_options(raddle_runs_little INTERFACE
  "$<$<CONFIG:Release>:SHELL:-O1 -fexpensive-optimizations>")

# For tests and the command line, whose time is that of what they call: a third less to compile.
add_library(raddle_runs_least INTERFACE)
target_compile_options(raddle_runs_least INTERFACE "$<$<CONFIG:Release>:-O0>")

find_program(CCACHE ccache)
if(CCACHE)
  # With precompiled headers it wants to be told that nothing here asks for the time of compilation.
  set(CMAKE_CXX_COMPILER_LAUNCHER env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE}")
endif()

# raddle_together(TARGET N [APART files...]): the release build compiles N files of the target at a
# time, which parses what they include once; for what includes much and is seldom changed. Names in
# anonymous namespaces must differ. Other builds compile files one by one, so that they notice a
# missing #include; files in APART always are.
function(raddle_together target count)
  cmake_parse_arguments(arg "" "" "APART" ${ARGN})
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${count})
  set_source_files_properties(${arg_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# raddle_library(NAME sources... [DEPENDS targets...] [HEADERS target]). HEADERS: which precompiled
# ones (cmake/Precompiled.cmake), if not raddle_headers.
function(raddle_library name)
  cmake_parse_arguments(arg "" "HEADERS" "DEPENDS" ${ARGN})
  if(NOT arg_HEADERS)
    set(arg_HEADERS raddle_headers)
  endif()
  add_library(${name} STATIC ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC raddle_compile ${arg_DEPENDS})
  target_precompile_headers(${name} REUSE_FROM ${arg_HEADERS})
endfunction()

# raddle_test(NAME sources... [DEPENDS targets...] [APART files...]): a GoogleTest executable known to
# CTest. The release build compiles its files together, but for those APART.
function(raddle_test name)
  cmake_parse_arguments(arg "" "" "DEPENDS;APART" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS} ${arg_APART})
  target_link_libraries(${name} PRIVATE raddle_compile raddle_runs_least ${arg_DEPENDS}
    fmt::fmt GTest::gtest_main GTest::gmock)
  target_precompile_headers(${name} REUSE_FROM raddle_test_headers)
  raddle_together(${name} 8 APART ${arg_APART})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  include(GoogleTest)
  # Asked for its tests when they are wanted, not whenever it is built.
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 TEST_FILTER "-Files/*" PROPERTIES LABELS unit)
endfunction()
