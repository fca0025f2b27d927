// A simulated program ends with whoever started it, and that one knows when all have ended.
//
// `raddle run` keeps the write end of a pipe. Every process in which the simulator is loaded opens
// the read end of it through /proc, wherever in the tree of processes it stands: a program may be
// started by scripts, and may fork. The kernel closes the write end when `raddle run` ends, also by
// SIGKILL, and tells the readers; and it tells the writer when there are no readers left.
#pragma once

#include <string>

namespace raddle {

/// The end of who starts a program.
class Lifeline {
 public:
  Lifeline();
  ~Lifeline();
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;

  /// What the program finds in its environment as kLifelineVariable.
  std::string text() const;
  /// To be polled (events = 0): has POLLERR while no process holds the other end.
  int descriptor() const { return write_end_; }

 private:
  int write_end_ = -1;
};

constexpr const char* kLifelineVariable = "RADDLE_LIFELINE";

/// Takes hold of the lifeline that the environment names, if there is one: when the simulator is
/// loaded, so that what the process forks before it first needs the GPU holds it as well.
void hold_lifeline();

/// From now on this process is killed when who started it has ended. Does nothing when none did.
void watch_lifeline();

}  // namespace raddle
