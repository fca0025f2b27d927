// Signals that come while the GPU simulates wait for the end of a cycle. The program's handler may
// do anything: end the process, leave by a jump, or throw. It then finds the GPU between two
// cycles, and the results so far can be written.
#pragma once

#include <csignal>

namespace raddle::cuda {

/// As long as the object lives, its thread gets no signals. Three kinds are not held: signals of a
/// crash of this thread, signals of profilers, and SIGQUIT, which ends a simulator that never
/// reaches the end of a cycle.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Runs the handlers of the signals that came.
  void let_in() const;

 private:
  sigset_t before_;
};

}  // namespace raddle::cuda
