#include "base/result_pipe.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "base/document_file.h"
#include "base/error.h"
#include "base/output_file.h"
#include "base/print_error.h"

namespace raddle {
namespace {

// Results are sent in pieces that a pipe writes as a whole, even with other writers (pipe(7),
// PIPE_BUF).
struct Head {
  int pid;
  unsigned number;
  unsigned short bytes;
  Result what;
  bool begins, ends;
};
constexpr std::size_t kMostBytes = PIPE_BUF - sizeof(Head);
constexpr Result kEnd{0xff};  // from `raddle run` itself

struct Piece {
  Head head;
  char bytes[kMostBytes];
};
static_assert(sizeof(Piece) == PIPE_BUF);

int send(int pipe, const Head& head, std::string_view bytes) {
  Piece piece;
  piece.head = head;
  piece.head.bytes = static_cast<unsigned short>(bytes.size());
  bytes.copy(piece.bytes, bytes.size());
  return write_bytes(pipe, {reinterpret_cast<const char*>(&piece), sizeof(Head) + bytes.size()});
}

/// 0, or the error's number.
int send_all(int pipe, Result what, unsigned number, std::string_view text) {
  Head head{getpid(), number, 0, what, true, false};
  do {
    const std::string_view bytes = text.substr(0, kMostBytes);
    text.remove_prefix(bytes.size());
    head.ends = text.empty();
    if (const int error = send(pipe, head, bytes); error != 0) return error;
    head.begins = false;
  } while (!text.empty());
  return 0;
}

/// Returns false at the end.
bool read_whole(int pipe, char* to, std::size_t bytes) {
  while (bytes != 0) {
    const ssize_t n = read(pipe, to, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    to += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

unsigned long long inode(int descriptor) {
  struct stat state{};
  return fstat(descriptor, &state) == 0 ? state.st_ino : 0;
}

int g_pipe = -1;

/// The address of `raddle run`, saved at the first call, because programs clear their environment
/// (`clearenv`). Null without one.
const char* address() {
  static char text[64] = {};
  const char* const now = text[0] == 0 ? std::getenv(kResultVariable) : nullptr;
  if (now != nullptr) std::snprintf(text, sizeof text, "%s", now);
  return text[0] == 0 ? nullptr : text;
}

/// This process's end, opened again if the program has closed it or uses its number. -1, with
/// errno, if there is none.
int open_pipe() {
  const char* const text = address();
  int pid = 0, descriptor = 0;
  unsigned long long pipe = 0;
  errno = ENOENT;
  if (text == nullptr || std::sscanf(text, "%d %d %llu", &pid, &descriptor, &pipe) != 3) return -1;
  if (g_pipe >= 0 && inode(g_pipe) == pipe) return g_pipe;
  const int low = open_past_limit(fmt::format("/proc/{}/fd/{}", pid, descriptor).c_str(),
                                  O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (low < 0) return -1;
  fcntl(low, F_SETFL, O_WRONLY);
  // Use a high number, because programs may count on the lowest ones.
  constexpr int kHigh = 201;
  const int high = fcntl(low, F_DUPFD_CLOEXEC, kHigh);
  if (high >= 0) close(low);
  g_pipe = high >= 0 ? high : low;
  if (inode(g_pipe) == pipe) return g_pipe;
  close(std::exchange(g_pipe, -1));
  errno = ENOENT;
  return -1;
}

}  // namespace

ResultPipe::ResultPipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe: {}", std::strerror(errno));
  read_end_ = ends[0];
  write_end_ = ends[1];
}

ResultPipe::~ResultPipe() {
  if (thread_.joinable()) finish();
  close(read_end_);
  close(write_end_);
}

std::string ResultPipe::text() const {
  return fmt::format("{} {} {}", getpid(), write_end_, inode(write_end_));
}

void ResultPipe::receive() {
  thread_ = std::thread([this] { take_all(); });
}

void ResultPipe::finish() {
  send_all(write_end_, kEnd, 0, {});
  thread_.join();
}

void ResultPipe::take_all() {
  std::map<std::pair<int, Result>, std::string> under_way;
  while (true) {
    Piece piece;
    Head& head = piece.head;
    if (!read_whole(read_end_, reinterpret_cast<char*>(&head), sizeof head)) return;
    if (head.what == kEnd) return;
    if (head.bytes > kMostBytes || !read_whole(read_end_, piece.bytes, head.bytes)) return;
    std::string& text = under_way[{head.pid, head.what}];
    if (head.begins) text.clear();
    text.append(piece.bytes, head.bytes);
    if (!head.ends) continue;
    take(head.what, head.pid, head.number, text);
    text = {};
  }
}

/// Numbers come from the register of the run (cuda/run_register.h). A process that could not write
/// to it may have the number of another one.
unsigned ResultPipe::own_number(int pid, unsigned number) {
  while (owners_.try_emplace(number, pid).first->second != pid) ++number;
  return number;
}

void ResultPipe::take(Result what, int pid, unsigned number, std::string_view text) {
  if (what == Result::error) {
    ++errors_;
    return;
  }
  try {
    if (what == Result::failure) {
      print_error("raddle: {}\n", text);
    } else {
      const TemporaryFile& file = what == Result::statistics ? statistics_ : profiles_;
      append_document(file.path(), own_number(pid, number), text);
      return;
    }
  } catch (const Error& error) {
    print_error("raddle: the {} are lost: {}\n",
                what == Result::statistics ? "statistics" : "results of the profile", error.what());
  }
  lost_ = true;
}

void hold_result_pipe() { open_pipe(); }

void send_result(Result what, unsigned number, std::string_view text) {
  const int pipe = open_pipe();
  const int error = pipe < 0 ? errno : send_all(pipe, what, number, text);
  if (error != 0) fail("cannot reach raddle run, which writes the files: {}", std::strerror(error));
}

void tell_failed_output(const std::string& message) {
  const int pipe = open_pipe();
  if (pipe >= 0 && send_all(pipe, Result::failure, 0, message) == 0) return;
  // Not with stdio: the program may have stopped inside it and still hold its locks.
  write_bytes(STDERR_FILENO, fmt::format("raddle: {}\n", message));
}

void note_error() {
  if (const int pipe = open_pipe(); pipe >= 0) send_all(pipe, Result::error, 0, {});
}

}  // namespace raddle
