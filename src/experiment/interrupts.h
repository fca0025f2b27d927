// Ctrl-C while processes run beside us: they are in groups of their own and must be ended by us.
#pragma once

#include <array>
#include <csignal>

namespace raddle::experiment {

/// While one lives, the signals that ask us to end (SIGINT, SIGTERM, SIGHUP, SIGQUIT) are only
/// noted; those that we were started to ignore stay ignored. One at a time.
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
