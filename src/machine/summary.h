// The few figures that sum up a run, derived from the statistics tree. JSON's `totals`, the table
// and the reference page all use this list.
#pragma once

#include <string>
#include <vector>

#include "base/stats.h"
#include "machine/gpu.h"

namespace raddle::machine {

struct SummaryValue {
  const char* name;     // "warp_activity"
  const char* unit;     // "fraction", "cycles", ...
  const char* meaning;  // a sentence
  double value = 0;     // counts are exact up to 2^53
  bool count = false;   // a whole number
};

/// In the order in which people read them: time_us and program_time_us (on the timed machine),
/// which make GPUs of different clocks comparable, cycles, warp_instructions, thread_instructions,
/// ipc, warp_activity, sm_occupancy, dram_efficiency, then each cache's hits and misses (`l1_hits`,
/// `l1_misses`, `l2_hits` ...), then coalescing (`transactions_per_request`). `program_us`: time of
/// the program on the host's virtual clock.
std::vector<SummaryValue> summarize(const Gpu&, double program_us = 0);

}  // namespace raddle::machine
