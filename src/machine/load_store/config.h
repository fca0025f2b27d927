// The load-store unit of a multiprocessor: address generation, shared-memory banks, constant cache.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct LoadStoreConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> queue{*this,   "queue",
                        8,       "warp instructions",
                        {1, 64}, "memory instructions issued and waiting in the load-store unit"};
  Field<bool> stores_hold_warps{
      *this,
      "stores_hold_warps",
      true,
      "",
      {},
      "a warp that exits keeps its place until its stores have been acknowledged; false: only the "
      "end of its grid waits for them",
      "GPGPU-Sim"};
  Field<unsigned> fence_latency{
      *this,
      "fence_latency",
      0,
      "SM cycles",
      {0, 10000},
      "from the last acknowledgement of a warp's stores to the end of its fence, when that is for "
      "other multiprocessors too",
      "assumed"};
  Field<bool> fences_invalidate{
      *this,
      "fences_invalidate",
      false,
      "",
      {},
      "such a fence empties the L1 cache, so that loads behind it see what others have written",
      "assumed"};
  Field<unsigned> background_queue{
      *this,
      "background_queue",
      4,
      "accesses",
      {1, 64},
      "of units that mechanisms bring, waiting until there is nothing else to send",
      "assumed: hardware-worklists, section III.D, says as many as there is space"};
  Field<unsigned> background_patience{
      *this,
      "background_patience",
      200,
      "SM cycles",
      {1, 1u << 30},
      "after which such an access no longer waits for others: warps that wait for what it brings "
      "may keep the unit busy",
      "assumed"};
};

struct SharedMemoryConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> bank_bytes{*this,   "bank_bytes", 8,
                             "bytes", {4, 8},       "width of each of the 32 banks"};
  Field<unsigned> mode_bytes{
      *this,
      "mode_bytes",
      4,
      "bytes",
      {4, 8},
      "of banks of 8 bytes: size of the words that lie in successive banks, unless the program "
      "says "
      "otherwise (cudaDeviceSetSharedMemConfig)",
      "CUDA Runtime API, cudaSharedMemBankSizeDefault: four bytes on compute capability 3.x"};
  Field<bool> paired_lanes{*this,
                           "paired_lanes",
                           false,
                           "",
                           {},
                           "loads of 8 and 16 bytes take half as many passes when neighbouring "
                           "lanes (n and n^1, or n and "
                           "n^2) agree on their addresses"};
  Field<unsigned> latency{
      *this,       "latency", 26,
      "SM cycles", {1, 1000}, "load without conflict, to the issue of an instruction that uses it"};
  Field<unsigned> conflict_interval{
      *this, "conflict_interval", 1, "SM cycles", {1, 64}, "for which a pass keeps the banks busy"};
  Field<unsigned> conflict_latency{*this,   "conflict_latency",
                                   14,      "SM cycles",
                                   {1, 64}, "that each further pass delays a result"};
  Field<unsigned> atomic_latency{
      *this,     "atomic_latency",
      26,        "SM cycles",
      {1, 1000}, "atomic without conflict, to the issue of an instruction that uses it"};
  Field<unsigned> atomic_conflict_latency{
      *this,    "atomic_conflict_latency",
      14,       "SM cycles",
      {1, 500}, "that each further lane on the same word, or word of a bank, delays an atomic"};
  Field<unsigned> atomic_passes{
      *this,
      "atomic_passes",
      1,
      "passes",
      {1, 16},
      "that an atomic takes: more on GPUs where a program locks, changes and unlocks the word"};
  Field<unsigned> swap_delay{
      *this,
      "swap_delay",
      0,
      "SM cycles",
      {0, 1000},
      "by which the swap of a loop that adds floating-point numbers compares its word later than "
      "other atomics do; added to the loop's load, since values are read when instructions issue",
      "assumed"};
};

struct TextureConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> quads{*this,
                        "quads",
                        4,
                        "quads",
                        {1, 16},
                        "groups of four lanes whose lookups start filtering in a cycle",
                        "GK110 white paper: 16 texture units per SMX"};
  Field<unsigned> latency{
      *this,
      "latency",
      112,
      "SM cycles",
      {1, 1000},
      "lookup that hits, to the issue of an instruction that uses it; not less than a load's",
      "PPT: K40"};
};

struct ConstantCacheConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  Field<unsigned> bytes{*this, "bytes", 2048, "bytes", {256, 1u << 20}, "capacity"};
  Field<unsigned> line{*this, "line", 64, "bytes", {32, 128}, "line, a power of two"};
  Field<unsigned> ways{*this, "ways", 4, "lines", {1, 64}, "lines of a set"};
  Field<unsigned> latency{*this,     "latency",
                          16,        "SM cycles",
                          {1, 1000}, "hit, to the issue of an instruction that uses it"};
};

}  // namespace raddle::machine
