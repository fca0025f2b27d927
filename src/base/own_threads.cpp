#include "base/own_threads.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace raddle {
namespace {

constexpr const char* kOwnName = "raddle's own";  // at most 15 characters

std::atomic<int> g_waiting{0};

}  // namespace

void mark_own_thread() { pthread_setname_np(pthread_self(), kOwnName); }

void note_waiting_threads(int more) { g_waiting += more; }

bool program_has_other_threads() {
  std::error_code gone;  // of a thread that ends meanwhile
  const std::string self = std::to_string(gettid());
  int waiting = g_waiting;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    if (task.path().filename() == self) continue;
    std::ifstream file(task.path() / "comm");
    std::string name;
    if (std::getline(file, name) && name != kOwnName && --waiting < 0) return true;
  }
  return false;
}

}  // namespace raddle
