#include "cuda/run_register.h"

#include "base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <utility>

namespace raddle::cuda {
namespace {

int g_register = -1;
ino_t g_inode = 0;

/// The register file, open for appending; opened again when the program has closed it. -1: none.
int open_register() {
  struct stat state{};
  if (g_register >= 0 && fstat(g_register, &state) == 0 && state.st_ino == g_inode)
    return g_register;
  const char* const file = std::getenv(kRegisterVariable);
  g_register = file == nullptr ? -1 : open_past_limit(file, O_RDWR | O_APPEND | O_CLOEXEC);
  if (g_register < 0) return -1;
  // A high number, since programs may expect the lowest numbers.
  constexpr int kHigh = 202;
  if (const int high = fcntl(g_register, F_DUPFD_CLOEXEC, kHigh); high >= 0) {
    close(std::exchange(g_register, high));
  }
  g_inode = fstat(g_register, &state) == 0 ? state.st_ino : 0;
  return g_register;
}

/// Lines are short and appended as a whole, even if other processes write too.
void add(int file, const std::string& line) { write_bytes(file, line + "\n"); }

RunNotes read_lines(std::istream& in) {
  RunNotes notes;
  for (std::string line; std::getline(in, line);) {
    notes.loaded |= line == "loaded";
    notes.processes += line.starts_with("process ");
  }
  return notes;
}

/// Reads the file from its beginning: other processes may share the descriptor.
std::string content(int file) {
  std::string text;
  char some[4096];
  while (true) {
    const ssize_t n = pread(file, some, sizeof some, static_cast<off_t>(text.size()));
    if (n <= 0) return text;
    text.append(some, static_cast<std::size_t>(n));
  }
}

/// Runs at load time, before the program limits itself or becomes another user.
__attribute__((constructor)) void tell_loaded() {
  if (const int file = open_register(); file >= 0) add(file, "loaded");
}

}  // namespace

unsigned register_process() {
  const int file = open_register();
  if (file < 0) return 1;
  // A lock of this process, not of the descriptor, which forked processes share.
  struct flock whole{};
  whole.l_type = F_WRLCK;
  while (fcntl(file, F_SETLKW, &whole) != 0 && errno == EINTR) {
  }
  std::istringstream in(content(file));
  const unsigned number = read_lines(in).processes + 1;
  add(file, "process " + std::to_string(getpid()));
  whole.l_type = F_UNLCK;
  fcntl(file, F_SETLK, &whole);
  return number;
}

RunNotes read_register(const std::string& file) {
  std::ifstream in(file);
  return read_lines(in);
}

}  // namespace raddle::cuda
