// What `raddle corun` tells of the programs that have shared the GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corun/session.h"

namespace raddle::cli {

/// A program's part in a run, and what it took when it ran alone.
struct CorunPart {
  std::string name;  // its command
  int exit_code = 0;
  corun::Share share;  // of all its processes
  std::optional<corun::Share> alone;

  double ipc() const;
  /// Cycles with others over cycles alone; 0: not known.
  double slowdown() const;
};

/// Sums over the processes of a program.
corun::Share sum_of(const std::vector<corun::Share>& shares);

/// Of programs that all have run alone before: the sum of their speeds, of those alone, and the least over
/// the greatest of these.
struct CorunSpeeds {
  double weighted_speedup = 0, fairness = 0;
};
std::optional<CorunSpeeds> speeds_of(const std::vector<CorunPart>& parts);

std::string corun_table(const std::vector<CorunPart>& parts, double core_mhz);
/// `policy`, `gpu`: as they were asked for.
std::string corun_json(const std::vector<CorunPart>& parts, double core_mhz, const std::string& gpu,
                       const std::string& policy);

}  // namespace raddle::cli
