// Supervises a program until its end.
#pragma once

#include <sys/types.h>

#include <csignal>

#include "base/lifeline.h"

namespace raddle::cli {

/// Holds the signals that ask this process to end until supervise() reads them. Signals that the
/// process was started to ignore (nohup) stay ignored. Made before the program is started.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Restores the signals for the program: in the child, before exec.
  void release() const;
  const sigset_t& signals() const { return signals_; }

 private:
  sigset_t signals_, before_;
};

/// How a program has ended.
struct Ending {
  int exit_code = 0;  // 128 + signal when a signal ended it, which is reported on stderr
  /// The signal that this process should end by, too, after all output, so that shells notice (a
  /// script's loop stops on Ctrl-C). It was sent to this process, and it ended the program; 0:
  /// none.
  int signal = 0;
};

/// Ends this process by the default action of the signal.
[[noreturn]] void end_by(int signal);

/// Waits until the program has ended, and then until all simulated programs that it has left
/// running have ended.
///
/// The terminal sends typed signals (SIGINT, SIGQUIT) to the program as well, which decides what
/// they mean. SIGTERM and SIGHUP are passed on to the program and always end it: after
/// kGraceSeconds it is asked to write its results and end (base/save_signal.h), and two seconds
/// later it is killed. SIGUSR1, SIGUSR2, SIGALRM and SIGXCPU are only passed on. Programs that it
/// has left running end with this process.
Ending supervise(pid_t program, const HeldSignals& held, const Lifeline& lifeline);

/// How long a program may take to end by itself.
constexpr int kGraceSeconds = 3;

}  // namespace raddle::cli
