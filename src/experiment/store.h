// Finished runs, kept in an SQLite file as each one ends: what was interrupted goes on where it
// was, and what has run once is not run again. A damaged file or a full disk is an Error that names
// the file.
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace SQLite {
class Database;
}

namespace raddle::experiment {

struct StoredRun {
  std::string key;      // of all that the outcome depends on (run.h)
  std::string program;  // for people who look into the file: names, not identities
  std::string variant;
  std::string scale;
  std::string command;
  int exit_code = 0;
  double seconds = 0;      // of the host
  std::string statistics;  // the JSON document; empty when the run left none
  std::string output;      // the end of what it printed, when it failed
};

class Store {
 public:
  /// Opens the file, or makes it with its folder. Throws Error naming it when that cannot be done.
  explicit Store(const std::string& file);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::optional<StoredRun> find(const std::string& key) const;
  /// Written through to the disk before it returns; replaces an earlier run of the same key.
  void keep(const StoredRun& run);
  /// How long the latest run of this program and variant took, whatever the version.
  std::optional<double> seconds_before(const std::string& program, const std::string& variant,
                                       const std::string& scale) const;

 private:
  std::optional<StoredRun> found(const std::string& key) const;

  const std::string file_;
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace raddle::experiment
