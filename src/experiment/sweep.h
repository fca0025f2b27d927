// Running the runs of an experiment, or others: several local processes at a time, results kept as
// each ends.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiment/run.h"
#include "experiment/store.h"

namespace raddle::experiment {

struct SweepOptions {
  unsigned jobs = 1;             // processes at a time
  double timeout_seconds = 0;    // a run that takes longer is ended and counts as failed; 0 = never
  bool stop_at_failure = false;  // the others are ended; those not run have no statistics
  Maker maker = {};              // of these runs
};

/// How far a sweep is; told whenever a run ends and a few times per second.
struct SweepProgress {
  std::size_t total = 0;
  std::size_t known = 0;  // of them, already in the store
  std::size_t ended = 0;  // of them, ended in this sweep
  std::size_t failed = 0;
  unsigned running = 0;
  double seconds_left = 0;  // estimate; negative while nothing is known
};

/// What a sweep would do.
struct SweepPlan {
  std::size_t total = 0;    // distinct runs
  std::size_t stored = 0;   // of them
  std::size_t untimed = 0;  // of the others, those of which nobody knows how long they take
  double seconds = 0;  // that the others take, the untimed ones as long as the average of the rest
};

/// Runs nothing. `jobs`: processes at a time.
SweepPlan plan_sweep(const std::vector<Run>& runs, const Store& store, unsigned jobs);

/// Runs what the store does not have yet (null: nothing is kept), runs of one identity once. Returns
/// every run's record under its own names, in the order of `runs`; a run that failed has an exit
/// code. A failed run of an earlier sweep is tried again. SIGINT and SIGTERM end the running
/// processes and throw Error: what had ended by then is kept.
std::vector<StoredRun> sweep(const std::vector<Run>& runs, const Place& place, Store* store,
                             const SweepOptions& options,
                             const std::function<void(const SweepProgress&)>& tell);

}  // namespace raddle::experiment
