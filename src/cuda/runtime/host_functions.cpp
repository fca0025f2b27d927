#include "cuda/runtime/host_functions.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/own_threads.h"
#include "base/print_error.h"
#include "cuda/runtime/entry_name.h"
#include "cuda/runtime/runtime.h"

namespace raddle::cuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kLong = std::chrono::seconds(2);
constexpr auto kBetweenLooks = std::chrono::milliseconds(250);

thread_local bool t_inside = false;

// The host function that runs, and its thread.
std::atomic<pid_t> g_thread{0};  // 0: none
std::atomic<Clock::time_point> g_begun;
std::atomic<bool> g_in_wait{false};  // the program's thread waits for the stream only

long long seconds_of_it() {
  return std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - g_begun.load()).count();
}

/// Called by a thread that waits to be let into a call.
void tell_by_waiting_thread() {
  static std::atomic<bool> told{false};
  const pid_t runs = g_thread;
  if (runs == 0 || Clock::now() - g_begun.load() < kLong || told.exchange(true)) return;
  print_error(
      "raddle: {} in thread {} waits for a host function of a stream (cudaLaunchHostFunc), which "
      "thread {} has been running for {} s: CUDA calls wait until it returns. If it waits for a "
      "thread that calls CUDA, neither ends\n",
      public_name(entry_name()), gettid(), runs, seconds_of_it());
}

/// Looks regularly whether a function runs long in a call that would return at once on a GPU.
void watch() {
  while (true) {
    std::this_thread::sleep_for(kBetweenLooks);
    const pid_t runs = g_thread;
    if (runs == 0 || g_in_wait || Clock::now() - g_begun.load() < kLong) continue;
    print_error(
        "raddle: thread {} has been running a host function of a stream (cudaLaunchHostFunc) for "
        "{} s, within a CUDA call that returns when the function does. If the function waits for "
        "what this thread does next, neither ends (docs/limits.md)\n",
        runs, seconds_of_it());
    return;
  }
}

void start_watch() {
  static std::once_flag once;
  std::call_once(once, [] {
    try {
      std::thread([] {
        mark_own_thread();
        watch();
      }).detach();
    } catch (const std::system_error&) {
      // Without the thread, long functions are not reported.
    }
  });
}

}  // namespace

bool in_host_function() { return t_inside; }

void run_host_function(const std::function<void()>& function) {
  start_watch();
  Runtime* const runtime = Runtime::existing();
  t_inside = true;
  g_begun = Clock::now();
  g_in_wait = runtime != nullptr && runtime->device().awaited();
  g_thread = gettid();
  const auto leave = [](bool* inside) {
    *inside = false;
    g_thread = 0;
  };
  const std::unique_ptr<bool, decltype(leave)> left(&t_inside, leave);
  function();
}

void tell_long_host_functions(CallLock& calls) {
  calls.at_long_waits(kLong, tell_by_waiting_thread);
}

}  // namespace raddle::cuda
