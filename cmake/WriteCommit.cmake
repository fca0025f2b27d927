# Writes the commit that is built, as a C++ string, to FILE: cmake -DSOURCE=... -DFILE=... -P this.
# The file changes only when what it says does. Without git, or outside a clone, it says nothing.
cmake_minimum_required(VERSION 3.25)
set(commit "")
execute_process(COMMAND git -C "${SOURCE}" rev-parse --show-toplevel HEAD
  OUTPUT_VARIABLE said ERROR_QUIET RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT failed)
  string(REPLACE "\n" ";" said "${said}")
  list(GET said 0 top)
  file(REAL_PATH "${SOURCE}" source)
  if(top STREQUAL source)  # else a folder within somebody else's clone
    list(GET said 1 commit)
    # What the launcher builds again when it changes.
    execute_process(COMMAND git -C "${SOURCE}" status --porcelain -- CMakeLists.txt CMakePresets.json
      cmake src cli cuda include workloads OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      string(APPEND commit "-changed")
    endif()
  endif()
endif()
file(CONFIGURE OUTPUT "${FILE}" CONTENT
  "// Written by cmake/WriteCommit.cmake.\nnamespace raddle::cli {\nextern const char* const kCommit = \"${commit}\";\n}  // namespace raddle::cli\n")
