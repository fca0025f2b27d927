// The canaries, which show whether stored results are still valid (experiment/behaviour.h).
#pragma once

#include <string>

#include "experiment/behaviour.h"
#include "experiment/run.h"
#include "experiment/sweep.h"

namespace raddle::cli {

/// Units, canaries and their recorded values, of this source tree.
experiment::Behaviour behaviour_of_tree();
experiment::Place place_of_tree();

struct CanaryOptions {
  std::string only;    // regular expression for names
  bool raise = false;  // raises versions of units that moved, and records values
};

/// Runs the canaries, and reports which moved and what this means for the results of the tree.
/// Returns the exit code: 1 if a canary has moved or was never recorded, and `raise` is not given.
int check_canaries(const CanaryOptions& options, const experiment::SweepOptions& sweep);

}  // namespace raddle::cli
