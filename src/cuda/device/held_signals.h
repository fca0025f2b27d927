// Signals that come while the GPU simulates wait for the end of a cycle. A handler of the program's may
// do anything: end the process, leave by a jump, or throw. It then finds the GPU as it is between two
// cycles, and what ran so far can be written.
#pragma once

#include <csignal>

namespace raddle::cuda {

/// As long as one lives, its thread gets no signals. Not held are those that say that this thread has
/// crashed, those of profilers, and SIGQUIT, for whom the simulator does not get to the end of a cycle.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// The handlers of those that came run here and now.
  void let_in() const;

 private:
  sigset_t before_;
};

}  // namespace raddle::cuda
