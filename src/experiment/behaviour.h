// The version of the simulator's behaviour, unit by unit: stored results stay valid until the unit that
// they rest on behaves differently. Whether it does is asked of canaries, twelve short runs whose
// values are recorded in the tree (experiments/behaviour/).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/store.h"
#include "machine/config.h"

namespace raddle::experiment {

/// A part of the machine that runs can do without, or all of them use.
struct Unit {
  std::string name, what;
  // Which runs use it; what is left out restricts nothing.
  unsigned least_capability = 0, most_capability = 999;  // compute capability, 35 for 3.5
  std::string mechanism;                                 // that is switched on
  std::string setting;                                   // "unit.field" ...
  std::vector<std::string> unless;                       // ... that has none of these values
  unsigned version = 1;
};

struct Recorded {
  std::string commit, date;
  std::map<std::string, double> values;  // by path in the statistics document
};

/// A run that shows whether its unit still behaves as it did.
struct Canary {
  Program program;  // its name is the canary's
  Variant variant;
  std::string unit;
  std::optional<Recorded> recorded;
};

struct Behaviour {
  std::vector<std::string> statistics;  // of canaries, that are compared
  std::vector<Unit> units;
  std::vector<Canary> canaries;

  /// The units that runs on this machine use, with their versions: "host 1, kepler 2".
  std::string version_for(const machine::GpuConfig& config) const;
};

/// `described`: units and canaries (TOML, by hand). `recorded`: versions and values (JSON, written by
/// record_text()); when there is no such file, versions are 1 and no values known. Throws InputError.
Behaviour read_behaviour(const std::string& described, const std::string& recorded);

/// The canaries as an experiment of one run each.
Experiment canary_experiment(const Behaviour& behaviour);

/// More than this part of a recorded value is another behaviour.
inline constexpr double kMostMove = 0.02;

/// How far a canary's values are from those recorded.
struct Move {
  const Canary* canary = nullptr;
  std::string statistic;  // that moved most
  double before = 0, now = 0;
  std::map<std::string, double> values;

  bool known() const { return canary->recorded.has_value(); }
  double part() const;  // of the recorded value; infinite where that is 0
  bool too_far() const;
};

/// `records`: of the canaries' runs, all of which ended well. Throws Error for a statistic that a run
/// does not have.
std::vector<Move> moves(const Behaviour& behaviour, const std::vector<StoredRun>& records);

/// The units whose canaries moved too far, each once.
std::vector<std::string> moved_units(const std::vector<Move>& moves);

/// Raises the versions of those units, and takes over the values of canaries that moved too far or were
/// not recorded. The others keep theirs, so that small moves add up and are noticed.
void raise(Behaviour& behaviour, const std::vector<Move>& moves, const std::string& commit,
           const std::string& date);

/// The JSON text that read_behaviour() reads.
std::string record_text(const Behaviour& behaviour);

}  // namespace raddle::experiment
