// The canaries, by which stored results are known to be valid still (experiment/behaviour.h).
#pragma once

#include <string>

#include "experiment/behaviour.h"
#include "experiment/run.h"
#include "experiment/sweep.h"

namespace raddle::cli {

/// Units, canaries and what was recorded of them, of this source tree.
experiment::Behaviour behaviour_of_tree();
experiment::Place place_of_tree();

struct CanaryOptions {
  std::string only;    // regular expression on names
  bool raise = false;  // versions of units that moved, and record
};

/// Runs them and tells which moved, and what that means for the results of the tree. Returns the exit
/// code: 1 where one has moved, or was never recorded, and `raise` is not given.
int check_canaries(const CanaryOptions& options, const experiment::SweepOptions& sweep);

}  // namespace raddle::cli
