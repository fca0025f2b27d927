// Seeing to a program's end.
#pragma once

#include <sys/types.h>

#include <csignal>

#include "base/lifeline.h"

namespace raddle::cli {

/// Keeps the signals that ask us to end until supervise() looks at them; those that we were started
/// to ignore (nohup) stay ignored. Made before the program is started.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// As the program finds them: in the child, before exec.
  void release() const;
  const sigset_t& signals() const { return signals_; }

 private:
  sigset_t signals_, before_;
};

/// How a program has ended.
struct Ending {
  int exit_code = 0;  // 128 + signal, told on stderr, when one ended it
  /// That we are to end by as well, once all is written, so that shells notice (a script's loop
  /// stops on Ctrl-C): the one that was sent to us and that the program did not survive; 0: none.
  int signal = 0;
};

/// Ends this process as if nobody had caught the signal.
[[noreturn]] void end_by(int signal);

/// Waits until the program has ended, and then all simulated programs that it has left running.
///
/// What is typed at a terminal (SIGINT, SIGQUIT) the terminal sends to the program as well, which
/// decides what it means. SIGTERM and SIGHUP are passed on to it, and end it, whatever it does with
/// signals: after kGraceSeconds it is asked to write its results and end (base/save_signal.h), two
/// seconds later it is killed. SIGUSR1, SIGUSR2, SIGALRM and SIGXCPU are only passed on. What it has
/// left running ends with us.
Ending supervise(pid_t program, const HeldSignals& held, const Lifeline& lifeline);

/// How long a program may take to end by itself.
constexpr int kGraceSeconds = 3;

}  // namespace raddle::cli
