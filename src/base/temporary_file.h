// A file that disappears with its owner.
#pragma once

#include <string>

namespace raddle {

/// A file under the system's temporary folder that disappears with its owner.
class TemporaryFile {
 public:
  /// Makes it, empty. Throws Error when it cannot be made.
  TemporaryFile();
  ~TemporaryFile();
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&& other) noexcept;

  const std::string& path() const { return path_; }
  std::string content() const;

 private:
  std::string path_;  // empty once moved from
};

}  // namespace raddle
