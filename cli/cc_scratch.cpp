#include "cc_scratch.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "base/child_process.h"
#include "base/error.h"

namespace raddle::cc {
namespace fs = std::filesystem;

namespace {

constexpr const char* kPrefix = "raddle-cc-";
constexpr std::array kSignals = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

int lock(const fs::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  if (descriptor >= 0) close(descriptor);
  return -1;
}

/// Whether the folder is old: a new one may not be locked yet.
bool is_old(const fs::path& folder) {
  std::error_code none;
  const auto changed = fs::last_write_time(folder, none);
  return !none && fs::file_time_type::clock::now() - changed > std::chrono::minutes(1);
}

void remove_abandoned(const fs::path& among) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(among, ignored)) {
    const fs::path& folder = entry.path();
    if (!folder.filename().string().starts_with(kPrefix) || !is_old(folder)) continue;
    const int descriptor = lock(folder);
    if (descriptor < 0) continue;
    fs::remove_all(folder, ignored);
    close(descriptor);
  }
}

volatile std::sig_atomic_t g_asked = 0;
void note(int signal) { g_asked = signal; }

/// Signals that the process was started to ignore stay ignored.
void on_signals(void (*handler)(int)) {
  for (const int signal : kSignals) {
    struct sigaction action{};
    sigaction(signal, nullptr, &action);
    if (action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = handler;
    sigaction(signal, &action, nullptr);
  }
}

}  // namespace

ScratchFolder::ScratchFolder() {
  const fs::path among = fs::temp_directory_path();
  remove_abandoned(among);
  std::string name = (among / (std::string(kPrefix) + "XXXXXX")).string();
  if (!mkdtemp(name.data())) {
    fail("cannot make a temporary folder like {}: {}", name, std::strerror(errno));
  }
  path_ = name;
  lock_ = lock(path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) close(lock_);
}

int asked_to_end() { return g_asked; }

int work_apart(const std::function<int()>& work) {
  std::fflush(nullptr);
  on_signals(note);
  const pid_t worker = fork_child(SIGTERM);
  if (worker == 0) return work();
  int status = 0;
  int passed_on = 0;
  while (waitpid(worker, &status, 0) < 0 && errno == EINTR) {
    if (g_asked == 0 || passed_on == g_asked) continue;
    passed_on = g_asked;
    kill(worker, passed_on);
  }
  return exit_code_of(status);
}

}  // namespace raddle::cc
