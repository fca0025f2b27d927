// Runs the runs of an experiment, or others: several local processes at a time. Each result is kept
// when its run ends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiment/run.h"
#include "experiment/store.h"

namespace raddle::experiment {

struct SweepOptions {
  unsigned jobs = 1;             // processes at a time
  double timeout_seconds = 0;    // a longer run is ended and counts as failed; 0 = no limit
  bool stop_at_failure = false;  // ends the other runs; unstarted runs get no statistics
  Maker maker = {};              // of these runs
};

/// The progress of a sweep, reported when a run ends and a few times a second.
struct SweepProgress {
  std::size_t total = 0;
  std::size_t known = 0;  // of them, already in the store
  std::size_t ended = 0;  // of them, ended in this sweep
  std::size_t failed = 0;
  unsigned running = 0;
  double seconds_left = 0;  // estimate; negative while unknown
};

/// The work that a sweep would do.
struct SweepPlan {
  std::size_t total = 0;    // distinct runs
  std::size_t stored = 0;   // of them, already in the store
  std::size_t untimed = 0;  // of the others, runs of unknown length
  double seconds = 0;       // of the others; untimed ones count as the average of the rest
};

/// Starts no run. `jobs`: processes at a time.
SweepPlan plan_sweep(const std::vector<Run>& runs, const Store& store, unsigned jobs);

/// Runs the runs that the store lacks (null: no result is kept), and runs of one identity only
/// once. Returns every run's record under its own names, in the order of `runs`; a failed run has
/// an exit code. A failed run of an earlier sweep is tried again. SIGINT and SIGTERM end the
/// running processes and throw Error: results of ended runs are kept.
std::vector<StoredRun> sweep(const std::vector<Run>& runs, const Place& place, Store* store,
                             const SweepOptions& options,
                             const std::function<void(const SweepProgress&)>& tell);

}  // namespace raddle::experiment
