// Starting a program with our libraries in place of NVIDIA's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace raddle::cli {

struct RunOptions {
  std::string gpu = "k20c";  // name or file
  bool gpu_named = false;    // by a person: it runs only what such a GPU runs
  bool lenient = false;      // what assemblers and drivers refuse is run
  bool functional = false;
  unsigned threads = 1;
  bool keep_going = false;
  int error_exit_code = 0;            // returned when a fault or error was told; 0: the program's
  std::string with;                   // mechanisms to switch on, separated by commas
  std::vector<std::string> settings;  // "unit.field=value"
  std::string statistics_file;        // "" = none kept
  std::uint64_t most_launches = 0;    // the program ends when so many have; 0: when it wants
  std::uint64_t launch_statistics = 1000;  // so many launches' statistics are kept one by one
  std::string trace_file;                  // "" = none
  unsigned trace_interval = 1000;          // SM cycles
  std::uint64_t trace_limit = 1000;        // MB
  bool profile = false;
  std::string profile_file;       // "" = only the table
  unsigned profile_lines = 20;    // of the table
  bool quiet = false;             // neither progress nor a table at the end
  bool output_to_stderr = false;  // the program's: ours alone goes to standard output
};

/// Whether `word` is an option of `raddle run` with two dashes ("--gpu").
bool is_run_option(const std::string& word);

/// Runs `program` (a bundled workload's name, or a path) with `arguments`; prints the table of
/// statistics on stderr, of each process that used the GPU. Returns the program's exit code (128 +
/// signal when one ended it), or `error_exit_code`.
int launch(RunOptions options, const std::string& program,
           const std::vector<std::string>& arguments);

}  // namespace raddle::cli
