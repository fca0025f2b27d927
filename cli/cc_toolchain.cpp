#include "cc_toolchain.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "paths.h"

extern char** environ;

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

pid_t spawn(const std::vector<std::string>& command, posix_spawn_file_actions_t* actions) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = posix_spawnp(&child, arguments[0], actions, nullptr, arguments.data(), environ);
  if (error != 0) fail("cannot run {}: {}", command[0], std::strerror(error));
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Runs a program and reads what it writes to one of its descriptors; returns its exit code.
int capture(const std::vector<std::string>& command, int descriptor, std::string& text) {
  int ends[2];
  if (pipe(ends) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  const pid_t child = spawn(command, &actions);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<size_t>(count));
  }
  close(ends[0]);
  return wait_for(child);
}

}  // namespace

int run_tool(const std::vector<std::string>& command) { return wait_for(spawn(command, nullptr)); }

std::string output_of(const std::vector<std::string>& command) {
  std::string text;
  if (const int code = capture(command, STDOUT_FILENO, text); code != 0) {
    fail("{} failed with {}", command[0], code);
  }
  return text;
}

std::string errors_of(const std::vector<std::string>& command) {
  std::string text;
  capture(command, STDERR_FILENO, text);
  return text;
}

Toolchain find_toolchain() {
  Toolchain tools;
  tools.clang = find_clang();
  const std::string clang = tools.clang.string();
  tools.clang_major = std::atoi(output_of({clang, "-dumpversion"}).c_str());
  if (tools.clang_major < 14) fail("{} is older than clang 14, the oldest that serves", clang);
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
