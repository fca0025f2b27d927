#include "base/own_threads.h"

#include <pthread.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace raddle {
namespace {

constexpr const char* kOwnName = "raddle's own";  // at most 15 characters

}  // namespace

void mark_own_thread() { pthread_setname_np(pthread_self(), kOwnName); }

bool program_has_other_threads() {
  std::error_code gone;  // of a thread that ends meanwhile
  const std::string self = std::to_string(gettid());
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", gone)) {
    if (task.path().filename() == self) continue;
    std::ifstream file(task.path() / "comm");
    std::string name;
    if (std::getline(file, name) && name != kOwnName) return true;
  }
  return false;
}

}  // namespace raddle
