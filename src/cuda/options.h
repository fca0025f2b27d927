// Options that `raddle run` passes to the process that runs the program.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace raddle::cuda {

struct Options {
  std::string gpu = "k20c";  // name or file of the description
  bool gpu_named = false;    // a person named the GPU; it is not the default
  bool lenient = false;      // runs code that assemblers and drivers refuse
  bool functional = false;
  unsigned threads = 1;
  bool keep_going = false;
  bool progress = true;                         // lines on stderr
  bool each_launch = false;                     // the statistics have each launch, not only sums
  std::uint64_t most_launches = 0;              // the program ends after so many; 0: no limit
  std::uint64_t launch_statistics = 1000;       // number of launches that keep all statistics
  std::map<std::string, std::string> settings;  // "unit.field" -> value
  std::string with;                             // mechanisms, separated by commas
  std::string started_by;                       // a JSON object for the results; "" = unknown
  bool statistics = false;                      // handed over (base/result_pipe.h)
  std::string trace_file;                       // "" = none
  std::uint64_t trace_limit = 1000;             // MB
  unsigned trace_interval = 1000;               // SM cycles between samples of its counters
  bool profile = false;                         // the profile is handed over
  std::string corun;                            // corun::kVariable of the environment; "" = none
};

/// Reads the environment variable RADDLE_OPTIONS, a JSON object {"gpu", "gpu_named", "lenient",
/// "functional", "threads", "keep_going", "progress", "each_launch", "launches",
/// "launch_statistics", "with", "set", "stats", "trace", "trace_interval", "trace_limit",
/// "profile", "run"}; absent keys keep their defaults. Throws Error for other text.
Options options_from_environment();

}  // namespace raddle::cuda
