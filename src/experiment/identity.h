// What a run's outcome depends on, and who made it.
#pragma once

#include <string>

namespace raddle::experiment {

struct RunIdentity {
  std::string program;  // name and fingerprint, arguments, with the content of files that they name
  std::string settings;   // every setting of the simulated machine (machine_settings.h)
  std::string behaviour;  // of the units that it uses (behaviour.h)

  /// As it is, without looking into the settings.
  bool operator==(const RunIdentity&) const = default;
  auto operator<=>(const RunIdentity&) const = default;
};

struct Maker {
  std::string commit;    // of the simulator; with "-changed" if files of its tree were; "": unknown
  std::string computer;  // processor and system, without a name
  std::string date;      // "2026-01-31"

  bool operator==(const Maker&) const = default;
};

}  // namespace raddle::experiment
