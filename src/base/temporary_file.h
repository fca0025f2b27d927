// A file without a folder: it disappears when no process has it open, however its owner ends.
#pragma once

#include <cstddef>
#include <string>

namespace raddle {

/// A file without a name, in the system's temporary folder, or in memory where that folder takes
/// none. Other processes open it by path(), which leads to the owner's descriptor.
class TemporaryFile {
 public:
  /// Makes it, empty. Throws Error when it cannot be made.
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&& other) noexcept;

  /// "/proc/PID/fd/N": good while the owner lives.
  const std::string& path() const { return path_; }
  /// Appends what is written to it.
  int descriptor() const { return file_; }
  std::string content() const;
  /// The last `bytes` of it, all of it when it has fewer.
  std::string end(std::size_t bytes) const;

 private:
  int file_ = -1;  // -1 once moved from
  std::string path_;
};

}  // namespace raddle
