# Headers of libraries that most files include, parsed once for all of them. Only such: one of our own
# would make everything be compiled again whenever it changes; and none whose objects every file that
# includes it has to construct. Every file includes what it uses nevertheless: builds for development,
# sanitizers and fuzzing do without.
#
# GCC instantiates what a precompiled header's inline functions call at the end of each file that uses
# it: with <filesystem> and <fmt/format.h> an empty file takes 0.18 s, with neither or <fmt/core.h>,
# which has fmt::format, 0.08 s.
#
#   raddle_headers        standard library and fmt: libraries
#   raddle_api_headers    the same: libraries with exported classes
#   raddle_test_headers   with GoogleTest and its matchers: tests
set(standard_headers <fmt/core.h> <algorithm> <array> <bit> <cstdint> <cstring> <deque>
  <functional> <map> <memory> <optional> <span> <sstream> <string> <string_view>
  <unordered_map> <utility> <vector>)
find_package(GTest REQUIRED)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON)
endif()
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/precompiled/library.cpp" CONTENT "")
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/precompiled/executable.cpp" CONTENT "int main() {}\n")

add_library(raddle_headers OBJECT EXCLUDE_FROM_ALL "${CMAKE_BINARY_DIR}/precompiled/library.cpp")
add_library(raddle_api_headers OBJECT EXCLUDE_FROM_ALL "${CMAKE_BINARY_DIR}/precompiled/library.cpp")
set_target_properties(raddle_api_headers PROPERTIES
  CXX_VISIBILITY_PRESET default VISIBILITY_INLINES_HIDDEN OFF)
# Code for executables is compiled in another way (-fPIE).
add_executable(raddle_test_headers EXCLUDE_FROM_ALL "${CMAKE_BINARY_DIR}/precompiled/executable.cpp")
set_target_properties(raddle_test_headers PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/precompiled")
foreach(target raddle_headers raddle_api_headers raddle_test_headers)
  target_link_libraries(${target} PRIVATE raddle_compile fmt::fmt)
  target_precompile_headers(${target} PRIVATE ${standard_headers})
endforeach()
target_link_libraries(raddle_test_headers PRIVATE raddle_runs_least GTest::gtest_main)
target_precompile_headers(raddle_test_headers PRIVATE <gtest/gtest.h> <gmock/gmock-matchers.h> <gmock/gmock-more-matchers.h>)
