// The version of the simulator's behaviour, unit by unit. Stored results stay valid until a unit
// that they depend on behaves differently. Canaries find out whether it does: twelve short runs,
// whose values are recorded in the tree (experiments/behaviour/).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "experiment/experiment.h"
#include "experiment/store.h"
#include "machine/config.h"

namespace raddle::experiment {

/// A part of the machine. All runs use it, or only some of them.
struct Unit {
  std::string name, what;
  // The runs that use it; absent conditions restrict nothing.
  unsigned least_capability = 0, most_capability = 999;  // compute capability, 35 for 3.5
  std::string mechanism;                                 // used where this mechanism is switched on
  std::string setting;                                   // "unit.field" ...
  std::vector<std::string> unless;                       // ... has none of these values
  unsigned version = 1;
};

struct Recorded {
  std::string commit, date;
  std::map<std::string, double> values;  // by path in the statistics document
};

/// A run that shows whether its unit still behaves as recorded.
struct Canary {
  Program program;  // its name is the canary's
  Variant variant;
  std::string unit;
  std::optional<Recorded> recorded;
};

struct Behaviour {
  std::vector<std::string> statistics;  // the statistics of canaries that are compared
  std::vector<Unit> units;
  std::vector<Canary> canaries;

  /// The units that runs on this machine use, with their versions: "host 1, kepler 2".
  std::string version_for(const machine::GpuConfig& config) const;
};

/// `described`: units and canaries (TOML, by hand). `recorded`: versions and values (JSON, written
/// by record_text()); without this file, versions are 1 and no values are known. Throws InputError.
Behaviour read_behaviour(const std::string& described, const std::string& recorded);

/// The canaries as an experiment of one run each.
Experiment canary_experiment(const Behaviour& behaviour);

/// A value that moves by more than this fraction of the recorded one shows another behaviour.
inline constexpr double kMostMove = 0.02;

/// The distance of a canary's values from the recorded ones.
struct Move {
  const Canary* canary = nullptr;
  std::string statistic;  // the statistic that moved most
  double before = 0, now = 0;
  std::map<std::string, double> values;

  bool known() const { return canary->recorded.has_value(); }
  double part() const;  // fraction of the recorded value; infinite if that is 0
  bool too_far() const;
};

/// `records`: the canaries' runs, which all succeeded. Throws Error for a statistic that a run
/// lacks.
std::vector<Move> moves(const Behaviour& behaviour, const std::vector<StoredRun>& records);

/// The units whose canaries moved too far, each once.
std::vector<std::string> moved_units(const std::vector<Move>& moves);

/// Raises the versions of these units. Takes over the values of canaries that moved too far or were
/// not recorded. The other canaries keep their recorded values, so that small moves add up and are
/// noticed.
void raise(Behaviour& behaviour, const std::vector<Move>& moves, const std::string& commit,
           const std::string& date);

/// The JSON text that read_behaviour() reads.
std::string record_text(const Behaviour& behaviour);

}  // namespace raddle::experiment
