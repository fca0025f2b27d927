#include "cuda/runtime/patience.h"
#include "base/own_threads.h"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <system_error>
#include <thread>

#include "cuda/runtime/managed_access.h"
#include "cuda/runtime/runtime.h"
#include "machine/host_config.h"

namespace raddle::cuda {

namespace {

constexpr double kSlice = 10e3;     // ns of simulated time
constexpr double kToNotice = 1e-3;  // s of the program's processor time between slices
constexpr auto kLook = std::chrono::milliseconds(50);        // while the program may still call
constexpr auto kLookAgain = std::chrono::microseconds(500);  // while the program waits

std::atomic<unsigned long long> calls{0};
std::atomic<clockid_t> caller{CLOCK_PROCESS_CPUTIME_ID};  // of the thread that called last

/// Processor seconds of the thread that called last. A thread that sleeps between its looks uses
/// none, so that a tenth of the real time counts as well.
double used() {
  timespec cpu = {}, wall = {};
  clock_gettime(CLOCK_MONOTONIC, &wall);
  const bool lives = clock_gettime(caller.load(), &cpu) == 0;
  const double passed = static_cast<double>(wall.tv_sec) + 1e-9 * static_cast<double>(wall.tv_nsec);
  const double worked =
      lives ? static_cast<double>(cpu.tv_sec) + 1e-9 * static_cast<double>(cpu.tv_nsec) : 0;
  return worked + passed / 10;
}

/// Waits until the program has used `seconds` without a call; false when it makes a call.
bool waits(unsigned long long since, double seconds) {
  const double start = used();
  while (calls.load() == since) {
    if (used() - start >= seconds) return true;
    std::this_thread::sleep_for(seconds > kToNotice ? std::chrono::microseconds(kLook)
                                                    : kLookAgain);
  }
  return false;
}

void watch(Runtime& runtime, double patience) {
  while (true) {
    const unsigned long long since = calls.load();
    if (!waits(since, patience)) continue;
    do {
      const std::lock_guard lock(Runtime::mutex());
      if (calls.load() != since || !runtime.device().busy() || runtime.device().awaited()) break;
      runtime.device().remark(
          "the program makes no CUDA call while the GPU works: simulated time advances, in case it "
          "waits for a kernel to write to its memory (host.patience)");
      const ManagedOpen open(runtime);
      runtime.device().run_ahead(kSlice);
    } while (waits(since, kToNotice));
  }
}

}  // namespace

void start_patience(Runtime& runtime) {
  static bool started = false;
  const double patience = runtime.config().host.patience * 1e-3;
  if (started || patience == 0) return;
  started = true;
  try {
    std::thread([&runtime, patience] {
      mark_own_thread();
      watch(runtime, patience);
    }).detach();
  } catch (const std::system_error& error) {
    runtime.tell(
        std::string("no thread can be started (") + error.what() +
        "): a host loop that waits for a kernel without CUDA calls will not end (host.patience)");
  }
}

void note_call() {
  thread_local const clockid_t mine = [] {
    clockid_t clock = CLOCK_PROCESS_CPUTIME_ID;
    pthread_getcpuclockid(pthread_self(), &clock);
    return clock;
  }();
  caller.store(mine, std::memory_order_relaxed);
  calls.fetch_add(1, std::memory_order_release);
}

}  // namespace raddle::cuda
