#include "progress.h"

#include <unistd.h>

#include <utility>

#include "base/print_error.h"

namespace raddle::cli {

Progress::Progress(std::size_t total, std::string steps)
    : total_(total), steps_(std::move(steps)), shown_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (shown_) print_error("\r\033[K");
}

void Progress::begin(const std::string& step) {
  const std::size_t done = begun_++;
  if (!shown_) return;
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  print_error("\r\033[K{} of {} {} done, now {}", done, total_, steps_, step);
  if (done == 0) return;
  print_error(", about {:.0f} s left",
              passed.count() / static_cast<double>(done) * static_cast<double>(total_ - done));
}

}  // namespace raddle::cli
