// The report of `raddle corun` on the programs that shared the GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "corun/session.h"

namespace raddle::cli {

/// A program's share of a run, and its share when it ran alone.
struct CorunPart {
  std::string name;  // its command
  int exit_code = 0;
  corun::Share share;  // sum over all its processes
  std::optional<corun::Share> alone;

  double ipc() const;
  /// Cycles with others over cycles alone; 0: unknown.
  double slowdown() const;
};

/// Sums over the processes of a program.
corun::Share sum_of(const std::vector<corun::Share>& shares);

/// For programs that have all run alone before: the sum of their speeds relative to running alone,
/// and the smallest of these speeds over the largest.
struct CorunSpeeds {
  double weighted_speedup = 0, fairness = 0;
};
std::optional<CorunSpeeds> speeds_of(const std::vector<CorunPart>& parts);

std::string corun_table(const std::vector<CorunPart>& parts, double core_mhz);
/// `policy`, `gpu`: as the user named them.
std::string corun_json(const std::vector<CorunPart>& parts, double core_mhz, const std::string& gpu,
                       const std::string& policy);

}  // namespace raddle::cli
