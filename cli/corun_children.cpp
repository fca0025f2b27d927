#include "corun_children.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/child_process.h"
#include "base/error.h"
#include "base/output_file.h"
#include "corun/connection.h"

namespace raddle::cli {

void LabelledStream::take(std::string_view text) {
  rest_ += text;
  std::string lines;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    lines += label_ + rest_.substr(begin, end + 1 - begin);
  }
  rest_.erase(0, begin);
  if (to_ >= 0 && !lines.empty()) write_bytes(to_, lines);
}

void LabelledStream::finish() {
  if (!rest_.empty()) take("\n");
}

CorunChildren::CorunChildren(const std::vector<Program>& programs, const std::string& entrance,
                             bool silent) {
  for (unsigned n = 0; n < programs.size(); ++n) start(programs[n], n, entrance, silent);
  unsetenv(corun::kVariable);
  // Signals that this process was started to ignore stay ignored; the children have the signal mask
  // from before.
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action{};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, &before_);
  signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals_ < 0) fail("cannot watch for signals: {}", std::strerror(errno));
}

CorunChildren::~CorunChildren() {
  for (Child& child : children_) {
    if (!child.exit_code) {
      kill(child.pid, SIGKILL);
      wait_for_child(child.pid);
    }
    for (const Pipe& pipe : child.pipes) {
      if (pipe.descriptor >= 0) close(pipe.descriptor);
    }
  }
  close(signals_);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void CorunChildren::start(const Program& program, unsigned number, const std::string& entrance,
                          bool silent) {
  setenv(corun::kVariable, fmt::format("{} {}", number, entrance).c_str(), 1);
  ChildStart how;
  how.input = open("/dev/null", O_RDONLY | O_CLOEXEC);
  int output[2] = {-1, -1}, error[2] = {-1, -1};
  if (how.input < 0 || pipe2(output, O_CLOEXEC) != 0 || pipe2(error, O_CLOEXEC) != 0) {
    fail("cannot make a pipe: {}", std::strerror(errno));
  }
  how.output = output[1];
  how.error = error[1];
  Child child;
  child.pid = start_child(program.command, how);
  for (const int ours : {how.input, how.output, how.error}) close(ours);
  for (const int theirs : {output[0], error[0]}) fcntl(theirs, F_SETFL, O_NONBLOCK);
  child.pipes.push_back({output[0], {program.label, silent ? -1 : STDOUT_FILENO}});
  child.pipes.push_back({error[0], {program.label, silent ? -1 : STDERR_FILENO}});
  children_.push_back(std::move(child));
}

void CorunChildren::watch(std::vector<pollfd>& descriptors) {
  descriptors.push_back({signals_, POLLIN, 0});
  for (const Child& child : children_) {
    for (const Pipe& pipe : child.pipes) {
      if (pipe.descriptor >= 0) descriptors.push_back({pipe.descriptor, POLLIN, 0});
    }
  }
}

void CorunChildren::read_all(Child& child) {
  for (Pipe& pipe : child.pipes) {
    char bytes[1 << 14];
    ssize_t got = 0;
    while (pipe.descriptor >= 0 && (got = read(pipe.descriptor, bytes, sizeof bytes)) != 0) {
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) break;
      pipe.stream.take({bytes, static_cast<std::size_t>(got)});
    }
    if (pipe.descriptor >= 0 && got == 0) {
      pipe.stream.finish();
      close(std::exchange(pipe.descriptor, -1));
    }
  }
}

void CorunChildren::attend() {
  take_signals();
  for (Child& child : children_) {
    read_all(child);
    int status = 0;
    if (child.exit_code || waitpid(child.pid, &status, WNOHANG) != child.pid) continue;
    child.exit_code = exit_code_of(status);
    read_all(child);
    for (Pipe& pipe : child.pipes) {  // a descendant may still hold the other ends
      pipe.stream.finish();
      if (pipe.descriptor >= 0) close(std::exchange(pipe.descriptor, -1));
    }
  }
}

void CorunChildren::take_signals() {
  signalfd_siginfo signal{};
  while (read(signals_, &signal, sizeof signal) == sizeof signal) {
    const int number = static_cast<int>(signal.ssi_signo);
    if (number == SIGCHLD) continue;
    asked_to_end_ = number;
    // The terminal has sent typed signals to the children, too.
    if (number == SIGINT && signal.ssi_code == SI_KERNEL) continue;
    for (const Child& child : children_) {
      if (!child.exit_code) kill(child.pid, number);
    }
  }
}

}  // namespace raddle::cli
