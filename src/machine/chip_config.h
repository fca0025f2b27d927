// Settings of the GPU as a whole, and of the simulation.
#pragma once

#include "base/config.h"

namespace raddle::machine {

struct ChipConfig : ConfigGroup {
  using ConfigGroup::ConfigGroup;
  TextField name{*this, "name", "Tesla K20c", "", "name of the device"};
  Field<unsigned> compute_major{*this, "compute_major", 3,
                                "",    {1, 12},         "compute capability, major number"};
  Field<unsigned> compute_minor{*this, "compute_minor", 5,
                                "",    {0, 9},          "compute capability, minor number"};
  Field<unsigned> sms{*this, "sms", 13, "SMs", {1, 256}, "multiprocessors"};
  Field<unsigned> core_mhz{*this, "core_mhz", 706,
                           "MHz", {1, 10000}, "clock of the SMs, the network and the L2 slices"};
  Field<unsigned> dram_mhz{
      *this,      "dram_mhz",
      2600,       "MHz",
      {1, 20000}, "memory clock as a device query reports it; two transfers per cycle on each pin"};
  Field<std::uint64_t> memory_bytes{*this,   "memory_bytes",           5ull << 30,
                                    "bytes", {1ull << 20, 1ull << 40}, "device memory"};
  Field<unsigned> memory_bus_bits{*this, "memory_bus_bits", 320, "bits", {32, 16384}, "memory bus"};
  Field<std::uint64_t> heap_bytes{*this,   "heap_bytes",    8ull << 20,
                                  "bytes", {0, 1ull << 40}, "device heap for malloc in kernels"};

  Field<std::uint64_t> guard_bytes{
      *this,
      "guard_bytes",
      64ull << 10,
      "bytes",
      {0, 1ull << 30},
      "unused addresses after an allocation, in which accesses past its end are detected: as many "
      "as it has bytes, at least 256 and at most this; 0: none",
      "raddle: takes no memory"};
  Field<std::uint64_t> quarantine_bytes{
      *this,
      "quarantine_bytes",
      1ull << 30,
      "bytes",
      {0, 1ull << 40},
      "addresses of freed memory that are not reused, so that uses of it are detected; those of "
      "the most recently freed allocation are not reused, however large it is; 0: none",
      "raddle: takes no memory"};

  TextField mechanisms{
      *this, "mechanisms", "", "",
      "mechanisms to switch on, or off with a minus sign, separated by commas (raddle "
      "run --with)"};

  // How the simulator works.
  Field<bool> functional{*this, "functional", false,
                         "",    {},           "compute results only, without timing"};
  Field<unsigned> threads{*this,
                          "threads",
                          1,
                          "threads",
                          {1, 256},
                          "host threads; results do not depend on it (functional: those of "
                          "programs without data races)"};
  Field<bool> skip_idle{
      *this,
      "skip_idle",
      true,
      "",
      {},
      "jump over cycles in which nothing happens; results do not depend on it, and a run that "
      "jumps over none checks that"};
  Field<bool> perfect_memory{*this,
                             "perfect_memory",
                             false,
                             "",
                             {},
                             "what misses in the caches of a multiprocessor comes in the next "
                             "cycle: no network, L2 cache or DRAM takes time; for limit studies"};
  Field<bool> flush_caches{
      *this,
      "flush_caches",
      false,
      "",
      {},
      "all caches are emptied before a kernel that the host launches starts alone, as profilers do "
      "(Nsight Compute: --cache-control all)"};
  Field<bool> measure_units{
      *this, "measure_units",
      false, "",
      {},    "measure the host's time by hardware unit: slower, results the same"};
  Field<bool> keep_going{
      *this, "keep_going", false, "", {}, "continue after an access fault and report all faults"};
  Field<std::uint64_t> preempt_every{
      *this,
      "preempt_every",
      0,
      "SM cycles",
      {0, 1u << 30},
      "a resident block, chosen at random, is preempted every so many cycles on average: its "
      "state is saved, and restored where there is room; 0: none",
      "raddle: for tests of programs and mechanisms"};
  Field<std::uint64_t> preempt_seed{
      *this, "preempt_seed", 1, "", {}, "which blocks preempt_every chooses, and when"};
  Field<std::uint64_t> max_cycles{
      *this,       "max_cycles", 0,
      "SM cycles", {},           "stop a grid that runs longer, as a watchdog does; 0: never"};
};

}  // namespace raddle::machine
