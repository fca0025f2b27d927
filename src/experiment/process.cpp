#include "experiment/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <utility>

#include "base/error.h"

extern char** environ;

namespace raddle::experiment {
Process::Process(const std::vector<std::string>& command)
    : start_(std::chrono::steady_clock::now()) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output_.path().c_str(),
                                   O_WRONLY | O_APPEND, 0);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // Its own group: a terminal's interrupt reaches us alone, and ending it ends what it started.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int error = posix_spawn(&pid_, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    pid_ = -1;
    fail("cannot start {}: {}", command.front(), std::strerror(error));
  }
}

Process::Process(Process&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      exit_code_(other.exit_code_),
      start_(other.start_),
      output_(std::move(other.output_)) {}

Process::~Process() {
  if (pid_ < 0 || exit_code_) return;
  kill();
  waitpid(pid_, nullptr, 0);
}

std::optional<int> Process::poll() {
  int status = 0;
  if (!exit_code_ && waitpid(pid_, &status, WNOHANG) == pid_) {
    exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  return exit_code_;
}

void Process::kill() { ::kill(-pid_, SIGKILL); }

double Process::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::string Process::output_end(std::size_t bytes) const {
  const std::string all = output_.content();
  return all.size() <= bytes ? all : all.substr(all.size() - bytes);
}

}  // namespace raddle::experiment
