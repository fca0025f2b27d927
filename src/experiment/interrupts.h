// Handles Ctrl-C while this process runs others: they have process groups of their own, so that
// this process must end them.
#pragma once

#include <array>
#include <csignal>

namespace raddle::experiment {

/// As long as the object lives, the signals that ask the process to end (SIGINT, SIGTERM, SIGHUP,
/// SIGQUIT) are only noted. Signals that the process was started to ignore stay ignored. Only one
/// object at a time.
class CatchInterrupts {
 public:
  CatchInterrupts();
  ~CatchInterrupts();
  CatchInterrupts(const CatchInterrupts&) = delete;
  CatchInterrupts& operator=(const CatchInterrupts&) = delete;

  bool came() const;

 private:
  std::array<struct sigaction, 4> before_;
};

}  // namespace raddle::experiment
