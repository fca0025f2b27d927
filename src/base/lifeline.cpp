#include "base/lifeline.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "base/error.h"
#include "base/own_threads.h"

namespace raddle {
namespace {

constexpr int kLookMilliseconds = 1000;  // the kernel wakes us: in case the program closed our end

std::uint64_t inode(int descriptor) {
  struct stat state{};
  return fstat(descriptor, &state) == 0 ? state.st_ino : 0;
}

/// Processes of another namespace are numbered differently: a lifeline means nothing there.
std::uint64_t process_namespace() {
  struct stat state{};
  return stat("/proc/self/ns/pid", &state) == 0 ? state.st_ino : 0;
}

/// The values in the environment.
struct Named {
  int pid = 0, descriptor = 0;
  unsigned long long pipe = 0, space = 0;  // inodes: descriptors and processes are used again

  bool read() {
    const char* text = std::getenv(kLifelineVariable);
    return text != nullptr &&
           std::sscanf(text, "%d %d %llu %llu", &pid, &descriptor, &pipe, &space) == 4 &&
           space == process_namespace();
  }
  std::string path(int number) const { return fmt::format("/proc/{}/fd/{}", pid, number); }
  bool lives() const {
    struct stat state{};
    if (stat(path(descriptor).c_str(), &state) == 0) return state.st_ino == pipe;
    return errno == EACCES || errno == EPERM;  // of another user: not to be known
  }
};

int g_read_end = -1;

/// Opens the read end; returns false when the process with the other end has ended.
bool open_read_end(const Named& named) {
  if (g_read_end >= 0 && inode(g_read_end) == named.pipe) return true;
  g_read_end = open(named.path(named.descriptor).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (g_read_end >= 0 && inode(g_read_end) != named.pipe) {
    close(g_read_end);
    g_read_end = -1;
  }
  if (g_read_end >= 0) {
    // Use a high number, because programs may count on the lowest ones.
    constexpr int kHigh = 200;
    const int high = fcntl(g_read_end, F_DUPFD_CLOEXEC, kHigh);
    if (high >= 0) {
      close(g_read_end);
      g_read_end = high;
    }
  }
  return named.lives();
}

[[noreturn]] void watch(const Named& named) {
  while (true) {
    if (!open_read_end(named)) kill(getpid(), SIGKILL);
    pollfd one{g_read_end, POLLIN, 0};
    poll(&one, 1, kLookMilliseconds);
    char byte;
    if (inode(g_read_end) == named.pipe && ::read(g_read_end, &byte, 1) == 0) {
      kill(getpid(), SIGKILL);
    }
  }
}

}  // namespace

Lifeline::Lifeline() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
  close(ends[0]);
  write_end_ = ends[1];
}

Lifeline::~Lifeline() { close(write_end_); }

std::string Lifeline::text() const {
  return fmt::format("{} {} {} {}", getpid(), write_end_, inode(write_end_), process_namespace());
}

void hold_lifeline() {
  Named named;
  if (named.read()) open_read_end(named);
}

void watch_lifeline() {
  Named named;
  if (!named.read()) return;
  // The program's signals are for its own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([named] {
    mark_own_thread();
    watch(named);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace raddle
