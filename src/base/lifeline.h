// A simulated program ends when the process that started it ends, and that process knows when all
// of its programs have ended.
//
// `raddle run` keeps the write end of a pipe. Every process that loads the simulator opens the read
// end through /proc, wherever it stands in the tree of processes: scripts may start programs, and
// programs may fork. When `raddle run` ends, also by SIGKILL, the kernel closes the write end and
// the readers notice it. When no readers are left, the kernel tells the writer.
#pragma once

#include <string>

namespace raddle {

/// The end of the process that starts a program.
class Lifeline {
 public:
  Lifeline();
  ~Lifeline();
  Lifeline(const Lifeline&) = delete;
  Lifeline& operator=(const Lifeline&) = delete;

  /// The value of kLifelineVariable in the environment of the program.
  std::string text() const;
  /// To be polled (events = 0): has POLLERR while no process holds the other end.
  int descriptor() const { return write_end_; }

 private:
  int write_end_ = -1;
};

constexpr const char* kLifelineVariable = "RADDLE_LIFELINE";

/// Opens the lifeline that the environment names, if there is one. It runs when the simulator is
/// loaded, so that child processes which the program forks before it first needs the GPU hold it
/// too.
void hold_lifeline();

/// From now on this process is killed when the process that started it ends. Without a lifeline it
/// does nothing.
void watch_lifeline();

}  // namespace raddle
