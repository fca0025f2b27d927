#include "base/own_threads.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace raddle {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOwnName = "raddle's own";  // at most 15 characters

std::atomic<int> g_waiting{0};

/// Calls f(folder of the task) for each thread except the simulator's own and the calling one,
/// until f returns false.
template <class F>
void for_each_other(F f) {
  std::error_code gone;  // of a thread that ends meanwhile
  const std::string self = std::to_string(gettid());
  for (const auto& task : fs::directory_iterator("/proc/self/task", gone)) {
    if (task.path().filename() == self) continue;
    std::ifstream file(task.path() / "comm");
    std::string name;
    if (std::getline(file, name) && name != kOwnName && !f(task.path())) return;
  }
}

/// Whether the thread waits in pthread_join() for another thread, which lives: the C library waits,
/// without a time limit, for the kernel to clear that one's thread id (proc(5), /proc/pid/syscall).
/// Other waits may be ended by signal handlers. False where the system does not tell.
bool joins(const fs::path& task) {
  std::ifstream file(task / "syscall");
  long number = 0;
  unsigned long place = 0, operation = 0, value = 0, limit = 1;
  file >> number >> std::hex >> place >> operation >> value >> limit;
  if (!file || number != SYS_futex || limit != 0) return false;
  const unsigned long how = operation & ~static_cast<unsigned long>(FUTEX_CLOCK_REALTIME);
  if (how != FUTEX_WAIT && how != FUTEX_WAIT_BITSET) return false;
  std::error_code ignored;
  return fs::exists(task.parent_path() / std::to_string(value), ignored);
}

/// The main thread of a process stays there after its end.
bool has_ended(const fs::path& task) {
  std::ifstream file(task / "stat");
  std::string text;
  std::getline(file, text);
  const std::size_t name_ends = text.rfind(')');  // the state stands behind the name
  return name_ends == std::string::npos || text.compare(name_ends, 3, ") Z") == 0;
}

}  // namespace

void mark_own_thread() {
  sigset_t all;
  sigfillset(&all);
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGABRT}) {
    sigdelset(&all, signal);
  }
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
  pthread_setname_np(pthread_self(), kOwnName);
}

void note_waiting_threads(int more) { g_waiting += more; }

bool program_has_threads() {
  bool any = false;
  for_each_other([&](const fs::path& task) {
    any = !has_ended(task);
    return !any;
  });
  return any;
}

bool program_has_other_threads() {
  int acting = -g_waiting;
  // If no other thread acts, threads that wait for the end of another do not act either.
  for_each_other([&](const fs::path& task) {
    if (!joins(task) && !has_ended(task)) ++acting;
    return acting <= 0;
  });
  return acting > 0;
}

}  // namespace raddle
