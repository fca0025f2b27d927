// Reads timelines by another library than the one that writes them.
#pragma once

#include <unistd.h>
#include <zlib.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace raddle::report::test {

/// A file that disappears with us.
class Scratch {
 public:
  explicit Scratch(const std::string& ending) {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "raddle-trace-XXXXXX").string() + ending;
    close(mkstemps(pattern.data(), static_cast<int>(ending.size())));
    path_ = pattern;
  }
  ~Scratch() { std::filesystem::remove(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The events of a plain or compressed timeline; throws when the file is not whole.
inline nlohmann::json events_of(const std::string& path) {
  std::string text;
  const gzFile file = gzopen(path.c_str(), "rb");
  char buffer[4096];
  int n = 0;
  while ((n = gzread(file, buffer, sizeof buffer)) > 0)
    text.append(buffer, static_cast<std::size_t>(n));
  if (gzclose(file) != Z_OK || n < 0) throw std::runtime_error("cannot unpack " + path);
  return nlohmann::json::parse(text)["traceEvents"];
}

}  // namespace raddle::report::test
