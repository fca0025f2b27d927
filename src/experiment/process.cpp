#include "experiment/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "base/child_process.h"

namespace raddle::experiment {
Process::Process(const std::vector<std::string>& command)
    : start_(std::chrono::steady_clock::now()) {
  const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  // A group of its own: a terminal's interrupt reaches only this process, and killing the group
  // ends its children too.
  pid_ = start_child(command, {.own_group = true,
                               .input = nothing,
                               .output = output_.descriptor(),
                               .error = output_.descriptor()});
  close(nothing);
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
    exit_code_ = exit_code_of(status);
  }
  return exit_code_;
}

void Process::kill() { ::kill(-pid_, SIGKILL); }

double Process::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::string Process::output_end(std::size_t bytes) const { return output_.end(bytes); }

}  // namespace raddle::experiment
