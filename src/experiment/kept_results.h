// Results that live in the tree, results/NAME.json: of each run of a finished experiment its identity,
// who made it, and those numbers that figures and pages take from it. They are a store beside the
// SQLite file, so that a fresh clone shows figures without a run.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/store.h"

namespace raddle::experiment {

class KeptResults {
 public:
  /// Reads the file; when there is none, there are no results. Throws Error naming it when it is
  /// damaged.
  explicit KeptResults(std::string file);

  bool empty() const { return runs_.empty(); }
  const std::string& file() const { return file_; }
  const std::vector<StoredRun>& runs() const { return runs_; }

  /// Those of `paths` that were not kept, of any run.
  std::set<std::string> missing(const std::set<std::string>& paths) const;
  /// Runs are found only where all of these were kept: otherwise they have to run again.
  void require(std::set<std::string> paths) { required_ = std::move(paths); }

  std::optional<StoredRun> find(const RunIdentity& identity) const;
  std::optional<double> seconds_of(const std::string& program, const std::string& variant,
                                   const std::string& scale) const;

 private:
  void read();

  std::string file_;
  std::vector<StoredRun> runs_;
  std::multimap<std::pair<std::string, std::string>, std::size_t> places_;  // program, behaviour
  std::set<std::string> statistics_, required_;
};

/// What figures, orders and timelines take from runs, and what every page says of them.
std::set<std::string> paths_of(const Experiment& experiment);

/// The text of the file: `runs`, and of `before` those of other scales. Only numbers at, or below,
/// `paths` are in it. Throws Error for a run that failed.
std::string kept_text(const Experiment& experiment, const std::vector<StoredRun>& runs,
                      const KeptResults& before, const std::set<std::string>& paths);

}  // namespace raddle::experiment
