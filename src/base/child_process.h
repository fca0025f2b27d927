// Starts processes that end when this one ends, however it ends.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <string>
#include <vector>

namespace raddle {

/// fork(), with a child that gets `signal` when the thread that called this ends, be it by SIGKILL
/// (prctl(2), PR_SET_PDEATHSIG; what the child executes keeps it). Returns 0 in the child. Throws
/// Error.
pid_t fork_child(int signal);

/// How a child differs from its parent.
struct ChildStart {
  int death_signal = SIGKILL;  // the signal that it gets when the parent ends
  bool own_group = false;      // a process group: a terminal's interrupt does not reach it
  int input = -1;              // descriptors for its standard streams; -1: ours
  int output = -1;
  int error = -1;
};

/// Starts `command`, its first word looked for in PATH. Throws Error when it cannot be started.
pid_t start_child(const std::vector<std::string>& command, const ChildStart& how);

/// Waits for its end. The exit code, 128 + signal when a signal ended it.
int wait_for_child(pid_t child);

/// Of a status that waitpid() gave: the exit code, 128 + signal when a signal ended the process.
int exit_code_of(int status);

}  // namespace raddle
