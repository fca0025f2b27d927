// The front end of a multiprocessor, which brings instructions from memory to the warps.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct FrontendConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> instruction_bytes{
      *this,   "instruction_bytes",
      8,       "bytes",
      {4, 16}, "size of an instruction; each PTX instruction counts as one"};
  Field<unsigned> control_every{
      *this,   "control_every",
      7,       "instructions",
      {0, 64}, "that share a control word of their size; 0: there are none"};
  Field<unsigned> fetch_width{
      *this,
      "fetch_width",
      4,
      "instructions",
      {1, 16},
      "that a scheduler fetches in a cycle, for one warp; a power of two. A warp's buffer holds "
      "those it issues from and those behind them"};
  Field<unsigned> line{*this,   "line",    128,
                       "bytes", {32, 128}, "line of the instruction caches; a power of two"};
  Field<unsigned> l0_bytes{*this,   "l0_bytes",    0,
                           "bytes", {0, 1u << 20}, "cache of each scheduler; 0: there is none"};
  Field<unsigned> l0_ways{*this, "l0_ways", 4, "lines", {1, 64}, "lines of a set"};
  Field<unsigned> l1_bytes{*this, "l1_bytes", 8192, "bytes", {128, 1u << 24}, "cache of the SM"};
  Field<unsigned> l1_ways{*this, "l1_ways", 4, "lines", {1, 64}, "lines of a set"};
  Field<unsigned> l1_latency{
      *this, "l1_latency", 20, "SM cycles", {1, 1000}, "miss in the L0 cache, hit in the L1 cache"};
  Field<unsigned> prefetch{
      *this,   "prefetch", 1,
      "lines", {0, 32},    "that are prefetched beyond the line that a warp begins to use"};
};

}  // namespace raddle::machine
