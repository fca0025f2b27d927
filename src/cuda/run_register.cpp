#include "cuda/run_register.h"

#include "base/output_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace raddle::cuda {
namespace {

/// The register, open to be added to; -1 when there is none.
int open_register() {
  const char* file = std::getenv(kRegisterVariable);
  return file == nullptr ? -1 : open_past_limit(file, O_WRONLY | O_APPEND | O_CLOEXEC);
}

/// Lines are short and added whole, whoever else is writing.
void add(int file, const std::string& line) { write_bytes(file, line + "\n"); }

__attribute__((constructor)) void tell_loaded() {
  const int file = open_register();
  if (file < 0) return;
  add(file, "loaded");
  close(file);
}

}  // namespace

unsigned register_process() {
  const int file = open_register();
  if (file < 0) return 1;
  flock(file, LOCK_EX);
  const unsigned number = read_register(std::getenv(kRegisterVariable)).processes + 1;
  add(file, "process " + std::to_string(getpid()));
  close(file);
  return number;
}

void register_error() {
  const int file = open_register();
  if (file < 0) return;
  add(file, "error");
  close(file);
}

RunNotes read_register(const std::string& file) {
  RunNotes notes;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    notes.loaded |= line == "loaded";
    notes.processes += line.starts_with("process ");
    notes.errors += line == "error";
  }
  return notes;
}

}  // namespace raddle::cuda
