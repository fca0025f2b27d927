#include "base/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace raddle {

pid_t fork_child(int signal) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) fail("cannot start a process: {}", std::strerror(errno));
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, signal);
  // The parent may have ended before it was asked for.
  if (getppid() != parent) _exit(128 + SIGTERM);
  return 0;
}

namespace {

void redirect(int to, int stream) {
  if (to >= 0) dup2(to, stream);
}

/// The child's part, between fork and exec. An error number goes through `tell`, which exec closes.
[[noreturn]] void become(char* const* arguments, const ChildStart& how, int tell) {
  if (how.own_group) setpgid(0, 0);
  redirect(how.input, STDIN_FILENO);
  redirect(how.output, STDOUT_FILENO);
  redirect(how.error, STDERR_FILENO);
  execvp(arguments[0], arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t told = write(tell, &error, sizeof error);
  _exit(127);
}

}  // namespace

pid_t start_child(const std::vector<std::string>& command, const ChildStart& how) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
  pid_t child = 0;
  try {
    child = fork_child(how.death_signal);
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  if (child == 0) become(arguments.data(), how, ends[1]);
  close(ends[1]);
  int error = 0;
  ssize_t got = 0;
  while ((got = read(ends[0], &error, sizeof error)) < 0 && errno == EINTR) {
  }
  close(ends[0]);
  if (got == sizeof error) {
    wait_for_child(child);
    fail("cannot start {}: {}", command.front(), std::strerror(error));
  }
  return child;
}

int exit_code_of(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int wait_for_child(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) fail("cannot wait for a process: {}", std::strerror(errno));
  }
  return exit_code_of(status);
}

}  // namespace raddle
