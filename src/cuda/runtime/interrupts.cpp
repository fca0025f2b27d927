#include "cuda/runtime/interrupts.h"

#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <string>
#include <system_error>
#include <thread>

#include "cuda/runtime/runtime.h"

namespace raddle::cuda {
namespace {

constexpr unsigned kMostPlaces = 20;
constexpr auto kGlance = std::chrono::milliseconds(10);
// One that is sent to a process group comes from its sender and, passed on, from `raddle run`.
constexpr std::int64_t kSameSignal = 200;            // ms
constexpr auto kPatience = std::chrono::seconds(5);  // for the next safe point

std::atomic<int> g_signal{0};         // that came
std::atomic<std::int64_t> g_when{0};  // ms: when it came first
std::atomic<bool> g_told{false};      // so that what is written is of an interrupted run
pid_t g_owner = 0;
sem_t g_came;

void default_action(int signal) {
  std::signal(signal, SIG_DFL);
  raise(signal);  // delivered at the latest when the handler returns
}

std::int64_t milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1000 + now.tv_nsec / 1'000'000;
}

void note(int signal) {
  const int before = errno;
  const std::int64_t now = milliseconds();
  // A child without exec has the handlers, but not the thread.
  if (getpid() != g_owner) {
    default_action(signal);
  } else if (g_signal.exchange(signal) == 0) {
    g_when = now;
    sem_post(&g_came);
  } else if (now - g_when > kSameSignal) {
    default_action(signal);
  }
  errno = before;
}

[[noreturn]] void end_by(int signal) {
  sigset_t all;
  sigemptyset(&all);
  sigaddset(&all, signal);
  std::signal(signal, SIG_DFL);
  pthread_sigmask(SIG_UNBLOCK, &all, nullptr);
  kill(getpid(), signal);
  while (true) pause();
}

void wait_for_a_signal(Runtime& runtime) {
  while (sem_wait(&g_came) != 0) {
  }
  for (auto waited = kGlance; waited < kPatience; waited += kGlance) {
    std::unique_lock lock(Runtime::mutex(), std::try_to_lock);
    if (lock.owns_lock()) end_if_interrupted(runtime);
    std::this_thread::sleep_for(kGlance);
  }
  end_by(g_signal.load());
}

}  // namespace

void catch_interrupts(Runtime& runtime) {
  bool any = false;
  for (const int signal : {SIGINT, SIGTERM}) {
    struct sigaction now{};
    if (sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    if (!any) {
      sem_init(&g_came, 0, 0);
      g_owner = getpid();
      any = true;
    }
    struct sigaction ours{};
    ours.sa_handler = note;
    ours.sa_flags = SA_RESTART;
    sigaction(signal, &ours, nullptr);
  }
  if (!any) return;
  sigset_t all, before;  // the program's threads take the signals, as ever
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  try {
    std::thread([&runtime] { wait_for_a_signal(runtime); }).detach();
  } catch (const std::system_error&) {
    // Signals end the process as if nobody caught them.
    g_owner = 0;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void end_if_interrupted(Runtime& runtime) {
  const int signal = g_signal.load(std::memory_order_relaxed);
  if (signal == 0) return;
  runtime.device().tell_where_warps_are(
      std::string("interrupted by ") + (signal == SIGINT ? "SIGINT" : "SIGTERM"), kMostPlaces);
  g_told = true;
  runtime.finish();
  end_by(signal);
}

bool ends_by_interrupt() { return g_told; }

}  // namespace raddle::cuda
