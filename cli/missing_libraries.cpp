#include "missing_libraries.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string_view>

#include "base/child_process.h"
#include "base/temporary_file.h"
#include "paths.h"

namespace raddle::cli {
namespace {

/// The loader's own list of the objects that it would load.
std::string loaded_objects(const std::string& program) {
  const TemporaryFile listing;
  const int output = open(listing.path().c_str(), O_WRONLY);
  const int nothing = open("/dev/null", O_RDWR);
  ChildStart how;
  how.input = how.error = nothing;
  how.output = output;
  wait_for_child(start_child(
      {"env", "LD_TRACE_LOADED_OBJECTS=1", "LD_LIBRARY_PATH=" + library_path(), program}, how));
  close(output);
  close(nothing);
  return listing.content();
}

bool is_of_nvidia(std::string_view file) {
  static constexpr std::string_view kNames[] = {"libcu", "libnpp", "libnv", "libnccl"};
  return std::any_of(std::begin(kNames), std::end(kNames),
                     [&](std::string_view name) { return file.starts_with(name); });
}

}  // namespace

std::string library_path() {
  std::string libraries = (build() / "lib").string();
  if (const char* before = std::getenv("LD_LIBRARY_PATH")) libraries += std::string(":") + before;
  return libraries;
}

std::string about_missing_libraries(const std::string& program) {
  std::string text;
  std::istringstream lines(loaded_objects(program));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(" \t");
    const std::size_t end = line.find(" => not found");
    if (end == std::string::npos || begin >= end) continue;
    const std::string library = line.substr(begin, end - begin);
    if (!is_of_nvidia(library)) continue;
    text += fmt::format(
        "raddle: {} needs {}, which raddle has nothing in place of: build it without that library, "
        "or with a library of that name that does not call CUDA (docs/limits.md)\n",
        program, library);
  }
  return text;
}

}  // namespace raddle::cli
