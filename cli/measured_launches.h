// Launches that a profiler measured on a real GPU, read from a table.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/types.h"

namespace raddle::cli {

/// One row of the table.
struct MeasuredLaunch {
  std::string program, arguments, kernel;
  Dim3 grid, block;
  unsigned index = 0;                    // among all launches of the program, from 0
  double cycles = 0;                     // Nsight Compute: gpc__cycles_elapsed.max
  double nanoseconds = 0;                // gpu__time_duration.sum; 0: not measured
  std::map<std::string, double> counts;  // the other columns of numbers, by name
};

/// Reads comma-separated values (RFC 4180) whose first line names the columns: program, arguments,
/// kernel, grid, block ("4x1x1"), launch_index and cycles, in any order; also duration_ns and
/// counts if present. Throws Error with file and line for a row that it cannot parse.
std::vector<MeasuredLaunch> read_measured_launches(const std::string& file);

}  // namespace raddle::cli
