#include "supervise.h"

#include <fmt/core.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "base/child_process.h"
#include "base/error.h"
#include "base/print_error.h"
#include "base/save_signal.h"

namespace raddle::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kGrace = std::chrono::seconds(kGraceSeconds);
constexpr auto kToSave = std::chrono::seconds(2);  // for a program that then ends with its results
constexpr auto kToTell = std::chrono::seconds(1);  // before we report programs left running

constexpr Clock::time_point kNever = Clock::time_point::max();

/// In the form that poll() takes: -1 for never.
int milliseconds_until(Clock::time_point when) {
  if (when == kNever) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(when - Clock::now()).count();
  return left < 0 ? 0 : static_cast<int>(left);
}

class Supervision {
 public:
  Supervision(pid_t program, const HeldSignals& held, const Lifeline& lifeline)
      : program_(program), lifeline_(lifeline) {
    sigemptyset(&came_);
    signals_ = signalfd(-1, &held.signals(), SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals_ < 0) fail("cannot watch for signals: {}", std::strerror(errno));
  }
  ~Supervision() { close(signals_); }
  Supervision(const Supervision&) = delete;
  Supervision& operator=(const Supervision&) = delete;

  Ending wait_for_program() {
    int status = 0;
    rusage used{};
    while (wait4(program_, &status, WNOHANG, &used) != program_) {
      wait(false, milliseconds_until(kill_at_));
      if (Clock::now() >= kill_at_) end_program();
    }
    program_ended_ = true;
    if (WIFSIGNALED(status)) {
      print_error("raddle: the program was ended by signal {} ({})\n", WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
      if (WTERMSIG(status) == SIGKILL && !killed_) {
        print_error(
            "raddle: somebody killed it, or the system did because memory ran short: it had used "
            "{} MB\n",
            used.ru_maxrss / 1024);
      }
    }
    const bool ours = WIFSIGNALED(status) && sigismember(&came_, WTERMSIG(status)) == 1;
    return {exit_code_of(status), ours ? WTERMSIG(status) : 0};
  }

  /// Waits for simulated programs that it has left running. A signal ends this process, and them
  /// with it.
  Ending wait_for_others(Ending ending) {
    Clock::time_point tell_at = Clock::now() + kToTell;
    while (asked_to_end_ == 0 && others_run()) {
      wait(true, milliseconds_until(tell_at));
      if (Clock::now() >= tell_at && others_run()) {
        print_error(
            "raddle: the program has ended; waiting for the simulated programs that it has "
            "left running\n");
        tell_at = kNever;
      }
    }
    if (asked_to_end_ == 0 || ending.exit_code != 0) return ending;
    return {128 + asked_to_end_, asked_to_end_};
  }

 private:
  /// At first asks the program to write its results.
  void end_program() {
    if (!asked_to_save_) {
      print_error("raddle: the program did not end within {} s: it is killed\n", kGraceSeconds);
      kill(program_, save_signal());
      asked_to_save_ = true;
      kill_at_ = Clock::now() + kToSave;
      return;
    }
    kill(program_, SIGKILL);
    kill_at_ = kNever;
    killed_ = true;
  }

  bool others_run() const {
    pollfd one{lifeline_.descriptor(), 0, 0};
    return poll(&one, 1, 0) == 0;
  }

  void wait(bool others, int milliseconds) {
    pollfd both[] = {{signals_, POLLIN, 0}, {lifeline_.descriptor(), 0, 0}};
    poll(both, others ? 2 : 1, milliseconds);
    signalfd_siginfo signal{};
    while (read(signals_, &signal, sizeof signal) == sizeof signal) handle(signal);
  }

  void handle(const signalfd_siginfo& signal) {
    const int number = static_cast<int>(signal.ssi_signo);
    if (number == SIGCHLD) return;
    sigaddset(&came_, number);
    if (program_ended_) {
      asked_to_end_ = number;
      return;
    }
    // The terminal sends typed signals to the program, too.
    const bool typed = signal.ssi_code == SI_KERNEL && (number == SIGINT || number == SIGQUIT);
    if (typed) return;
    kill(program_, number);
    // Programs may handle these signals and continue (batch systems send them as warnings).
    if (number == SIGUSR1 || number == SIGUSR2 || number == SIGALRM || number == SIGXCPU) return;
    asked_to_end_ = number;
    kill(program_, SIGCONT);
    if (kill_at_ == kNever) kill_at_ = Clock::now() + kGrace;
  }

  const pid_t program_;
  const Lifeline& lifeline_;
  int signals_ = -1;
  bool program_ended_ = false, asked_to_save_ = false, killed_ = false;
  int asked_to_end_ = 0;  // this signal
  sigset_t came_{};       // signals that came, also typed ones
  Clock::time_point kill_at_ = kNever;
};

}  // namespace

HeldSignals::HeldSignals() {
  sigemptyset(&signals_);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU}) {
    struct sigaction action{};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler != SIG_IGN) sigaddset(&signals_, signal);
  }
  std::signal(save_signal(), SIG_IGN);  // from a `raddle run` that has started this one
  // If SIGCHLD were ignored, waiting for the program would not work.
  std::signal(SIGCHLD, SIG_DFL);
  sigaddset(&signals_, SIGCHLD);
  sigprocmask(SIG_BLOCK, &signals_, &before_);
}

HeldSignals::~HeldSignals() { release(); }

void HeldSignals::release() const {
  std::signal(save_signal(), SIG_DFL);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

void end_by(int signal) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  std::signal(signal, SIG_DFL);
  raise(signal);
  sigprocmask(SIG_UNBLOCK, &one, nullptr);
  _exit(128 + signal);  // the default action of the signal did not end the process
}

Ending supervise(pid_t program, const HeldSignals& held, const Lifeline& lifeline) {
  Supervision supervision(program, held, lifeline);
  return supervision.wait_for_others(supervision.wait_for_program());
}

}  // namespace raddle::cli
