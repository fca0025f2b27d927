// Starts a program with our libraries in place of NVIDIA's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace raddle::cli {

struct RunOptions {
  std::string gpu = "k20c";  // name or file
  bool gpu_named = false;    // a person named it: it runs only code that this GPU runs
  bool lenient = false;      // runs code that assemblers and drivers refuse
  bool functional = false;
  unsigned threads = 1;
  bool keep_going = false;
  int error_exit_code = 0;                 // returned after a fault or error; 0: the program's code
  std::string with;                        // mechanisms to switch on, separated by commas
  std::vector<std::string> settings;       // "unit.field=value"
  std::string statistics_file;             // "" = none kept
  std::uint64_t most_launches = 0;         // the program ends after so many; 0: no limit
  std::uint64_t launch_statistics = 1000;  // number of launches that keep their statistics
  std::string trace_file;                  // "" = none
  unsigned trace_interval = 1000;          // SM cycles
  std::uint64_t trace_limit = 1000;        // MB
  bool profile = false;
  std::string profile_file;       // "" = only the table
  unsigned profile_lines = 20;    // of the table
  bool quiet = false;             // neither progress nor a table at the end
  bool output_to_stderr = false;  // the program's output: only ours goes to standard output
};

/// Whether `word` is an option of `raddle run` with two dashes ("--gpu").
bool is_run_option(const std::string& word);

/// Runs `program` (a bundled workload's name, or a path) with `arguments`. Prints the table of
/// statistics on stderr, for each process that used the GPU. Returns the program's exit code (128 +
/// signal when a signal ended it), or `error_exit_code`.
int launch(RunOptions options, const std::string& program,
           const std::vector<std::string>& arguments);

}  // namespace raddle::cli
