// What `raddle run` tells the process that runs the program.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace raddle::cuda {

struct Options {
  std::string gpu = "k20c";  // name or file of the description
  bool gpu_named = false;    // by a person, not the default
  bool lenient = false;      // runs what assemblers and drivers refuse
  bool functional = false;
  unsigned threads = 1;
  bool keep_going = false;
  bool progress = true;                    // lines on stderr
  bool each_launch = false;                // in the statistics, not sums alone
  std::uint64_t most_launches = 0;         // the program ends when so many have; 0: when it wants
  std::uint64_t launch_statistics = 1000;  // of how many of them all statistics are kept
  std::map<std::string, std::string> settings;  // "unit.field" -> value
  std::string with;                             // mechanisms, separated by commas
  std::string started_by;                       // a JSON object for the results; "" = nobody says
  bool statistics = false;                      // are handed over (base/result_pipe.h)
  std::string trace_file;                       // "" = none
  std::uint64_t trace_limit = 1000;             // MB
  unsigned trace_interval = 1000;               // SM cycles between samples of its counters
  bool profile = false;                         // is handed over
  std::string corun;                            // corun::kVariable of the environment; "" = none
};

/// Reads the environment variable RADDLE_OPTIONS, a JSON object {"gpu", "gpu_named", "lenient", "functional", "threads",
/// "keep_going", "progress", "each_launch", "launches", "launch_statistics", "with", "set", "stats", "trace",
/// "trace_interval", "trace_limit", "profile", "run"}; what is missing keeps its default. Throws Error for other text.
Options options_from_environment();

}  // namespace raddle::cuda
