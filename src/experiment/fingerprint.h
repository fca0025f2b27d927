// Fingerprints: hashes that distinguish versions of files and programs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>

namespace raddle::experiment {

/// FNV-1a, 64 bits (Fowler, Noll, Vo). `hash`: the hash of the bytes before.
std::uint64_t fingerprint(std::string_view bytes, std::uint64_t hash = 0xcbf29ce484222325u);
/// As 16 hexadecimal digits.
std::string fingerprint_text(std::uint64_t hash);
/// The fingerprint of a file's content. Throws Error when it cannot be read.
std::string fingerprint_text(const std::filesystem::path& file);

/// C++ source without comments, and with one blank in place of each run of white space.
std::string without_comments(std::string_view source);

/// The contents of a source tree's programs, and the bundled inputs that they open by themselves.
class ProgramFingerprints {
 public:
  /// `root`: the root of the source tree, with workloads/, include/ and data/.
  explicit ProgramFingerprints(std::filesystem::path root) : root_(std::move(root)) {}

  /// The fingerprint of a bundled workload: its sources, the tree's headers that they include, the
  /// sources that belong to these headers, and the files below data/ that any of them names.
  /// Comments do not count, and neither does the compiler or the build folder: a clean clone has
  /// the same fingerprint.
  std::uint64_t of_workload(const std::string& name);
  bool is_workload(const std::string& name) const;

  /// Whether the workload's sources contain the word, outside or inside of literals.
  bool mentions(const std::string& workload, const std::string& word);
  /// The texts of all string literals in the sources.
  std::set<std::string> literals_of(const std::string& workload);

  /// Reads each file once, even if many runs name it.
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
