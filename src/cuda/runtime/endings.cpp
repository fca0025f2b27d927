#include "cuda/runtime/endings.h"

#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/own_threads.h"
#include "base/save_signal.h"
#include "cuda/runtime/forks.h"
#include "cuda/runtime/per_thread.h"
#include "cuda/runtime/registered_memory.h"
#include "cuda/runtime/runtime.h"
#include "cuda/runtime/signal_actions.h"
#include "cuda/runtime/signal_stack.h"

namespace raddle::cuda {
namespace {

constexpr unsigned kMostPlaces = 20;
constexpr auto kGlance = std::chrono::milliseconds(10);
// A process can get a signal to its group twice: from the sender, and passed on by `raddle run`.
constexpr std::int64_t kSameSignal = 200;            // ms
constexpr auto kPatience = std::chrono::seconds(5);  // wait for the next safe point
constexpr auto kCrashed = std::chrono::seconds(2);   // after a crash, where none may come
constexpr std::int64_t kWriting = 20'000;            // ms, for all of the writing
constexpr std::int64_t kHold = 2'000;                // ms, until the writing begins

/// Signals that end a process and can be caught, except the real-time ones.
constexpr int kSignals[] = {SIGINT,    SIGTERM, SIGHUP,  SIGQUIT,  SIGSEGV, SIGBUS,
                            SIGILL,    SIGFPE,  SIGABRT, SIGSYS,   SIGTRAP, SIGPIPE,
                            SIGALRM,   SIGUSR1, SIGUSR2, SIGXCPU,  SIGXFSZ, SIGPROF,
                            SIGVTALRM, SIGIO,   SIGPWR,  SIGSTKFLT};

// A request: a signal that came, or kSave to save the results. One at a time; a process rarely
// lives longer than one request.
constexpr int kNone = 0, kSave = -1;
std::atomic<int> g_request{kNone};
std::atomic<Next> g_next{Next::ends};  // after a kSave request
std::atomic<const char*> g_ending{""};
std::atomic<std::int64_t> g_when{0};  // ms: the time of the request
std::atomic<bool> g_waits{false};     // the requesting thread waits until the request is served
std::atomic<bool> g_holds{false};     // the requesting thread holds the mutex
std::atomic<bool> g_taken{false};     // a thread serves the request
std::atomic<bool> g_served{false};

pid_t g_owner = 0;  // the process whose results these are; 0: no results are written
sem_t g_came;

bool is_real_time(int signal) {
  return signal >= SIGRTMIN && signal <= SIGRTMAX && signal != save_signal();
}

bool ends_process(int signal) {
  return is_real_time(signal) ||
         std::find(std::begin(kSignals), std::end(kSignals), signal) != std::end(kSignals);
}

void default_action(int signal) {
  set_default_action(signal);
  raise(signal);  // delivered at the latest when the handler returns
}

std::int64_t milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

/// Stops the calling thread until the request is served. Uses only calls that signal handlers may
/// use.
void wait_until_served() {
  const std::int64_t until = milliseconds() + kWriting;
  while (!g_served.load()) {
    constexpr timespec kMoment{.tv_sec = 0, .tv_nsec = 1'000'000};
    nanosleep(&kMoment, nullptr);
    if (milliseconds() < until) continue;
    constexpr std::string_view kLost = "raddle: the results of the run could not be written\n";
    [[maybe_unused]] const ssize_t told = write(STDERR_FILENO, kLost.data(), kLost.size());
    return;
  }
}

/// Makes a request. False when there is a request already.
bool ask(int request, bool waits) {
  int none = kNone;
  if (!g_request.compare_exchange_strong(none, request)) return false;
  g_when = milliseconds();
  g_waits = waits;
  g_holds = Runtime::mutex().held();
  sem_post(&g_came);
  return true;
}

/// Stops the calling thread, which a signal that ends the process has interrupted: if it continued,
/// its sleep or read would end early. Continues after a time limit if no thread serves the request:
/// this thread may hold a lock that the others need.
void hold_still() {
  const std::int64_t until = milliseconds() + kHold;
  while (g_taken.load() ? milliseconds() < until + kWriting : milliseconds() < until) {
    constexpr timespec kMoment{.tv_sec = 0, .tv_nsec = 1'000'000};
    nanosleep(&kMoment, nullptr);
  }
}

bool is_fault(const siginfo_t& info) {
  if (info.si_code <= 0) return false;  // sent by kill() or raise()
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS}) {
    if (info.si_signo == signal) return true;
  }
  return false;
}

/// Whether the program cannot continue after this signal.
bool is_own(const siginfo_t& info) {
  const bool sent = info.si_code == SI_USER || info.si_code == SI_TKILL || info.si_code == SI_QUEUE;
  return is_fault(info) || (sent && info.si_pid == getpid());
}

void handle(int signal, siginfo_t* info, void*) {
  const int before = errno;
  const bool own = is_own(*info);
  if (is_fault(*info)) tell_if_registered(*info);
  // A child by fork() without exec has the handlers, but not the serving thread.
  if (getpid() != g_owner) {
    default_action(signal);
  } else if (ask(signal, own)) {
    if (own) {
      wait_until_served();
      default_action(signal);
    } else if (!Runtime::mutex().held()) {  // else this thread reaches a safe point
      hold_still();
    }
  } else if (own) {
    wait_until_served();  // another thread's request
    default_action(signal);
  } else if (milliseconds() - g_when > kSameSignal) {
    default_action(signal);
  }
  errno = before;
}

/// `raddle run` sends this signal after a SIGTERM that did not end the program.
void handle_save_signal(int, siginfo_t*, void*) {
  const int before = errno;
  if (getpid() == g_owner) ask(SIGTERM, false);
  errno = before;
}

[[noreturn]] void end_by(int signal) {
  sigset_t all;
  sigemptyset(&all);
  sigaddset(&all, signal);
  set_default_action(signal);
  pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
  kill(getpid(), signal);
  while (true) pause();
}

std::string name_of(int request) {
  if (request == kSave) return g_ending.load();
  if (is_real_time(request)) return "SIGRTMIN+" + std::to_string(request - SIGRTMIN);
  return std::string("SIG") + sigabbrev_np(request);
}

bool goes_on(int request) { return request == kSave && g_next.load() == Next::may_go_on; }

/// `between_cycles`: no simulated cycle is half done. Returns only if the requesting thread
/// continues from there.
void serve(Runtime& runtime, bool between_cycles) {
  const int request = g_request.load();
  if (request == kNone || g_taken.exchange(true)) return;
  const bool interrupt = request == SIGINT || request == SIGTERM || request == SIGHUP;
  if (interrupt && between_cycles) {
    runtime.device().tell_where_warps_are("interrupted by " + name_of(request), kMostPlaces);
  }
  runtime.save(name_of(request), between_cycles && !goes_on(request));
  if (!g_waits.load()) end_by(request);
  g_served = true;
}

void serve_requests(Runtime& runtime) {
  while (true) {
    while (sem_wait(&g_came) != 0) {
    }
    // The thread that holds the mutex waits: no other thread reaches a safe point.
    if (g_holds.load() && g_waits.load()) {
      serve(runtime, !runtime.device().in_cycle());
      continue;
    }
    const auto patience = g_waits.load() ? kCrashed : kPatience;
    for (auto waited = kGlance; waited < patience && !g_served.load(); waited += kGlance) {
      // Waits its turn: a program that calls without a pause never leaves the mutex free.
      std::unique_lock lock(Runtime::mutex(), kGlance);
      if (!lock.owns_lock()) continue;
      serve(runtime, true);
      lock.unlock();
      if (!g_served.load()) std::this_thread::sleep_for(kGlance);
    }
    if (g_served.load()) continue;
    if (!g_waits.load()) end_by(g_request.load());
    serve(runtime, false);
  }
}

/// Takes the signal in this thread: the program's threads may block all signals.
void take_save_signal() {
  struct sigaction ours{};
  ours.sa_sigaction = handle_save_signal;
  ours.sa_flags = SA_RESTART | SA_SIGINFO;
  system_sigaction(save_signal(), &ours, nullptr);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, save_signal());
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
}

/// Installs the handlers; the program's own handlers stay.
void take_signals() {
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (!ends_process(signal)) continue;
    struct sigaction now{}, ours{};
    if (system_sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    if (action_of_endings(signal, ours)) system_sigaction(signal, &ours, nullptr);
  }
}

}  // namespace

bool is_of_endings(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == handle;
}

bool action_of_endings(int signal, struct sigaction& action) {
  if (getpid() != g_owner) return false;
  if (!ends_process(signal)) return false;
  action = {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_RESTART | SA_SIGINFO | SA_ONSTACK;
  return true;
}

void catch_endings(Runtime& runtime) {
  sem_init(&g_came, 0, 0);
  sigset_t all, before;  // the program's threads continue to take the signals
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  try {
    std::thread([&runtime] {
      mark_own_thread();
      take_save_signal();
      serve_requests(runtime);
    }).detach();
    g_owner = getpid();
    take_signals();
    watch_forks();
  } catch (const std::system_error&) {
    // Without the thread, signals end the process by their default actions.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void end_if_asked(Runtime& runtime) {
  const int request = g_request.load(std::memory_order_relaxed);
  if (request == kNone) return;
  const bool back = goes_on(request);
  serve(runtime, true);
  while (!back) pause();  // the requesting thread ends the process
}

void save_results(Next next, const char* ending) {
  if (getpid() != g_owner) return;
  g_next = next;
  g_ending = ending;
  const bool first = ask(kSave, true);
  wait_until_served();
  if (!first || next == Next::ends) return;
  g_taken = false;
  g_served = false;
  g_request = kNone;
}

void end_process(int code) {
  g_owner = 0;  // a thread that ends the process meanwhile saves no results
  std::fflush(nullptr);
  while (true) syscall(SYS_exit_group, code);
}

void survive_stack_overflow() { PerThread<SignalStack>::mine(); }

}  // namespace raddle::cuda
