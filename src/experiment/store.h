// Finished runs, kept in an SQLite file as each one ends: what was interrupted goes on where it
// was, and what has run once is not run again. A damaged file or a full disk is an Error that names
// the file.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "experiment/identity.h"

namespace SQLite {
class Database;
}

namespace raddle::experiment {

class KeptResults;

struct StoredRun {
  RunIdentity identity;
  std::string program;  // for people who look into the file: names, not identities
  std::string variant;
  std::string scale;
  std::string command;
  int exit_code = 0;
  double seconds = 0;      // of the host
  std::string statistics;  // the JSON document; empty when the run left none
  std::string output;      // the end of what it printed, when it failed
  Maker maker = {};
  /// In place of the document: those of its numbers that were kept (kept_results.h).
  std::optional<std::map<std::string, double>> numbers = {};
};

class Store {
 public:
  /// Opens the file, or makes it with its folder. Throws Error naming it when that cannot be done.
  /// `kept`: results of the tree, which are looked at when the file has not got a run; may be null.
  explicit Store(const std::string& file, const KeptResults* kept = nullptr);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Settings that came or went since do not matter where they are at their default.
  std::optional<StoredRun> find(const RunIdentity& identity) const;
  /// Written through to the disk before it returns; replaces an earlier run of the same identity.
  void keep(const StoredRun& run);
  /// How long the latest run of this program and variant took, whatever the version.
  std::optional<double> seconds_before(const std::string& program, const std::string& variant,
                                       const std::string& scale) const;

 private:
  std::optional<StoredRun> found(const RunIdentity& identity) const;

  const std::string file_;
  const KeptResults* kept_;
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace raddle::experiment
