// Nsight Compute's names for raddle's statistics.
#pragma once

#include <span>
#include <string>

namespace raddle::report {

struct ProfilerName {
  const char* metric;      // of Nsight Compute
  const char* unit;        // unit in Nsight Compute
  const char* statistics;  // raddle's, in the same unit; paths within `merged` in back quotes
  const char* remark;
};

std::span<const ProfilerName> profiler_names();
/// The table of the reference page, with its heading: Markdown.
std::string profiler_names_reference();

}  // namespace raddle::report
