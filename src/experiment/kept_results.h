// Results in the tree, results/NAME.json. For each run of a finished experiment they have its
// identity, its maker, and the numbers that figures and pages use. They are a store besides the
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
  /// Reads the file; without a file there are no results. Throws Error naming the file when it is
  /// damaged.
  explicit KeptResults(std::string file);

  bool empty() const { return runs_.empty(); }
  const std::string& file() const { return file_; }
  const std::vector<StoredRun>& runs() const { return runs_; }

  /// The paths that were not kept for any run.
  std::set<std::string> missing(const std::set<std::string>& paths) const;
  /// From this call on, find() finds runs only if all of these paths were kept: otherwise they must
  /// run again.
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

/// The statistics that figures, orders, timelines and every page use.
std::set<std::string> paths_of(const Experiment& experiment);

/// The text of the file: `runs`, and the runs of other scales in `before`. Only numbers that
/// `paths` names are kept; GROUP.* names all numbers below GROUP. Throws Error for a run that
/// failed.
std::string kept_text(const Experiment& experiment, const std::vector<StoredRun>& runs,
                      const KeptResults& before, const std::set<std::string>& paths);

}  // namespace raddle::experiment
