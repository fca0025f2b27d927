#include "paths.h"

#include <algorithm>
#include <cstdlib>

#include "base/error.h"

namespace raddle::cli {
namespace fs = std::filesystem;

namespace {
fs::path executable() { return fs::read_symlink("/proc/self/exe"); }
}  // namespace

fs::path build() { return executable().parent_path().parent_path(); }

fs::path root() {
  if (const char* named = std::getenv("RADDLE_ROOT")) return named;
  for (fs::path at = build(); at.has_relative_path(); at = at.parent_path()) {
    if (fs::exists(at / "gpus") && fs::exists(at / "workloads")) return at;
  }
  fail("cannot find the raddle source tree above {}; set RADDLE_ROOT", build().string());
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const auto& folder : fs::directory_iterator(root() / "workloads")) {
    if (fs::exists(folder.path() / "workload.toml")) names.push_back(folder.path().filename());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<fs::path> workload_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return std::nullopt;
  if (!fs::exists(root() / "workloads" / name / "workload.toml")) return std::nullopt;
  const fs::path program = build() / "programs" / name;
  if (!fs::exists(program)) {
    fail("workload '{}' is not built: {} is missing", name, program.string());
  }
  return program;
}

}  // namespace raddle::cli
