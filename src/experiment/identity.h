// The inputs that the outcome of a run depends on, and the maker of the run.
#pragma once

#include <string>

namespace raddle::experiment {

struct RunIdentity {
  std::string program;  // name and fingerprint, arguments, with the content of files that they name
  std::string settings;   // every setting of the simulated machine (machine_settings.h)
  std::string behaviour;  // versions of the units that it uses (behaviour.h)

  /// Compares the texts, without looking into the settings.
  bool operator==(const RunIdentity&) const = default;
  auto operator<=>(const RunIdentity&) const = default;
};

struct Maker {
  std::string commit;    // of the simulator; "-changed" behind it: with changed files; "": unknown
  std::string computer;  // processor and system, without the host's name
  std::string date;      // "2026-01-31"

  bool operator==(const Maker&) const = default;
};

}  // namespace raddle::experiment
