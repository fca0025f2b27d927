#include "base/temporary_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/error.h"

namespace raddle {
namespace {

int open_without_name() {
  std::error_code none;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(none);
  if (!none) {
    const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0) return file;
    // Not every file system has O_TMPFILE.
    std::string pattern = (folder / "raddle-XXXXXX").string();
    const int named = mkostemp(pattern.data(), O_APPEND | O_CLOEXEC);
    if (named >= 0) {
      unlink(pattern.c_str());
      return named;
    }
  }
  const int memory = memfd_create("raddle", MFD_CLOEXEC);
  if (memory >= 0) fcntl(memory, F_SETFL, O_APPEND);
  return memory;
}

}  // namespace

TemporaryFile::TemporaryFile() : file_(open_without_name()) {
  if (file_ < 0) fail("cannot make a temporary file: {}", std::strerror(errno));
  path_ = fmt::format("/proc/{}/fd/{}", getpid(), file_);
}

TemporaryFile::~TemporaryFile() {
  if (file_ >= 0) close(file_);
}

TemporaryFile::TemporaryFile(TemporaryFile&& other) noexcept
    : file_(std::exchange(other.file_, -1)), path_(std::exchange(other.path_, {})) {}

TemporaryFile& TemporaryFile::operator=(TemporaryFile&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(path_, other.path_);
  return *this;
}

std::string TemporaryFile::content() const { return end(std::numeric_limits<std::size_t>::max()); }

std::string TemporaryFile::end(std::size_t bytes) const {
  struct stat state{};
  if (fstat(file_, &state) != 0) return {};
  const auto size = static_cast<std::size_t>(state.st_size);
  std::string text(std::min(size, bytes), '\0');
  const std::size_t first = size - text.size();
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t n =
        pread(file_, text.data() + done, text.size() - done, static_cast<off_t>(first + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<std::size_t>(n);
  }
  text.resize(done);
  return text;
}

}  // namespace raddle
