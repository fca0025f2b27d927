// Fingerprints: what tells versions of files and programs apart.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace raddle::experiment {

/// FNV-1a, 64 bits (Fowler, Noll, Vo). `hash`: of what came before.
std::uint64_t fingerprint(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325u);
/// In 16 hexadecimal digits.
std::string fingerprint_text(std::uint64_t hash);
/// Of a file's content. Throws Error when it cannot be read.
std::string fingerprint_text(const std::filesystem::path& file);

/// C++ source without comments, and with one blank where there were blanks or ends of lines.
std::string without_comments(std::string_view source);

/// What programs of a source tree are made of, and which bundled inputs they open untold.
class ProgramFingerprints {
 public:
  /// `root`: of the source tree; has workloads/, include/ and data/.
  explicit ProgramFingerprints(std::filesystem::path root) : root_(std::move(root)) {}

  /// Of a bundled workload: its sources, the headers of the tree that they include, the sources that
  /// belong to these headers, and the files below data/ that any of them names. Comments do not count.
  /// Nothing of the compiler nor of the build folder is in it: a clean clone has the same.
  std::uint64_t of_workload(const std::string& name);
  bool is_workload(const std::string& name) const;

  /// Whether the workload's sources have the word: as one, or between quotes.
  bool mentions(const std::string& workload, const std::string& word);
  /// All that stands between quotes in them.
  std::set<std::string> literals_of(const std::string& workload);

  /// Reads each file once, however many runs name it.
  std::uint64_t of_file(const std::filesystem::path& file);

 private:
  struct Source {
    std::string text;                             // without comments
    std::set<std::filesystem::path> includes;     // files of the tree
    std::set<std::filesystem::path> named_input;  // below data/
    std::set<std::string> literals;
  };
  const Source& source(const std::filesystem::path& file);
  const std::set<std::filesystem::path>& files_of(const std::string& workload);
  std::set<std::filesystem::path> implementations(const std::filesystem::path& header);
  std::filesystem::path included(const std::filesystem::path& from, const std::string& name) const;

  std::filesystem::path root_;
  std::map<std::filesystem::path, Source> sources_;
  std::map<std::string, std::set<std::filesystem::path>> workloads_;
  std::map<std::filesystem::path, std::uint64_t> files_;
};

}  // namespace raddle::experiment
