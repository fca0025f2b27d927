#include "cc_toolchain.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "base/child_process.h"
#include "base/error.h"
#include "base/temporary_file.h"
#include "cc_scratch.h"
#include "paths.h"

namespace raddle::cc {
namespace {
namespace fs = std::filesystem;

constexpr const char* kBitcode = "/usr/lib/clc/nvptx64--nvidiacl.bc";

std::optional<fs::path> in_path(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return access(name.c_str(), X_OK) == 0 ? std::optional<fs::path>(name) : std::nullopt;
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder) / name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return std::nullopt;
}

fs::path find_clang() {
  if (const char* named = std::getenv("RADDLE_CLANG")) {
    if (auto found = in_path(named)) return *found;
    fail("RADDLE_CLANG names '{}', which is not a program", named);
  }
  for (const char* name : {"clang++-19", "clang++-18", "clang++-17", "clang++-16", "clang++-15",
                           "clang++-14", "clang++"}) {
    if (auto found = in_path(name)) return *found;
  }
  fail("raddle cc needs clang: apt-get install clang-19 libclc-19");
}

/// Waits for the command and returns its exit code; ends the command when this process is asked to
/// end.
int wait_for(pid_t child, const std::string& name) {
  int status = 0;
  bool told = false;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    if (asked_to_end() == 0 || told) continue;
    kill(child, SIGTERM);
    told = true;
  }
  if (asked_to_end() != 0) fail("{} was interrupted", name);
  return exit_code_of(status);
}

}  // namespace

int run_tool(const std::vector<std::string>& command) {
  if (asked_to_end() != 0) fail("{} was interrupted", command[0]);
  // SIGTERM, so that compilers remove their own temporary files.
  return wait_for(start_child(command, {.death_signal = SIGTERM}), command[0]);
}

std::string output_of(const std::vector<std::string>& command) {
  const TemporaryFile output;
  const pid_t child =
      start_child(command, {.death_signal = SIGTERM, .output = output.descriptor()});
  if (const int code = wait_for(child, command[0]); code != 0) {
    fail("{} failed with {}", command[0], code);
  }
  return output.content();
}

int run_tool(const std::vector<std::string>& command, std::string& said) {
  if (asked_to_end() != 0) fail("{} was interrupted", command[0]);
  const TemporaryFile errors;
  const int code = wait_for(
      start_child(command, {.death_signal = SIGTERM, .error = errors.descriptor()}), command[0]);
  said = errors.content();
  return code;
}

Toolchain find_toolchain() {
  Toolchain tools;
  tools.clang = find_clang();
  const std::string clang = tools.clang.string();
  tools.clang_major = std::atoi(output_of({clang, "-dumpversion"}).c_str());
  if (tools.clang_major < 14) {
    fail("{} is older than clang 14, the oldest supported version", clang);
  }
  std::string resources = output_of({clang, "-print-resource-dir"});
  while (!resources.empty() && resources.back() == '\n') resources.pop_back();
  tools.wrappers = fs::path(resources) / "include" / "cuda_wrappers";

  tools.libclc = kBitcode;
  if (!fs::exists(tools.libclc)) {
    fail("raddle cc needs {}: apt-get install libclc-{}", kBitcode, tools.clang_major);
  }
  tools.cuda_headers = cli::root() / "cuda";
  tools.headers = cli::root() / "include";
  tools.libraries = cli::build() / "lib";
  return tools;
}

}  // namespace raddle::cc
