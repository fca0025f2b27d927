// The results of a run: one JSON document, and the table that people read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "machine/gpu.h"
#include "machine/launch_log.h"

namespace raddle::machine {
struct MechanismKind;
}

namespace raddle::report {

/// Facts that the process of the program knows besides the GPU's own statistics.
struct Run {
  const machine::Gpu* gpu = nullptr;
  const machine::LaunchLog* launches = nullptr;
  std::vector<std::string> mechanisms;   // switched on
  std::string program;                   // as it was started
  double program_us = 0;                 // simulated: the host's virtual clock
  std::map<std::string, double> values;  // reported by the program (include/raddle/report.h)
  double wall_seconds = 0;               // of the process, from its start to now
  double simulating_seconds = 0;         // the part of them spent on simulating
  // The origin of the run (report/provenance.h).
  std::string started_by;                       // a JSON object; "": unknown
  std::vector<std::string> arguments;           // of the program
  std::string description;                      // of the GPU, as the user named it
  std::map<std::string, std::string> settings;  // "unit.field" -> value: changes to it
  std::string ended;                            // how the process ended; "": it still runs
  std::string fault;                            // of a kernel: CUDA's name for the fault; "": none
};

/// The statistics document (docs/reference/statistics.md) as JSON text, with the process's peak
/// memory.
std::string statistics_json(const Run& run);

/// The table for people, from a statistics document. `colour`: whether the terminal allows colours.
std::string table(const std::string& json_text, bool colour);

/// The generated reference of every statistic: Markdown.
std::string statistics_reference();

/// The generated reference of every setting: Markdown.
std::string settings_reference();

/// Settings and statistics of a mechanism, which the other two pages leave out: Markdown.
std::string mechanism_reference(const machine::MechanismKind& kind);

}  // namespace raddle::report
