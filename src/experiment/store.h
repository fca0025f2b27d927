// Finished runs, kept in an SQLite file as each one ends: an interrupted sweep continues at the
// same place, and a run never repeats. A damaged file or a full disk is an Error that names the
// file.
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
  std::string program;  // for people who look into the file; not part of the identity
  std::string variant;
  std::string scale;
  std::string command;
  int exit_code = 0;
  double seconds = 0;      // of the host
  std::string statistics;  // the JSON document; empty when the run wrote none
  std::string output;      // the end of its output, when it failed
  Maker maker = {};
  /// In place of the document: the numbers of it that were kept (kept_results.h).
  std::optional<std::map<std::string, double>> numbers = {};
};

class Store {
 public:
  /// Opens the file, or makes it with its folder. Throws Error naming the file when this fails.
  /// `kept`: results of the tree, which are searched for runs that the file lacks; may be null.
  explicit Store(const std::string& file, const KeptResults* kept = nullptr);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Settings that were added or removed later do not matter if they are at their defaults.
  std::optional<StoredRun> find(const RunIdentity& identity) const;
  /// Writes the run to the disk before it returns; replaces an earlier run of the same identity.
  void keep(const StoredRun& run);
  /// Seconds of the latest run of this program and variant, in any version.
  std::optional<double> seconds_before(const std::string& program, const std::string& variant,
                                       const std::string& scale) const;

 private:
  std::optional<StoredRun> found(const RunIdentity& identity) const;

  const std::string file_;
  const KeptResults* kept_;
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace raddle::experiment
